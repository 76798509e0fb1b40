#include "jobs/roles.h"

#include <gtest/gtest.h>

#include "jobs/timeline_names.h"

namespace accelscope::jobs {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pairs_in(const base::Result<Roles>& roles) {
  Pairs pairs;
  EXPECT_TRUE(roles) << roles.error().to_string();
  if (roles)
    for (const analysis::RolePair& pair : roles->pairs) pairs.emplace_back(pair.baseline, pair.candidate);
  return pairs;
}

TEST(Roles, NamesSayOnAndOffAsWholeWordsOnly) {
  EXPECT_EQ(says_on("mac_sme2_on"), true);
  EXPECT_EQ(says_on("mac-SME2-Off"), false);
  EXPECT_EQ(says_on("on"), true);
  EXPECT_EQ(says_on("off_on"), true);  // the last one counts
  for (const std::string_view name : {"", "convolution", "once", "offline", "sme2"})
    EXPECT_EQ(says_on(name), std::nullopt) << name;
}

TEST(Roles, NamesMakePairsThatDifferInTheSwitchAlone) {
  const std::vector<RoleCandidate> experiments = {{.name = "mac_on", .threads = 1},
                                                  {.name = "mac_off", .threads = 1},
                                                  {.name = "phone_off", .threads = 1},
                                                  {.name = "mac_off", .threads = 4},
                                                  {.name = "mac_on", .threads = 2}};
  EXPECT_EQ(pairs_in(choose_roles(experiments, {}, {})), (Pairs{{1, 0}}));
}

TEST(Roles, TracesTakeNoPart) {
  const std::vector<RoleCandidate> experiments = {{.name = "on"}, {.name = "off", .timing = false}};
  EXPECT_EQ(pairs_in(choose_roles(experiments, {}, {})), Pairs{});
  EXPECT_FALSE(choose_roles(experiments, {}, {.baseline = "off", .candidate = "on"}));
}

TEST(Roles, OptionsTakeEveryEqualThreadCount) {
  const std::vector<RoleCandidate> experiments = {{.name = "a", .threads = 1},
                                                  {.name = "a", .threads = 4},
                                                  {.name = "b", .threads = 1},
                                                  {.name = "b", .threads = 4}};
  EXPECT_EQ(pairs_in(choose_roles(experiments, {}, {.baseline = "a", .candidate = "b"})),
            (Pairs{{0, 2}, {1, 3}}));
  EXPECT_EQ(pairs_in(choose_roles(experiments, {}, {.baseline = "a t4", .candidate = "b"})), (Pairs{{1, 3}}));
  EXPECT_FALSE(choose_roles(experiments, {}, {.baseline = "a t4", .candidate = "b t1"}));
  EXPECT_EQ(pairs_in(choose_roles(experiments, {},
                                  {.baseline = "a t4", .candidate = "b t1", .allow_thread_mismatch = true})),
            (Pairs{{1, 2}}));
  EXPECT_FALSE(choose_roles(experiments, {}, {.baseline = "a"}));
  EXPECT_FALSE(choose_roles({}, {}, {.baseline = "a", .candidate = "b"}));
}

TEST(Roles, PairsOfTheConfigComeBeforeNames) {
  const std::vector<RoleCandidate> experiments = {
      {.name = "on", .threads = 1}, {.name = "off", .threads = 1}, {.name = "plain", .threads = 1}};
  const std::vector<ConfigPair> pairs = {{.baseline = "plain", .candidate = "on"}};
  EXPECT_EQ(pairs_in(choose_roles(experiments, pairs, {})), (Pairs{{2, 0}}));
  // Where none of them can be made, names help, and the box says what was left out.
  const std::vector<ConfigPair> gone = {{.baseline = "gone", .candidate = "on"}};
  const auto roles = choose_roles(experiments, gone, {});
  EXPECT_EQ(pairs_in(roles), (Pairs{{1, 0}}));
  ASSERT_EQ(roles->quality.rows().size(), 1U);
  EXPECT_EQ(roles->quality.rows()[0].id, "report.pair_left_out");
}

TEST(TimelineNames, TellTheRecordingAndWhetherItIsWhole) {
  EXPECT_EQ(recording_name("out/toy_on_t1_exec_all_runs_timeline.csv"), "toy_on_t1");
  EXPECT_EQ(recording_name("toy_on_t1_exec_run12_timeline.csv"), "toy_on_t1");
  EXPECT_EQ(recording_name("toy_on_t1.etdump"), "toy_on_t1");
  EXPECT_EQ(recording_name("on_xnntrace.log"), "on");
  EXPECT_EQ(recording_name("_kernels.csv"), "_kernels");
  using analysis::TimingUse;
  EXPECT_EQ(timing_use("toy_exec_run0_timeline.csv", "timeline-csv"), TimingUse::kOneRunOfSeveral);
  EXPECT_EQ(timing_use("toy_exec_all_runs_timeline.csv", "timeline-csv"), TimingUse::kTiming);
  EXPECT_EQ(timing_use("toy_run_timeline.csv", "timeline-csv"), TimingUse::kTiming);
  EXPECT_EQ(timing_use("x.csv", "ops-csv"), TimingUse::kAggregated);
}

}  // namespace
}  // namespace accelscope::jobs
