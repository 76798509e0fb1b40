#include "stats/autocorrelation.h"

#include <algorithm>

#include "stats/moments.h"
#include "stats/quantile.h"

namespace accelscope::stats {

std::optional<double> lag1(std::span<const double> values) {
  if (values.size() < 3 || !all_finite(values)) return std::nullopt;
  if (std::ranges::all_of(values, [&](double value) { return value == values.front(); })) return std::nullopt;
  const double centre = mean(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - centre) * (values[i] - centre);
    if (i > 0) products += (values[i - 1] - centre) * (values[i] - centre);
  }
  if (!(squares > 0)) return std::nullopt;
  return products / squares;
}

double lag1_without_bias(std::size_t n, double rho) {
  if (n < 5) return 0;
  const auto count = static_cast<double>(n);
  return std::clamp((count * rho + 1) / (count - 4), -1.0, 1.0);
}

double effective_count(std::size_t n, double rho) {
  if (n == 0) return 0;
  const auto count = static_cast<double>(n);
  if (!(rho > 0)) return count;
  return std::clamp(count * (1 - rho) / (1 + rho), 1.0, count);
}

}  // namespace accelscope::stats
