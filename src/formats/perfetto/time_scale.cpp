#include "formats/perfetto/time_scale.h"

#include <algorithm>
#include <limits>

namespace accelscope::formats::perfetto {
namespace {

using base::ErrorCode;
using base::Int128;
using trace::ClockId;
using trace::ClockRelation;
using trace::Trace;
using trace::TrackId;

constexpr ClockId kReference{0};
constexpr std::int64_t kMaxStretch = 1'000'000'000;  // keeps the products below inside 128 bits

ClockRelation turned_around(const ClockRelation& relation) {
  ClockRelation inverse{relation.to, relation.from, {}, {}, {}};
  for (const trace::ClockKnot& knot : relation.knots) inverse.knots.push_back({knot.to, knot.from});
  return inverse;
}

// The relations that lead from a clock to the reference, fewest first; nothing when none do.
std::optional<std::vector<ClockRelation>> path_to_reference(const Trace& trace, ClockId clock) {
  if (clock == kReference) return std::vector<ClockRelation>{};
  // Breadth first from the reference outwards: each clock remembers the relation that leads back.
  std::vector<std::optional<ClockRelation>> way_back(trace.clocks().size());
  std::vector<ClockId> reached{kReference};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const ClockRelation& relation : trace.clock_relations()) {
      const bool usable = relation.knots.size() >= 2 && index(relation.from) < way_back.size() &&
                          index(relation.to) < way_back.size();
      if (!usable || (relation.from != reached[next] && relation.to != reached[next])) continue;
      const bool leads_here = relation.to == reached[next];
      const ClockId other = leads_here ? relation.from : relation.to;
      if (other == kReference || way_back[index(other)]) continue;
      way_back[index(other)] = leads_here ? relation : turned_around(relation);
      reached.push_back(other);
    }
  }
  std::vector<ClockRelation> path;
  for (ClockId at = clock; at != kReference; at = path.back().to) {
    if (!way_back[index(at)]) return std::nullopt;
    path.push_back(*way_back[index(at)]);
  }
  return path;
}

Int128 greatest_common_divisor(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Calls visit(clock, time) with the first moment of every table of every track.
template <class Visit>
void for_each_first_moment(const Trace& trace, Visit&& visit) {
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const TrackId track{id};
    const ClockId clock = trace.track(track).clock;
    const auto first_of = [&](trace::RowRange rows, const trace::Column<Ticks>& times) {
      if (!rows.empty()) visit(clock, times[rows.first]);
    };
    first_of(trace.slices_of(track), trace.slices().start);
    first_of(trace.states_of(track), trace.states().start);
    first_of(trace.counters_of(track), trace.counters().time);
    first_of(trace.instants_of(track), trace.instants().time);
  }
}

}  // namespace

base::Result<TimeScale> TimeScale::make(const Trace& trace, ClockId clock, std::int64_t stretch) {
  TimeScale scale;
  const auto path = path_to_reference(trace, clock);
  scale.is_related_ = path.has_value();
  if (path) scale.hops_ = *path;
  const base::Frequency frequency = trace.clock(path ? kReference : clock).frequency;
  scale.unit_known_ = frequency.known();
  const Int128 multiply =
      frequency.known() ? static_cast<Int128>(1'000'000'000) * frequency.seconds * stretch : Int128{stretch};
  const Int128 divide = frequency.known() ? frequency.ticks : 1;
  const Int128 common = greatest_common_divisor(multiply, divide);
  if (multiply / common > std::numeric_limits<std::int64_t>::max())
    return base::fail(ErrorCode::kUsage,
                      "a stretch of {} makes the times of clock '{}' too large; use a smaller one", stretch,
                      trace.text(trace.clock(clock).name));
  scale.multiply_ = static_cast<std::int64_t>(multiply / common);
  scale.divide_ = static_cast<std::int64_t>(divide / common);
  scale.is_plain_ = scale.hops_.empty() && scale.divide_ == 1;
  return scale;
}

Ticks TimeScale::on_reference(Ticks time) const {
  for (const ClockRelation& hop : hops_) time = map_time(hop, time)->value;
  return time;
}

std::int64_t TimeScale::nanoseconds_slowly(Ticks time) const {
  const Ticks mapped = on_reference(time);
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(mapped.value, multiply_, &product)) {
    const std::int64_t quotient = product / divide_;
    return product % divide_ < 0 ? quotient - 1 : quotient;
  }
  return base::floor_divide(static_cast<Int128>(mapped.value) * multiply_, divide_);
}

bool TimeScale::rounds(Ticks time) const {
  return (static_cast<Int128>(on_reference(time).value) * multiply_) % divide_ != 0;
}

base::Result<Timeline> Timeline::make(const Trace& trace, std::int64_t stretch) {
  if (stretch < 1 || stretch > kMaxStretch)
    return base::fail(ErrorCode::kUsage, "the stretch is {}; it must be from 1 to {}", stretch, kMaxStretch);
  Timeline timeline;
  for (std::uint32_t clock = 0; clock < trace.clocks().size(); ++clock) {
    ACCELSCOPE_TRY(TimeScale scale, TimeScale::make(trace, ClockId{clock}, stretch));
    timeline.scales_.push_back(std::move(scale));
  }
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  for_each_first_moment(trace, [&](ClockId clock, Ticks time) {
    earliest = std::min(earliest, timeline.scale(clock).nanoseconds(time));
  });
  if (earliest == std::numeric_limits<std::int64_t>::max()) earliest = 0;
  timeline.shift_ = std::min<std::int64_t>(earliest, 0);
  timeline.first_ = static_cast<std::uint64_t>(std::max<std::int64_t>(earliest, 0));
  return timeline;
}

}  // namespace accelscope::formats::perfetto
