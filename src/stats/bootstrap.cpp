#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.h"
#include "stats/median_resampler.h"
#include "stats/quantile.h"

namespace accelscope::stats {
namespace {

// Sums over the influence of each value, of second and third order: what the acceleration is made of.
struct Influence {
  double squares = 0;
  double cubes = 0;
};

// Without one value of the lower half the median is one thing, without one of the upper half another, and for
// odd n without the middle value a third.
struct JackknifeMedian {
  double value;
  double times;
};

std::vector<JackknifeMedian> jackknife_medians(std::span<const double> sorted) {
  const std::size_t n = sorted.size(), half = n / 2;
  const auto times = static_cast<double>(half);
  if (n % 2 == 0) return {{sorted[half], times}, {sorted[half - 1], times}};
  return {{(sorted[half] + sorted[half + 1]) / 2, times},
          {(sorted[half - 1] + sorted[half + 1]) / 2, 1},
          {(sorted[half - 1] + sorted[half]) / 2, times}};
}

// `statistic` maps the median of this sample to the estimate, other samples left as they are.
template <class Statistic>
Influence influence_of(std::span<const double> sorted, Statistic statistic) {
  if (sorted.size() < 2) return {};
  const auto n = static_cast<double>(sorted.size());
  std::vector<JackknifeMedian> without = jackknife_medians(sorted);
  double average = 0;
  for (JackknifeMedian& left_out : without) {
    left_out.value = statistic(left_out.value);
    average += left_out.value * left_out.times / n;
  }
  Influence sums;
  for (const JackknifeMedian& left_out : without) {
    const double influence = (n - 1) * (average - left_out.value) / n;
    sums.squares += left_out.times * influence * influence;
    sums.cubes += left_out.times * influence * influence * influence;
  }
  return sums;
}

// Type 7, of values in any order, which it reorders.
double selected_quantile(std::span<double> values, double q) {
  const double position = std::clamp(q, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto index = static_cast<std::size_t>(position);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), at, values.end());
  if (index + 1 == values.size()) return *at;
  const double next = *std::min_element(at + 1, values.end());
  return *at + (position - static_cast<double>(index)) * (next - *at);
}

Bootstrap interval_of(std::vector<double>& resampled, double estimate, const Influence& influence,
                      const BootstrapOptions& options) {
  double below = 0;
  for (const double value : resampled) below += value < estimate ? 1 : value == estimate ? 0.5 : 0;
  const double bias = normal_quantile(below / static_cast<double>(resampled.size()));
  const double acceleration =
      influence.squares > 0 ? influence.cubes / (6 * std::pow(influence.squares, 1.5)) : 0;
  const double tail = (1 - options.level) / 2;
  const auto moved = [&](double q) {
    const double z = bias + normal_quantile(q);
    return normal_cdf(bias + z / (1 - acceleration * z));
  };
  double low = moved(tail), high = moved(1 - tail);
  const bool meaningful = influence.squares > 0 && std::isfinite(bias) && low < high;
  if (!meaningful) {
    low = tail;
    high = 1 - tail;
  }
  return {.estimate = estimate,
          .interval = {selected_quantile(resampled, low), selected_quantile(resampled, high), options.level},
          .resamples = options.resamples,
          .seed = options.seed,
          .method = meaningful ? "BCa" : "percentile"};
}

std::optional<BootstrapOptions> checked(BootstrapOptions options) {
  if (!(options.level > 0 && options.level < 1)) return std::nullopt;
  options.resamples = std::clamp(options.resamples, 100U, 1'000'000U);
  return options;
}

bool all_above_zero(std::span<const double> sorted) {
  return sorted.front() > 0;
}

}  // namespace

std::optional<Bootstrap> bootstrap_median(std::span<const double> values, const BootstrapOptions& options) {
  const std::optional<BootstrapOptions> use = checked(options);
  if (!use || values.empty() || !all_finite(values)) return std::nullopt;
  const std::vector<double> sorted = sorted_copy(values);
  const MedianResampler resampler(sorted);
  Generator random(use->seed);
  std::vector<double> resampled(use->resamples);
  for (double& value : resampled) value = resampler.draw(random);
  const Influence influence = influence_of(sorted, [](double middle) { return middle; });
  return interval_of(resampled, median_of_sorted(sorted), influence, *use);
}

std::optional<Bootstrap> bootstrap_ratio_of_medians(std::span<const double> numerator,
                                                    std::span<const double> denominator,
                                                    const BootstrapOptions& options) {
  const std::optional<BootstrapOptions> use = checked(options);
  if (!use || numerator.empty() || denominator.empty() || !all_finite(numerator) || !all_finite(denominator))
    return std::nullopt;
  const std::vector<double> above = sorted_copy(numerator);
  const std::vector<double> under = sorted_copy(denominator);
  if (!all_above_zero(above) || !all_above_zero(under)) return std::nullopt;
  const double above_median = median_of_sorted(above), under_median = median_of_sorted(under);
  const MedianResampler above_resampler(above), under_resampler(under);
  Generator random(use->seed);
  std::vector<double> resampled(use->resamples);
  for (double& value : resampled) {
    const double drawn = above_resampler.draw(random);
    value = drawn / under_resampler.draw(random);
  }
  const Influence first = influence_of(above, [=](double middle) { return middle / under_median; });
  const Influence second = influence_of(under, [=](double middle) { return above_median / middle; });
  return interval_of(resampled, above_median / under_median,
                     {first.squares + second.squares, first.cubes + second.cubes}, *use);
}

}  // namespace accelscope::stats
