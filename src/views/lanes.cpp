#include "views/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "trace/parents_first.h"
#include "trace/trace_builder.h"
#include "views/nested_walk.h"

namespace accelscope::views {
namespace {

using trace::RowRange;
using trace::SliceId;
using trace::SliceTable;
using trace::Ticks;
using trace::Trace;
using trace::TraceBuilder;
using trace::TrackId;

constexpr std::uint32_t kLaneUnknown = 0xFFFFFFFF;

// Finds the first lane that is free at a moment, in logarithmic time: a tree of minima over the moments at
// which the lanes become free.
class FreeLanes {
 public:
  // Takes the first lane that is free from `start` on until `end`, opening a new one if there is none.
  std::uint32_t take(Ticks start, Ticks end) {
    std::uint32_t lane = first_free(start);
    if (lane == kLaneUnknown) {
      lane = count_++;
      if (count_ > leaves_) grow();
    }
    set(lane, end);
    return lane;
  }
  std::uint32_t count() const { return count_; }

 private:
  std::uint32_t first_free(Ticks start) const {
    if (leaves_ == 0 || tree_[1] > start) return kLaneUnknown;
    std::size_t node = 1;
    while (node < leaves_) node = tree_[2 * node] <= start ? 2 * node : 2 * node + 1;
    const auto lane = static_cast<std::uint32_t>(node - leaves_);
    return lane < count_ ? lane : kLaneUnknown;
  }

  void set(std::uint32_t lane, Ticks free_from) {
    std::size_t node = leaves_ + lane;
    tree_[node] = free_from;
    while (node > 1) {
      node /= 2;
      tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
    }
  }

  void grow() {
    const std::size_t old_leaves = leaves_;
    const std::vector<Ticks> old = std::move(tree_);
    leaves_ = std::bit_ceil(std::size_t{count_});
    tree_.assign(2 * leaves_, Ticks::max());
    for (std::size_t lane = 0; lane < old_leaves; ++lane) tree_[leaves_ + lane] = old[old_leaves + lane];
    for (std::size_t node = leaves_ - 1; node > 0; --node)
      tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  }

  std::vector<Ticks> tree_;
  std::size_t leaves_ = 0;
  std::uint32_t count_ = 0;
};

// Where one track's slices go.
struct LanePlan {
  RowRange rows;
  std::vector<std::uint32_t> lane;     // per row, from 0
  std::vector<std::uint8_t> detached;  // per row: 1 when it cannot stay inside its parent
  std::uint32_t lanes = 0;
};

// Calls visit(row) by start; of equal starts those without length first, because they fit before the others.
template <class Visit>
void for_each_by_start(const SliceTable& slices, RowRange rows, Visit&& visit) {
  for (std::uint32_t first = rows.first; first < rows.end();) {
    std::uint32_t last = first + 1;
    while (last < rows.end() && slices.start[last] == slices.start[first]) ++last;
    for (const bool has_length : {false, true})
      for (std::uint32_t row = first; row < last; ++row)
        if ((slices.duration[row] > Ticks{}) == has_length) visit(row);
    first = last;
  }
}

void find_detached(const SliceTable& slices, LanePlan& plan) {
  const RowRange rows = plan.rows;
  plan.detached.assign(rows.count, 0);
  std::vector<Ticks> children_end(rows.count, Ticks::min());  // of the children that stay
  for_each_by_start(slices, rows, [&](std::uint32_t row) {
    const SliceId parent = slices.parent[row];
    if (parent == SliceId::kNone) return;
    const Ticks start = slices.start[row];
    const Ticks end = start + slices.duration[row];
    const Ticks parent_start = slices.start[index(parent)];
    const bool inside = parent_start <= start && end <= parent_start + slices.duration[index(parent)];
    Ticks& siblings_end = children_end[index(parent) - rows.first];
    if (inside && siblings_end <= start)
      siblings_end = end;
    else
      plan.detached[row - rows.first] = 1;
  });
}

void assign_lanes(const SliceTable& slices, LanePlan& plan) {
  const RowRange rows = plan.rows;
  plan.lane.assign(rows.count, kLaneUnknown);
  FreeLanes free_lanes;
  for_each_by_start(slices, rows, [&](std::uint32_t row) {
    if (slices.parent[row] != SliceId::kNone && plan.detached[row - rows.first] == 0) return;
    plan.lane[row - rows.first] =
        free_lanes.take(slices.start[row], slices.start[row] + slices.duration[row]);
  });
  plan.lanes = free_lanes.count();
  trace::for_each_parent_first(slices, rows, [&](std::uint32_t row) {
    std::uint32_t& lane = plan.lane[row - rows.first];
    if (lane == kLaneUnknown) lane = plan.lane[index(slices.parent[row]) - rows.first];
  });
}

bool nests(const Trace& trace, TrackId track) {
  return !walk_nested(
      trace.slices(), trace.slices_of(track), [](std::uint32_t, Ticks, std::size_t) {},
      [](std::uint32_t, Ticks) {});
}

void move_slices(const Trace& trace, TrackId track, TraceBuilder& builder) {
  LanePlan plan{.rows = trace.slices_of(track), .lane = {}, .detached = {}, .lanes = 0};
  find_detached(trace.slices(), plan);
  assign_lanes(trace.slices(), plan);
  std::vector<TrackId> lane_tracks{track};
  for (std::uint32_t lane = 1; lane < plan.lanes; ++lane) {
    trace::Track lane_track = trace.track(track);
    lane_track.name = builder.intern(fmt::format("{} (lane {})", trace.text(lane_track.name), lane + 1));
    lane_track.parent = track;
    lane_track.external_id = 0;  // the number is the original's
    lane_track.level = trace::TrackLevel::kLane;
    lane_track.kind = trace::TrackKind::kSlices;
    // Before any other children of the track, so that lanes are drawn next to it.
    lane_track.order = std::numeric_limits<std::int32_t>::min() + static_cast<std::int32_t>(lane);
    lane_tracks.push_back(builder.add_track(lane_track));
  }
  for (std::uint32_t row = plan.rows.first; row < plan.rows.end(); ++row) {
    const std::uint32_t lane = plan.lane[row - plan.rows.first];
    const SliceId slice{row};
    if (lane > 0) builder.set_track(slice, lane_tracks[lane]);
    if (plan.detached[row - plan.rows.first] == 0) continue;
    if (trace.slices().owner[row] == SliceId::kNone) builder.set_owner(slice, trace.slices().parent[row]);
    builder.set_parent(slice, SliceId::kNone);
  }
}

}  // namespace

bool needs_lanes(const Trace& trace) {
  for (std::uint32_t track = 0; track < trace.tracks().size(); ++track)
    if (!nests(trace, TrackId{track})) return true;
  return false;
}

base::Result<Trace> split_overlaps(const Trace& trace) {
  // Into an empty builder, so every id of the copy is the id of the original until finish().
  TraceBuilder builder;
  builder.append(trace);
  for (std::uint32_t track = 0; track < trace.tracks().size(); ++track)
    if (!nests(trace, TrackId{track})) move_slices(trace, TrackId{track}, builder);
  return std::move(builder).finish();
}

}  // namespace accelscope::views
