#include "formats/timeline_csv/run_nesting.h"

#include <tsl/robin_map.h>

#include <algorithm>

#include "base/hash.h"
#include "formats/timeline_csv/timeline_table.h"

namespace accelscope::formats::timeline_csv {
namespace {

using trace::EventRole;
using trace::Interval;
using trace::SliceId;
using trace::Ticks;

}  // namespace

Interval RunNester::interval(SliceId slice) const {
  const Ticks start = builder_.slices().start[index(slice)];
  return {start, start + builder_.slices().duration[index(slice)]};
}

void RunNester::nest() {
  const bool has_calls = std::find(roles_.begin(), roles_.end(), EventRole::kDelegateCall) != roles_.end();
  trace::CompletionNester nester;
  const auto waits = [&](SliceId slice) { return has_calls && role(slice) == EventRole::kDelegateOperator; };
  for (std::uint32_t i = 0; i < roles_.size(); ++i) {
    const SliceId slice{index(first_) + i};
    if (waits(slice)) {
      nester.add_pending(slice);
      continue;
    }
    claimed_.clear();
    const auto adopt = [&](SliceId child, SliceId parent) {
      if (waits(child))
        claimed_.push_back(child);
      else
        builder_.set_parent(child, parent);
    };
    nester.add(slice, interval(slice), adopt,
               [&](SliceId) { return role(slice) == EventRole::kDelegateCall; });
    if (!claimed_.empty()) adopt_events(slice);
  }
  SliceId last_root = SliceId::kNone;
  nester.for_each_root([&](SliceId slice, bool pending) {
    if (!pending) last_root = slice;
  });
  nester.for_each_root([&](SliceId slice, bool pending) {
    if (pending) place_orphan(slice, last_root);
  });
}

void RunNester::adopt_events(SliceId call) {
  std::reverse(claimed_.begin(), claimed_.end());
  const Interval bounds = interval(call);
  const auto is_numbered = [&](SliceId event) {
    return trace::is_numbered_name(builder_.text(builder_.slices().name[index(event)]));
  };
  const bool laid_end_to_end = std::any_of(claimed_.begin(), claimed_.end(), is_numbered);
  if (std::all_of(claimed_.begin(), claimed_.end(), is_numbered)) xnnpack_calls_.push_back(call);
  open_.clear();
  for (const SliceId event : claimed_) {
    if (!bounds.contains(interval(event))) {
      builder_.set_owner(event, call);
      foreign_.push_back(event);
      continue;
    }
    builder_.set_parent(event, call);
    // An event of no length is nobody's child but the call's: a neighbour would swallow it by accident.
    if (!laid_end_to_end && interval(event).start != interval(event).end) nest_in_event(event);
  }
}

// Some backends log their own phases, a phase after what happened in it.
void RunNester::nest_in_event(SliceId event) {
  while (!open_.empty() && interval(event).contains(interval(open_.back()))) {
    builder_.set_parent(open_.back(), event);
    open_.pop_back();
  }
  open_.push_back(event);
}

void RunNester::place_orphan(SliceId slice, SliceId root) {
  ++orphans_;
  if (root != SliceId::kNone && interval(root).contains(interval(slice)))
    builder_.set_parent(slice, root);
  else
    foreign_.push_back(slice);
}

std::uint64_t nest_by_parent_id(trace::TraceBuilder& builder, SliceId first,
                                std::span<const std::int32_t> node_ids,
                                std::span<const std::int32_t> parent_ids) {
  tsl::robin_map<std::int32_t, std::uint32_t, base::IntegerHash> row_of_node;
  for (std::uint32_t i = 0; i < node_ids.size(); ++i) row_of_node.insert({node_ids[i], i});
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> parents(node_ids.size(), kNone);
  std::uint64_t useless = 0;
  for (std::uint32_t i = 0; i < parent_ids.size(); ++i) {
    if (parent_ids[i] == TimelineRecord::kNoParent) continue;
    const auto found = row_of_node.find(parent_ids[i]);
    if (found == row_of_node.end())
      ++useless;
    else
      parents[i] = found->second;
  }
  // Follow the parents of every row; meeting a row of the same walk means a circle, which is cut there.
  std::vector<std::uint32_t> walk_of(node_ids.size(), kNone);
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    for (std::uint32_t row = i; walk_of[row] == kNone;) {
      walk_of[row] = i;
      const std::uint32_t parent = parents[row];
      if (parent == kNone) break;
      if (walk_of[parent] == i) {
        parents[row] = kNone;
        ++useless;
        break;
      }
      row = parent;
    }
  }
  for (std::uint32_t i = 0; i < parents.size(); ++i)
    if (parents[i] != kNone)
      builder.set_parent(SliceId{index(first) + i}, SliceId{index(first) + parents[i]});
  return useless;
}

}  // namespace accelscope::formats::timeline_csv
