// Means and the spread about them.
//
// Sums run from the first value to the last, so that equal input gives equal bits. Nothing here throws; where
// nothing can be said the result is empty, or not a number where it is a plain double. A value that is not a
// number, or is infinite, goes through the arithmetic and makes the result not a number or infinite.
//
// Pure functions; safe from any thread. Spans are read during the call only.
//
//   const double average = mean(latencies);
//   if (const auto cv = coefficient_of_variation(latencies); cv && *cv > 0.05) warn_noisy();
#pragma once

#include <optional>
#include <span>

namespace accelscope::stats {

// Not a number for no values.
double mean(std::span<const double> values);

// Of a sample (divided by n - 1); empty below two values.
std::optional<double> variance(std::span<const double> values);
std::optional<double> standard_deviation(std::span<const double> values);

// Standard deviation over mean, as a fraction; empty below two values and for a mean of zero.
std::optional<double> coefficient_of_variation(std::span<const double> values);

// Empty for no values and where one is not positive.
std::optional<double> geometric_mean(std::span<const double> values);

// The mean after the floor(fraction * n) smallest and as many of the largest are left out. Not a number for
// no values, or where a value is not a number; the fraction is held between 0 and the largest that leaves
// one.
double trimmed_mean(std::span<const double> values, double fraction);

}  // namespace accelscope::stats
