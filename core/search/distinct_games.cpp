#include "search/distinct_games.h"

#include <algorithm>
#include <bit>

namespace woodstock {

namespace {

constexpr std::size_t point_bytes = 96;
constexpr std::size_t most_lanes = 2048;

}  // namespace

DistinctGames::DistinctGames(std::shared_ptr<Simulator> simulator, std::uint64_t seed,
                             std::size_t memory)
    : simulator_(std::move(simulator)),
      roles_(simulator_->circuit().roles()),
      random_(scatter(seed + 5 * golden_gamma)),
      most_(memory) {}

bool DistinctGames::explored(std::uint64_t key, std::uint32_t plies) const {
  const auto found = points_.find(root_of(key, plies));
  return found != points_.end() && found->second.closed == found->second.total;
}

std::uint64_t DistinctGames::joint_moves(const Lane& lane) {
  std::uint64_t total = 1;
  for (std::size_t r = 0; r + 1 < lane.begin.size(); ++r) {
    total *= lane.begin[r + 1] - lane.begin[r];
  }
  return total;
}

void DistinctGames::start(Lane& lane, const Request& request, const Lane& fresh) {
  lane.path = root_of(request.key, request.plies);
  lane.left = request.plies;
  lane.state = fresh.state;
  lane.begin = fresh.begin;
  lane.legal = fresh.legal;
  lane.steps.clear();
}

std::uint64_t DistinctGames::choose(std::uint64_t path, std::uint64_t total) {
  const auto found = points_.find(path);
  if (found == points_.end()) return random_.below(total);
  const Point& point = found->second;
  if (point.closed == total) return total;
  // Of those that are left, the one of a number drawn evenly.
  std::uint64_t rest = random_.below(total - point.closed);
  for (std::size_t word = 0;; ++word) {
    std::uint64_t free = ~point.bits[word];
    const auto count = static_cast<std::uint64_t>(std::popcount(free));
    if (rest >= count) {
      rest -= count;
      continue;
    }
    while (rest-- > 0) free &= free - 1;
    return word * 64 + static_cast<std::uint64_t>(std::countr_zero(free));
  }
}

bool DistinctGames::close(const Lane& lane) {
  // From the end upwards, as long as that leaves a point without any way to go on.
  bool fresh = false;
  for (std::size_t i = lane.steps.size(); i-- > 0;) {
    const Step& step = lane.steps[i];
    Point& point = points_[step.path];
    if (point.total == 0) {
      point.total = step.total;
      point.bits.resize((step.total + 63) / 64);
      bytes_ += point_bytes + 8 * point.bits.size();
    }
    std::uint64_t& word = point.bits[step.joint / 64];
    const std::uint64_t bit = std::uint64_t{1} << (step.joint % 64);
    if ((word & bit) != 0) return fresh;
    word |= bit;
    fresh = true;
    if (++point.closed < point.total) break;
  }
  return fresh;
}

void DistinctGames::moves_of(const Lane& lane, std::uint64_t joint,
                             std::vector<std::uint32_t>& out) const {
  const std::size_t at = out.size();
  out.resize(at + roles_);
  for (std::uint32_t r = roles_; r-- > 0;) {
    const std::uint64_t count = lane.begin[r + 1] - lane.begin[r];
    out[at + r] = lane.legal[lane.begin[r] + joint % count];
    joint /= count;
  }
}

void DistinctGames::read(Lane& lane, std::size_t at) const {
  const std::size_t size = simulator_->circuit().state_size();
  lane.state.assign(visits_.states.begin() + static_cast<std::ptrdiff_t>(at * size),
                    visits_.states.begin() + static_cast<std::ptrdiff_t>((at + 1) * size));
  const std::uint32_t* const begin = visits_.legal_begin.data() + at * roles_;
  lane.begin.clear();
  for (std::uint32_t r = 0; r <= roles_; ++r) lane.begin.push_back(begin[r] - begin[0]);
  lane.legal.assign(visits_.legal.begin() + begin[0], visits_.legal.begin() + begin[roles_]);
}

bool DistinctGames::play(std::span<const Request> requests, const std::function<bool()>& go_on,
                         std::vector<std::vector<std::uint32_t>>& goals) {
  goals.assign(requests.size(), {});
  if (bytes_ > most_) {
    points_.clear();
    bytes_ = 0;
  }
  std::vector<std::uint8_t> states;
  for (const Request& one : requests)
    states.insert(states.end(), one.state.begin(), one.state.end());
  simulator_->visit(states, {}, visits_);
  std::vector<Lane> fresh(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) read(fresh[i], i);

  // Whoever can go on takes a step; whoever cannot is scored, and another game takes its place.
  std::vector<std::uint32_t> begun(requests.size());
  std::size_t waiting = 0;
  std::vector<Lane> lanes;
  std::vector<std::uint32_t> moves;
  while (true) {
    for (; waiting < requests.size() && lanes.size() < most_lanes;) {
      if (begun[waiting] == requests[waiting].games || requests[waiting].plies == 0 ||
          joint_moves(fresh[waiting]) == 0) {
        ++waiting;
        continue;
      }
      ++begun[waiting];
      lanes.emplace_back();
      lanes.back().request = waiting;
      start(lanes.back(), requests[waiting], fresh[waiting]);
    }
    states.clear();
    moves.clear();
    for (std::size_t i = 0; i < lanes.size();) {
      Lane& lane = lanes[i];
      std::uint64_t total = joint_moves(lane);
      std::uint64_t joint = choose(lane.path, total);
      if (joint == total && !lane.steps.empty()) {
        // Others have meanwhile explored what lies here.
        start(lane, requests[lane.request], fresh[lane.request]);
        total = joint_moves(lane);
        joint = choose(lane.path, total);
      }
      if (joint == total) {
        std::swap(lane, lanes.back());
        lanes.pop_back();
        continue;
      }
      lane.steps.push_back({lane.path, total, joint});
      lane.path = scatter(lane.path + golden_gamma * (joint + 1));
      --lane.left;
      states.insert(states.end(), lane.state.begin(), lane.state.end());
      moves_of(lane, joint, moves);
      ++i;
    }
    if (lanes.empty()) return true;
    if (go_on && !go_on()) return false;
    simulator_->visit(states, moves, visits_, {.keys = false});
    plies_ += lanes.size();
    for (std::size_t i = lanes.size(); i-- > 0;) {
      Lane& lane = lanes[i];
      read(lane, i);
      const bool over = visits_.terminal[i] != 0 || joint_moves(lane) == 0;
      if (!over && lane.left > 0) continue;
      if (!close(lane)) {
        // Another has just played the same moves.
        start(lane, requests[lane.request], fresh[lane.request]);
        continue;
      }
      std::vector<std::uint32_t>& out = goals[lane.request];
      for (std::uint32_t r = 0; r < roles_; ++r) {
        out.push_back(over ? visits_.goals[i * roles_ + r] : 0);
      }
      std::swap(lane, lanes.back());
      lanes.pop_back();
    }
  }
}

}  // namespace woodstock
