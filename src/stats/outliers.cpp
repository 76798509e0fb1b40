#include "stats/outliers.h"

#include <algorithm>
#include <iterator>

#include "stats/quantile.h"

namespace accelscope::stats {

std::optional<Outliers> tukey_outliers(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  const std::vector<double> sorted = sorted_copy(values);
  const double first = quantile(sorted, 0.25);
  const double third = quantile(sorted, 0.75);
  Outliers result{
      .lower = first - 1.5 * (third - first), .upper = third + 1.5 * (third - first), .positions = {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < result.lower || values[i] > result.upper) result.positions.push_back(i);
  return result;
}

std::vector<double> values_inside(std::span<const double> values, double lower, double upper) {
  std::vector<double> inside;
  std::ranges::copy_if(values, std::back_inserter(inside),
                       [=](double value) { return lower <= value && value <= upper; });
  return inside;
}

}  // namespace accelscope::stats
