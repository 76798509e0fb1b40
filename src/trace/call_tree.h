// Slices of the same name under the same parents, added up: where the time of many executions went.
//
// Children are in the order of their total time, largest first; equal ones by name. Times are in ticks of the
// track's clock and exact: a node's total is its self time plus the totals of its children. Plain data, made
// by pure functions; names point into the trace, which must outlive the tree.
//
//   const auto of_run = [&](SliceId root) { return trace.slices().run[index(root)] == run; };
//   const CallTree tree = call_tree(trace, track, of_run);
//   for (const std::uint32_t root : tree.roots) use(tree.nodes[root].name, tree.nodes[root].total);
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trace/trace.h"

namespace accelscope::trace {

struct CallTreeNode {
  StringId name = StringId::kEmpty;
  CategoryId category = CategoryId::kNone;
  std::uint64_t count = 0;
  Ticks total = {};
  Ticks self = {};  // may be negative, see self_time.h
  std::vector<std::uint32_t> children;
};

struct CallTree {
  std::vector<CallTreeNode> nodes;  // parents before children
  std::vector<std::uint32_t> roots;
};

// The tree of one track's slices; `keep` chooses whole trees by their outermost slice.
CallTree call_tree(const Trace& trace, TrackId track, const std::function<bool(SliceId root)>& keep = {});

}  // namespace accelscope::trace
