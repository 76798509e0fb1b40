#include "experiments/artifact_names.h"

#include <gtest/gtest.h>

namespace accelscope::experiments {
namespace {

TEST(ArtifactNames, TellWhatAFileIs) {
  const auto kind = [](std::string_view name) { return parse_artifact_name(name)->kind; };
  EXPECT_EQ(kind("toy_on_t1.etdump"), ArtifactKind::kEtdump);
  EXPECT_EQ(kind("toy_on_t1.etdp"), ArtifactKind::kEtdump);
  EXPECT_EQ(kind("toy_on_t1_exec_all_runs_timeline.csv"), ArtifactKind::kTimelineAll);
  EXPECT_EQ(kind("toy_on_t1_exec_run0_timeline.csv"), ArtifactKind::kTimelineRun0);
  EXPECT_EQ(kind("toy_on_t1_exec_ops_stats.csv"), ArtifactKind::kOpsStats);
  EXPECT_EQ(kind("toy_on_t1_xnntrace.log"), ArtifactKind::kKernelLog);
  EXPECT_EQ(kind("toy_on_t1_kernels.csv"), ArtifactKind::kKernelsCsv);
  EXPECT_EQ(kind("kernels.csv"), ArtifactKind::kKernelsCsv);
  EXPECT_EQ(kind("toy_on_t1_latency.log"), ArtifactKind::kLatencyLog);
}

TEST(ArtifactNames, PassOverWhatIsNoneOfThem) {
  for (const char* name : {"", "report.md", ".etdump", "toy_on_t1_exec_run3_timeline.csv", "etdump",
                           "toy_on_t1_exec_all_runs_timeline_robust_stats.json", "toy_category_summary.csv",
                           "kernel_view_gemm.md", "mykernels.csv"})
    EXPECT_FALSE(parse_artifact_name(name)) << name;
}

struct Parts {
  std::string_view name;
  std::string_view subject;
  std::optional<std::int64_t> threads;
  std::optional<std::int64_t> round;
};

TEST(ArtifactNames, SplitFromTheEnd) {
  for (const Parts& parts :
       {Parts{"toy_on_t12.etdump", "toy_on", 12, {}}, Parts{"toy_on_t1_r3.etdump", "toy_on", 1, 3},
        Parts{"toy_fast_r2_t1.etdump", "toy_fast_r2", 1, {}}, Parts{"toy_r2.etdump", "toy_r2", {}, {}},
        Parts{"toy_t4_t1_r1_exec_ops_stats.csv", "toy_t4", 1, 1}, Parts{"toyt1.etdump", "toyt1", {}, {}},
        Parts{"_t1.etdump", "", 1, {}}, Parts{"toy_t.etdump", "toy_t", {}, {}},
        Parts{"7.etdump", "7", {}, {}},
        Parts{"toy_t99999999999999999999.etdump", "toy_t99999999999999999999", {}, {}},
        Parts{"docs.etdp_exec_all_runs_timeline.csv", "docs", {}, {}}, Parts{"kernels.csv", "", {}, {}}}) {
    const auto artifact = parse_artifact_name(parts.name);
    ASSERT_TRUE(artifact) << parts.name;
    EXPECT_EQ(artifact->subject, parts.subject) << parts.name;
    EXPECT_EQ(artifact->threads, parts.threads) << parts.name;
    EXPECT_EQ(artifact->round, parts.round) << parts.name;
  }
}

TEST(ArtifactNames, KnowOlderGenerationsAndOtherProfilers) {
  EXPECT_FALSE(parse_artifact_name("toy_on_t1_exec_all_runs_timeline.csv")->legacy);
  const auto legacy = parse_artifact_name("toy_on_t1_all_runs_timeline.csv");
  EXPECT_EQ(legacy->subject, "toy_on");
  EXPECT_TRUE(legacy->legacy);
  EXPECT_TRUE(parse_artifact_name("kernels.csv")->legacy);
  const auto watched = parse_artifact_name("toy_on_t1_xtrace.etdump");
  EXPECT_TRUE(watched->xtrace);
  EXPECT_EQ(watched->subject, "toy_on");
}

}  // namespace
}  // namespace accelscope::experiments
