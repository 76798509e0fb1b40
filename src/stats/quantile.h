// Quantiles and the median.
//
// Quantiles interpolate linearly between the order statistics at position (n - 1) * q, counted from zero:
// "type 7", what numpy and R do unless told otherwise. Nothing here throws. No values, or a value that is not
// a number, make the result not a number; infinities are ordered like other values.
//
// Pure functions; safe from any thread. Spans are read during the call only.
//
//   const std::vector<double> sorted = sorted_copy(latencies);
//   const double p95 = quantile(sorted, 0.95);
//   const double middle = median(latencies);   // any order
#pragma once

#include <span>
#include <vector>

namespace accelscope::stats {

// Ascending; values that are not numbers come last.
std::vector<double> sorted_copy(std::span<const double> values);

// `sorted` must be ascending. Not a number when q is outside 0 to 1.
double quantile(std::span<const double> sorted, double q);

double median(std::span<const double> values);
double median_of_sorted(std::span<const double> sorted);

// True for no values at all.
bool all_finite(std::span<const double> values);

}  // namespace accelscope::stats
