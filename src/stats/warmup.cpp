#include "stats/warmup.h"

#include <algorithm>
#include <vector>

#include "stats/quantile.h"
#include "stats/spread.h"

namespace accelscope::stats {
namespace {

constexpr std::size_t kFewestRunsToWarmUp = 8;
constexpr double kDeviations = 5;
constexpr double kSmallestExcess = 0.02;
constexpr double kSpikesAllowed = 0.02;

}  // namespace

WarmUp warm_up(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < kFewestRunsToWarmUp || !all_finite(values)) return {};
  WarmUp result{.runs = 0, .limit = n / 4, .excess = 0};
  const std::span<const double> settled = values.subspan(result.limit);
  const double level = median(settled);
  const double far = level + std::max(kDeviations * mad_sigma(settled), kSmallestExcess * level);
  const std::vector<double> sorted = sorted_copy(values);
  double smallest = values[0];
  for (std::size_t k = 1; k <= result.limit && values[k - 1] > far; ++k) {
    smallest = std::min(smallest, values[k - 1]);
    // The first k runs are among those at least as large as the smallest of them.
    const auto as_large = static_cast<std::size_t>(sorted.end() - std::ranges::lower_bound(sorted, smallest));
    if (static_cast<double>(as_large - k) <= kSpikesAllowed * static_cast<double>(n - k)) result.runs = k;
  }
  if (result.runs == 0) return result;
  const double rest = median(values.subspan(result.runs));
  if (rest != 0) result.excess = median(values.first(result.runs)) / rest - 1;
  return result;
}

}  // namespace accelscope::stats
