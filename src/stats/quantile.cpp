#include "stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accelscope::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_number(double value) {
  return !std::isnan(value);
}

// Halves first where the sum would leave the range of double.
double midpoint(double low, double high) {
  if (low == high) return low;
  const double sum = low + high;
  return std::isfinite(sum) ? sum / 2 : low / 2 + high / 2;
}

}  // namespace

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), std::partition(sorted.begin(), sorted.end(), is_number));
  return sorted;
}

double quantile(std::span<const double> sorted, double q) {
  if (sorted.empty() || std::isnan(sorted.back()) || !(q >= 0 && q <= 1)) return kNan;
  const double position = static_cast<double>(sorted.size() - 1) * q;
  const double below = std::floor(position);
  const auto index = static_cast<std::size_t>(below);
  const double fraction = position - below;
  if (fraction == 0 || sorted[index] == sorted[index + 1]) return sorted[index];
  return sorted[index] + fraction * (sorted[index + 1] - sorted[index]);
}

double median_of_sorted(std::span<const double> sorted) {
  if (sorted.empty() || std::isnan(sorted.back())) return kNan;
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : midpoint(sorted[half - 1], sorted[half]);
}

double median(std::span<const double> values) {
  if (values.empty() || !std::ranges::all_of(values, is_number)) return kNan;
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  if (copy.size() % 2 == 1) return *middle;
  return midpoint(*std::max_element(copy.begin(), middle), *middle);
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace accelscope::stats
