#include "stats/median_interval.h"

#include <cmath>
#include <vector>

#include "stats/distributions.h"
#include "stats/quantile.h"

namespace accelscope::stats {
namespace {

bool usable(double level) {
  return level > 0 && level < 1;
}

// The chance that ranks r and n + 1 - r enclose the median.
double coverage_of(std::size_t rank, std::size_t n) {
  return 1 - 2 * binomial_at_least(n + 1 - rank, n, 0.5);
}

}  // namespace

std::size_t smallest_count_for_median_interval(double level) {
  if (!usable(level)) return 0;
  // Ranks 1 and n miss the median with chance 2 * 0.5^n.
  std::size_t n = 1;
  while (1 - std::ldexp(1.0, 1 - static_cast<int>(n)) < level) ++n;
  return n;
}

std::optional<MedianInterval> median_interval(std::span<const double> values, double level) {
  const std::size_t n = values.size();
  if (!usable(level) || n < smallest_count_for_median_interval(level) || !all_finite(values))
    return std::nullopt;
  std::size_t good = 1, bad = n / 2 + 1;
  while (bad - good > 1) {
    const std::size_t rank = good + (bad - good) / 2;
    (coverage_of(rank, n) >= level ? good : bad) = rank;
  }
  const std::vector<double> sorted = sorted_copy(values);
  return MedianInterval{.interval = {sorted[good - 1], sorted[n - good], level},
                        .low_rank = good,
                        .high_rank = n + 1 - good,
                        .coverage = coverage_of(good, n)};
}

}  // namespace accelscope::stats
