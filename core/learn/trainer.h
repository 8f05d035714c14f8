// Learns a value net from games against itself: TD(lambda) in bulk.

#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "learn/fitter.h"
#include "learn/self_play.h"

namespace woodstock::learn {

struct TrainerOptions : SelfPlayOptions {
  std::uint64_t seed = 0;
  std::uint32_t threads = 1;
  std::uint32_t hidden = 0;      // units; 0: as many as fill a row
  std::uint32_t first = 16'384;  // positions of random games that come first
  std::uint32_t round = 8'192;   // positions that are played before the net learns from them
  std::uint32_t replay = 8;      // rounds that are learned from once more
  std::uint32_t batch = 256;     // positions of a step
  double rate = 0.004;           // of Adam
  double last_rate = 0.15;       // what is left of it at the end
  double sharing = 1;            // the rate of parts that features share, in parts of `rate`, which
  double sharing_positions = 200;  // ... falls to a third over so many positions a feature
  double averaging = 0.1;          // share of the last round in the mean that is the net; 1: all

  void check() const;
};

struct TrainingLimits {
  double seconds = std::numeric_limits<double>::infinity();
  double cpu_seconds = std::numeric_limits<double>::infinity();  // of the calling thread
  std::uint64_t positions = std::numeric_limits<std::uint64_t>::max();
};

struct TrainingProgress {
  std::uint64_t games = 0;
  std::uint64_t positions = 0;
  std::uint64_t successors = 0;
  std::uint64_t rounds = 0;
  std::uint64_t cut = 0;    // games that were too long
  double loss = 0;          // of the last round: log-loss of its targets
  double outcome_loss = 0;  // log-loss of how its games ended, as the net saw it while it played
  double blind_loss = 0;    // the same of who knows only how often who wins
  double seconds = 0;       // over all calls
  double cpu_seconds = 0;   // of the calling threads
};

// A permutation of fluents that leaves the game as it is; role r becomes role roles[r].
struct Reflection {
  std::vector<std::uint32_t> fluents;
  std::vector<std::uint32_t> roles;
};

class Trainer {
 public:
  // Throws std::invalid_argument for options or features without sense, and where the game is over
  // before it begins.
  Trainer(std::shared_ptr<const Circuit> circuit, std::shared_ptr<const Features> features,
          const TrainerOptions& options, std::vector<Reflection> reflections = {},
          Kinds kinds = {});

  // Asked after each round; false ends the call.
  using Report = std::function<bool(const TrainingProgress&)>;

  // Plays and learns until a limit is reached, `stop` is set or `report` says no. The rate of
  // learning falls to its last value over the first call that is not stopped before; later calls go
  // on at that. Same options, features and positions, same net.
  TrainingProgress go_on(const TrainingLimits& limits, const std::atomic<bool>& stop,
                         const Report& report);

  const TrainingProgress& progress() const { return progress_; }
  // What has been learned so far; null before anything has.
  std::shared_ptr<const ValueNet> net() const { return quiet_; }

 private:
  bool play(std::size_t positions, double lambda,
            const std::function<bool(unsigned worker)>& go_on);
  void begin();
  void learn(float rate);
  void reflect(const Reflection& mirror, const std::uint8_t* state,
               std::vector<std::uint8_t>& out) const;
  double strangeness(const Reflection& mirror) const;
  void read(const Record& record, std::uint64_t seed, Batch& out) const;
  void measure();

  std::shared_ptr<const Circuit> circuit_;
  std::shared_ptr<const Features> features_;
  TrainerOptions options_;
  std::vector<Reflection> reflections_;
  Kinds kinds_;
  std::vector<std::unique_ptr<SelfPlay>> players_;  // per thread
  std::vector<Record> records_;                     // the same
  ThreadPool pool_;
  RandomStream random_;
  std::unique_ptr<Fitter> fitter_;
  std::deque<Batch> batches_;              // the newest last
  std::shared_ptr<const ValueNet> net_;    // as it is now: it plays against itself
  std::shared_ptr<const ValueNet> quiet_;  // the mean over rounds
  TrainingProgress progress_;
  bool slow_ = false;  // the rate has fallen
};

}  // namespace woodstock::learn
