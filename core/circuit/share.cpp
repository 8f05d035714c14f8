#include "circuit/share.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "circuit/rewrite.h"
#include "util/random.h"

namespace woodstock {

namespace {

// A pair is worth a node when it is met this often: the node costs an instruction and two operands.
constexpr std::uint32_t worth_it = 4;

// Counts of pairs of references, by open addressing.
class PairCounts {
 public:
  explicit PairCounts(std::size_t expected) {
    std::size_t size = 1024;
    while (size < 2 * expected) size *= 2;
    keys_.assign(size, 0);
    counts_.assign(size, 0);
    queued_.assign(size, 0);
  }

  std::uint32_t& queued(std::uint64_t key) { return queued_[find(keys_, key)]; }
  std::uint32_t& operator[](std::uint64_t key) {
    if (2 * used_ >= keys_.size()) grow();
    const std::size_t at = find(keys_, key);
    if (keys_[at] == 0) {
      keys_[at] = key;
      ++used_;
    }
    return counts_[at];
  }

  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] != 0) visit(keys_[i], counts_[i]);
    }
  }

 private:
  static std::size_t find(const std::vector<std::uint64_t>& keys, std::uint64_t key) noexcept {
    const std::size_t mask = keys.size() - 1;
    std::size_t at = (key * golden_gamma >> 20) & mask;
    while (keys[at] != 0 && keys[at] != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<std::uint64_t> keys(2 * keys_.size(), 0);
    std::vector<std::uint32_t> counts(2 * counts_.size(), 0);
    std::vector<std::uint32_t> queued(2 * counts_.size(), 0);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == 0) continue;
      const std::size_t at = find(keys, keys_[i]);
      keys[at] = keys_[i];
      counts[at] = counts_[i];
      queued[at] = queued_[i];
    }
    keys_ = std::move(keys);
    counts_ = std::move(counts);
    queued_ = std::move(queued);
  }

  std::vector<std::uint64_t> keys_;  // never 0: a pair of two different references
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> queued_;  // the count under which the pair waits; 0: it does not
  std::size_t used_ = 0;
};

class Sharing {
 public:
  explicit Sharing(const GameLogic& game)
      : game_(game),
        logic_(game.logic),
        list_(logic_.size()),
        users_(2 * logic_.size()),
        // The longer the lists altogether, the fewer neighbours are looked at.
        reach_(logic_.input_count() > 4'000'000   ? 2
               : logic_.input_count() > 1'000'000 ? 4
                                                  : 12),
        counts_(logic_.input_count() * reach_ / 4) {}

  GameLogic run() {
    for (NodeId n = 1; n < logic_.size(); ++n) {
      const auto inputs = logic_.inputs(n);
      list_[n].assign(inputs.begin(), inputs.end());
      for (Ref ref : inputs) users_[ref].push_back(n);
      count(n, 0, list_[n].size(), +1);
    }
    counts_.each([&](std::uint64_t key, std::uint32_t times) {
      if (times >= worth_it) push(times, key);
    });
    while (!queue_.empty()) {
      // Counts fall when other pairs take references away. Entries of the queue are not touched
      // then, but looked at again when it is their turn.
      const Entry top = queue_.top();
      queue_.pop();
      if (counts_.queued(top.key) != top.times) continue;  // waits under a higher count
      counts_.queued(top.key) = 0;
      const std::uint32_t times = counts_[top.key];
      if (times < worth_it) continue;
      if (times < top.times) {
        push(times, top.key);
        continue;
      }
      take_out(static_cast<Ref>(top.key >> 32), static_cast<Ref>(top.key & 0xffffffffU));
    }
    return rebuild();
  }

 private:
  struct Entry {
    std::uint32_t times;
    std::uint64_t key;
    bool operator<(const Entry& other) const noexcept {
      // Ties by key, so that the order of the hash table decides nothing.
      return times != other.times ? times < other.times : key > other.key;
    }
  };

  void push(std::uint32_t times, std::uint64_t key) {
    std::uint32_t& queued = counts_.queued(key);
    if (times < worth_it || times <= queued) return;
    queued = times;
    queue_.push({times, key});
  }

  static std::uint64_t key_of(Ref a, Ref b) noexcept {
    return (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
  }

  // Counts, or discounts, all pairs of near neighbours with at least one in [first, last).
  void count(NodeId n, std::size_t first, std::size_t last, int change) {
    const std::vector<Ref>& list = list_[n];
    last = std::min(last, list.size());
    for (std::size_t i = first > reach_ ? first - reach_ : 0; i < last; ++i) {
      const std::size_t from = std::max(i + 1, i < first ? first : 0);
      for (std::size_t j = from; j < std::min(list.size(), i + 1 + reach_); ++j) {
        if (i < first && j >= last) break;
        const std::uint64_t key = key_of(list[i], list[j]);
        std::uint32_t& times = counts_[key];
        if (change > 0) {
          if (++times >= worth_it && started_) risen_.push_back(key);
        } else if (times > 0) {
          --times;
        }
      }
    }
  }

  // Makes a node of two references wherever they are near each other.
  void take_out(Ref a, Ref b) {
    started_ = true;
    const auto made = static_cast<NodeId>(list_.size());
    const Ref c = ref_of(made);
    list_.push_back({a, b});
    users_.resize(2 * list_.size());
    const std::vector<NodeId> users = users_[a].size() < users_[b].size() ? users_[a] : users_[b];
    for (NodeId n : users) {
      std::vector<Ref>& list = list_[n];
      const auto at_a = std::find(list.begin(), list.end(), a);
      if (at_a == list.end()) continue;
      const auto at_b = std::find(list.begin(), list.end(), b);
      // A list of just these two is the pair; it becomes the same node when the logic is rebuilt.
      if (at_b == list.end() || list.size() == 2) continue;
      auto i = static_cast<std::size_t>(std::min(at_a, at_b) - list.begin());
      auto j = static_cast<std::size_t>(std::max(at_a, at_b) - list.begin());
      if (j - i > reach_) continue;
      const std::size_t last = j + reach_;
      // Only the pairs around the two places change: they are discounted before and counted after.
      count(n, i, last, -1);
      list[i] = c;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(j));
      count(n, i, last - 1, +1);
      users_[c].push_back(n);
    }
    // What is left of it stands alone in its list and must not come up again.
    counts_[key_of(a, b)] = 0;
    users_[a].push_back(made);
    users_[b].push_back(made);
    std::sort(risen_.begin(), risen_.end());
    risen_.erase(std::unique(risen_.begin(), risen_.end()), risen_.end());
    for (std::uint64_t key : risen_) push(counts_[key], key);
    risen_.clear();
  }

  GameLogic rebuild() {
    const auto first_new = static_cast<NodeId>(logic_.size());
    std::vector<Ref> fresh(list_.size() - logic_.size(), no_ref);
    Rewriter rewriter(game_);
    // The lists of new nodes refer to old nodes below their users, and to other new nodes.
    const auto translate = [&](auto&& self, Ref ref) -> Ref {
      const NodeId n = node_of(ref);
      if (n < first_new) return rewriter.now(ref);
      Ref& made = fresh[n - first_new];
      if (made == no_ref) {
        std::vector<Ref> pair{self(self, list_[n][0]), self(self, list_[n][1])};
        made = rewriter.logic().conjunction(pair);
      }
      return is_negated(ref) ? negate(made) : made;
    };
    return rewriter.run([&](NodeId n) {
      std::vector<Ref> parts;
      for (Ref ref : list_[n]) parts.push_back(translate(translate, ref));
      return rewriter.logic().conjunction(parts);
    });
  }

  static constexpr Ref no_ref = 0xffffffffU;

  const GameLogic& game_;
  const Logic& logic_;
  std::vector<std::vector<Ref>> list_;      // per node, new ones behind the old
  std::vector<std::vector<NodeId>> users_;  // per reference; may hold nodes that were
  std::size_t reach_;
  PairCounts counts_;
  std::priority_queue<Entry> queue_;
  std::vector<std::uint64_t> risen_;  // pairs met more often than before
  bool started_ = false;
};

}  // namespace

GameLogic share_parts(const GameLogic& game) { return Sharing(game).run(); }

}  // namespace woodstock
