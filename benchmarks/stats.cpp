// The statistics of a comparison: the bootstrap of one ratio, and the rank tests of a thousand operators.
//
// Floors in the same run: sorting the same numbers, and drawing the random numbers that resampling value by
// value would take. Times are those of the processor, because one thread does all of it and waits for
// nothing.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string_view>
#include <vector>

#include "stats/bootstrap.h"
#include "stats/comparison.h"
#include "stats/describe.h"
#include "stats/multiple.h"
#include "stats/random.h"
#include "stats/rank_test.h"

namespace {

using namespace accelscope::stats;  // NOLINT(google-build-using-namespace): one short program
using Sample = std::vector<double>;

constexpr std::size_t kRuns = 100;
constexpr std::size_t kOperators = 1000;
constexpr int kRepetitions = 5;

double sum_of_results = 0;  // printed, so that nothing is optimised away

// The best of a few repetitions, in milliseconds.
template <class Work>
double best_of(Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t start = std::clock();
    sum_of_results += work();
    best = std::min(best, 1000 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void report(std::string_view what, double milliseconds, double floor) {
  fmt::print("{:<66} {:9.3f} ms  {:7.1f} times the floor\n", what, milliseconds, milliseconds / floor);
}

// Sums of uniform numbers are near enough to the noise of run times.
Sample noise(Generator& random, std::size_t n, double scale) {
  Sample values(n);
  for (double& value : values)
    value = scale * (10 + 0.3 * (random.uniform() + random.uniform() + random.uniform() - 1.5));
  return values;
}

double sort_both(const Sample& first, const Sample& second) {
  Sample copy(first), other(second);
  std::ranges::sort(copy);
  std::ranges::sort(other);
  return copy.front() + other.front();
}

void one_ratio(Generator& random) {
  const Sample baseline = noise(random, kRuns, 1), candidate = noise(random, kRuns, 0.9);
  const double floor = best_of([&] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < std::size_t{10'000} * 2 * kRuns; ++i) sum += random.next() >> 32U;
    return static_cast<double>(sum);
  });
  report("floor: drawing 10 000 times 200 random numbers", floor, floor);
  report("BCa bootstrap of a ratio of medians, 100 and 100 runs, 10 000",
         best_of([&] { return bootstrap_ratio_of_medians(baseline, candidate)->interval.low; }), floor);
}

void many_operators(Generator& random) {
  std::vector<Sample> baselines, candidates;
  for (std::size_t i = 0; i < kOperators; ++i) {
    baselines.push_back(noise(random, kRuns, 1));
    candidates.push_back(noise(random, kRuns, 1.01));
  }
  const auto of_all = [&](auto work) {
    return best_of([&] {
      double sum = 0;
      for (std::size_t i = 0; i < kOperators; ++i) sum += work(baselines[i], candidates[i]);
      return sum;
    });
  };
  const double floor = of_all(sort_both);
  report("floor: sorting 1000 times 100 and 100 numbers", floor, floor);
  report("1000 Mann-Whitney tests, Holm-adjusted", best_of([&] {
           Sample p_values;
           for (std::size_t i = 0; i < kOperators; ++i)
             p_values.push_back(mann_whitney(baselines[i], candidates[i])->p);
           return holm(p_values).front();
         }),
         floor);
  report("1000 Hodges-Lehmann shifts with intervals",
         of_all([](const Sample& a, const Sample& b) { return hodges_lehmann(a, b)->interval->low; }), floor);
  const auto compare_all = [&](bool bootstrap) {
    return best_of([&] {
      const CompareOptions options = {.bootstrap = bootstrap};
      std::vector<Comparison> all;
      for (std::size_t i = 0; i < kOperators; ++i)
        all.push_back(compare(baselines[i], candidates[i], options));
      adjust_for_many(all, options);
      return all.front().speedup;
    });
  };
  report("1000 comparisons without bootstrap, Holm-adjusted", compare_all(false), floor);
  report("1000 comparisons, 10 000 resamples each", compare_all(true), floor);
}

void long_series(Generator& random) {
  const Sample values = noise(random, 10'000, 1);
  const double floor = best_of([&] { return sort_both(values, {1.0}); });
  report("floor: sorting 10 000 numbers", floor, floor);
  report("description of 10 000 runs", best_of([&] { return describe(values).median; }), floor);
}

}  // namespace

int main() {
  Generator random(1);
  one_ratio(random);
  many_operators(random);
  long_series(random);
  fmt::print("(sum of all results {:g})\n", sum_of_results);
}
