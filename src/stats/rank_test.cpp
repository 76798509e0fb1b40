#include "stats/rank_test.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.h"
#include "stats/pairwise.h"
#include "stats/quantile.h"

namespace accelscope::stats {
namespace {

constexpr std::size_t kPairsCountedExactly = 400;
constexpr std::size_t kPairsCountedOnRequest = 10'000;

// The chances of U = 0 ... last when no two values are equal: coefficients of the Gaussian binomial
// (n + m choose n), which is the product over i of (1 - q^(m + i)) / (1 - q^i), divided by their sum.
std::vector<double> chances_of_u(std::size_t n, std::size_t m, std::size_t last) {
  if (n > m) std::swap(n, m);
  std::vector<double> ways(last + 1, 0.0);
  ways[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = last; u >= m + i; --u) ways[u] -= ways[u - m - i];
    for (std::size_t u = i; u <= last; ++u) ways[u] += ways[u - i];
  }
  const double all = std::exp(log_choose(n + m, n));
  for (double& way : ways) way /= all;
  return ways;
}

struct Counted {
  double u = 0;
  double tied = 0;  // sum of t^3 - t over groups of t equal values
};

// One walk over both sorted samples.
Counted count_pairs(std::span<const double> first, std::span<const double> second) {
  Counted counted;
  std::size_t i = 0, j = 0;
  while (i < first.size() || j < second.size()) {
    const double value =
        j == second.size() || (i < first.size() && first[i] <= second[j]) ? first[i] : second[j];
    std::size_t equal_first = 0, equal_second = 0;
    for (; i < first.size() && first[i] == value; ++i) ++equal_first;
    const auto smaller = static_cast<double>(j);
    for (; j < second.size() && second[j] == value; ++j) ++equal_second;
    counted.u += static_cast<double>(equal_first) * (smaller + static_cast<double>(equal_second) / 2);
    const auto equal = static_cast<double>(equal_first + equal_second);
    counted.tied += equal * equal * equal - equal;
  }
  return counted;
}

double exact_p(double u, std::size_t n, std::size_t m) {
  const double pairs = static_cast<double>(n) * static_cast<double>(m);
  const auto smaller = static_cast<std::size_t>(std::ceil(std::min(u, pairs - u)));
  double tail = 0;
  for (const double chance : chances_of_u(n, m, smaller)) tail += chance;
  return std::min(1.0, 2 * tail);
}

double deviation_of_u(double n, double m, double tied) {
  return std::sqrt(n * m / 12 * ((n + m + 1) - tied / ((n + m) * (n + m - 1))));
}

double normal_p(const Counted& counted, double n, double m) {
  const double deviation = deviation_of_u(n, m, counted.tied);
  if (!(deviation > 0)) return 1;
  const double above_mean = std::abs(counted.u - n * m / 2) - 0.5;
  return std::min(1.0, 2 * normal_upper_tail(above_mean / deviation));
}

bool usable(std::span<const double> first, std::span<const double> second) {
  return !first.empty() && !second.empty() && all_finite(first) && all_finite(second);
}

// How many differences lie outside each end of the interval; empty when even none is too many.
std::optional<std::uint64_t> differences_outside(std::size_t n, std::size_t m, double level) {
  const double tail = (1 - level) / 2;
  if (n * m <= kPairsCountedExactly) {
    std::uint64_t outside = 0;
    double sum = 0;
    for (const double chance : chances_of_u(n, m, n * m / 2)) {
      sum += chance;
      if (sum > tail) break;
      ++outside;
    }
    if (outside == 0) return std::nullopt;
    return outside - 1;
  }
  const auto first = static_cast<double>(n), second = static_cast<double>(m);
  const double rank =
      std::floor(first * second / 2 + normal_quantile(tail) * deviation_of_u(first, second, 0));
  if (!(rank >= 1)) return std::nullopt;
  return static_cast<std::uint64_t>(rank) - 1;
}

}  // namespace

std::optional<MannWhitney> mann_whitney(std::span<const double> first, std::span<const double> second,
                                        PValue p_value) {
  if (!usable(first, second)) return std::nullopt;
  const Counted counted = count_pairs(sorted_copy(first), sorted_copy(second));
  const std::size_t pairs = first.size() * second.size();
  const bool exact = p_value == PValue::kExact ? pairs <= kPairsCountedOnRequest
                                               : p_value == PValue::kAutomatic && counted.tied == 0 &&
                                                     pairs <= kPairsCountedExactly;
  const double p =
      exact ? exact_p(counted.u, first.size(), second.size())
            : normal_p(counted, static_cast<double>(first.size()), static_cast<double>(second.size()));
  return MannWhitney{counted.u, p, exact};
}

std::optional<double> hodges_lehmann_estimate(std::span<const double> first, std::span<const double> second) {
  if (!usable(first, second)) return std::nullopt;
  const std::vector<double> sorted_first = sorted_copy(first);
  const std::vector<double> sorted_second = sorted_copy(second);
  return PairwiseDifferences(sorted_first, sorted_second).median();
}

std::optional<Interval> hodges_lehmann_interval(std::span<const double> first, std::span<const double> second,
                                                double level) {
  if (!usable(first, second) || !(level > 0 && level < 1)) return std::nullopt;
  const auto outside = differences_outside(first.size(), second.size(), level);
  if (!outside) return std::nullopt;
  const std::vector<double> sorted_first = sorted_copy(first);
  const std::vector<double> sorted_second = sorted_copy(second);
  PairwiseDifferences differences(sorted_first, sorted_second);
  const double low = differences.at_rank(*outside);
  return Interval{low, differences.at_rank(differences.count() - 1 - *outside), level};
}

std::optional<Shift> hodges_lehmann(std::span<const double> first, std::span<const double> second,
                                    double level) {
  const std::optional<double> estimate = hodges_lehmann_estimate(first, second);
  if (!estimate) return std::nullopt;
  return Shift{*estimate, hodges_lehmann_interval(first, second, level)};
}

std::optional<double> cliffs_delta(std::span<const double> first, std::span<const double> second) {
  if (!usable(first, second)) return std::nullopt;
  const double u = count_pairs(sorted_copy(first), sorted_copy(second)).u;
  return 2 * u / (static_cast<double>(first.size()) * static_cast<double>(second.size())) - 1;
}

double smallest_p(std::size_t first_count, std::size_t second_count) {
  if (first_count == 0 || second_count == 0) return 1;
  return std::min(1.0, 2 * std::exp(-log_choose(first_count + second_count, first_count)));
}

}  // namespace accelscope::stats
