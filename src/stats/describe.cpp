#include "stats/describe.h"

#include <cmath>
#include <limits>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/moments.h"
#include "stats/quantile.h"
#include "stats/spread.h"

namespace accelscope::stats {
namespace {

void describe_size(Description& result, std::span<const double> values, double level) {
  const std::vector<double> sorted = sorted_copy(values);
  const auto from = [&](std::size_t runs, double q) {
    return sorted.size() >= runs ? std::optional(quantile(sorted, q)) : std::nullopt;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  result.mean = mean(values);
  result.median = median_of_sorted(sorted);
  result.min = sorted.empty() ? kNan : sorted.front();
  result.max = sorted.empty() ? kNan : sorted.back();
  result.median_interval = median_interval(values, level);
  result.standard_deviation = standard_deviation(values);
  result.coefficient_of_variation = coefficient_of_variation(values);
  result.mad = mad(values);
  result.mad_sigma = mad_sigma(values);
  result.iqr = iqr(values);
  result.p90 = from(10, 0.90);
  result.p95 = from(20, 0.95);
  result.p99 = from(100, 0.99);
}

void describe_order(Description& result, std::span<const double> values) {
  result.outliers = tukey_outliers(values).value_or(Outliers{});
  result.warm_up = warm_up(values);
  result.lag1 = lag1(values);
  result.effective_count = effective_count(values.size(), result.lag1.value_or(0));
  result.drift = drift_of(values);
  result.step = step_change(values);
  result.modes = two_modes(values);
  result.spike_spacing = spike_spacing(values);
}

}  // namespace

Description describe(std::span<const double> values, double level) {
  std::vector<double> finite;
  for (const double value : values)
    if (std::isfinite(value)) finite.push_back(value);
  Description result;
  result.n = finite.size();
  result.not_finite = values.size() - finite.size();
  describe_size(result, finite, level);
  describe_order(result, finite);
  return result;
}

}  // namespace accelscope::stats
