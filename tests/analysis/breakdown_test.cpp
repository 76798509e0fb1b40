#include "analysis/breakdown.h"

#include <cmath>
#include <numeric>
#include <set>

#include "analysis/latency.h"
#include "analysis/profile_samples.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;

double sum_of_percents(const std::vector<Share>& shares) {
  double sum = 0;
  for (const Share& share : shares) sum += share.percent;
  return sum;
}

std::int64_t sum_of_ticks(const std::vector<Share>& shares) {
  std::int64_t sum = 0;
  for (const Share& share : shares) sum += share.total.value;
  return sum;
}

std::vector<std::uint32_t> all_of(const MethodProfile& method) {
  std::vector<std::uint32_t> positions(method.executions.size());
  std::iota(positions.begin(), positions.end(), 0U);
  return positions;
}

void expect_exact(const MethodProfile& method, const std::vector<std::uint32_t>& executions,
                  const std::string& what) {
  const Breakdown breakdown = breakdown_of(method, executions);
  EXPECT_TRUE(breakdown.exact) << what;
  EXPECT_EQ(sum_of_ticks(breakdown.by_part), breakdown.total.value) << what;
  EXPECT_EQ(sum_of_ticks(breakdown.by_category), breakdown.total.value) << what;
  EXPECT_EQ(sum_of_ticks(breakdown.by_type), sum_of_ticks(breakdown.by_operator)) << what;
  EXPECT_NEAR(sum_of_percents(breakdown.by_part), 100, 1e-9) << what;
  EXPECT_NEAR(sum_of_percents(breakdown.by_category), 100, 1e-9) << what;
  double means = 0;
  for (const Share& share : breakdown.by_category) means += share.mean;
  EXPECT_NEAR(means, breakdown.mean, 1e-9 * breakdown.mean) << what;
}

void expect_exact(const Profile& profile) {
  EXPECT_FALSE(profile.methods.empty()) << profile.name;
  for (std::size_t i = 0; i < profile.methods.size(); ++i) {
    const MethodProfile& method = profile.methods[i];
    expect_exact(method, all_of(method), profile.name + ", all executions");
    expect_exact(method, latency_of(profile, i).positions, profile.name + ", steady executions");
    for (std::uint32_t one = 0; one < std::min<std::size_t>(20, method.executions.size()); ++one)
      expect_exact(method, {one}, profile.name + ", execution " + std::to_string(one));
  }
}

TEST(Breakdown, OfTheSampleDumpsIsExact) {
  expect_exact(toy(ToySpeed::kFast));
  expect_exact(toy(ToySpeed::kSlow, 30, 7));
  expect_exact(profile_of_dump("quirks", formats::etdump::quirks_dump()));
  expect_exact(profile_of_dump("wrap", formats::etdump::wrap_dump()));
  expect_exact(profile_of_dump("large", formats::etdump::large_dump(10'000)));
}

TEST(Breakdown, OfEveryConformanceDumpIsExact) {
  namespace fs = std::filesystem;
  if (!fs::exists(ACCELSCOPE_FIXTURES_DIR)) GTEST_SKIP() << kNoFixtures;
  std::size_t seen = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(ACCELSCOPE_FIXTURES_DIR)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".etdump" && ending != ".etdp") continue;
    const std::string path = fs::relative(entry.path(), ACCELSCOPE_FIXTURES_DIR).string();
    const auto trace = fixture_trace(path);
    ASSERT_TRUE(trace) << path;
    expect_exact(profile_of_trace(path, *trace));
    ++seen;
  }
  EXPECT_GE(seen, 14U) << "fewer than there were when this was written";
}

TEST(Breakdown, OfTheDocumentationsDumpIsNotInflated) {
  const auto trace = fixture_trace("etdump/executorch_docs_tutorial.etdp");
  if (!trace) GTEST_SKIP() << kNoFixtures;
  const Profile profile = profile_of_trace("docs", *trace);
  ASSERT_EQ(profile.methods.size(), 1U);
  const MethodProfile& method = profile.methods.front();
  ASSERT_EQ(method.executions.size(), 1U);
  EXPECT_DOUBLE_EQ(to_unit(method, method.executions.front().duration), 1.898821);
  EXPECT_NEAR(inflation_of(method), 2.993, 0.0005);
}

TEST(Breakdown, NamesTheParts) {
  const Profile profile = toy(ToySpeed::kFast);
  const Breakdown breakdown = breakdown_of(profile.methods.front(), all_of(profile.methods.front()));
  ASSERT_EQ(breakdown.by_part.size(), 5U);
  EXPECT_EQ(breakdown.by_part[0].part, Part::kDelegateOperator);
  EXPECT_EQ(breakdown.by_part[0].operators, 7U);
  EXPECT_DOUBLE_EQ(breakdown.by_part[0].calls, 7);
  EXPECT_EQ(breakdown.by_part[1].part, Part::kLibraryOperator);
  EXPECT_EQ(breakdown.by_part[2].part, Part::kDelegateOverhead);
  EXPECT_EQ(breakdown.by_part[3].part, Part::kOperatorCallOverhead);
  EXPECT_EQ(breakdown.by_part[4].part, Part::kFramework);
  EXPECT_EQ(breakdown.by_category.front().category, Category::kConvolution);
  EXPECT_EQ(breakdown.by_operator.size(), 9U);
  EXPECT_EQ(breakdown.by_operator.front().name, "Convolution (NHWC, PF16) IGEMM #3");
  EXPECT_EQ(profile.methods.front().entries[breakdown.by_operator.front().entry].name,
            breakdown.by_operator.front().name);
  // The three convolutions are one type.
  EXPECT_EQ(breakdown.by_type.front().operators, 3U);
  EXPECT_EQ(profile.methods.front().entries[breakdown.by_type.front().entry].name,
            "Convolution (NHWC, PF16) IGEMM #3");
}

TEST(Breakdown, TheSameTypeInsideAndOutsideADelegateStaysApart) {
  const MethodProfile method =
      method_with({100, 100}, {{"add", Part::kDelegateOperator, Category::kElementwise, {30, 30}},
                               {"add", Part::kLibraryOperator, Category::kElementwise, {20, 20}}});
  const Breakdown breakdown = breakdown_of(method, all_of(method));
  ASSERT_EQ(breakdown.by_type.size(), 2U);
  EXPECT_DOUBLE_EQ(breakdown.by_type[0].percent, 30);
  EXPECT_DOUBLE_EQ(breakdown.by_type[1].percent, 20);
  ASSERT_EQ(breakdown.by_category.size(), 2U);
  EXPECT_DOUBLE_EQ(breakdown.by_category[0].percent, 50);
}

TEST(Breakdown, CountsOnlyTheExecutionsItIsGiven) {
  const MethodProfile method =
      method_with({1000, 100, 300}, {{"a", Part::kDelegateOperator, Category::kGemm, {1000, 40, 60}}});
  const Breakdown breakdown = breakdown_of(method, std::array<std::uint32_t, 2>{1, 2});
  EXPECT_EQ(breakdown.executions, 2U);
  EXPECT_EQ(breakdown.total.value, 400);
  EXPECT_DOUBLE_EQ(breakdown.mean, 200e-6);
  EXPECT_DOUBLE_EQ(breakdown.by_operator.front().percent, 25);
}

TEST(Breakdown, OfNoExecutionIsAllZero) {
  const MethodProfile method = method_with({1000}, {{"a", Part::kDelegateOperator, Category::kGemm, {1000}}});
  const Breakdown breakdown = breakdown_of(method, {});
  EXPECT_EQ(breakdown.executions, 0U);
  EXPECT_EQ(breakdown.mean, 0);
  EXPECT_TRUE(breakdown.exact);
  for (const Share& share : breakdown.by_part) EXPECT_EQ(share.percent, 0);
  EXPECT_EQ(inflation_of(MethodProfile{}), 0);
}

TEST(Breakdown, SaysWhenTimesDoNotSumUp) {
  MethodProfile method = method_with({100}, {{"a", Part::kDelegateOperator, Category::kGemm, {60}}});
  method.entries.back().self.front().value = 61;
  EXPECT_FALSE(breakdown_of(method, all_of(method)).exact);
}

TEST(Breakdown, CountsNegativeEntries) {
  const MethodProfile method = method_with({100}, {{"a", Part::kDelegateOperator, Category::kGemm, {120}}});
  const Breakdown breakdown = breakdown_of(method, all_of(method));
  EXPECT_TRUE(breakdown.exact);
  EXPECT_EQ(breakdown.negative_entries, 1U);
  EXPECT_NEAR(sum_of_percents(breakdown.by_part), 100, 1e-9);
}

// Cycles and nanoseconds are not added up.
TEST(Breakdown, ForeignSharesSumToAHundredOnEachClock) {
  const MethodProfile method = profile_of_dump("quirks", formats::etdump::quirks_dump()).methods.front();
  std::set<std::string> clocks;
  for (const ForeignEntry& entry : method.foreign) clocks.insert(entry.clock);
  EXPECT_EQ(clocks.size(), 2U);
  const Breakdown breakdown = breakdown_of(method, all_of(method));
  ASSERT_EQ(breakdown.foreign.size(), method.foreign.size());
  EXPECT_NEAR(sum_of_percents(breakdown.foreign), 200, 1e-9);
  EXPECT_DOUBLE_EQ(breakdown.foreign.front().percent, 100) << "alone on its clock";
}

}  // namespace
}  // namespace accelscope::analysis
