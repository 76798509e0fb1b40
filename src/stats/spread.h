// Spread that a few far values do not move.
//
// No values, or a value that is not finite, make the result not a number. Nothing here throws.
// Pure functions; safe from any thread. Spans are read during the call only.
//
//   const double noise = mad_sigma(latencies) / median(latencies);
#pragma once

#include <span>

namespace accelscope::stats {

// What turns the median absolute deviation of normal noise into its standard deviation.
inline constexpr double kSigmaPerMad = 1.4826;

// Median absolute deviation from the median, as it is.
double mad(std::span<const double> values);

// The same on the scale of a standard deviation.
double mad_sigma(std::span<const double> values);

// Third quartile less first (quantiles of type 7).
double iqr(std::span<const double> values);

}  // namespace accelscope::stats
