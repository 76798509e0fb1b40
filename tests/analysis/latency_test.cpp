#include "analysis/latency.h"

#include <algorithm>

#include "analysis/profile_samples.h"
#include "compat/inspector_csv.h"
#include "compat/kit_latency.h"
#include "stats/quantile.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;

TEST(Latency, TellsTheColdRunAndKeepsTheOutlier) {
  for (const ToySpeed speed : {ToySpeed::kFast, ToySpeed::kSlow}) {
    const Profile profile = toy(speed);
    const MethodLatency latency = latency_of(profile, 0);
    ASSERT_EQ(latency.values.size(), 10U);
    EXPECT_EQ(latency.unit, "ms");
    EXPECT_EQ(latency.detected_warm_up, 1U);
    EXPECT_EQ(latency.declared_warm_up, 0U);
    EXPECT_EQ(latency.states[0], ExecutionState::kDetectedWarmUp);
    EXPECT_EQ(latency.positions, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(latency.outliers, (std::vector<std::uint32_t>{6}));
    EXPECT_EQ(latency.steady.n, 9U);
    EXPECT_EQ(latency.steady.max, latency.values[6]) << "flagged, and still counted";
  }
}

TEST(Latency, DeclaredWarmUpIsNotSteady) {
  const Profile profile = profile_of_dump("on", formats::etdump::toy_dump(ToySpeed::kFast), /*warm_up=*/2);
  const MethodLatency latency = latency_of(profile, 0);
  EXPECT_EQ(latency.declared_warm_up, 2U);
  EXPECT_EQ(latency.detected_warm_up, 0U);
  EXPECT_EQ(latency.states[0], ExecutionState::kDeclaredWarmUp);
  EXPECT_EQ(latency.positions.front(), 2U);
  EXPECT_EQ(latency.steady.n, 8U);
}

TEST(Latency, EveryProcessBeginsCold) {
  const trace::Trace first = trace_of(formats::etdump::toy_dump(ToySpeed::kFast));
  const trace::Trace second = trace_of(formats::etdump::toy_dump(ToySpeed::kFast, {.seed = 3}));
  const Profile profile = profile_of("on", std::array{Recording{&first}, Recording{&second}});
  const MethodLatency latency = latency_of(profile, 0);
  EXPECT_EQ(latency.detected_warm_up, 2U);
  EXPECT_EQ(latency.states[0], ExecutionState::kDetectedWarmUp);
  EXPECT_EQ(latency.states[10], ExecutionState::kDetectedWarmUp);
  EXPECT_EQ(latency.steady.n, 18U);
}

TEST(Latency, OfWarmUpOnlyIsEmpty) {
  const Profile profile = profile_of_dump("on", formats::etdump::toy_dump(ToySpeed::kFast, {.count = 3}), 5);
  const MethodLatency latency = latency_of(profile, 0);
  EXPECT_EQ(latency.values.size(), 3U);
  EXPECT_TRUE(latency.positions.empty());
  EXPECT_EQ(latency.steady.n, 0U);
  const ColdStart cold = cold_start_of(profile, 0, latency);
  EXPECT_TRUE(cold.first_execution);
  EXPECT_FALSE(cold.time_to_steady);
}

TEST(Latency, ColdStartAddsLoadingAndColdRuns) {
  const Profile profile = toy(ToySpeed::kFast);
  const MethodLatency latency = latency_of(profile, 0);
  const ColdStart cold = cold_start_of(profile, 0, latency);
  ASSERT_TRUE(cold.load && cold.init && cold.first_execution && cold.time_to_steady);
  EXPECT_DOUBLE_EQ(*cold.load, 4.2021);
  EXPECT_DOUBLE_EQ(*cold.init, 4.2);
  EXPECT_DOUBLE_EQ(*cold.first_execution, latency.values.front());
  EXPECT_DOUBLE_EQ(*cold.time_to_steady, 4.2021 + latency.values.front());
  Profile without = profile;
  without.loads.clear();
  const ColdStart unloaded = cold_start_of(without, 0, latency);
  EXPECT_FALSE(unloaded.load);
  EXPECT_DOUBLE_EQ(*unloaded.time_to_steady, latency.values.front());
}

TEST(Latency, PerRunIsWhatTheKitHolds) {
  const trace::Trace trace = trace_of(formats::etdump::wrap_dump());
  const RunLatency per_run = latency_per_run(profile_of_trace("wrap", trace));
  EXPECT_EQ(per_run.executions_per_run, 2U);
  EXPECT_EQ(per_run.unit, "ms");
  const compat::InspectorTable table = compat::inspector_table(trace);
  const auto rows = compat::timeline_rows(table, "wrap");
  const auto kit = compat::kit_latencies(compat::kit_timeline(rows));
  ASSERT_TRUE(kit) << kit.error().to_string();
  ASSERT_EQ(per_run.values.size(), kit->ms.size());
  // The kit's reader loses a tick where a counter wraps.
  for (std::size_t i = 0; i < kit->ms.size(); ++i) EXPECT_NEAR(per_run.values[i], kit->ms[i], 1.1e-6);
  EXPECT_DOUBLE_EQ(per_run.values[1], 0.0094 + 0.00395);
}

TEST(Latency, PerRunLeavesDeclaredWarmUpOut) {
  const Profile profile = profile_of_dump("wrap", formats::etdump::wrap_dump(), /*warm_up=*/1);
  const RunLatency per_run = latency_per_run(profile);
  ASSERT_EQ(per_run.values.size(), 2U);
  EXPECT_DOUBLE_EQ(per_run.values[0], 0.0094 + 0.00395);
}

TEST(Latency, PerRunIsSilentWhereEveryRunIsOneExecution) {
  EXPECT_TRUE(latency_per_run(toy(ToySpeed::kFast)).values.empty());
  EXPECT_TRUE(latency_per_run(Profile{}).values.empty());
}

// The pipeline's own summary holds the median of all ten runs.
TEST(Latency, AgreesWithTheKitsMetrics) {
  const auto trace =
      fixture_trace("executorch/case1_mac_flat_pipeline_output/toy_cnn_xnnpack_fp16_mac_sme2_on_t1.etdump");
  if (!trace) GTEST_SKIP() << kNoFixtures;
  const MethodLatency latency = latency_of(profile_of_trace("on", *trace), 0);
  EXPECT_NEAR(stats::median(latency.values), 0.261919, 1e-9);
  EXPECT_DOUBLE_EQ(latency.values[0], 0.350905);
  EXPECT_DOUBLE_EQ(latency.values[1], 0.26127);
}

}  // namespace
}  // namespace accelscope::analysis
