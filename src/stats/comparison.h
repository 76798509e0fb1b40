// The verdict on two samples of run times: is the candidate faster, slower, no different, or can nobody say
// yet.
//
// The speedup is the ratio of medians, baseline over candidate: above 1 the candidate is faster. A change of
// a threshold t means a speedup of 1 + t, or of 1 / (1 + t) the other way.
//
//   faster, slower   the interval of the speedup excludes 1, Mann and Whitney's p is below 1 - level, and the
//                    change is at least the threshold
//   no difference    the interval lies within the threshold; or both samples hold the same numbers
//   inconclusive     everything else, and always below four runs a side. runs_needed says how many runs a
//   side
//                    would probably do: intervals shrink with the square root of n, and twice the runs that
//                    would just do are asked for, because half of all repetitions come out worse
//
// Runs that remember their neighbours are worth fewer runs. Where the lag-1 autocorrelation of the ranks of
// either sample, freed of its small-sample bias, is above 0.3, the larger one gives the factor
// (1 + rho) / (1 - rho), at most n; the interval is made wider about the estimate by its square root (on the
// scale of logarithms), and the normal deviate of p smaller by it. Ranks, because one spike would hide the
// correlation of values. It is not done where the gap between the samples is wider than either of them: no
// drift that was seen could explain that.
//
// Nothing throws. An empty sample, values that are not finite or not positive leave the verdict inconclusive
// and what cannot be computed empty. Pure functions; safe from any thread. Results own what they hold.
//
//   const Comparison result = compare(baseline, candidate, {.threshold = 0.02});
//   if (result.verdict == Verdict::kSlower) fail_gate(result.speedup, *result.interval, result.reason);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stats/interval.h"
#include "stats/random.h"

namespace accelscope::stats {

struct CompareOptions {
  double threshold = 0.02;  // the smallest change that matters
  double level = 0.95;
  bool bootstrap = true;  // else the interval is that of Hodges and Lehmann's shift of logarithms
  std::uint32_t resamples = 10'000;
  std::uint64_t seed = kDefaultSeed;
};

enum class Verdict { kFaster, kSlower, kNoDifference, kInconclusive };

std::string_view to_text(Verdict verdict);

struct Comparison {
  std::size_t baseline_count = 0;
  std::size_t candidate_count = 0;
  double baseline_median = 0;  // not a number for an empty sample
  double candidate_median = 0;
  double speedup = 0;  // not a number where a median is not positive
  std::optional<Interval> interval;
  std::string_view interval_method;  // "BCa bootstrap of the ratio of medians", ...; empty without interval
  std::optional<double> p;           // two-sided, serial correlation allowed for
  std::optional<double> adjusted_p;  // for many comparisons, see adjust_for_many()
  std::optional<double> shift;       // Hodges and Lehmann's, baseline less candidate
  std::optional<double> cliffs_delta;
  double correlation_factor = 1;  // what the variance was multiplied with for serial correlation
  bool identical = false;         // the same numbers in the same order

  Verdict verdict = Verdict::kInconclusive;
  std::string reason;
  std::optional<std::size_t> runs_needed;  // a side; only when inconclusive, empty beyond a million

  std::uint64_t seed = 0;
  std::uint32_t resamples = 0;  // 0 without bootstrap
};

Comparison compare(std::span<const double> baseline, std::span<const double> candidate,
                   const CompareOptions& options = {});

// Sets adjusted_p of all by Holm's method and the verdicts by it. The options must be those of compare(), but
// for the threshold: called again with another one, it gives the verdicts by that, for the cost of nothing.
void adjust_for_many(std::span<Comparison> comparisons, const CompareOptions& options = {});

}  // namespace accelscope::stats
