// Whether runs get slower or faster in the course of a measurement.
//
// Mann and Kendall's test counts, over all pairs of runs, whether the later one is larger (S); Kendall's
// tau-b is S on a scale from -1 to 1. The two-sided p value is counted exactly up to 33 runs without ties,
// else taken from the normal approximation with correction for ties; both as scipy.stats.kendalltau(range(n),
// values). Theil and Sen's slope is the median slope of all pairs. Above 1000 runs it takes 1000 runs at even
// distances, first and last among them; everything else uses all runs and O(n log n) steps.
//
// Fewer than two values, or one that is not finite, give an empty result. Nothing here throws.
// Pure functions; safe from any thread. Spans are read during the call only.
//
//   if (const auto drift = drift_of(latencies); drift && drift->drifting && drift->relative_change > 0)
//     say("throttling suspected: {} -> {}", drift->first_quarter_median, drift->last_quarter_median);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace accelscope::stats {

inline constexpr std::size_t kRunsForTheilSen = 1000;

struct MannKendall {
  std::int64_t s = 0;
  std::optional<double> tau;  // empty when all values are equal, like p
  std::optional<double> p;
  bool exact = false;
};

std::optional<MannKendall> mann_kendall(std::span<const double> values);

// Per run.
std::optional<double> theil_sen_slope(std::span<const double> values);

struct DriftLimits {
  double smallest_change = 0.03;  // of the median, over the whole series
  double largest_p = 0.01;
};

struct Drift {
  MannKendall test;
  double slope = 0;            // per run
  double relative_change = 0;  // slope * n / median; 0 when the median is 0
  double first_quarter_median = 0;
  double last_quarter_median = 0;
  bool drifting = false;  // both limits passed; the sign of relative_change tells which way
};

// Empty below four values.
std::optional<Drift> drift_of(std::span<const double> values, const DriftLimits& limits = {});

}  // namespace accelscope::stats
