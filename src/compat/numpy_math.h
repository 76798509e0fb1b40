// numpy's and scipy's arithmetic, to the last bit: the order in which they add decides the last digits that
// the profiling kit prints.
//
// Checked against numpy 1.24 and scipy 1.10. One NaN makes every result NaN. Pure; safe from any thread.
//
//   numpy_mean(latencies)               numpy_standard_deviation(latencies)   // n - 1; NaN for one value
//   numpy_percentile(latencies, 95)     scipy_trimmed_mean(latencies, 0.05)
#pragma once

#include <span>
#include <vector>

namespace accelscope::compat {

// Eight sums side by side, halves of long inputs apart.
double numpy_sum(std::span<const double> values);
// NaN of nothing.
double numpy_mean(std::span<const double> values);
double numpy_standard_deviation(std::span<const double> values);

// Of at least one value: linear between neighbours at (n - 1) * percent / 100.
double numpy_percentile(std::span<const double> values, double percent);
double numpy_median(std::span<const double> values);

// Without the `share` smallest and the `share` largest values, counted down to whole ones. What is left is
// added in the order in which numpy's partition leaves it, which is neither sorted nor the given one.
double scipy_trimmed_mean(std::span<const double> values, double share);

// How pandas adds up the members of a group.
struct CompensatedSum {
  double sum = 0;
  double lost = 0;

  void add(double value) {
    const double corrected = value - lost;
    const double next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }
};

}  // namespace accelscope::compat
