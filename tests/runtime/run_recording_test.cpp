#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "runtime/recorded_run.h"

namespace accelscope::runtime {
namespace {

using formats::chip_swimlane::CoreRows;
using formats::chip_swimlane::PhaseRow;

constexpr std::uint64_t kEverything =
    kDfxPhaseBuffers | kDfxDependencyCapture | kDfxPmu | kDfxScopeStats | kDfxDumpTensor;

class RunRecordings : public testing::TestWithParam<Platform> {
 protected:
  RunOptions options(std::uint64_t flags) const { return {.platform = GetParam(), .dfx_flags = flags}; }
};

std::uint64_t rows_of_cores(const RecordedRun& run) {
  std::uint64_t rows = 0;
  for (const CoreRows& core : run.recording.capture.cores) rows += core.task.size();
  return rows;
}

using Edges = std::set<std::pair<std::uint64_t, std::uint64_t>>;
Edges edges_of(const trace::Trace& trace) {
  Edges edges;
  for (std::uint32_t i = 0; i < trace.task_edges().size(); ++i)
    edges.insert({trace.tasks().external_id[index(trace.task_edges().from[i])],
                  trace.tasks().external_id[index(trace.task_edges().to[i])]});
  return edges;
}

TEST_P(RunRecordings, HoldWhatMustHold) {
  const RecordedRun run = record_run(graph_of_everything(20), small_chip(4, 2), options(kEverything));
  ASSERT_FALSE(run.outcome.fault) << run.outcome.fault->text;
  expect_invariants(run.trace(), {"records", "sequence", "join", "order", "one_at_a_time", "dispatched",
                                  "completed", "phases_apart", "control_order", "submit_index",
                                  "submit_first", "happens_before", "acyclic"});
  EXPECT_EQ(rows_of_cores(run), run.outcome.dispatches);
  EXPECT_EQ(run.trace().tasks().size(), run.outcome.submitted);
  EXPECT_EQ(run.trace().task_edges().size(), run.outcome.edges);
  ASSERT_TRUE(run.recording.siblings.pmu);
  EXPECT_EQ(run.recording.siblings.pmu->rows.size(), run.outcome.dispatches);
  ASSERT_TRUE(run.recording.siblings.scope_stats);
  EXPECT_EQ(run.recording.siblings.scope_stats->boundaries.size(), 2U + 4 * 20);
}

TEST_P(RunRecordings, HaveWhatTheLevelAsksForAndNoMore) {
  for (int level = 1; level <= 3; ++level) {
    const RecordedRun run =
        record_run(graph_of_everything(3), small_chip(4, 2), options(dfx_flags_of_level(level)));
    ASSERT_FALSE(run.outcome.fault) << run.outcome.fault->text;
    expect_invariants(run.trace(), {"records", "sequence", "one_at_a_time"});
    EXPECT_EQ(rows_of_cores(run), run.outcome.dispatches);
    const bool lifecycles =
        std::any_of(run.recording.capture.cores.begin(), run.recording.capture.cores.end(),
                    [](const CoreRows& core) { return !core.dispatch.empty(); });
    EXPECT_EQ(lifecycles, level >= 2);
    // Below level 3 nothing tells of tasks that no core sees, and their edges lead nowhere.
    EXPECT_EQ(run.trace().task_edges().size() > 0, level >= 2);
    if (level == 3) {
      EXPECT_EQ(run.trace().task_edges().size(), run.outcome.edges);
    }
    EXPECT_EQ(run.recording.capture.counts.phases > 0, level >= 3);
    EXPECT_EQ(run.recording.capture.counts.submits, level >= 3 ? run.outcome.submitted : 0U);
  }
}

TEST_P(RunRecordings, LookAtTheCounterForWhatIsRecordedOnly) {
  for (int level = 1; level <= 3; ++level) {
    const RecordedRun run =
        record_run(graph_of_everything(3), small_chip(4, 2), options(dfx_flags_of_level(level)));
    ASSERT_FALSE(run.outcome.fault) << run.outcome.fault->text;
    // A core looks three times at each dispatch, its scheduler thread twice.
    const std::uint64_t of_each = level == 1 ? 3 : 5;
    const std::uint64_t of_dispatches = of_each * run.outcome.dispatches;
    if (level < 3) {
      EXPECT_EQ(run.outcome.timestamp_reads, of_dispatches);
    } else {
      EXPECT_GE(run.outcome.timestamp_reads, of_dispatches + 2 * run.outcome.submitted);
    }
  }
}

TEST_P(RunRecordings, NothingIsWrittenAtLevelZero) {
  const tests::TemporaryFolder folder;
  RunOptions none = options(0);
  none.recording.path = folder.path() + "/run.astrace";
  const RunOutcome outcome = run_small(graph_of_everything(3), small_chip(4, 2), none);
  EXPECT_FALSE(outcome.fault);
  EXPECT_EQ(outcome.recording.file_bytes, 0U);
  EXPECT_EQ(outcome.timestamp_reads, 0U);
  EXPECT_FALSE(std::ifstream(none.recording.path).good());
}

TEST_P(RunRecordings, OfARunThatFailsAreKept) {
  GraphBuilder build("faults");
  const auto x = build.buffer("x", DataType::kFloat32, 4);
  for (int i = 0; i < 20; ++i) build.vector(i == 15 ? "fail" : "add_one").inout(row(x, 4));
  const RecordedRun run = record_run(build.finish(), small_chip(), options(kEverything));
  ASSERT_TRUE(run.outcome.fault);
  EXPECT_EQ(run.outcome.fault->tasks, std::vector<std::uint32_t>{15});
  EXPECT_EQ(rows_of_cores(run), 16U);
  expect_invariants(run.trace(), {"records", "join", "order"});
}

TEST_P(RunRecordings, PhasesHaveNamesDepthsAndLooks) {
  const RecordedRun run =
      record_run(graph_of_everything(9), small_chip(4, 2), options(dfx_flags_of_level(3)));
  std::set<std::string> names;
  std::uint64_t hits = 0;
  bool depths = false;
  for (const auto& thread : run.recording.capture.scheduler_threads)
    for (const PhaseRow& row : thread) {
      names.insert(run.recording.capture.phase_kinds[row.kind]);
      hits += row.pop_hits.value_or(0);
      depths |= row.queues_at_start.has_value() && row.queues_at_end.has_value();
    }
  for (const char* name : {"complete", "dispatch", "release", "dummy", "drain", "drain_publish", "dummy_task",
                           "predicated_skip"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_GE(hits, 9U * 4);
  EXPECT_TRUE(depths);
  const device::Chip chip = small_chip(4, 2);
  for (std::uint32_t core = 0; core < chip.cores(); ++core) {
    const std::int32_t thread = run.recording.capture.core_to_thread[core];
    EXPECT_TRUE(thread == -1 || thread == static_cast<std::int32_t>(chip.cluster_of(core) % 2)) << core;
  }
}

TEST(RunRecordings, OfTheVirtualChipAreTheSameBytesEveryTime) {
  const Graph graph = graph_of_everything(50);
  const RunOptions options{.dfx_flags = kEverything};
  const RecordedRun first = record_run(graph, small_chip(7, 3), options);
  const RecordedRun second = record_run(graph, small_chip(7, 3), options);
  EXPECT_FALSE(first.bytes.empty());
  EXPECT_EQ(first.bytes, second.bytes);
}

// More records than all buffers of a lane hold: none is lost, and still the same bytes.
TEST(RunRecordings, OfTheVirtualChipLoseNothingInSmallBuffers) {
  RunOptions options{.dfx_flags = kEverything};
  for (const recorder::RecordKind kind :
       {recorder::RecordKind::kCoreTask, recorder::RecordKind::kEdge, recorder::RecordKind::kTaskLifecycle})
    options.recording.options.buffers.push_back({kind, {.records = 4, .per_lane = 2}});
  const Graph graph = graph_of_everything(30);
  const RecordedRun first = record_run(graph, small_chip(4, 2), options);
  expect_invariants(first.trace(), {"records", "join"});
  EXPECT_EQ(first.bytes, record_run(graph, small_chip(4, 2), options).bytes);
}

TEST(RunRecordings, OfBothPlatformsHaveTheSameEdgesAndResults) {
  const Graph graph = graph_of_everything(25);
  const RecordedRun calm = record_run(graph, small_chip(4, 2), {.dfx_flags = kEverything});
  const RecordedRun busy =
      record_run(graph, small_chip(4, 2), {.platform = Platform::kThreads, .dfx_flags = kEverything});
  EXPECT_EQ(edges_of(calm.trace()), edges_of(busy.trace()));
  EXPECT_FALSE(edges_of(calm.trace()).empty());
  EXPECT_EQ(calm.outcome.buffers, busy.outcome.buffers);
  EXPECT_NE(floats(calm.outcome.buffers[1])[0], 0.0F);
}

std::string name_of(const testing::TestParamInfo<Platform>& info) {
  return info.param == Platform::kVirtual ? "Virtual" : "Threads";
}
INSTANTIATE_TEST_SUITE_P(Platforms, RunRecordings, testing::Values(Platform::kVirtual, Platform::kThreads),
                         name_of);

}  // namespace
}  // namespace accelscope::runtime
