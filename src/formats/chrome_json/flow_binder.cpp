#include "formats/chrome_json/flow_binder.h"

#include <numeric>
#include <span>
#include <tuple>

#include "trace/vocabulary.h"

namespace accelscope::formats::chrome_json {
namespace {

using trace::SliceTable;

// The slices of the tracks that have flow points: rows of one track together, by start, outer before inner.
struct RowsByTrack {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> starts;  // one entry per track and one more

  std::span<const std::uint32_t> of(TrackId track) const {
    const std::uint32_t first = starts[index(track)];
    return std::span(rows).subspan(first, starts[index(track) + 1] - first);
  }
};

RowsByTrack rows_by_track(const SliceTable& slices, const std::vector<FlowPoint>& points) {
  std::vector<bool> wanted;
  for (const FlowPoint& point : points) {
    if (point.track == TrackId::kNone) continue;
    if (wanted.size() <= index(point.track)) wanted.resize(std::size_t{index(point.track)} + 1);
    wanted[index(point.track)] = true;
  }
  RowsByTrack result;
  result.starts.assign(wanted.size() + 1, 0);
  const auto is_wanted = [&](std::uint32_t track) { return track < wanted.size() && wanted[track]; };
  for (std::uint32_t row = 0; row < slices.size(); ++row)
    if (const std::uint32_t track = index(slices.track[row]); is_wanted(track)) ++result.starts[track + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  result.rows.resize(result.starts.back());
  std::vector<std::uint32_t> next = result.starts;
  for (std::uint32_t row = 0; row < slices.size(); ++row)
    if (const std::uint32_t track = index(slices.track[row]); is_wanted(track))
      result.rows[next[track]++] = row;
  const auto outer_first = [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(slices.start[a], -slices.duration[a], a) <
           std::tuple(slices.start[b], -slices.duration[b], b);
  };
  for (std::size_t track = 0; track + 1 < result.starts.size(); ++track) {
    const auto first = result.rows.begin() + result.starts[track];
    const auto last = result.rows.begin() + result.starts[track + 1];
    if (!std::is_sorted(first, last, outer_first)) std::sort(first, last, outer_first);
  }
  return result;
}

// Follows one track through time and knows the slices that are open.
class TrackSweep {
 public:
  TrackSweep(const SliceTable& slices, std::span<const std::uint32_t> rows) : slices_(slices), rows_(rows) {}

  // Times must not run backwards from call to call.
  void advance_to(Ticks time) {
    for (; next_ < rows_.size() && slices_.start[rows_[next_]] <= time; ++next_) {
      const Ticks end = end_of(rows_[next_]);
      while (!open_.empty() && end_of(open_.back()) < end) open_.pop_back();
      open_.push_back(rows_[next_]);
    }
  }

  // The innermost slice at this time, or one of those around it. A slice that ends exactly now is only taken
  // when nothing else runs, the outermost of them.
  SliceId enclosing(Ticks time, std::uint32_t levels_up) const {
    const std::size_t depth = running_at(time);
    if (depth > levels_up) return SliceId{open_[depth - 1 - levels_up]};
    if (depth > 0) return SliceId{open_.front()};
    return !open_.empty() && end_of(open_.front()) == time ? SliceId{open_.front()} : SliceId::kNone;
  }

  // The first slice that begins at this time or later.
  SliceId next_from(Ticks time) const {
    const auto found =
        std::lower_bound(rows_.begin(), rows_.end(), time,
                         [&](std::uint32_t row, Ticks wanted) { return slices_.start[row] < wanted; });
    return found == rows_.end() ? SliceId::kNone : SliceId{*found};
  }

 private:
  Ticks end_of(std::uint32_t row) const { return slices_.start[row] + slices_.duration[row]; }
  // How many of the open slices, from the outermost, run at this time. Starts grow and ends shrink towards
  // the innermost.
  std::size_t running_at(Ticks time) const {
    if (!open_.empty() && slices_.start[open_.back()] == time) return open_.size();
    const auto ended = std::partition_point(open_.begin(), open_.end(),
                                            [&](std::uint32_t row) { return end_of(row) > time; });
    return static_cast<std::size_t>(ended - open_.begin());
  }

  const SliceTable& slices_;
  std::span<const std::uint32_t> rows_;
  std::size_t next_ = 0;
  std::vector<std::uint32_t> open_;
};

auto identity(const SharedKey& key) {
  return std::tuple(index(key.category), index(key.name), index(key.scope), key.process, key.id.kind,
                    key.id.bits);
}

int phase_rank(char phase) {
  return phase == 's' ? 0 : phase == 't' ? 1 : 2;
}

struct Edge {
  std::uint32_t from;  // points
  std::uint32_t to;
};

// Joins the points of one flow, given in the order of time.
void join_group(const std::vector<FlowPoint>& points, std::span<std::uint32_t> group,
                std::vector<Edge>& edges, std::vector<bool>& joined) {
  const auto is_start = [&](std::uint32_t i) { return points[i].phase == 's'; };
  if (std::count_if(group.begin(), group.end(), is_start) == 1)
    std::stable_partition(group.begin(), group.end(), is_start);
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t source = kNone;
  for (const std::uint32_t point : group) {
    if (points[point].phase != 's' && source != kNone) {
      edges.push_back({source, point});
      joined[source] = joined[point] = true;
    }
    if (points[point].phase != 'f') source = point;
  }
}

}  // namespace

void FlowBinder::finish(trace::TraceBuilder& builder, Troubles& troubles) {
  if (points_.empty()) return;
  bind(builder);
  join(builder, troubles);
}

void FlowBinder::bind(trace::TraceBuilder& builder) {
  const SliceTable& slices = builder.slices();
  const RowsByTrack rows = rows_by_track(slices, points_);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < points_.size(); ++i)
    if (points_[i].track != TrackId::kNone) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(points_[a].track, points_[a].time, a) <
           std::tuple(points_[b].track, points_[b].time, b);
  });
  for (std::size_t first = 0; first < order.size();) {
    const TrackId track = points_[order[first]].track;
    TrackSweep sweep(slices, rows.of(track));
    for (; first < order.size() && points_[order[first]].track == track; ++first) {
      FlowPoint& point = points_[order[first]];
      sweep.advance_to(point.time);
      if (point.binds_to_next) point.slice = sweep.next_from(point.time);
      if (point.slice == SliceId::kNone) point.slice = sweep.enclosing(point.time, point.levels_up);
    }
  }
}

void FlowBinder::join(trace::TraceBuilder& builder, Troubles& troubles) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    if (points_[i].slice == SliceId::kNone)
      troubles.note(Trouble::kFlowOutsideSlices, points_[i].offset);
    else
      order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto rank = [&](std::uint32_t i) {
      return std::tuple(identity(points_[i].key), points_[i].time, phase_rank(points_[i].phase), i);
    };
    return rank(a) < rank(b);
  });
  std::vector<Edge> edges;
  std::vector<bool> joined(points_.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && points_[order[last]].key == points_[order[first]].key) ++last;
    join_group(points_, std::span(order).subspan(first, last - first), edges, joined);
    first = last;
  }
  for (const std::uint32_t i : order)
    if (!joined[i]) troubles.note(Trouble::kFlowWithoutPartner, points_[i].offset);
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
  const StringId generic = builder.intern(trace::flow::kGeneric);
  for (const Edge& edge : edges) {
    const SharedKey& key = points_[edge.to].key;
    const StringId type = key.category == StringId::kEmpty ? generic : key.category;
    builder.add_flow(points_[edge.from].slice, points_[edge.to].slice, type,
                     key.name == type ? StringId::kEmpty : key.name);
  }
}

}  // namespace accelscope::formats::chrome_json
