#include "views/lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "trace/parents_first.h"
#include "trace/trace_builder.h"
#include "views/free_lanes.h"
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

constexpr std::uint32_t kLaneUnknown = FreeLanes::kUnknown;

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

void move_slices(const Trace& trace, TrackId track, TraceBuilder& builder) {
  LanePlan plan{.rows = trace.slices_of(track), .lane = {}, .detached = {}, .lanes = 0};
  find_detached(trace.slices(), plan);
  assign_lanes(trace.slices(), plan);
  std::vector<TrackId> lane_tracks{track};
  for (std::uint32_t lane = 1; lane < plan.lanes; ++lane) {
    lane_tracks.push_back(builder.add_track(
        lane_of(trace.track(track), track, trace.text(trace.track(track).name), lane, builder)));
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

trace::Track lane_of(trace::Track track, TrackId id, std::string_view name, std::uint32_t lane,
                     TraceBuilder& builder) {
  track.name = builder.intern(fmt::format("{} (lane {})", name, lane + 1));
  track.parent = id;
  track.external_id = 0;  // the number is the original's
  track.level = trace::TrackLevel::kLane;
  track.kind = trace::TrackKind::kSlices;
  // Before any other children of the track, so that lanes are drawn next to it.
  track.order = std::numeric_limits<std::int32_t>::min() + static_cast<std::int32_t>(lane);
  return track;
}

bool nests(const Trace& trace, TrackId track) {
  return !walk_nested(
      trace.slices(), trace.slices_of(track), [](std::uint32_t, Ticks, std::size_t) {},
      [](std::uint32_t, Ticks) {});
}

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
