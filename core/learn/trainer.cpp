#include "learn/trainer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "circuit/transpose.h"
#include "learn/control.h"
#include "util/stopwatch.h"

namespace woodstock::learn {

namespace {

// A vector of 512 bits holds a row of 32 numbers.
constexpr std::uint32_t row_width = 32;
constexpr std::uint32_t least_hidden = 16;
constexpr std::uint32_t first_epochs = 2;
// The parts of a round after which threads that play wait for each other.
constexpr std::size_t waits = 4;
constexpr int judging_epochs = 4;
constexpr double too_strange = 0.8;

double log_loss(double value, double outcome) {
  const double safe = std::clamp(value, 1e-3, 1 - 1e-3);
  return -outcome * std::log(safe) - (1 - outcome) * std::log(1 - safe);
}

std::uint32_t fitting_hidden(const NetShape& shape) {
  const std::uint32_t outputs = shape.heads() * shape.values();
  std::uint32_t width = row_width;
  while (width < outputs + least_hidden) width += row_width;
  return width - outputs;
}

}  // namespace

void TrainerOptions::check() const {
  SelfPlayOptions::check();
  if (threads == 0 || threads > 256) throw std::invalid_argument("threads must be 1 to 256");
  if (hidden > NetShape::most_hidden) throw std::invalid_argument("hidden must be at most 512");
  if (first == 0 || round == 0) throw std::invalid_argument("a round has at least one position");
  if (batch == 0) throw std::invalid_argument("batch must be at least 1");
  if (!(averaging > 0) || averaging > 1) {
    throw std::invalid_argument("averaging must be above 0, at most 1");
  }
  if (!(sharing >= 0) || !(sharing_positions > 0)) {
    throw std::invalid_argument("sharing must be at least 0 and sharing_positions above 0");
  }
  if (!(rate > 0) || !(last_rate > 0) || last_rate > 1) {
    throw std::invalid_argument("rate must be above 0 and last_rate above 0, at most 1");
  }
}

Trainer::Trainer(std::shared_ptr<const Circuit> circuit, std::shared_ptr<const Features> features,
                 const TrainerOptions& options, std::vector<Reflection> reflections, Kinds kinds)
    : circuit_(std::move(circuit)),
      features_(std::move(features)),
      options_(options),
      reflections_(std::move(reflections)),
      kinds_(std::move(kinds)),
      records_(options.threads),
      pool_(options.threads),
      random_(scatter(options.seed + golden_gamma)) {
  options.check();
  const std::uint32_t players = circuit_->roles() - (options.chance < circuit_->roles() ? 1 : 0);
  if (options.difference && players != 2) {
    throw std::invalid_argument("a difference of goals is one of two players");
  }
  if (features_->fluents() != circuit_->fluents()) {
    throw std::invalid_argument("features are of another game");
  }
  for (const Reflection& one : reflections_) {
    if (one.fluents.size() != circuit_->fluents() || one.roles.size() != circuit_->roles()) {
      throw std::invalid_argument("a symmetry is of another game");
    }
    for (std::uint32_t f : one.fluents) {
      if (f >= circuit_->fluents()) throw std::invalid_argument("a symmetry is of another game");
    }
    for (std::uint32_t r : one.roles) {
      if (r >= circuit_->roles()) throw std::invalid_argument("a symmetry is of another game");
    }
  }
  for (std::uint32_t t = 0; t < options.threads; ++t) {
    const std::uint64_t seed = scatter(options.seed + (t + 2) * golden_gamma);
    players_.push_back(std::make_unique<SelfPlay>(circuit_, options_, seed));
  }
}

bool Trainer::play(std::size_t positions, double lambda,
                   const std::function<bool(unsigned)>& go_on) {
  const std::size_t threads = players_.size();
  std::vector<std::uint8_t> done(threads, 1);
  const auto size = [](std::size_t sum, const Record& record) { return sum + record.size(); };
  const std::size_t games = threads * options_.games;
  const auto plies =
      static_cast<std::uint32_t>(std::max<std::size_t>(1, positions / games / waits));
  // Games of one length end together, so positions come in waves: threads that played until each
  // has its own share would wait for each other. They play the same plies instead, a few at a time.
  while (std::accumulate(records_.begin(), records_.end(), std::size_t{0}, size) < positions) {
    pool_.run(threads, [&](std::size_t t, unsigned worker) {
      done[t] = players_[t]->play(net_, lambda, plies, records_[t], [&] { return go_on(worker); });
    });
    if (std::find(done.begin(), done.end(), 0) != done.end()) return false;
  }
  return true;
}

// What kind of net the game needs, told by random games.
void Trainer::begin() {
  NetShape shape;
  shape.roles = circuit_->roles();
  shape.chance = options_.chance < shape.roles ? options_.chance : 0xffffffffU;
  Sample sample;
  bool opposed = shape.roles - (shape.chance < shape.roles ? 1 : 0) == 2;
  for (const Record& record : records_) {
    for (std::size_t i = 0; i < record.size(); ++i) {
      float sum = 0;
      for (std::uint32_t r = 0; r < shape.roles; ++r) {
        if (r != shape.chance) sum += record.outcomes[i * shape.roles + r];
        const bool chooses = (record.choosers[i] >> r & 1) != 0;
        sample.choices.push_back(chooses ? 2 : 1);
      }
      opposed = opposed && std::abs(sum - 1) < 1e-4F;
    }
    sample.states.insert(sample.states.end(), record.states.begin(), record.states.end());
    sample.size += record.size();
  }
  shape.outputs = opposed ? Outputs::opposed : Outputs::each;
  shape.controls = control_fluents(*circuit_, sample, shape.chance);
  if (shape.controls.empty()) shape.controls = alternating_fluent(*circuit_, sample);
  shape.hidden = options_.hidden != 0 ? options_.hidden : fitting_hidden(shape);
  fitter_ = std::make_unique<Fitter>(features_, shape, scatter(options_.seed + 1), options_.threads,
                                     kinds_);
  const auto exchanges = [](const Reflection& one) {
    return !std::is_sorted(one.roles.begin(), one.roles.end());
  };
  const auto first = std::find_if(reflections_.begin(), reflections_.end(), exchanges);
  if (first != reflections_.end() && strangeness(*first) > too_strange) {
    std::erase_if(reflections_, exchanges);
  }
}

// How well the net knew what would become of its games; who knows only the mean of all is blind.
void Trainer::measure() {
  const std::uint32_t roles = circuit_->roles();
  std::vector<double> mean(roles, 0);
  double count = 0;
  for (const Record& record : records_) {
    for (std::size_t i = 0; i < record.outcomes.size(); ++i) mean[i % roles] += record.outcomes[i];
    count += static_cast<double>(record.size());
  }
  std::vector<double> losses(2 * records_.size());
  pool_.run(records_.size(), [&](std::size_t part, unsigned) {
    const Record& record = records_[part];
    double own[2] = {0, 0};
    for (std::size_t i = 0; i < record.outcomes.size(); ++i) {
      if (i % roles == options_.chance) continue;
      own[0] += log_loss(record.values[i], record.outcomes[i]);
      own[1] += log_loss(mean[i % roles] / count, record.outcomes[i]);
    }
    std::copy_n(own, 2, losses.begin() + static_cast<std::ptrdiff_t>(2 * part));
  });
  double seen = 0;
  double blind = 0;
  for (std::size_t part = 0; part < records_.size(); ++part) {
    seen += losses[2 * part];
    blind += losses[2 * part + 1];
  }
  const double players = roles - (options_.chance < roles ? 1 : 0);
  progress_.outcome_loss = seen / count / players;
  progress_.blind_loss = blind / count / players;
}

// The image of a packed state.
void Trainer::reflect(const Reflection& mirror, const std::uint8_t* state,
                      std::vector<std::uint8_t>& out) const {
  const std::size_t size = circuit_->state_size();
  out.assign(size, 0);
  for (std::size_t byte = 0; byte < size; byte += 8) {
    for (std::uint64_t bits = read_bytes(state + byte, size - byte); bits != 0; bits &= bits - 1) {
      const auto from = byte * 8 + static_cast<std::size_t>(std::countr_zero(bits));
      const std::uint32_t to = mirror.fluents[from];
      out[to / 8] = static_cast<std::uint8_t>(out[to / 8] | 1U << (to % 8));
    }
  }
}

// Where players exchange their parts, images of positions may be such as no game ever meets: with
// the other's stones counted for ours, the wrong one would be to move. A net has better things to
// learn. Whether that is so is told by a net that learns to tell positions from images: 0, it
// cannot do so; 1, it always can.
double Trainer::strangeness(const Reflection& mirror) const {
  NetShape shape = fitter_->shape();
  shape.roles = 1;
  shape.chance = 0xffffffffU;
  shape.outputs = Outputs::each;
  shape.hidden = fitting_hidden(shape);
  Fitter judge(features_, shape, scatter(options_.seed + 5), 1);
  Batch batch;
  std::vector<std::uint8_t> image;
  const std::size_t size = circuit_->state_size();
  for (const Record& record : records_) {
    for (std::size_t i = 0; i < record.size(); ++i) {
      const std::uint8_t* state = record.states.data() + i * size;
      const float real = 1;
      const float unreal = 0;
      judge.add(state, &real, batch);
      reflect(mirror, state, image);
      judge.add(image.data(), &unreal, batch);
    }
  }
  std::vector<std::uint32_t> order(batch.size());
  std::iota(order.begin(), order.end(), 0U);
  RandomStream random(scatter(options_.seed + 6));
  double loss = 0;
  for (int epoch = 0; epoch < judging_epochs; ++epoch) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    loss = judge.learn(batch, order, options_.batch, static_cast<float>(options_.rate));
  }
  return 1 - loss / std::log(2.0);
}

// The positions of a record as lessons: of the states that are the same up to symmetry one, as it
// may have been played.
void Trainer::read(const Record& record, std::uint64_t seed, Batch& out) const {
  const std::size_t size = circuit_->state_size();
  const std::uint32_t roles = circuit_->roles();
  RandomStream random(seed);
  std::vector<std::uint8_t> reflected(size);
  std::vector<float> exchanged(roles);
  for (std::size_t i = 0; i < record.size(); ++i) {
    const std::uint8_t* state = record.states.data() + i * size;
    const float* targets = record.targets.data() + i * roles;
    const std::size_t which = reflections_.empty() ? 0 : random.below(reflections_.size() + 1);
    if (which != 0) {
      const Reflection& mirror = reflections_[which - 1];
      reflect(mirror, state, reflected);
      for (std::uint32_t r = 0; r < roles; ++r) exchanged[mirror.roles[r]] = targets[r];
      state = reflected.data();
      targets = exchanged.data();
    }
    fitter_->add(state, targets, out);
  }
}

void Trainer::learn(float rate) {
  const bool first = progress_.rounds == 0;
  // What features of a kind have in common is learned first, until there is enough to learn of
  // each.
  const double seen = static_cast<double>(progress_.positions) /
                      (static_cast<double>(features_->size()) * options_.sharing_positions);
  const float shared_rate =
      seen > 4 ? 0.0F : rate * static_cast<float>(options_.sharing * std::exp(-seen));
  std::vector<Batch> parts(records_.size());
  const std::uint64_t seed = random_.draw();
  pool_.run(records_.size(), [&](std::size_t i, unsigned) {
    read(records_[i], scatter(seed + i * golden_gamma), parts[i]);
  });
  batches_.push_back(std::move(parts[0]));
  Batch& batch = batches_.back();
  for (std::size_t i = 1; i < parts.size(); ++i) batch.append(parts[i]);
  std::vector<std::uint32_t> order(batch.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto shuffle = [&] {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
  };
  for (std::uint32_t epoch = 0; epoch < (first ? first_epochs : 1); ++epoch) {
    shuffle();
    progress_.loss = fitter_->learn(batch, order, options_.batch, rate, shared_rate);
  }
  // As much again of what was learned before, from one round after the other.
  if (batches_.size() > 1) {
    const std::size_t each = order.size() / (batches_.size() - 1);
    for (std::size_t b = 0; b + 1 < batches_.size(); ++b) {
      order.resize(each);
      for (std::uint32_t& one : order) {
        one = static_cast<std::uint32_t>(random_.below(batches_[b].size()));
      }
      fitter_->learn(batches_[b], order, options_.batch, rate, shared_rate);
    }
  }
  while (batches_.size() > options_.replay) batches_.pop_front();
  // Early nets know too little to be part of the mean.
  const double share =
      std::max(options_.averaging, 1 / (1.0 + 0.1 * static_cast<double>(progress_.rounds)));
  fitter_->average(static_cast<float>(share));
  pool_.run(2, [&](std::size_t which, unsigned) {
    if (which == 0) net_ = fitter_->net();
    if (which == 1) quiet_ = fitter_->mean_net();
  });
}

TrainingProgress Trainer::go_on(const TrainingLimits& limits, const std::atomic<bool>& stop,
                                const Report& report) {
  const Stopwatch watch;
  const TrainingProgress before = progress_;
  const auto spent = [&] {
    const double positions = static_cast<double>(progress_.positions - before.positions) /
                             static_cast<double>(limits.positions);
    return std::max(
        {watch.seconds() / limits.seconds, watch.cpu_seconds() / limits.cpu_seconds, positions});
  };
  // The CPU time is that of the calling thread, which is worker 0.
  const std::function<bool(unsigned)> going = [&](unsigned worker) {
    return !stop && (worker == 0 ? spent() < 1 : watch.seconds() < limits.seconds);
  };
  while (going(0)) {
    const bool first = progress_.rounds == 0;
    // At first the net knows nothing, and only the ends of games tell something; later what it says
    // of the states in between is better than the luck of the rest.
    const double before_it = slow_ ? 1 : std::min(1.0, spent());
    const double lambda =
        first ? 1 : options_.first_lambda + (options_.lambda - options_.first_lambda) * before_it;
    if (!play(first ? options_.first : options_.round, lambda, going)) break;
    for (const Record& record : records_) {
      progress_.games += record.games;
      progress_.positions += record.size();
      progress_.successors += record.successors;
      progress_.cut += record.cut;
    }
    if (first) begin();
    measure();
    const double share = slow_ ? 1 : std::min(1.0, spent());
    learn(static_cast<float>(options_.rate * (1 - (1 - options_.last_rate) * share)));
    for (Record& record : records_) record.clear();
    ++progress_.rounds;
    progress_.seconds = before.seconds + watch.seconds();
    progress_.cpu_seconds = before.cpu_seconds + watch.cpu_seconds();
    if (report && !report(progress_)) break;
  }
  if (spent() >= 1) slow_ = true;
  progress_.seconds = before.seconds + watch.seconds();
  progress_.cpu_seconds = before.cpu_seconds + watch.cpu_seconds();
  return progress_;
}

}  // namespace woodstock::learn
