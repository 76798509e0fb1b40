// Two samples of the same noise must not become a verdict more often than the level allows: at 95 %, 50 of
// 1000 trials, and 64 leaves two standard deviations. Tried with and without a threshold, so that the
// threshold cannot hide false alarms; for ten and twenty runs; for four shapes of noise; with two seeds each,
// chosen beforehand.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "stats/comparison.h"
#include "stats/noise.h"

namespace accelscope::stats {
namespace {

struct Shape {
  std::string name;
  std::function<std::vector<double>(Generator&, std::size_t)> draw;
};

class FalseVerdicts : public testing::TestWithParam<Shape> {};

constexpr int kComparisons = 1000;
constexpr int kMostFalse = 64;

struct Setting {
  std::size_t runs;
  double threshold;
  bool bootstrap;
};

int false_verdicts(const Shape& shape, const Setting& setting, std::uint64_t seed) {
  Generator random(seed);
  int count = 0;
  for (int trial = 0; trial < kComparisons; ++trial) {
    const std::vector<double> baseline = shape.draw(random, setting.runs);
    const std::vector<double> candidate = shape.draw(random, setting.runs);
    const Comparison result =
        compare(baseline, candidate,
                {.threshold = setting.threshold, .bootstrap = setting.bootstrap, .resamples = 500});
    if (result.verdict == Verdict::kFaster || result.verdict == Verdict::kSlower) ++count;
  }
  return count;
}

void expect_few(const Shape& shape, const Setting& setting, std::uint64_t seed) {
  EXPECT_LE(false_verdicts(shape, setting, seed), kMostFalse)
      << "seed " << seed << ", " << setting.runs << " runs, threshold " << setting.threshold
      << (setting.bootstrap ? ", bootstrap" : ", Hodges-Lehmann");
}

TEST_P(FalseVerdicts, AreRare) {
  for (const std::uint64_t seed : {1001U, 2002U}) {
    for (const std::size_t runs : {10U, 20U}) {
      expect_few(GetParam(), {runs, 0.00, true}, seed);
      expect_few(GetParam(), {runs, 0.02, true}, seed);
      expect_few(GetParam(), {runs, 0.00, false}, seed);
    }
  }
}

const std::vector<Shape> kShapes = {
    {"Gaussian", [](Generator& random, std::size_t n) { return gaussian_noise(random, n); }},
    {"Spiky", [](Generator& random, std::size_t n) { return spiky_noise(random, n); }},
    {"Autocorrelated", [](Generator& random, std::size_t n) { return autocorrelated_noise(random, n); }},
    {"Bimodal", [](Generator& random, std::size_t n) { return bimodal_noise(random, n); }},
};

INSTANTIATE_TEST_SUITE_P(Noise, FalseVerdicts, testing::ValuesIn(kShapes),
                         [](const testing::TestParamInfo<Shape>& shape) { return shape.param.name; });

}  // namespace
}  // namespace accelscope::stats
