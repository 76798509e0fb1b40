// Values far from the rest, by Tukey's fences. They are pointed out, never dropped.
//
// The fences lie 1.5 interquartile ranges outside the quartiles (quantiles of type 7); a value on a fence is
// inside. No values, or one that is not finite, give an empty result. Nothing here throws.
//
// Pure functions; safe from any thread. Results own their positions; spans are read during the call only.
//
//   if (const auto far = tukey_outliers(latencies))
//     for (std::size_t run : far->positions) note(run, latencies[run]);
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace accelscope::stats {

struct Outliers {
  double lower = 0;  // fences
  double upper = 0;
  std::vector<std::size_t> positions;  // in run order
};

std::optional<Outliers> tukey_outliers(std::span<const double> values);

// The values on or between the fences, in run order.
std::vector<double> values_inside(std::span<const double> values, double lower, double upper);

}  // namespace accelscope::stats
