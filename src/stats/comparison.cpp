#include "stats/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/bootstrap.h"
#include "stats/distributions.h"
#include "stats/multiple.h"
#include "stats/quantile.h"
#include "stats/rank_test.h"
#include "stats/ranks.h"

namespace accelscope::stats {
namespace {

using Sample = std::span<const double>;

constexpr std::size_t kFewestRuns = 4;
constexpr double kNotableCorrelation = 0.3;
constexpr double kMostRuns = 1'000'000;

bool all_positive(Sample values) {
  return std::ranges::all_of(values, [](double value) { return value > 0; });
}

double rank_correlation(Sample values) {
  const std::optional<double> rho = lag1(mid_ranks(values).values);
  return rho ? lag1_without_bias(values.size(), *rho) : 0;
}

// The gap between the samples is wider than either of them.
bool far_apart(Sample first, Sample second) {
  const auto [first_low, first_high] = std::ranges::minmax(first);
  const auto [second_low, second_high] = std::ranges::minmax(second);
  const double gap = std::max(first_low - second_high, second_low - first_high);
  return gap > std::max(first_high - first_low, second_high - second_low);
}

double correlation_factor(Sample first, Sample second) {
  const double rho = std::max(rank_correlation(first), rank_correlation(second));
  if (rho <= kNotableCorrelation || far_apart(first, second)) return 1;
  const std::size_t n = std::max(first.size(), second.size());
  return static_cast<double>(n) / effective_count(n, rho);
}

Interval widened(const Interval& interval, double estimate, double factor) {
  const double stretch = std::sqrt(factor);
  return {estimate * std::pow(interval.low / estimate, stretch),
          estimate * std::pow(interval.high / estimate, stretch), interval.level};
}

double weakened(double p, double factor) {
  if (factor == 1) return p;
  return std::min(1.0, 2 * normal_upper_tail(-normal_quantile(p / 2) / std::sqrt(factor)));
}

std::vector<double> logarithms(Sample values) {
  std::vector<double> result;
  for (const double value : values) result.push_back(std::log(value));
  return result;
}

void set_interval(Comparison& result, Sample baseline, Sample candidate, const CompareOptions& options) {
  if (options.bootstrap) {
    const auto found = bootstrap_ratio_of_medians(
        baseline, candidate, {.resamples = options.resamples, .seed = options.seed, .level = options.level});
    if (!found) return;
    result.interval = found->interval;
    result.interval_method = found->method == "BCa" ? "BCa bootstrap of the ratio of medians"
                                                    : "percentile bootstrap of the ratio of medians";
    result.seed = found->seed;
    result.resamples = found->resamples;
  } else {
    const auto found = hodges_lehmann_interval(logarithms(baseline), logarithms(candidate), options.level);
    if (!found) return;
    result.interval = {std::exp(found->low), std::exp(found->high), options.level};
    result.interval_method = "Hodges-Lehmann interval of the ratio, from logarithms";
  }
  result.interval = widened(*result.interval, result.speedup, result.correlation_factor);
}

// Runs a side with which complete separation would be significant in this many tests; the level is below 1.
std::size_t runs_for_significance(double level, double tests) {
  std::size_t n = kFewestRuns;
  while (smallest_p(n, n) * tests >= 1 - level && static_cast<double>(n) < kMostRuns) ++n;
  return n;
}

std::optional<std::size_t> runs_needed(const Comparison& result, const CompareOptions& options,
                                       double tests) {
  double needed = static_cast<double>(runs_for_significance(options.level, tests));
  if (result.interval && std::min(result.baseline_count, result.candidate_count) >= kFewestRuns) {
    const double half_width = std::log(result.interval->high / result.interval->low) / 2;
    const double change = std::abs(std::log(result.speedup)), threshold = std::log1p(options.threshold);
    const double to_show = change >= threshold ? change : threshold - change;
    const auto first = static_cast<double>(result.baseline_count),
               second = static_cast<double>(result.candidate_count);
    const double now = 2 * first * second / (first + second);
    const double ratio = half_width / to_show;
    needed = std::max({needed, 2 * now * ratio * ratio, 1.5 * now});
  }
  if (!(needed <= kMostRuns)) return std::nullopt;
  return static_cast<std::size_t>(std::ceil(needed));
}

void decide(Comparison& result, Verdict verdict, std::string reason) {
  result.verdict = verdict;
  result.reason = std::move(reason);
}

void judge(Comparison& result, const CompareOptions& options, double tests) {
  result.runs_needed.reset();
  const std::size_t fewest = std::min(result.baseline_count, result.candidate_count);
  const double percent = 100 * options.threshold;
  if (result.identical) return decide(result, Verdict::kNoDifference, "both samples hold the same numbers");
  if (!(options.level > 0 && options.level < 1) || !(options.threshold >= 0))
    return decide(result, Verdict::kInconclusive,
                  "the level must lie between 0 and 1 and the threshold must not be negative");
  if (std::isnan(result.speedup))
    return decide(result, Verdict::kInconclusive,
                  "a sample is empty or holds values that are not positive numbers");
  if (fewest < kFewestRuns || !result.interval || !result.p) {
    result.runs_needed = runs_needed(result, options, tests);
    return decide(result, Verdict::kInconclusive,
                  fmt::format("too few runs: {} and {}", result.baseline_count, result.candidate_count));
  }
  const double p = result.adjusted_p.value_or(*result.p);
  const bool shown = !result.interval->contains(1) && p < 1 - options.level;
  const double large = 1 + options.threshold;
  if (shown && (result.speedup >= large || result.speedup <= 1 / large)) {
    const bool faster = result.speedup > 1;
    return decide(
        result, faster ? Verdict::kFaster : Verdict::kSlower,
        fmt::format("the interval excludes 1, p = {:.2g}, and the change is at least {:g} %", p, percent));
  }
  if (result.interval->low >= 1 / large && result.interval->high <= large)
    return decide(result, Verdict::kNoDifference,
                  shown
                      ? fmt::format("there is a difference, but it is below the threshold of {:g} %", percent)
                      : fmt::format("the interval lies within the threshold of {:g} %", percent));
  result.runs_needed = runs_needed(result, options, tests);
  decide(result, Verdict::kInconclusive,
         shown ? fmt::format("there is a difference, but whether it reaches {:g} % is open", percent)
               : fmt::format("the runs vary too much to tell a difference of {:g} %", percent));
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kNoDifference:
      return "no difference";
    case Verdict::kInconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

Comparison compare(Sample baseline, Sample candidate, const CompareOptions& options) {
  Comparison result;
  result.baseline_count = baseline.size();
  result.candidate_count = candidate.size();
  result.baseline_median = median(baseline);
  result.candidate_median = median(candidate);
  result.speedup = std::numeric_limits<double>::quiet_NaN();
  if (const auto test = mann_whitney(baseline, candidate)) {
    result.identical = std::ranges::equal(baseline, candidate);
    result.correlation_factor = correlation_factor(baseline, candidate);
    result.p = weakened(test->p, result.correlation_factor);
    result.cliffs_delta =
        2 * test->u / (static_cast<double>(baseline.size()) * static_cast<double>(candidate.size())) - 1;
    result.shift = hodges_lehmann_estimate(baseline, candidate);
    if (all_positive(baseline) && all_positive(candidate)) {
      result.speedup = result.baseline_median / result.candidate_median;
      if (std::min(baseline.size(), candidate.size()) >= kFewestRuns)
        set_interval(result, baseline, candidate, options);
    }
  }
  judge(result, options, 1);
  return result;
}

void adjust_for_many(std::span<Comparison> comparisons, const CompareOptions& options) {
  std::vector<double> p_values;
  double tests = 0;
  for (const Comparison& comparison : comparisons) {
    p_values.push_back(comparison.p.value_or(std::numeric_limits<double>::quiet_NaN()));
    if (comparison.p) ++tests;
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    if (comparisons[i].p) comparisons[i].adjusted_p = adjusted[i];
    judge(comparisons[i], options, std::max(tests, 1.0));
  }
}

}  // namespace accelscope::stats
