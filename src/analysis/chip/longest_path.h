// The longest weighted path through a graph of plain arrays: what is left of a run when everything but its
// dependencies costs nothing.
//
// Works on millions of nodes: one pass over nodes and edges, in the order of the numbers as far as edges lead
// to higher numbers (which they nearly always do), because memory is then read in order. Pure function; it
// borrows the arrays and owns its answer.
//
//   const LongestPath path = longest_path({.weight = weights, .first = first, .successors = successors});
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace accelscope::analysis::chip {

// Compressed rows: the successors of node n are successors[first[n] .. first[n + 1]).
struct WeightedGraph {
  std::span<const std::int64_t> weight = {};  // one per node, not negative
  std::span<const std::uint32_t> first = {};  // one more than there are nodes
  std::span<const std::uint32_t> successors = {};
};

struct LongestPath {
  std::int64_t length = 0;
  std::vector<std::uint32_t> nodes = {};  // in order; empty for an empty graph
  // Nodes on cycles, or between two cycles: they have no place in any order, and are left out with their
  // edges.
  std::uint32_t on_cycles = 0;
  // Per node, when asked for: how much heavier it could be before the longest path grew. Nodes left out have
  // 0.
  std::vector<std::int64_t> slack = {};
};

enum class Slack : std::uint8_t { kNo, kYes };

// Of several longest paths, always the same one.
LongestPath longest_path(const WeightedGraph& graph, Slack slack = Slack::kNo);

}  // namespace accelscope::analysis::chip
