// Two samples compared by their order alone: robust against spikes, exact for few runs.
//
// Mann-Whitney's U counts the pairs in which a value of the first sample is larger (ties count half). Its p
// value is two-sided and counted exactly for up to 400 pairs without ties, else taken from the normal
// approximation with correction for ties and continuity, as scipy does. Hodges and Lehmann's shift is the
// median of all differences first less second; its interval are the differences whose ranks the same
// distribution gives. Cliff's delta is U on a scale from -1 to 1.
//
// An empty sample, or a value that is not finite, gives an empty result. Nothing here throws.
// Pure functions; safe from any thread. Spans are read during the call only.
//
//   const auto test = mann_whitney(baseline, candidate);
//   const auto shift = hodges_lehmann(baseline, candidate, 0.95);
//   if (test && test->p < 0.05 && shift) show(shift->estimate, shift->interval);
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/interval.h"

namespace accelscope::stats {

enum class PValue {
  kAutomatic,
  kExact,  // counted as if there were no ties; above 10 000 pairs the normal approximation all the same
  kNormal,
};

struct MannWhitney {
  double u = 0;  // of the first sample
  double p = 1;  // two-sided
  bool exact = false;
};

struct Shift {
  double estimate = 0;
  // Empty when there are too few values for the level.
  std::optional<Interval> interval;
};

// p is 1 when all values of both samples are equal.
std::optional<MannWhitney> mann_whitney(std::span<const double> first, std::span<const double> second,
                                        PValue p_value = PValue::kAutomatic);

std::optional<Shift> hodges_lehmann(std::span<const double> first, std::span<const double> second,
                                    double level = 0.95);

// One part alone, because the interval costs twice as much as the estimate.
std::optional<double> hodges_lehmann_estimate(std::span<const double> first, std::span<const double> second);
std::optional<Interval> hodges_lehmann_interval(std::span<const double> first, std::span<const double> second,
                                                double level = 0.95);

// 1 when every value of the first sample is larger than every value of the second, -1 the other way round.
std::optional<double> cliffs_delta(std::span<const double> first, std::span<const double> second);

// The smallest p value that samples of these sizes can give: no run of one among those of the other.
double smallest_p(std::size_t first_count, std::size_t second_count);

}  // namespace accelscope::stats
