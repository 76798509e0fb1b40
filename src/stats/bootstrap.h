// Confidence intervals by resampling: the median, and the ratio of the medians of two independent samples.
//
// The interval is BCa (bias-corrected and accelerated, Efron 1987): percentiles of the resampled statistic,
// moved for its bias and for the skewness that the jackknife shows. Two samples are resampled and jackknifed
// each for itself. Where BCa has no meaning (every resample gives the same, or all lie on one side of the
// estimate), plain percentiles are taken and the method says so.
//
// A resample is not drawn value by value: the rank that its median has in the sample follows a distribution
// that depends on n only and is known in closed form, so one resample costs two random numbers, not n. The
// result has the same distribution as drawing n values and is as repeatable: same seed, same numbers.
//
// Nothing throws. Empty results: no values, a value that is not finite (for ratios: not positive), a level
// not strictly between 0 and 1. Resamples are held between 100 and 1 000 000. Pure functions; safe from any
// thread. Spans are read during the call only.
//
//   const auto speedup = bootstrap_ratio_of_medians(baseline, candidate, {.resamples = 10'000});
//   if (speedup) show(speedup->estimate, speedup->interval, speedup->method, speedup->seed);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "stats/interval.h"
#include "stats/random.h"

namespace accelscope::stats {

struct BootstrapOptions {
  std::uint32_t resamples = 10'000;
  std::uint64_t seed = kDefaultSeed;
  double level = 0.95;
};

struct Bootstrap {
  double estimate = 0;
  Interval interval;
  std::uint32_t resamples = 0;
  std::uint64_t seed = 0;
  std::string_view method;  // "BCa" or "percentile"
};

std::optional<Bootstrap> bootstrap_median(std::span<const double> values,
                                          const BootstrapOptions& options = {});

std::optional<Bootstrap> bootstrap_ratio_of_medians(std::span<const double> numerator,
                                                    std::span<const double> denominator,
                                                    const BootstrapOptions& options = {});

}  // namespace accelscope::stats
