#include "analysis/bottlenecks.h"

#include <algorithm>

#include "analysis/profile_samples.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;

std::vector<std::int64_t> times(std::int64_t value) {
  return std::vector<std::int64_t>(12, value);
}

// 1000 ticks: a convolution of 500, data movement of 150 in two pieces, a kernel outside of 80, an overhead
// of 60, small operators, the framework's rest.
Profile sample(std::int64_t convolution) {
  return profile_with(
      times(convolution + 500),
      {{"call", Part::kDelegateOverhead, Category::kDelegateOverhead, times(60)},
       {"transpose", Part::kDelegateOperator, Category::kDataMovement, times(100), "transpose"},
       {"conv", Part::kDelegateOperator, Category::kConvolution, times(convolution), "conv"},
       {"copy", Part::kDelegateOperator, Category::kDataMovement, times(50), "copy"},
       {"softmax", Part::kLibraryOperator, Category::kNormalisation, times(80), "softmax"},
       {"add", Part::kLibraryOperator, Category::kElementwise, times(20), "add"},
       {"clamp", Part::kDelegateOperator, Category::kElementwise, times(50), "clamp"},
       {"mul", Part::kDelegateOperator, Category::kElementwise, times(100), "mul"}});
}

Breakdown whole(const Profile& profile) {
  return breakdown_of(profile.methods.front(), latency_of(profile, 0).positions);
}

std::vector<std::string> subjects(const std::vector<Bottleneck>& rows, BottleneckKind kind) {
  std::vector<std::string> names;
  for (const Bottleneck& row : rows)
    if (row.kind == kind) names.push_back(row.subject);
  return names;
}

using Names = std::vector<std::string>;

TEST(Bottlenecks, OfEveryKindInTheirOrder) {
  const Profile off = sample(1000);
  const Profile on = sample(500);
  const Comparison comparison = compare(off, on);
  const Breakdown breakdown = whole(on);
  const std::vector<Bottleneck> rows =
      bottlenecks_of(on.methods.front(), breakdown, &comparison.methods.front(), {});
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const Bottleneck& a, const Bottleneck& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.mean > b.mean;
  }));
  EXPECT_EQ(subjects(rows, BottleneckKind::kOutsideDelegate), Names{"softmax"});
  EXPECT_EQ(subjects(rows, BottleneckKind::kDataMovement), Names{"Data Movement"});
  EXPECT_EQ(subjects(rows, BottleneckKind::kLowSpeedup), Names{"conv"});
  // An operator of exactly the threshold is not above it.
  EXPECT_EQ(subjects(rows, BottleneckKind::kLargeOperator), (Names{"conv", "transpose", "mul", "softmax"}));
  EXPECT_EQ(subjects(rows, BottleneckKind::kOverhead), Names{"delegate overhead"});
  for (const Bottleneck& row : rows) {
    EXPECT_NEAR(row.without, breakdown.mean - row.mean, 1e-15) << row.subject;
    EXPECT_NEAR(row.speedup_without, breakdown.mean / (breakdown.mean - row.mean), 1e-9) << row.subject;
    EXPECT_NEAR(row.percent, 100 * row.mean / breakdown.mean, 1e-9) << row.subject;
  }
}

TEST(Bottlenecks, ASpeedupWhoseIntervalReachesTheThresholdIsNotLow) {
  // About 2.95 times faster, give or take more than the 0.05 to the threshold.
  const std::vector<std::int64_t> before = wobbling(20, 2'950'000, 150'000);
  const std::vector<std::int64_t> after = wobbling(20, 1'000'000, 50'000);
  const auto made = [](const std::vector<std::int64_t>& times) {
    return profile_with(times, {{"conv", Part::kDelegateOperator, Category::kConvolution, times, "conv"}});
  };
  const Profile off = made(before);
  const Profile on = made(after);
  const Comparison comparison = compare(off, on);
  const MethodComparison& method = comparison.methods.front();
  const PairComparison& conv = method.operators.front();
  ASSERT_LT(*conv.speedup, 3);
  ASSERT_GT(conv.test->interval->high, 3);
  const auto low = [&](double threshold) {
    const std::vector<Bottleneck> rows =
        bottlenecks_of(on.methods.front(), method.candidate_breakdown, &method, {.low_speedup = threshold});
    return std::count_if(rows.begin(), rows.end(),
                         [](const Bottleneck& row) { return row.kind == BottleneckKind::kLowSpeedup; });
  };
  EXPECT_EQ(low(3), 0);
  EXPECT_EQ(low(6), 1);
}

TEST(Bottlenecks, AmdahlsBound) {
  const Profile on = sample(500);
  const std::vector<Bottleneck> rows = bottlenecks_of(on.methods.front(), whole(on), nullptr, {});
  const auto convolution =
      std::find_if(rows.begin(), rows.end(), [](const Bottleneck& row) { return row.subject == "conv"; });
  ASSERT_NE(convolution, rows.end());
  EXPECT_DOUBLE_EQ(convolution->percent, 50);
  EXPECT_DOUBLE_EQ(convolution->speedup_without, 2);
  EXPECT_EQ(on.methods.front().entries[convolution->entry].name, "conv");
  const auto movement = std::find_if(rows.begin(), rows.end(), [](const Bottleneck& row) {
    return row.kind == BottleneckKind::kDataMovement;
  });
  ASSERT_NE(movement, rows.end());
  EXPECT_DOUBLE_EQ(movement->percent, 15);
  EXPECT_EQ(on.methods.front().entries[movement->entry].name, "transpose");
}

TEST(Bottlenecks, LowSpeedupSaysWhatIsUsual) {
  const Profile on = sample(500);
  const auto low = [&](std::int64_t before, const Thresholds& thresholds = {}) {
    const Comparison comparison = compare(sample(before), on);
    std::vector<Bottleneck> rows =
        bottlenecks_of(on.methods.front(), whole(on), &comparison.methods.front(), thresholds);
    std::erase_if(rows, [](const Bottleneck& row) { return row.kind != BottleneckKind::kLowSpeedup; });
    return rows;
  };
  ASSERT_EQ(low(1000).size(), 1U);
  EXPECT_DOUBLE_EQ(*low(1000).front().speedup, 2);
  EXPECT_EQ(low(1000).front().expected, "3-10x");
  EXPECT_TRUE(low(1505).empty()) << "three times is enough";
  EXPECT_EQ(low(1505, {.low_speedup = 3.5}).size(), 1U);
  EXPECT_TRUE(low(1000, {.low_speedup = 1.5}).empty());
}

TEST(Bottlenecks, SmallComputeIsNotWorthALook) {
  const auto model = [](std::int64_t small) {
    return profile_with(times(10'000),
                        {{"conv", Part::kDelegateOperator, Category::kConvolution, times(small), "conv"},
                         {"gemm", Part::kDelegateOperator, Category::kGemm, times(120), "gemm"}});
  };
  const Profile on = model(90);
  const Comparison comparison = compare(model(100), on);
  const std::vector<Bottleneck> rows =
      bottlenecks_of(on.methods.front(), whole(on), &comparison.methods.front(), {});
  EXPECT_EQ(subjects(rows, BottleneckKind::kLowSpeedup), Names{"gemm"}) << "0.9 % is too little";
  EXPECT_EQ(rows.front().expected, "3-15x");
}

TEST(Bottlenecks, ThresholdsAreOptions) {
  const Profile on = sample(500);
  const std::vector<Bottleneck> none =
      bottlenecks_of(on.methods.front(), whole(on), nullptr,
                     {.operator_percent = 60, .data_movement_percent = 20, .outside_percent = 10});
  EXPECT_TRUE(none.empty());
  const std::vector<Bottleneck> all =
      bottlenecks_of(on.methods.front(), whole(on), nullptr,
                     {.operator_percent = 1, .data_movement_percent = 1, .outside_percent = 1});
  EXPECT_EQ(subjects(all, BottleneckKind::kOutsideDelegate), (Names{"softmax", "add"}));
  EXPECT_EQ(subjects(all, BottleneckKind::kLargeOperator).size(), 7U);
  EXPECT_EQ(subjects(all, BottleneckKind::kOverhead), (Names{"delegate overhead", "framework"}));
}

TEST(Bottlenecks, OfTheToyModel) {
  const Profile off = toy(ToySpeed::kSlow);
  const Profile on = toy(ToySpeed::kFast);
  const Comparison comparison = compare(off, on);
  const std::vector<Bottleneck> rows =
      bottlenecks_of(on.methods.front(), whole(on), &comparison.methods.front(), {});
  EXPECT_EQ(subjects(rows, BottleneckKind::kOutsideDelegate).size(), 1U);
  EXPECT_EQ(subjects(rows, BottleneckKind::kDataMovement).size(), 1U);
  EXPECT_TRUE(subjects(rows, BottleneckKind::kLowSpeedup).empty());
  EXPECT_GE(subjects(rows, BottleneckKind::kLargeOperator).size(), 4U);
}

TEST(Bottlenecks, OfNothing) {
  EXPECT_TRUE(bottlenecks_of({}, {}, nullptr, {}).empty());
  // Everything in one operator: without it there is no time left, and no ratio.
  const Profile one = profile_with({100}, {{"all", Part::kDelegateOperator, Category::kGemm, {100}, "all"}});
  const std::vector<Bottleneck> rows = bottlenecks_of(one.methods.front(), whole(one), nullptr, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().without, 0);
  EXPECT_EQ(rows.front().speedup_without, 0);
}

}  // namespace
}  // namespace accelscope::analysis
