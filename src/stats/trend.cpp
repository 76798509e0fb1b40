#include "stats/trend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.h"
#include "stats/quantile.h"
#include "stats/ranks.h"

namespace accelscope::stats {
namespace {

constexpr std::size_t kRunsCountedExactly = 33;

// Sorts the values and counts the pairs in which the earlier one is larger.
std::int64_t sort_counting_inversions(std::span<double> values, std::span<double> scratch) {
  if (values.size() < 2) return 0;
  const std::size_t half = values.size() / 2;
  std::int64_t inversions = sort_counting_inversions(values.first(half), scratch.first(half)) +
                            sort_counting_inversions(values.subspan(half), scratch.subspan(half));
  std::size_t left = 0, right = half;
  for (double& out : scratch) {
    const bool take_right = left == half || (right < values.size() && values[right] < values[left]);
    if (take_right) inversions += static_cast<std::int64_t>(half - left);
    out = take_right ? values[right++] : values[left++];
  }
  std::ranges::copy(scratch, values.begin());
  return inversions;
}

// Twice the chance of at most this many inversions in a random order of n values.
double exact_p(std::size_t n, std::int64_t inversions) {
  const auto last = static_cast<std::size_t>(inversions);
  std::vector<double> chances(last + 1, 0.0), sums(last + 2, 0.0);
  chances[0] = 1;
  for (std::size_t size = 2; size <= n; ++size) {
    for (std::size_t i = 0; i <= last; ++i) sums[i + 1] = sums[i] + chances[i];
    for (std::size_t i = 0; i <= last; ++i)
      chances[i] = (sums[i + 1] - sums[i + 1 - std::min(i + 1, size)]) / static_cast<double>(size);
  }
  double tail = 0;
  for (const double chance : chances) tail += chance;
  return std::min(1.0, 2 * tail);
}

double normal_p(std::size_t n, std::int64_t s, std::span<const std::size_t> ties) {
  const auto weight = [](std::size_t size) {
    const auto t = static_cast<double>(size);
    return t * (t - 1) * (2 * t + 5);
  };
  double variance = weight(n);
  for (const std::size_t size : ties) variance -= weight(size);
  return std::min(1.0, 2 * normal_upper_tail(std::abs(static_cast<double>(s)) / std::sqrt(variance / 18)));
}

}  // namespace

std::optional<MannKendall> mann_kendall(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 2 || !all_finite(values)) return std::nullopt;
  const std::vector<std::size_t> ties = mid_ranks(values).sizes_of_ties;
  const auto pairs_of = [](std::size_t size) { return static_cast<std::int64_t>(size * (size - 1) / 2); };
  std::int64_t tied = 0;
  for (const std::size_t size : ties) tied += pairs_of(size);
  std::vector<double> sorted(values.begin(), values.end()), scratch(n);
  const std::int64_t falling = sort_counting_inversions(sorted, scratch);
  const std::int64_t rising = pairs_of(n) - tied - falling;
  MannKendall result{
      .s = rising - falling, .tau = {}, .p = {}, .exact = ties.empty() && n <= kRunsCountedExactly};
  if (rising + falling == 0) return result;
  result.tau = static_cast<double>(result.s) / std::sqrt(static_cast<double>(pairs_of(n))) /
               std::sqrt(static_cast<double>(rising + falling));
  result.p = result.exact ? exact_p(n, std::min(rising, falling)) : normal_p(n, result.s, ties);
  return result;
}

std::optional<double> theil_sen_slope(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 2 || !all_finite(values)) return std::nullopt;
  const std::size_t taken = std::min(n, kRunsForTheilSen);
  const auto position = [&](std::size_t i) { return i * (n - 1) / (taken - 1); };
  std::vector<double> slopes;
  slopes.reserve(taken * (taken - 1) / 2);
  for (std::size_t i = 0; i < taken; ++i)
    for (std::size_t j = i + 1; j < taken; ++j)
      slopes.push_back((values[position(j)] - values[position(i)]) /
                       static_cast<double>(position(j) - position(i)));
  return median(slopes);
}

std::optional<Drift> drift_of(std::span<const double> values, const DriftLimits& limits) {
  const std::size_t n = values.size();
  if (n < 4) return std::nullopt;
  const std::optional<MannKendall> test = mann_kendall(values);
  const std::optional<double> slope = theil_sen_slope(values);
  if (!test || !slope) return std::nullopt;
  const double middle = median(values);
  Drift drift{.test = *test,
              .slope = *slope,
              .relative_change = middle == 0 ? 0 : *slope * static_cast<double>(n) / middle,
              .first_quarter_median = median(values.first(n / 4)),
              .last_quarter_median = median(values.last(n / 4))};
  drift.drifting =
      std::abs(drift.relative_change) > limits.smallest_change && test->p && *test->p < limits.largest_p;
  return drift;
}

}  // namespace accelscope::stats
