#include "trace/clock.h"

#include <algorithm>

namespace accelscope::trace {
namespace {

using base::Frequency;
using base::Int128;

__extension__ using UnsignedInt128 = unsigned __int128;

// Long enough that rounding its ends to whole ticks does not tilt the line.
constexpr std::int64_t kSecondsOfOneSampleSegment = 3600;

std::vector<ClockSample> usable_samples(std::vector<ClockSample> samples) {
  if (samples.empty()) return samples;
  const auto shorter = [](const ClockSample& a, const ClockSample& b) { return a.round_trip < b.round_trip; };
  const Ticks best = std::min_element(samples.begin(), samples.end(), shorter)->round_trip;
  std::erase_if(samples, [&](const ClockSample& sample) {
    return sample.round_trip.value / 3 > std::max<std::int64_t>(best.value, 1);
  });
  std::stable_sort(samples.begin(), samples.end(),
                   [](const ClockSample& a, const ClockSample& b) { return a.from < b.from; });
  return samples;
}

std::vector<ClockKnot> increasing_knots(const std::vector<ClockSample>& samples) {
  std::vector<ClockKnot> knots;
  for (const ClockSample& sample : samples) {
    if (!knots.empty() && (sample.from <= knots.back().from || sample.to <= knots.back().to)) continue;
    knots.push_back({sample.from, sample.to});
  }
  return knots;
}

Ticks saturated(Int128 value) {
  return {base::floor_divide(value, 1)};
}

// The straight line through two knots, at `time`: rounded down, and stopping at the ends of the range.
// Distances of 64-bit times take 64 bits and a sign, so magnitudes are multiplied, which 128 bits can hold.
Ticks on_line(const ClockKnot& a, const ClockKnot& b, Ticks time) {
  const auto distance_between = [](Ticks from, Ticks to) {
    return static_cast<std::uint64_t>(to.value) - static_cast<std::uint64_t>(from.value);
  };
  const UnsignedInt128 run = distance_between(a.from, b.from);
  const UnsignedInt128 rise = distance_between(a.to, b.to);
  const bool before = time < a.from;
  const UnsignedInt128 distance = before ? distance_between(time, a.from) : distance_between(a.from, time);
  const UnsignedInt128 product = distance * rise;
  const bool round_away = before && product % run != 0;
  // Beyond 2^64 the sum is out of range whatever it is added to.
  constexpr UnsignedInt128 kFar = UnsignedInt128{1} << 64U;
  const auto climb = static_cast<Int128>(std::min(product / run, kFar) + (round_away ? 1 : 0));
  return saturated(before ? a.to.value - climb : a.to.value + climb);
}

// The second knot of a line through one sample, by the ratio of the frequencies; nothing when one of them is
// unknown, or leaves no room for a knot that 64 bits can tell from the first.
std::optional<ClockKnot> continued(const ClockKnot& first, Frequency from, Frequency to) {
  if (!from.known() || !to.known()) return std::nullopt;
  const auto later = [](Ticks time, Frequency frequency) {
    const std::int64_t ticks = base::floor_divide(
        static_cast<Int128>(frequency.ticks) * kSecondsOfOneSampleSegment, frequency.seconds);
    return ticks > 0 ? base::checked_add(time.value, ticks) : std::nullopt;
  };
  const std::optional<std::int64_t> next_from = later(first.from, from);
  const std::optional<std::int64_t> next_to = later(first.to, to);
  if (!next_from || !next_to) return std::nullopt;
  return ClockKnot{Ticks{*next_from}, Ticks{*next_to}};
}

// How far a sample may be from what the relation says: half its round trip, and its distance from the line.
Ticks error_of(const ClockRelation& relation, const ClockSample& sample) {
  const Int128 half_trip = (static_cast<Int128>(sample.round_trip.value) + 1) / 2;
  const Int128 residual = static_cast<Int128>(map_time(relation, sample.from)->value.value) - sample.to.value;
  return saturated(half_trip + (residual < 0 ? -residual : residual));
}

}  // namespace

ClockRelation fit_clock_relation(ClockId from, ClockId to, std::vector<ClockSample> samples,
                                 Frequency from_frequency, Frequency to_frequency) {
  ClockRelation relation{from, to, std::move(samples), {}, {}};
  const std::vector<ClockSample> usable = usable_samples(relation.samples);
  relation.knots = increasing_knots(usable);
  if (relation.knots.size() == 1)
    if (const auto next = continued(relation.knots.front(), from_frequency, to_frequency))
      relation.knots.push_back(*next);
  if (relation.knots.size() < 2) {
    relation.knots.clear();
    return relation;
  }
  for (const ClockSample& sample : usable)
    relation.uncertainty = std::max(relation.uncertainty, error_of(relation, sample));
  return relation;
}

std::optional<MappedTime> map_time(const ClockRelation& relation, Ticks time) {
  const std::vector<ClockKnot>& knots = relation.knots;
  if (knots.size() < 2) return std::nullopt;
  const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, time,
                                      [](Ticks value, const ClockKnot& knot) { return value < knot.from; });
  return MappedTime{on_line(*(after - 1), *after, time), relation.uncertainty};
}

}  // namespace accelscope::trace
