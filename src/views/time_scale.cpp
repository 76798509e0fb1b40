#include "views/time_scale.h"

#include <limits>
#include <optional>

namespace accelscope::views {
namespace {

using base::ErrorCode;
using base::Int128;
using trace::ClockId;
using trace::ClockRelation;
using trace::Ticks;
using trace::Trace;

constexpr std::int64_t kMaxStretch = 1'000'000'000;  // keeps the products below inside 128 bits

// What mapping needs of a relation, in the direction in which it is used.
ClockRelation hop(const ClockRelation& relation, bool forwards) {
  if (forwards) return {relation.from, relation.to, {}, relation.knots, {}};
  ClockRelation inverse{relation.to, relation.from, {}, {}, {}};
  for (const trace::ClockKnot& knot : relation.knots) inverse.knots.push_back({knot.to, knot.from});
  return inverse;
}

// For every clock the hop that leads one step nearer to the reference, over the fewest relations.
using WaysBack = std::vector<std::optional<ClockRelation>>;

WaysBack ways_to_reference(const Trace& trace) {
  // Breadth first, from the reference outwards.
  WaysBack ways(trace.clocks().size());
  std::vector<ClockId> reached{Timeline::kReference};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const ClockRelation& relation : trace.clock_relations()) {
      if (relation.knots.size() < 2) continue;
      if (relation.from != reached[next] && relation.to != reached[next]) continue;
      const bool leads_here = relation.to == reached[next];
      const ClockId other = leads_here ? relation.from : relation.to;
      if (other == Timeline::kReference || ways[index(other)]) continue;
      ways[index(other)] = hop(relation, leads_here);
      reached.push_back(other);
    }
  }
  return ways;
}

std::optional<std::vector<ClockRelation>> path_to_reference(const WaysBack& ways, ClockId clock) {
  std::vector<ClockRelation> path;
  for (ClockId at = clock; at != Timeline::kReference; at = path.back().to) {
    if (!ways[index(at)]) return std::nullopt;
    path.push_back(*ways[index(at)]);
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

}  // namespace

Ticks TimeScale::on_reference(Ticks time) const {
  for (const ClockRelation& relation : hops_) time = map_time(relation, time)->value;
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

base::Result<Timeline> Timeline::make(const Trace& trace, std::int64_t stretch) {
  if (stretch < 1 || stretch > kMaxStretch)
    return base::fail(ErrorCode::kUsage, "the stretch is {}; it must be from 1 to {}", stretch, kMaxStretch);
  Timeline timeline;
  timeline.stretch_ = stretch;
  const WaysBack ways = ways_to_reference(trace);
  for (std::uint32_t id = 0; id < trace.clocks().size(); ++id) {
    TimeScale scale;
    const auto path = path_to_reference(ways, ClockId{id});
    scale.is_related_ = path.has_value();
    if (path) scale.hops_ = *path;
    const base::Frequency frequency = trace.clock(path ? kReference : ClockId{id}).frequency;
    scale.unit_known_ = frequency.known();
    const Int128 multiply = frequency.known()
                                ? static_cast<Int128>(1'000'000'000) * frequency.seconds * stretch
                                : Int128{stretch};
    const Int128 divide = frequency.known() ? frequency.ticks : 1;
    const Int128 common = greatest_common_divisor(multiply, divide);
    if (multiply / common > std::numeric_limits<std::int64_t>::max())
      return base::fail(ErrorCode::kUsage,
                        "a stretch of {} makes the times of clock '{}' too large; use a smaller one", stretch,
                        trace.text(trace.clock(ClockId{id}).name));
    scale.multiply_ = static_cast<std::int64_t>(multiply / common);
    scale.divide_ = static_cast<std::int64_t>(divide / common);
    scale.is_plain_ = scale.hops_.empty() && scale.divide_ == 1;
    timeline.scales_.push_back(std::move(scale));
  }
  return timeline;
}

}  // namespace accelscope::views
