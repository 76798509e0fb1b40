#include "analysis/profile_samples.h"
#include "analysis/trust.h"

namespace accelscope::analysis {
namespace {

using trace::Severity;

Experiment experiment(std::string name, const std::vector<MadeEntry>& entries = {}) {
  return {.profile = profile_with(wobbling(12, 1'000'000, 5'000), entries, std::move(name))};
}

trace::QualityTable check(const Experiment& off, const Experiment& on) {
  trace::QualityTable quality;
  check_pair(off, on, compare(off.profile, on.profile), quality);
  return quality;
}

void expect_row(const trace::QualityTable& quality, std::string_view id, Severity severity,
                std::string_view text) {
  const trace::QualityRow* row = row_of(quality, id);
  ASSERT_NE(row, nullptr) << id;
  EXPECT_EQ(row->severity, severity) << id;
  EXPECT_NE(row->sentence.find(text), std::string::npos) << row->sentence;
}

TEST(TrustOfAPair, NothingToSay) {
  Experiment off = experiment("off");
  off.facts = {.threads = 1, .order = "interleaved", .build = {{"march", "armv9-a"}}};
  Experiment on = experiment("on");
  on.facts = off.facts;
  EXPECT_TRUE(check(off, on).rows().empty());
  on.facts.threads.reset();
  EXPECT_TRUE(check(off, on).rows().empty()) << "what is not known does not differ";
}

TEST(TrustOfAPair, BuildsDiffer) {
  Experiment off = experiment("off");
  Experiment on = experiment("on");
  off.facts.build = {{"march", "armv8.2-a"}, {"logging", "0"}, {"preset", "release"}};
  on.facts.build = {{"march", "armv9-a"}, {"sme2", "ON"}, {"preset", "release"}};
  const trace::QualityTable quality = check(off, on);
  expect_row(quality, "trust.builds_differ", Severity::kWarning, "march: armv8.2-a / armv9-a");
  expect_row(quality, "trust.builds_differ", Severity::kWarning, "logging: 0 / (none)");
  expect_row(quality, "trust.builds_differ", Severity::kWarning, "sme2: (none) / ON");
  EXPECT_EQ(row_of(quality, "trust.builds_differ")->sentence.find("preset"), std::string::npos);
}

TEST(TrustOfAPair, ThreadsDiffer) {
  Experiment off = experiment("off");
  Experiment on = experiment("on");
  off.facts.threads = 1;
  on.facts.threads = 4;
  expect_row(check(off, on), "trust.threads_differ", Severity::kError, "1 threads against 4");
}

TEST(TrustOfAPair, SequentialOrder) {
  Experiment off = experiment("off");
  off.facts.order = "sequential";
  expect_row(check(off, experiment("on")), "trust.sequential_order", Severity::kInfo, "off against on");
  expect_row(check(experiment("off"), off), "trust.sequential_order", Severity::kInfo, "off against off");
}

TEST(TrustOfAPair, UnmatchedOperatorsAndMethods) {
  Experiment off = experiment("off", {{"softmax", Part::kLibraryOperator, Category::kNormalisation,
                                       std::vector<std::int64_t>(12, 1000), "softmax"}});
  Experiment on = experiment("on");
  off.profile.methods.push_back(method_with({10}, {}, "old"));
  on.profile.methods.push_back(method_with({10}, {}, "new"));
  const trace::QualityTable quality = check(off, on);
  expect_row(quality, "trust.unmatched_operators", Severity::kInfo, "1 operators of the baseline and 0");
  expect_row(quality, "trust.unmatched_method", Severity::kWarning, "old");
  EXPECT_EQ(quality.count("trust.unmatched_method"), 2U);
}

TEST(TrustOfAPair, NoVerdict) {
  Experiment off = experiment("off");
  for (const TimingUse use : {TimingUse::kOneRunOfSeveral, TimingUse::kKernelTrace}) {
    off.profile.use = use;
    expect_row(check(off, experiment("on")), "trust.no_verdict", Severity::kError, "off");
  }
  off.profile.use = TimingUse::kTiming;
  off.profile.methods.front().frequency = base::Frequency::unknown();
  expect_row(check(off, experiment("on")), "trust.no_verdict", Severity::kError, "ticks");
}

}  // namespace
}  // namespace accelscope::analysis
