#include "analysis/recommend.h"

#include <algorithm>

#include "analysis/profile_samples.h"
#include "formats/etrecord/join.h"

namespace accelscope::analysis {
namespace {

using findings::Priority;
using findings::Statement;
using formats::etdump::ToySpeed;

struct Question {
  const Profile* baseline = nullptr;
  bool has_kernel_log = false;
  Thresholds thresholds = {};
};

std::vector<Statement> advice_for(const Profile& profile, const Question& question = {}) {
  const Experiment experiment{.profile = profile};
  const MethodLatency latency = latency_of(profile, 0);
  const Breakdown breakdown = breakdown_of(profile.methods.front(), latency.positions);
  const Delegation delegation = delegation_of(profile.methods.front(), breakdown);
  Comparison comparison;
  if (question.baseline != nullptr) comparison = compare(*question.baseline, profile);
  const MethodComparison* method = comparison.methods.empty() ? nullptr : &comparison.methods.front();
  const std::vector<Bottleneck> bottlenecks =
      bottlenecks_of(profile.methods.front(), breakdown, method, question.thresholds);
  return recommend({.experiment = &experiment,
                    .method = 0,
                    .latency = &latency,
                    .breakdown = &breakdown,
                    .delegation = &delegation,
                    .bottlenecks = &bottlenecks,
                    .comparison = method,
                    .has_kernel_log = question.has_kernel_log});
}

const Statement* find(const std::vector<Statement>& advice, std::string_view id) {
  const auto found =
      std::find_if(advice.begin(), advice.end(), [&](const Statement& one) { return one.id == id; });
  return found == advice.end() ? nullptr : &*found;
}

double gain_of(const Statement& statement) {
  return statement.gain ? statement.gain->before - statement.gain->after : 0;
}

void expect_ordered(const std::vector<Statement>& advice) {
  for (std::size_t i = 1; i < advice.size(); ++i) {
    EXPECT_LE(advice[i - 1].priority, advice[i].priority);
    if (advice[i - 1].priority == advice[i].priority) {
      EXPECT_GE(gain_of(advice[i - 1]), gain_of(advice[i]));
    }
  }
}

std::vector<std::int64_t> equal_times(std::int64_t value) {
  return std::vector<std::int64_t>(12, value);
}

// Something of every class, two of the first.
Profile sample_profile(std::int64_t convolution) {
  return profile_with(
      equal_times(convolution + 500),
      {{"call", Part::kDelegateOverhead, Category::kDelegateOverhead, equal_times(60)},
       {"add", Part::kLibraryOperator, Category::kElementwise, equal_times(60), "add"},
       {"transpose", Part::kDelegateOperator, Category::kDataMovement, equal_times(110), "transpose"},
       {"conv", Part::kDelegateOperator, Category::kConvolution, equal_times(convolution), "conv"},
       {"gemm", Part::kDelegateOperator, Category::kGemm, equal_times(100), "gemm"},
       {"convert", Part::kDelegateOperator, Category::kConvertQuantise, equal_times(60), "convert"},
       {"softmax", Part::kLibraryOperator, Category::kNormalisation, equal_times(90), "softmax"}});
}

TEST(Recommend, OrderedByClassThenByGain) {
  const Profile off = sample_profile(900);
  const std::vector<Statement> advice = advice_for(sample_profile(500), {.baseline = &off});
  expect_ordered(advice);
  ASSERT_GE(advice.size(), 6U);
  EXPECT_EQ(advice[0].id, "advice.outside_delegate");
  EXPECT_EQ(advice[0].subject, "softmax");
  EXPECT_EQ(advice[1].subject, "add");
  EXPECT_EQ(advice[2].id, "advice.data_movement");
  EXPECT_EQ(advice[2].priority, Priority::kHigh);
  EXPECT_EQ(advice[3].id, "advice.low_speedup");
  EXPECT_EQ(advice[3].subject, "conv");
  EXPECT_NE(advice[3].text.find("1.80x"), std::string::npos) << advice[3].text;
  EXPECT_NE(advice[3].text.find(kLowSpeedupChecks), std::string::npos);
  for (const Statement& one : advice) {
    EXPECT_EQ(one.kind, findings::StatementKind::kAdvice);
    EXPECT_FALSE(one.text.empty());
    EXPECT_FALSE(one.group.empty());
  }
}

TEST(Recommend, InFourGroups) {
  const Profile off = sample_profile(900);
  std::vector<std::string> groups;
  for (const Statement& one : advice_for(sample_profile(500), {.baseline = &off}))
    groups.push_back(one.group);
  for (const std::string_view group :
       {kOptimiseNext, kModelChanges, kConfigurationChanges, kFurtherMeasurements})
    EXPECT_NE(std::find(groups.begin(), groups.end(), group), groups.end()) << group;
}

TEST(Recommend, GainsAreAmdahlsBound) {
  const std::vector<Statement> advice = advice_for(sample_profile(500));
  const Statement* softmax = find(advice, "advice.outside_delegate");
  ASSERT_NE(softmax, nullptr);
  ASSERT_TRUE(softmax->gain);
  EXPECT_NEAR(softmax->gain->before, 1000e-6, 1e-12);
  EXPECT_NEAR(softmax->gain->after, 910e-6, 1e-12);
  EXPECT_EQ(softmax->gain->unit, "ms");
  const Statement* overhead = find(advice, "advice.overhead");
  ASSERT_NE(overhead, nullptr);
  EXPECT_NEAR(overhead->gain->after, 940e-6, 1e-12);
  const Statement* conversions = find(advice, "advice.conversions");
  ASSERT_NE(conversions, nullptr);
  EXPECT_NEAR(conversions->gain->after, 940e-6, 1e-12);
}

TEST(Recommend, ALowSpeedupGainsUpToThreeTimes) {
  const Profile off = sample_profile(900);
  const std::vector<Statement> advice = advice_for(sample_profile(500), {.baseline = &off});
  const Statement* low = find(advice, "advice.low_speedup");
  ASSERT_NE(low, nullptr);
  ASSERT_TRUE(low->gain);
  EXPECT_NEAR(low->gain->after, 800e-6, 1e-12) << "500 would be 300";
}

// Not the time of the whole class under the name of one operator.
TEST(Recommend, EvidenceSaysWhoseTimeItIs) {
  const Profile profile = profile_with(
      equal_times(1000),
      {{"transpose", Part::kDelegateOperator, Category::kDataMovement, equal_times(150), "transpose"},
       {"copy", Part::kDelegateOperator, Category::kDataMovement, equal_times(50), "copy"},
       {"softmax", Part::kLibraryOperator, Category::kNormalisation, equal_times(90), "softmax"}});
  const std::vector<Statement> advice = advice_for(profile);
  const Statement* movement = find(advice, "advice.data_movement");
  ASSERT_NE(movement, nullptr);
  ASSERT_EQ(movement->evidence.size(), 1U);
  EXPECT_TRUE(movement->evidence.front().text.starts_with("Data Movement: "))
      << movement->evidence.front().text;
  EXPECT_TRUE(movement->evidence.front().text.ends_with("transpose")) << movement->evidence.front().text;
  EXPECT_NE(movement->text.find("transpose 15.0 %, copy 5.0 %"), std::string::npos) << movement->text;
  const Statement* softmax = find(advice, "advice.outside_delegate");
  EXPECT_TRUE(softmax->evidence.front().text.starts_with("softmax: "));
  EXPECT_EQ(softmax->evidence.front().text.find("largest piece"), std::string::npos);
}

TEST(Recommend, EvidenceIsASliceOfThatOperator) {
  const trace::Trace trace = trace_of(formats::etdump::toy_dump(ToySpeed::kFast));
  const Profile profile = profile_of_trace("on", trace);
  std::size_t with_slice = 0;
  for (const Statement& one : advice_for(profile)) {
    for (const findings::Evidence& evidence : one.evidence) {
      EXPECT_EQ(evidence.input, "sample.etdump");
      ASSERT_TRUE(evidence.slice) << one.id;
      const std::string_view name =
          trace.text(trace.slices().name[static_cast<std::uint32_t>(*evidence.slice)]);
      EXPECT_NE(evidence.text.find(name), std::string::npos) << evidence.text << " is not " << name;
      ++with_slice;
    }
  }
  EXPECT_GE(with_slice, 3U);
}

TEST(Recommend, EvidenceOfTheSecondRecordingNamesItsFile) {
  const Profile profile{.name = "x", .sources = {"a", "b"}};
  Entry entry{.first = trace::SliceId{7}, .first_recording = 1};
  EXPECT_EQ(evidence_of(profile, entry, "text").input, "b");
  EXPECT_EQ(evidence_of(profile, entry, "text").slice, 7U);
  entry.first_recording = 9;
  entry.first = trace::SliceId::kNone;
  EXPECT_EQ(evidence_of(profile, entry, "text").input, "");
  EXPECT_FALSE(evidence_of(profile, entry, "text").slice);
}

TEST(Recommend, FurtherMeasurements) {
  const Profile on = toy(ToySpeed::kFast);
  const std::vector<Statement> alone = advice_for(on);
  EXPECT_NE(find(alone, "advice.no_baseline"), nullptr);
  EXPECT_NE(find(alone, "advice.kernel_log"), nullptr);
  EXPECT_NE(find(alone, "advice.etrecord"), nullptr);
  EXPECT_EQ(find(alone, "advice.more_runs"), nullptr);
  const Profile off = toy(ToySpeed::kSlow);
  const std::vector<Statement> compared = advice_for(on, {.baseline = &off, .has_kernel_log = true});
  EXPECT_EQ(find(compared, "advice.no_baseline"), nullptr);
  EXPECT_EQ(find(compared, "advice.kernel_log"), nullptr);
  EXPECT_NE(find(compared, "advice.more_runs"), nullptr);
  expect_ordered(compared);
}

TEST(Recommend, MoreRunsWhereTheComparisonIsOpen) {
  const Profile off = profile_with(wobbling(6, 1'000'000, 200'000));
  const Profile on = profile_with(wobbling(7, 1'020'000, 200'000));
  const std::vector<Statement> advice = advice_for(on, {.baseline = &off});
  const Statement* more = find(advice, "advice.more_runs");
  ASSERT_NE(more, nullptr);
  EXPECT_NE(more->text.find("inconclusive"), std::string::npos);
  EXPECT_NE(find(advice, "advice.noise"), nullptr);
}

TEST(Recommend, AnEtRecordNeedsNoAdvice) {
  formats::etrecord::EtRecord record;
  record.method("forward").delegates[0].backend = "XnnpackBackend";
  const auto joined = formats::etrecord::join(trace_of(formats::etdump::toy_dump(ToySpeed::kFast)), record);
  ASSERT_TRUE(joined) << joined.error().to_string();
  EXPECT_EQ(find(advice_for(profile_of_trace("on", *joined)), "advice.etrecord"), nullptr);
}

TEST(Recommend, TheLargestComputeIsNotAdvisedTwice) {
  const std::vector<Statement> alone = advice_for(sample_profile(500));
  const Statement* largest = find(alone, "advice.largest_operator");
  ASSERT_NE(largest, nullptr);
  EXPECT_EQ(largest->subject, "conv");
  const Profile off = sample_profile(900);
  const std::vector<Statement> compared = advice_for(sample_profile(500), {.baseline = &off});
  EXPECT_EQ(std::count_if(compared.begin(), compared.end(),
                          [](const Statement& one) { return one.subject == "conv"; }),
            1);
}

}  // namespace
}  // namespace accelscope::analysis
