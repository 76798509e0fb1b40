#include "formats/perfetto/flows.h"

#include <algorithm>
#include <tuple>

#include "views/nested_walk.h"

namespace accelscope::formats::perfetto {
namespace {

using trace::FlowTable;
using trace::SliceId;
using trace::Trace;
using trace::TrackId;

std::uint64_t drawn_start(const Trace& trace, const FileTime& time_of, SliceId slice) {
  return time_of(trace.track(trace.slices().track[index(slice)]).clock, trace.slices().start[index(slice)]);
}

std::uint64_t drawn_end(const Trace& trace, const FileTime& time_of, SliceId slice) {
  return time_of(trace.track(trace.slices().track[index(slice)]).clock, trace.end_of(slice));
}

// Positions of chosen slices in the walks over their tracks: the order in which their begins are written.
class WalkPositions {
 public:
  void want(SliceId slice) { wanted_.push_back({index(slice), 0}); }

  void find(const Trace& trace) {
    std::sort(wanted_.begin(), wanted_.end(),
              [](const Position& a, const Position& b) { return a.row < b.row; });
    for (std::size_t next = 0; next < wanted_.size();) {
      const TrackId track = trace.slices().track[wanted_[next].row];
      std::uint32_t position = 0;
      views::walk_nested(
          trace.slices(), trace.slices_of(track),
          [&](std::uint32_t row, Ticks, std::size_t) {
            ++position;
            for (auto found = first_of(row); found != wanted_.end() && found->row == row; ++found)
              found->position = position;
          },
          [](std::uint32_t, Ticks) {});
      while (next < wanted_.size() && trace.slices().track[wanted_[next].row] == track) ++next;
    }
  }

  std::uint32_t of(SliceId slice) { return first_of(index(slice))->position; }

 private:
  struct Position {
    std::uint32_t row;
    std::uint32_t position;
  };
  std::vector<Position>::iterator first_of(std::uint32_t row) {
    return std::lower_bound(wanted_.begin(), wanted_.end(), row,
                            [](const Position& position, std::uint32_t key) { return position.row < key; });
  }
  std::vector<Position> wanted_;
};

struct Planner {
  const Trace& trace;
  const FileTime& time_of;
  FlowPlan plan;
  WalkPositions positions;
  std::vector<std::uint32_t> need_positions;  // flows between equal starts on one track

  void add(std::uint32_t flow, FlowPart at_source, FlowPart at_target) {
    plan.ends.push_back({index(trace.flows().from[flow]), flow, at_source});
    plan.ends.push_back({index(trace.flows().to[flow]), flow, at_target});
  }

  void add_equal_starts(std::uint32_t flow, bool source_is_first) {
    const SliceId to = trace.flows().to[flow];
    if (source_is_first) {
      add(flow, FlowPart::kLeaves, FlowPart::kArrives);
    } else if (drawn_end(trace, time_of, to) > drawn_start(trace, time_of, to)) {
      add(flow, FlowPart::kLeaves, FlowPart::kArrivesAtEnd);
    } else {
      ++plan.undecidable;
      add(flow, FlowPart::kShouldLeave, FlowPart::kShouldArrive);
    }
  }

  void sort_out(std::uint32_t flow) {
    const SliceId from = trace.flows().from[flow];
    const SliceId to = trace.flows().to[flow];
    const std::uint64_t leaves = drawn_start(trace, time_of, from);
    const std::uint64_t arrives = drawn_start(trace, time_of, to);
    if (leaves < arrives || from == to) {
      add(flow, FlowPart::kLeaves, FlowPart::kArrives);
    } else if (leaves > arrives) {
      ++plan.against_time;
      add(flow, FlowPart::kShouldLeave, FlowPart::kShouldArrive);
    } else if (trace.slices().track[index(from)] != trace.slices().track[index(to)]) {
      // Tracks are written one after the other.
      add_equal_starts(flow, trace.slices().track[index(from)] < trace.slices().track[index(to)]);
    } else {
      need_positions.push_back(flow);
      positions.want(from);
      positions.want(to);
    }
  }
};

}  // namespace

std::span<const FlowEnd> FlowPlan::of(SliceId slice) const {
  struct BySlice {
    bool operator()(const FlowEnd& end, std::uint32_t key) const { return end.slice < key; }
    bool operator()(std::uint32_t key, const FlowEnd& end) const { return key < end.slice; }
  };
  const auto [first, last] = std::equal_range(ends.begin(), ends.end(), index(slice), BySlice{});
  return {first, last};
}

FlowPlan plan_flows(const Trace& trace, const FileTime& time_of) {
  Planner planner{trace, time_of, {}, {}, {}};
  const FlowTable& flows = trace.flows();
  for (std::uint32_t flow = 0; flow < flows.size(); ++flow) planner.sort_out(flow);
  planner.positions.find(trace);
  for (const std::uint32_t flow : planner.need_positions)
    planner.add_equal_starts(flow,
                             planner.positions.of(flows.from[flow]) < planner.positions.of(flows.to[flow]));
  std::sort(planner.plan.ends.begin(), planner.plan.ends.end(), [](const FlowEnd& a, const FlowEnd& b) {
    return std::tie(a.slice, a.flow, a.part) < std::tie(b.slice, b.flow, b.part);
  });
  return std::move(planner.plan);
}

}  // namespace accelscope::formats::perfetto
