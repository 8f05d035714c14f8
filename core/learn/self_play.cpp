#include "learn/self_play.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace woodstock::learn {

void SelfPlayOptions::check() const {
  const auto share = [](double x) { return x >= 0 && x <= 1; };
  if (games == 0 || games > 4096) throw std::invalid_argument("games must be 1 to 4096");
  if (!share(random_moves)) throw std::invalid_argument("random_moves must be 0 to 1");
  if (!share(lambda) || !share(first_lambda)) {
    throw std::invalid_argument("lambda must be 0 to 1");
  }
  if (!share(cut)) throw std::invalid_argument("cut must be 0 to 1");
  if (!(temperature > 0)) throw std::invalid_argument("temperature must be above 0");
  if (successors == 0 || together == 0 || draws == 0) {
    throw std::invalid_argument("successors, together and draws must be at least 1");
  }
  if (max_plies == 0) throw std::invalid_argument("max_plies must be at least 1");
}

void Record::clear() {
  states.clear();
  targets.clear();
  outcomes.clear();
  values.clear();
  choosers.clear();
  games = successors = cut = 0;
}

SelfPlay::SelfPlay(std::shared_ptr<const Circuit> circuit, const SelfPlayOptions& options,
                   std::uint64_t seed)
    : circuit_(std::move(circuit)),
      options_(options),
      simulator_(circuit_, "auto", 1),
      random_(seed),
      roles_(circuit_->roles()),
      size_(circuit_->state_size()) {
  options.check();
  std::uint32_t greatest = 100;
  for (std::uint32_t value : circuit_->role_table().goal_value) {
    greatest = std::max(greatest, value);
  }
  scale_ = 1.0F / static_cast<float>(greatest);
  games_.resize(options_.games);
  stages_.resize(options_.games);
  counts_.resize(std::size_t{options_.games} * roles_);
  states_.resize(options_.games * size_);
  for (std::size_t g = 0; g < games_.size(); ++g) begin(g);
  simulator_.visit(circuit_->initial(), {}, here_);
  bool over = here_.terminal[0] != 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    over = over || here_.legal_begin[r] == here_.legal_begin[r + 1];
  }
  if (over) throw std::invalid_argument("the game is over before it begins");
}

void SelfPlay::begin(std::size_t game) {
  Game& fresh = games_[game];
  fresh.opening = static_cast<std::uint32_t>(random_.below(options_.opening + 1));
  fresh.plies = 0;
  fresh.states.clear();
  fresh.values.clear();
  fresh.cuts.clear();
  fresh.choosers.clear();
  std::copy(circuit_->initial().begin(), circuit_->initial().end(),
            states_.begin() + static_cast<std::ptrdiff_t>(game * size_));
}

std::uint64_t SelfPlay::who_chooses(std::size_t game) const {
  std::uint64_t out = 0;
  const std::uint32_t* begin = here_.legal_begin.data() + game * roles_;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (begin[r + 1] - begin[r] > 1) out |= std::uint64_t{1} << r;
  }
  return out;
}

// All joint moves of a state, or, where there are too many, those of some moves of each role; of a
// random ply, one.
void SelfPlay::list_successors(std::size_t game, bool random) {
  Stage& stage = stages_[game];
  stage = {moves_.size() / roles_, 0};
  const std::uint32_t* begin = here_.legal_begin.data() + game * roles_;
  std::uint32_t* counts = counts_.data() + game * roles_;
  options_of_role_.assign(here_.legal.begin() + begin[0], here_.legal.begin() + begin[roles_]);
  std::uint32_t choosers = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    counts[r] = begin[r + 1] - begin[r];
    if (counts[r] == 0) return;
    if (r != options_.chance && counts[r] > 1) ++choosers;
  }
  const auto keep = [&](std::uint32_t role, std::uint32_t count) {
    std::uint32_t* list = options_of_role_.data() + (begin[role] - begin[0]);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::swap(list[i], list[i + random_.below(counts[role] - i)]);
    }
    counts[role] = count;
  };
  const std::uint32_t draws = random ? 1 : options_.draws;
  if (options_.chance < roles_ && counts[options_.chance] > draws) keep(options_.chance, draws);
  const auto joint_moves = [&] {
    return std::accumulate(counts, counts + roles_, 1.0, std::multiplies<>());
  };
  const double most = random ? 1 : choosers > 1 ? options_.together : options_.successors;
  double total = joint_moves();
  for (; total > most; total = joint_moves()) {
    const auto longest =
        static_cast<std::uint32_t>(std::max_element(counts, counts + roles_) - counts);
    const auto left = static_cast<std::uint32_t>(std::max(1.0, most * counts[longest] / total));
    keep(longest, random ? 1 : std::min(std::max(left, 2U), counts[longest] - 1));
  }
  stage.count = static_cast<std::size_t>(total);
  const std::uint8_t* state = states_.data() + game * size_;
  for (std::size_t joint = 0; joint < stage.count; ++joint) {
    from_.insert(from_.end(), state, state + size_);
    const std::size_t at = moves_.size();
    moves_.resize(at + roles_);
    std::size_t rest = joint;
    for (std::uint32_t r = roles_; r-- > 0;) {
      moves_[at + r] = options_of_role_[begin[r] - begin[0] + rest % counts[r]];
      rest /= counts[r];
    }
  }
}

void SelfPlay::judge(const std::uint32_t* goals, float* out) const {
  float sum = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    out[r] = static_cast<float>(goals[r]) * scale_;
    if (r != options_.chance) sum += out[r];
  }
  if (!options_.difference) return;
  // Mine less the other's is twice mine less the sum of both.
  for (std::uint32_t r = 0; r < roles_; ++r) out[r] = (1 + 2 * out[r] - sum) / 2;
}

void SelfPlay::value_successors(const std::shared_ptr<const ValueNet>& net) {
  const std::size_t count = after_.terminal.size();
  values_.resize(count * roles_);
  if (net) {
    for (std::size_t g = 0; g < games_.size(); ++g) {
      const Stage& stage = stages_[g];
      if (stage.count == 0) continue;
      if (stage.count > 1) evaluator_->compare_with(states_.data() + g * size_);
      (*evaluator_)(std::span(after_.states).subspan(stage.first * size_, stage.count * size_),
                    values_.data() + stage.first * roles_);
    }
  } else {
    std::fill(values_.begin(), values_.end(), 0.5F);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (after_.terminal[i] != 0) judge(after_.goals.data() + i * roles_, &values_[i * roles_]);
  }
}

SelfPlay::Choice SelfPlay::choose(std::size_t game, float* value) {
  const Stage& stage = stages_[game];
  const std::uint32_t* counts = counts_.data() + game * roles_;
  std::uint32_t choosers = 0;
  std::uint32_t chooser = options_.chance < roles_ ? options_.chance : 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r == options_.chance || counts[r] < 2) continue;
    ++choosers;
    chooser = r;
  }
  if (choosers > 1) return choose_together(stage, counts, value);
  return choose_alone(stage, counts, chooser, value);
}

SelfPlay::Choice SelfPlay::choose_alone(const Stage& stage, const std::uint32_t* counts,
                                        std::uint32_t chooser, float* value) {
  // The chooser's arms; what chance draws behind an arm counts alike. Where nobody chooses, all
  // draws are one arm.
  const bool nobody = chooser == options_.chance;
  const std::size_t arms = nobody ? 1 : counts[chooser];
  std::size_t stride = 1;
  for (std::uint32_t r = chooser + 1; r < roles_; ++r) stride *= counts[r];
  const auto arm_of = [&](std::size_t joint) { return nobody ? 0 : joint / stride % arms; };
  arms_.assign(arms * roles_, 0.0F);
  const float* values = values_.data() + stage.first * roles_;
  for (std::size_t joint = 0; joint < stage.count; ++joint) {
    float* arm = arms_.data() + arm_of(joint) * roles_;
    for (std::uint32_t r = 0; r < roles_; ++r) arm[r] += values[joint * roles_ + r];
  }
  const std::size_t draws = stage.count / arms;
  for (float& sum : arms_) sum /= static_cast<float>(draws);
  std::size_t best = 0;
  for (std::size_t a = 1; a < arms; ++a) {
    if (arms_[a * roles_ + chooser] > arms_[best * roles_ + chooser]) best = a;
  }
  std::copy_n(arms_.data() + best * roles_, roles_, value);
  std::size_t taken = best;
  if (arms > 1 && random_.luck() < options_.random_moves) {
    taken = random_.below(arms);
  } else if (arms > 1) {
    weights_.resize(arms);
    double sum = 0;
    for (std::size_t a = 0; a < arms; ++a) {
      const double below = arms_[a * roles_ + chooser] - arms_[best * roles_ + chooser];
      sum += weights_[a] = std::exp(below / options_.temperature);
    }
    double luck = random_.luck() * sum;
    taken = 0;
    while (taken + 1 < arms && luck >= weights_[taken]) luck -= weights_[taken++];
  }
  const double lost = arms_[best * roles_ + chooser] - arms_[taken * roles_ + chooser];
  std::size_t draw = draws == 1 ? 0 : random_.below(draws);
  for (std::size_t joint = 0; joint < stage.count; ++joint) {
    if (arm_of(joint) == taken && draw-- == 0) return {stage.first + joint, lost > options_.cut};
  }
  return {stage.first, true};  // not reached
}

// What joint moves of two roles are worth to both, chance being averaged: rows are moves of the
// first.
void SelfPlay::make_matrix(const Stage& stage, const std::uint32_t* counts, std::uint32_t row,
                           std::uint32_t column, std::size_t row_stride,
                           std::size_t column_stride) {
  const std::size_t cells = std::size_t{counts[row]} * counts[column];
  matrix_.assign(2 * cells, 0.0);
  const float* values = values_.data() + stage.first * roles_;
  const double share = static_cast<double>(cells) / static_cast<double>(stage.count);
  for (std::size_t joint = 0; joint < stage.count; ++joint, values += roles_) {
    const std::size_t cell =
        joint / row_stride % counts[row] * counts[column] + joint / column_stride % counts[column];
    matrix_[cell] += share * static_cast<double>(values[row]);
    matrix_[cells + cell] += share * static_cast<double>(values[column]);
  }
}

// What every move is worth against the other's strategy.
void SelfPlay::weigh_matrix(const double* rows, const double* columns, double* row_worths,
                            double* column_worths, std::size_t height, std::size_t width) const {
  const double* mine = matrix_.data();
  const double* theirs = mine + height * width;
  for (std::size_t i = 0; i < height; ++i, mine += width, theirs += width) {
    double sum = 0;
    for (std::size_t j = 0; j < width; ++j) {
      sum += columns[j] * mine[j];
      column_worths[j] += rows[i] * theirs[j];
    }
    row_worths[i] = sum;
  }
}

// Several choose at once: regret matching on the values of the joint moves tells how often each
// should make which move, and what the state is worth then.
SelfPlay::Choice SelfPlay::choose_together(const Stage& stage, const std::uint32_t* counts,
                                           float* value) {
  std::size_t total = 0;
  std::vector<std::size_t> first(roles_);
  std::vector<std::size_t> stride(roles_, 1);
  for (std::uint32_t r = roles_; r-- > 1;) stride[r - 1] = stride[r] * counts[r];
  for (std::uint32_t r = 0; r < roles_; ++r) {
    first[r] = total;
    total += counts[r];
  }
  regrets_.assign(total, 0.0);
  strategy_.assign(total, 0.0);
  average_.assign(total, 0.0);
  worths_.assign(total, 0.0);
  const float* values = values_.data() + stage.first * roles_;
  const auto arm = [&](std::size_t joint, std::uint32_t r) {
    return first[r] + joint / stride[r] % counts[r];
  };
  const auto probability = [&](const std::vector<double>& of, std::size_t joint,
                               std::uint32_t but) {
    double out = 1;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      if (r != but) out *= of[arm(joint, r)];
    }
    return out;
  };
  std::vector<std::uint32_t> choosers;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r != options_.chance && counts[r] > 1) choosers.push_back(r);
  }
  // Two against each other are a matrix, and most of what there is.
  const bool matrix = choosers.size() == 2;
  if (matrix) {
    make_matrix(stage, counts, choosers[0], choosers[1], stride[choosers[0]], stride[choosers[1]]);
  }
  for (std::uint32_t round = 0; round < options_.rounds_of_regret; ++round) {
    for (std::uint32_t r = 0; r < roles_; ++r) {
      double sum = 0;
      for (std::size_t a = first[r]; a < first[r] + counts[r]; ++a) {
        sum += std::max(0.0, regrets_[a]);
      }
      const bool even = sum <= 0 || r == options_.chance;
      for (std::size_t a = first[r]; a < first[r] + counts[r]; ++a) {
        strategy_[a] = even ? 1.0 / counts[r] : std::max(0.0, regrets_[a]) / sum;
        average_[a] += strategy_[a] / options_.rounds_of_regret;
      }
    }
    std::fill(worths_.begin(), worths_.end(), 0.0);
    if (matrix) {
      weigh_matrix(&strategy_[first[choosers[0]]], &strategy_[first[choosers[1]]],
                   &worths_[first[choosers[0]]], &worths_[first[choosers[1]]], counts[choosers[0]],
                   counts[choosers[1]]);
    } else {
      for (std::size_t joint = 0; joint < stage.count; ++joint) {
        for (const std::uint32_t r : choosers) {
          worths_[arm(joint, r)] +=
              probability(strategy_, joint, r) * static_cast<double>(values[joint * roles_ + r]);
        }
      }
    }
    for (const std::uint32_t r : choosers) {
      double mean = 0;
      const std::size_t last = first[r] + counts[r];
      for (std::size_t a = first[r]; a < last; ++a) mean += strategy_[a] * worths_[a];
      for (std::size_t a = first[r]; a < last; ++a) regrets_[a] += worths_[a] - mean;
    }
  }
  std::fill_n(value, roles_, 0.0F);
  for (std::size_t joint = 0; joint < stage.count; ++joint) {
    const double p = probability(average_, joint, roles_);
    for (std::uint32_t r = 0; r < roles_; ++r) {
      value[r] += static_cast<float>(p) * values[joint * roles_ + r];
    }
  }
  Choice choice{stage.first, false};
  for (std::uint32_t r = 0; r < roles_; ++r) {
    std::size_t taken = 0;
    if (counts[r] > 1 && r != options_.chance && random_.luck() < options_.random_moves) {
      taken = random_.below(counts[r]);
      choice.cut = true;
    } else if (counts[r] > 1) {
      double luck = random_.luck();
      while (taken + 1 < counts[r] && luck >= average_[first[r] + taken]) {
        luck -= average_[first[r] + taken++];
      }
    }
    choice.successor += taken * stride[r];
  }
  return choice;
}

// Targets go back from the end: what the best move was worth when it was made, and what became of
// it, as long as it was about the best that was made.
void SelfPlay::finish(Game& game, const float* outcome, double lambda, Record& out) {
  const std::size_t count = game.choosers.size();
  const std::size_t first = out.size();
  out.states.insert(out.states.end(), game.states.begin(), game.states.end());
  out.values.insert(out.values.end(), game.values.begin(), game.values.end());
  out.choosers.insert(out.choosers.end(), game.choosers.begin(), game.choosers.end());
  out.targets.resize((first + count) * roles_);
  out.outcomes.resize((first + count) * roles_);
  const auto later = static_cast<float>(lambda);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    float target = outcome[r];
    for (std::size_t i = count; i-- > 0;) {
      const float best = game.values[i * roles_ + r];
      target = game.cuts[i] != 0 ? best : (1 - later) * best + later * target;
      out.targets[(first + i) * roles_ + r] = target;
      out.outcomes[(first + i) * roles_ + r] = outcome[r];
    }
  }
  ++out.games;
}

bool SelfPlay::play(const std::shared_ptr<const ValueNet>& net, double lambda, std::uint32_t plies,
                    Record& out, const std::function<bool()>& go_on) {
  if (net && (!evaluator_ || &evaluator_->net() != net.get())) {
    evaluator_ = std::make_unique<Evaluator>(net);
  }
  std::vector<float> value(roles_);
  for (std::uint32_t ply = 0; ply < plies; ++ply) {
    if (go_on && !go_on()) return false;
    simulator_.visit(states_, {}, here_, {.keys = false});
    from_.clear();
    moves_.clear();
    for (std::size_t g = 0; g < games_.size(); ++g) {
      list_successors(g, !net || games_[g].opening != 0);
    }
    // Where everybody is stuck, which is nowhere in a proper game, there is nothing to make.
    if (!moves_.empty()) {
      simulator_.visit(from_, moves_, after_, {.legal = false, .keys = false});
      value_successors(net);
      out.successors += after_.terminal.size();
    }
    for (std::size_t g = 0; g < games_.size(); ++g) {
      Game& game = games_[g];
      if (stages_[g].count == 0) {
        judge(here_.goals.data() + g * roles_, value.data());
        finish(game, value.data(), lambda, out);
        begin(g);
        continue;
      }
      const Choice choice = choose(g, value.data());
      const std::uint64_t choosers = who_chooses(g);
      if (!net || game.opening == 0) {
        const std::uint8_t* state = states_.data() + g * size_;
        game.states.insert(game.states.end(), state, state + size_);
        game.values.insert(game.values.end(), value.begin(), value.end());
        game.choosers.push_back(choosers);
        game.cuts.push_back(choice.cut ? 1 : 0);
      } else {
        --game.opening;
      }
      ++game.plies;
      const float* after = values_.data() + choice.successor * roles_;
      const bool over = after_.terminal[choice.successor] != 0;
      const bool late = game.plies >= options_.max_plies;
      if (over || late) {
        if (!over) ++out.cut;
        finish(game, after, lambda, out);
        begin(g);
      } else {
        std::copy_n(after_.states.begin() + static_cast<std::ptrdiff_t>(choice.successor * size_),
                    size_, states_.begin() + static_cast<std::ptrdiff_t>(g * size_));
      }
    }
  }
  return true;
}

}  // namespace woodstock::learn
