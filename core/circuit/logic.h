// The logic of a game as a graph of shared conjunctions: an and-inverter graph with wide nodes.
//
// A node is a source (a fluent, a move, a variable of a recursion) or the conjunction of two or
// more references. A reference is a node, negated or not; a disjunction is a negated conjunction of
// negated references. Nodes refer only to nodes made before them, so node order is an order of
// evaluation. Two conjunctions of the same references are one node.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace woodstock {

using NodeId = std::uint32_t;
using Ref = std::uint32_t;  // 2 * node, + 1 when negated

constexpr Ref ref_false = 0;  // node 0 is the constant
constexpr Ref ref_true = 1;

constexpr Ref ref_of(NodeId node) noexcept { return 2 * node; }
constexpr Ref negate(Ref ref) noexcept { return ref ^ 1U; }
constexpr NodeId node_of(Ref ref) noexcept { return ref >> 1; }
constexpr bool is_negated(Ref ref) noexcept { return (ref & 1U) != 0; }

enum class NodeKind : std::uint8_t {
  constant,
  fluent,      // the value of a fluent now
  does,        // whether a move is made
  inner,       // a recursive atom as its own rules see it, on the way to the fixpoint
  outer,       // the same atom once the fixpoint is reached
  conjunction  // of inputs()
};

class Logic {
 public:
  Logic();

  Ref add_source(NodeKind kind, std::uint32_t index);

  // Constants, repetitions and contradictions are dealt with here, so the result may be any
  // reference. The argument is scratch of the caller: it is sorted in place.
  Ref conjunction(std::vector<Ref>& refs);
  Ref disjunction(std::vector<Ref>& refs);

  std::size_t size() const noexcept { return kind_.size(); }
  NodeKind kind(NodeId node) const noexcept { return kind_[node]; }
  // What a source stands for: the number of the fluent, of the move, of the recursive atom.
  std::uint32_t index(NodeId node) const noexcept { return index_[node]; }
  // The references a conjunction joins, ascending; nothing for a source.
  std::span<const Ref> inputs(NodeId node) const noexcept {
    return {inputs_.data() + begin_[node], begin_[node + 1] - begin_[node]};
  }
  std::size_t input_count() const noexcept { return inputs_.size(); }

 private:
  void grow();

  std::vector<NodeKind> kind_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> begin_;
  std::vector<Ref> inputs_;
  std::vector<NodeId> table_;  // open addressing; 0 is free
  std::size_t shared_ = 0;     // entries of table_
};

}  // namespace woodstock
