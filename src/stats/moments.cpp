#include "stats/moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stats/quantile.h"

namespace accelscope::stats {

double mean(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> variance(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return squares / static_cast<double>(values.size() - 1);
}

std::optional<double> standard_deviation(std::span<const double> values) {
  const std::optional<double> squared = variance(values);
  if (!squared) return std::nullopt;
  return std::sqrt(*squared);
}

std::optional<double> coefficient_of_variation(std::span<const double> values) {
  const std::optional<double> deviation = standard_deviation(values);
  const double centre = mean(values);
  if (!deviation || centre == 0) return std::nullopt;
  return *deviation / centre;
}

std::optional<double> geometric_mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double logarithms = 0;
  for (const double value : values) {
    if (!(value > 0)) return std::nullopt;
    logarithms += std::log(value);
  }
  return std::exp(logarithms / static_cast<double>(values.size()));
}

double trimmed_mean(std::span<const double> values, double fraction) {
  const std::vector<double> sorted = sorted_copy(values);
  if (sorted.empty() || std::isnan(sorted.back())) return std::numeric_limits<double>::quiet_NaN();
  const double wanted =
      fraction > 0 ? std::floor(std::min(fraction, 0.5) * static_cast<double>(sorted.size())) : 0;
  const std::size_t cut = std::min(static_cast<std::size_t>(wanted), (sorted.size() - 1) / 2);
  return mean(std::span(sorted).subspan(cut, sorted.size() - 2 * cut));
}

}  // namespace accelscope::stats
