#include "trace/clock.h"

#include <algorithm>

namespace accelscope::trace {
namespace {

using base::Frequency;
using base::Int128;

// Far enough that no trace reaches past it, near enough that the products below stay inside 128 bits.
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

// The straight line through two knots, at `time`.
Ticks on_line(const ClockKnot& a, const ClockKnot& b, Ticks time) {
  const Int128 run = static_cast<Int128>(b.from.value) - a.from.value;
  const Int128 rise = static_cast<Int128>(b.to.value) - a.to.value;
  const Int128 distance = static_cast<Int128>(time.value) - a.from.value;
  return {base::floor_divide(distance * rise + static_cast<Int128>(a.to.value) * run, run)};
}

}  // namespace

ClockRelation fit_clock_relation(ClockId from, ClockId to, std::vector<ClockSample> samples,
                                 Frequency from_frequency, Frequency to_frequency) {
  ClockRelation relation{from, to, std::move(samples), {}, {}};
  const std::vector<ClockSample> usable = usable_samples(relation.samples);
  relation.knots = increasing_knots(usable);
  if (relation.knots.size() == 1) {
    if (!from_frequency.known() || !to_frequency.known()) {
      relation.knots.clear();
      return relation;
    }
    const ClockKnot first = relation.knots.front();
    const auto ticks_of = [](Frequency frequency) {
      return Ticks{base::floor_divide(static_cast<Int128>(frequency.ticks) * kSecondsOfOneSampleSegment,
                                      frequency.seconds)};
    };
    relation.knots.push_back({first.from + ticks_of(from_frequency), first.to + ticks_of(to_frequency)});
  }
  if (relation.knots.size() < 2) {
    relation.knots.clear();
    return relation;
  }
  for (const ClockSample& sample : usable) {
    const Ticks half_trip{(sample.round_trip.value + 1) / 2};
    const Ticks residual = map_time(relation, sample.from)->value - sample.to;
    const Ticks error = half_trip + std::max(residual, -residual);
    relation.uncertainty = std::max(relation.uncertainty, error);
  }
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
