// What all propagators of tables have in common.

#pragma once

#include <cstdint>

#include "csp/domains.h"
#include "csp/queue.h"
#include "csp/trail.h"

namespace woodstock::csp {

// Filters domains by tables. It changes domains itself and knows of these changes; of any other
// change it is told by changed(). Work is done at once or waits in the queue for propagate().
// After a call that returned false domains and tables are in no useful state: the caller undoes
// the level and calls clear().
class Propagator {
 public:
  Propagator(Domains& domains, Trail& trail, std::size_t tables)
      : domains_(domains), trail_(trail), queue_(tables) {
    for (std::size_t table = 0; table < tables; ++table) {
      queue_.insert(static_cast<std::uint32_t>(table));
    }
  }
  virtual ~Propagator() = default;
  Propagator(const Propagator&) = delete;
  Propagator& operator=(const Propagator&) = delete;

  // The variable had old_size values and has fewer now. False: some table has no row left.
  virtual bool changed(std::uint32_t variable, std::uint32_t old_size) = 0;
  // Everything that follows from the tables, one by one. False: there is no solution.
  virtual bool propagate() = 0;

  bool waiting() noexcept { return !queue_.empty(); }
  void clear() noexcept { queue_.clear(); }
  // The table that found no solution.
  std::uint32_t culprit() const noexcept { return culprit_; }
  // How often a table was run.
  std::uint64_t revisions() const noexcept { return revisions_; }

 protected:
  Domains& domains_;
  Trail& trail_;
  Queue queue_;
  std::uint32_t culprit_ = 0;
  std::uint64_t revisions_ = 0;
};

}  // namespace woodstock::csp
