#include "stats/median_resampler.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"

namespace accelscope::stats {

MedianResampler::MedianResampler(std::span<const double> sorted) : sorted_(sorted) {
  const std::size_t n = sorted.size();
  const std::size_t lower = (n + 1) / 2;  // the h of the header
  const auto count = static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    chance_up_to_.push_back(binomial_at_least(lower, n, static_cast<double>(i + 1) / count));
  for (std::size_t step = 0; step <= kSteps; ++step)
    steps_[step] = rank_within(0, n - 1, static_cast<double>(step) / kSteps);
  if (n % 2 == 1) return;
  const auto half = static_cast<double>(lower);
  const double ways = log_choose(n, lower);
  for (std::size_t i = 0; i < n; ++i) {
    const auto rank = static_cast<double>(i + 1);
    // Half of the draws at most `rank` but not all below it, the other half above it.
    const double both = ways + half * std::log(rank / count) +
                        std::log1p(-std::pow((rank - 1) / rank, half)) +
                        half * std::log((count - rank) / count);
    const double lower_is_rank = chance_up_to_[i] - (i == 0 ? 0 : chance_up_to_[i - 1]);
    chance_of_next_.push_back(lower_is_rank > 0 ? std::min(1.0, std::exp(both) / lower_is_rank) : 0);
    decay_.push_back(i + 1 == n ? 0 : std::pow((count - rank - 1) / (count - rank), half));
  }
}

std::size_t MedianResampler::rank_within(std::size_t first, std::size_t last, double chance) const {
  const auto begin = chance_up_to_.begin();
  const auto found = std::upper_bound(begin + static_cast<std::ptrdiff_t>(first),
                                      begin + static_cast<std::ptrdiff_t>(last), chance);
  return static_cast<std::size_t>(found - begin);
}

double MedianResampler::draw(Generator& random) const {
  const double place = random.uniform();
  const auto step = static_cast<std::size_t>(place * kSteps);
  const std::size_t lower = rank_within(steps_[step], steps_[step + 1], place);
  if (decay_.empty()) return sorted_[lower];
  const double level = random.uniform();
  std::size_t upper = lower;
  for (double chance = chance_of_next_[lower]; level < chance; ++upper) chance *= decay_[upper];
  return (sorted_[lower] + sorted_[upper]) / 2;
}

}  // namespace accelscope::stats
