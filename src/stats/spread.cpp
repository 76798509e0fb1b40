#include "stats/spread.h"

#include <cmath>
#include <limits>
#include <vector>

#include "stats/quantile.h"

namespace accelscope::stats {

double mad(std::span<const double> values) {
  if (!all_finite(values)) return std::numeric_limits<double>::quiet_NaN();
  const double centre = median(values);
  std::vector<double> deviations(values.begin(), values.end());
  for (double& value : deviations) value = std::abs(value - centre);
  return median(deviations);
}

double mad_sigma(std::span<const double> values) {
  return kSigmaPerMad * mad(values);
}

double iqr(std::span<const double> values) {
  if (!all_finite(values)) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> sorted = sorted_copy(values);
  return quantile(sorted, 0.75) - quantile(sorted, 0.25);
}

}  // namespace accelscope::stats
