// Search for plans among the states themselves: breadth first, or the best first.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "circuit/simulator.h"
#include "plan/relaxation.h"
#include "search/chunked.h"
#include "symmetry/quotient.h"

namespace woodstock::plan {

struct SpaceOptions {
  std::uint32_t role = 0;                       // whose goal counts
  std::uint32_t horizon = 1'000'000;            // turns that a plan may take
  std::size_t memory = std::size_t{512} << 20;  // bytes
  // States are looked at in the order of depth_weight * turns so far + distance_weight * distance
  // to go; the second needs a relaxation.
  std::uint32_t depth_weight = 1;
  std::uint32_t distance_weight = 0;
  // Every other state is one that shows something new at its distance (novelty, Lipovetzky and
  // Geffner 2012), however far it is.
  bool novelty = false;
  // Fluents, as a packed state, in which states may differ and still count as one, the one that is
  // reached in fewer turns staying. Empty: none.
  std::vector<std::uint8_t> ignored;
  // States that are equal up to these symmetries count as one; for one role. nullptr: none.
  std::shared_ptr<const symmetry::Quotient> quotient;

  void check() const;
};

enum class SpaceStatus : std::uint8_t { running, found, exhausted, full };

// All successors of many states are made in one pass of the circuit, and states met before are left
// out. One thread at a time.
class SpaceSearch {
 public:
  // Throws std::invalid_argument for options without sense, or a state of the wrong size.
  SpaceSearch(std::shared_ptr<Simulator> simulator, std::shared_ptr<Relaxation> relaxation,
              const SpaceOptions& options, std::span<const std::uint8_t> start);
  SpaceSearch(const SpaceSearch&) = delete;
  SpaceSearch& operator=(const SpaceSearch&) = delete;

  // Goes on for so many seconds, or until the game can be ended with more than `above`: `found`.
  // `exhausted`: there is nothing left; `full`: nor is there memory. Can be asked again whenever it
  // is neither.
  SpaceStatus go_on(std::int64_t above, double seconds);

  // After `found`: the moves of all roles, turn by turn, and what the role gets.
  const std::vector<std::uint32_t>& moves() const noexcept { return plan_; }
  std::uint32_t goal() const noexcept { return goal_; }

  // Whether all that was left out was met before, so that `exhausted` is a proof.
  bool complete() const noexcept { return complete_; }
  std::uint64_t states() const noexcept { return count_; }
  std::uint64_t expanded() const noexcept { return expanded_; }
  std::uint32_t depth() const noexcept { return depth_; }
  std::uint16_t nearest() const noexcept { return nearest_; }  // distance, of all states so far

 private:
  using Id = std::uint32_t;
  using Element = symmetry::Quotient::Element;
  static constexpr Id nobody = 0xffffffffU;

  struct Node {
    std::uint64_t key;
    Id parent;
    std::uint32_t depth;
    std::uint16_t distance;
    Element by;  // folded by it when it was reached
    bool done;   // its successors have been made since it was reached in so many turns
  };
  // First in, first out, for each priority.
  struct Queue {
    struct Bucket {
      std::vector<Id> ids;
      std::size_t begin = 0;
    };
    std::vector<Bucket> buckets;
    std::size_t lowest = 0;
    std::size_t waiting = 0;

    void put(std::size_t priority, Id id);
    Id take();  // nobody: empty
  };

  // Replaces a state by its representative, but for what is ignored.
  Element fold(std::uint8_t* state);
  std::uint64_t key_of(const std::uint8_t* state) const;
  bool same(Id id, const std::uint8_t* state) const;
  std::size_t slot_of(std::uint64_t key, const std::uint8_t* state) const;
  void grow_index();
  bool has_room(std::size_t nodes) const;
  Id add(std::uint64_t key, const std::uint8_t* state, Id parent, const std::uint32_t* moves,
         std::uint32_t depth, Element by);
  void put(Id id);
  bool shows_news(Id id);
  // A small piece of work each, so that time is never up for long before anybody looks.
  bool take_batch();
  void value_some();
  // Makes some successors of the batch; whether an end with more than `above` was among them.
  bool expand_some(std::int64_t above);
  void list_moves(std::size_t most);
  void meet(std::size_t i, Id parent);
  void keep_plan(Id last, const std::uint32_t* moves);

  std::shared_ptr<Simulator> simulator_;
  std::shared_ptr<Relaxation> relaxation_;
  SpaceOptions options_;
  std::uint32_t roles_;
  std::size_t size_;                // of a state
  std::vector<std::uint8_t> kept_;  // by byte: the bits that tell states apart
  Chunked<std::uint8_t> states_;
  Chunked<std::uint32_t> moves_;  // that led there
  Chunked<Node> nodes_;
  std::vector<Id> index_;  // open addressing, a power of two
  Queue open_;
  Queue novel_;
  bool turn_of_novel_ = false;
  std::vector<std::vector<std::uint8_t>> shown_;  // by distance, the fluents that have held
  std::uint64_t count_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint32_t depth_ = 0;
  std::uint16_t nearest_ = 0xffff;
  bool complete_ = true;
  bool full_ = false;
  std::uint32_t goal_ = 0;
  std::vector<std::uint32_t> plan_;

  // Of a batch: which state and joint move of it come next.
  std::size_t next_ = 0;
  std::uint64_t joint_ = 0;
  std::vector<Id> batch_;
  std::vector<std::uint8_t> batch_states_;
  std::vector<std::uint8_t> from_states_;
  std::vector<std::uint32_t> from_moves_;
  std::vector<Id> from_;
  std::vector<Id> fresh_;  // nodes without a distance yet
  std::vector<std::uint8_t> some_states_;
  std::vector<std::uint32_t> widths_;
  std::vector<std::uint16_t> distances_;
  Visits legal_;
  Visits after_;
  std::vector<std::uint8_t> folded_;  // scratch
  symmetry::Quotient::Image image_;   // scratch
};

}  // namespace woodstock::plan
