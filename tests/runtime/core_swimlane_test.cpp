// Core swimlanes of whole runs: from kernels over registers, rings and drains to what a reader sees.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "accelscope/perfmon/core_perfmon.h"
#include "device/chip_file.h"
#include "device/replay_window.h"
#include "formats/perfmon/decoder.h"
#include "runtime/piped_runs.h"

namespace accelscope::runtime {
namespace {

using testing::Values;

class CoreSwimlanes : public testing::TestWithParam<Platform> {
 protected:
  RunOptions options() const { return {.platform = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Platforms, CoreSwimlanes, Values(Platform::kVirtual, Platform::kThreads),
                         [](const auto& platform) { return std::string(name_of(platform.param)); });

void expect_nothing_lost(const trace::Trace& trace) {
  for (const trace::QualityRow& row : trace.quality().rows())
    EXPECT_FALSE(row.id.starts_with("perfmon.")) << row.id << ": " << row.sentence;
}

// To the tick, on every core, on both platforms: schedules are stretched to what calls really took.
TEST_P(CoreSwimlanes, PipesAreBusyForAsLongAsPrescribed) {
  const device::Chip chip = small_chip(3, 2);
  const Graph graph = piped_graph(chip, 4);
  const RecordedRun run = record_pipes(graph, chip, options());
  ASSERT_FALSE(run.outcome.fault);
  expect_nothing_lost(run.trace());
  for (std::size_t core = 0; core < chip.cores(); ++core) {
    const PipeTimes busy = busy_in(run.trace(), core);
    if (GetParam() == Platform::kVirtual) {
      EXPECT_EQ(busy, prescribed(run, graph, core)) << core;
    }
  }
}

TEST(CoreSwimlane, AllCoresOfAnA5AreTracedToTheTick) {
  const device::Chip chip = device::load_chip("a5").value();
  ASSERT_EQ(chip.cores(), 108U);
  GraphBuilder build("everywhere");  // blocks that begin together need a core each
  const auto x = build.buffer("x", DataType::kFloat32, 2);
  for (int i = 0; i < 3; ++i) {
    build.cube("multiply").inout(row(x, 1)).blocks(chip.cube_cores()).sync_start();
    build.vector("shift").inout(row(x, 1, 1)).blocks(chip.vector_cores()).sync_start();
  }
  const Graph graph = build.finish();
  const RecordedRun run = record_pipes(graph, chip);
  ASSERT_FALSE(run.outcome.fault);
  expect_nothing_lost(run.trace());
  for (std::size_t core = 0; core < chip.cores(); ++core) {
    ASSERT_FALSE(run.core(core).start.empty()) << core;
    const PipeTimes busy = busy_in(run.trace(), core);
    EXPECT_EQ(busy, prescribed(run, graph, core)) << core;
    EXPECT_GT(busy[chip.is_cube(static_cast<std::uint32_t>(core)) ? 2 : 1], 0) << core;
  }
}

TEST(CoreSwimlane, IsTheSameBytesEveryTimeAndInAProcessOfItsOwn) {
  const device::Chip chip = small_chip(2, 2);
  const Graph graph = piped_graph(chip, 5);
  const RecordedRun first = record_pipes(graph, chip);
  EXPECT_EQ(first.bytes, record_pipes(graph, chip).bytes);
  EXPECT_EQ(first.bytes, record_pipes(graph, chip, {.in_process = false}).bytes);
}

TEST_P(CoreSwimlanes, EveryIntervalBelongsToATask) {
  const device::Chip chip = small_chip(2, 1);
  RunOptions options = this->options();
  options.in_process = false;
  const RecordedRun run = record_pipes(piped_graph(chip, 6), chip, options);
  ASSERT_FALSE(run.outcome.fault);
  expect_nothing_lost(run.trace());
  const trace::ChipRun cores = trace::chip_run(run.trace());
  std::uint64_t intervals = 0;
  for (const trace::PipeTracks& tracks : trace::pipe_tracks(run.trace(), cores))
    for (const trace::TrackId pipe : tracks.pipes) {
      if (pipe == trace::TrackId::kNone) continue;
      const trace::RowRange rows = run.trace().slices_of(pipe);
      for (std::uint32_t i = rows.first; i < rows.end(); ++i)
        EXPECT_NE(run.trace().slices().owner[i], trace::SliceId::kNone);
      intervals += rows.count;
    }
  EXPECT_GT(intervals, 0U);
}

// Without drains in between a ring of this size would go round several times.
TEST_P(CoreSwimlanes, SmallRingsAreDrainedInTime) {
  const device::Chip chip = small_chip(1, 1);
  RunOptions options = this->options();
  options.core_swimlane.ring_bytes = 2048;
  const Graph graph = piped_graph(chip, 30);
  const RecordedRun run = record_pipes(graph, chip, options);
  ASSERT_FALSE(run.outcome.fault);
  if (GetParam() == Platform::kThreads) {  // nobody promises that the host comes in time: it says so then
    for (const capture::LaneReport& lane : run.outcome.recording.report.lanes) EXPECT_TRUE(lane.adds_up());
    return;
  }
  expect_nothing_lost(run.trace());
  for (std::size_t core = 0; core < chip.cores(); ++core)
    EXPECT_EQ(busy_in(run.trace(), core), prescribed(run, graph, core));
}

TEST(CoreSwimlane, ARingThatIsTooSmallLosesAndSaysSo) {
  const device::Chip chip = small_chip(1, 1);
  RunOptions options;
  options.core_swimlane.ring_bytes = 128;
  const RecordedRun run = record_pipes(piped_graph(chip, 4), chip, options);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_TRUE(says(run.trace(), "perfmon.bytes_lost"));
  EXPECT_TRUE(says(run.trace(), "perfmon.task_partial") || says(run.trace(), "perfmon.task_without"));
}

TEST(CoreSwimlane, RestartingGivesTheSameWhereNothingRunsMeanwhile) {
  const device::Chip chip = small_chip(1, 1);
  RunOptions options;
  options.dfx_flags = kDfxPmu;  // a core gets a task when it is done with the one before
  options.core_swimlane.drain = perfmon::DrainMode::kRestart;
  const Graph graph = piped_graph(chip, 5);
  const RecordedRun run = record_pipes(graph, chip, options);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_TRUE(says(run.trace(), "perfmon.restarted"));
  EXPECT_FALSE(says(run.trace(), "perfmon.started_anew"));
  EXPECT_FALSE(says(run.trace(), "perfmon.bytes_lost"));
  EXPECT_FALSE(says(run.trace(), "perfmon.task_without"));
  for (std::size_t core = 0; core < chip.cores(); ++core)
    EXPECT_EQ(busy_in(run.trace(), core), prescribed(run, graph, core));
}

TEST_P(CoreSwimlanes, RestartingOnAnyPlatformAddsUp) {
  const device::Chip chip = small_chip(2, 2);
  RunOptions options = this->options();
  options.in_process = false;
  options.core_swimlane.drain = perfmon::DrainMode::kRestart;
  const RecordedRun run = record_pipes(piped_graph(chip, 8), chip, options);
  ASSERT_FALSE(run.outcome.fault);
  for (const capture::LaneReport& lane : run.outcome.recording.report.lanes)
    EXPECT_TRUE(lane.adds_up()) << capture::name_of(lane);
  EXPECT_FALSE(says(run.trace(), "perfmon.block_missing"));
  EXPECT_FALSE(says(run.trace(), "perfmon.undatable"));
}

TEST(CoreSwimlane, ChosenCores) {
  const device::Chip chip = small_chip(2, 1);
  RunOptions options;
  options.core_swimlane.cores = {0, 3};
  const Graph graph = piped_graph(chip, 3);
  const RecordedRun run = record_pipes(graph, chip, options);
  expect_nothing_lost(run.trace());
  const auto tracks = trace::pipe_tracks(run.trace(), trace::chip_run(run.trace()));
  for (std::size_t core = 0; core < chip.cores(); ++core) {
    const bool chosen = core == 0 || core == 3;
    EXPECT_EQ(tracks[core].recorded(), chosen) << core;
    EXPECT_EQ(busy_in(run.trace(), core), chosen ? prescribed(run, graph, core) : PipeTimes{}) << core;
  }
}

// Tasks of other functions run between them, and nothing is said about these.
TEST_P(CoreSwimlanes, ChosenFunctions) {
  const device::Chip chip = small_chip(1, 1);
  GraphBuilder build("mixed");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  for (int i = 0; i < 6; ++i) build.vector(i % 3 == 1 ? "shift" : "exact").inout(row(x, 1));
  const Graph graph = build.finish();
  RunOptions options = this->options();
  options.core_swimlane.functions = {"shift"};
  const RecordedRun run = record_pipes(graph, chip, options);
  ASSERT_FALSE(run.outcome.fault);
  const trace::ChipRun cores = trace::chip_run(run.trace());
  const auto tracks = trace::pipe_tracks(run.trace(), cores);
  std::size_t whole = 0;
  for (std::size_t core = 0; core < chip.cores(); ++core) {
    const auto gaps = trace::pipe_gaps(run.trace(), tracks[core]);
    const formats::chip_swimlane::CoreRows& rows = run.core(core);
    for (std::size_t i = 0; i < rows.start.size(); ++i) {
      const trace::CoreData data =
          trace::core_data_in(gaps, trace::Ticks{rows.start[i]}, trace::Ticks{rows.end[i]});
      const bool chosen = graph.functions[static_cast<std::size_t>(rows.function[i])].name == "shift";
      EXPECT_EQ(data.known, chosen ? trace::CoreData::Known::kAll : trace::CoreData::Known::kNothing)
          << "task " << i << " of core " << core;
      if (!chosen) {
        EXPECT_EQ(run.trace().text(data.cause), "not asked for");
      }
      whole += chosen;
    }
  }
  EXPECT_EQ(whole, 2U);
  for (const trace::QualityRow& row : run.trace().quality().rows())
    if (row.id.starts_with("perfmon.")) {
      EXPECT_EQ(row.severity, trace::Severity::kInfo) << row.id;
    }
}

TEST(CoreSwimlane, WhatCannotBeChosenIsSaid) {
  const Graph graph = piped_graph(small_chip(), 1);
  const auto error_of = [&](const CoreSwimlaneOptions& asked) {
    const auto outcome = run(graph, piped_kernels(), small_chip(), {},
                             {.dfx_flags = kDfxCoreSwimlane, .recording = {}, .core_swimlane = asked});
    return outcome ? std::string("none") : outcome.error().message;
  };
  EXPECT_NE(error_of({.cores = {6}}).find("has no core 6: it has 0 to 5"), std::string::npos);
  EXPECT_NE(error_of({.functions = {"multipy"}})
                .find("no function 'multipy', only multiply, shift; did you mean `multiply`?"),
            std::string::npos);
  EXPECT_NE(error_of({.ring_bytes = 0}).find("length of the ring is zero"), std::string::npos);
  EXPECT_NE(error_of({.ring_bytes = 1023}).find("not a multiple of the word"), std::string::npos);
  EXPECT_NE(error_of({.states = false, .marks = false}).find("neither states nor marks"), std::string::npos);
}

std::vector<std::pair<std::int64_t, std::uint64_t>> marks_of(const RecordedRun& run, std::size_t core) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> marks;
  const auto tracks = trace::pipe_tracks(run.trace(), trace::chip_run(run.trace()));
  for (const trace::TrackId pipe : tracks[core].pipes) {
    if (pipe == trace::TrackId::kNone) continue;
    const trace::RowRange rows = run.trace().instants_of(pipe);
    for (std::uint32_t i = rows.first; i < rows.end(); ++i)
      marks.emplace_back(run.trace().instants().time[i].value - run.core(core).start[0], i);
  }
  return marks;
}

TEST_P(CoreSwimlanes, MarksOfKernelsAreInTheirOrderWithinTheTask) {
  const device::Chip chip = small_chip(1, 1);
  const RecordedRun run = record_pipes(piped_graph(chip, 1, "marking", "exact"), chip, options());
  const auto marks = marks_of(run, 0);
  ASSERT_EQ(marks.size(), 3U);
  const std::int64_t length = run.core(0).end[0] - run.core(0).start[0];
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GE(marks[i].first, 0);
    EXPECT_LE(marks[i].first, length);
    if (GetParam() == Platform::kVirtual) {
      EXPECT_EQ(marks[i].first, length * (static_cast<std::int64_t>(i) + 1) / 4);
    }
  }
  // Of a schedule: at 30 of 100.
  if (GetParam() != Platform::kVirtual) return;
  const auto scheduled = marks_of(run, 1);
  ASSERT_EQ(scheduled.size(), 1U);
  EXPECT_EQ(scheduled[0].first, (run.core(1).end[0] - run.core(1).start[0]) * 30 / 100);
}

TEST(CoreSwimlane, StatesOnlyOrMarksOnly) {
  const device::Chip chip = small_chip(1, 1);
  const Graph graph = piped_graph(chip, 2, "marking", "exact");
  RunOptions options;
  options.core_swimlane.marks = false;
  const RecordedRun states = record_pipes(graph, chip, options);
  EXPECT_TRUE(marks_of(states, 0).empty());
  EXPECT_EQ(busy_in(states.trace(), 0), prescribed(states, graph, 0));
  options.core_swimlane = {.states = false};
  const RecordedRun marks = record_pipes(graph, chip, options);
  EXPECT_EQ(marks_of(marks, 0).size(), 6U);
  EXPECT_EQ(busy_in(marks.trace(), 0), PipeTimes{});
  const auto tracks = trace::pipe_tracks(marks.trace(), trace::chip_run(marks.trace()));
  const auto gaps = trace::pipe_gaps(marks.trace(), tracks[0]);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(marks.trace().text(gaps[0].cause), "not asked for");
}

// What --core-swimlane-raw keeps plays back to the bytes that were recorded.
TEST(CoreSwimlane, RawBytesPlayBack) {
  const device::Chip chip = small_chip(1, 1);
  const tests::TemporaryFolder folder;
  RunOptions options;
  options.core_swimlane.ring_bytes = 4096;
  options.core_swimlane.raw_folder = folder.path();
  const RecordedRun run = record_pipes(piped_graph(chip, 12), chip, options);
  expect_nothing_lost(run.trace());
  const auto files = device::find_replay_files(folder.path());
  ASSERT_TRUE(files);
  const auto memory = device::mapped_memory();
  const auto window = device::ReplayWindow::open(*memory, *files);
  ASSERT_TRUE(window) << window.error().to_string();
  ASSERT_EQ((*window)->cores(), chip.cores());
  for (std::uint32_t core = 0; core < chip.cores(); ++core) {
    const device::Address ring = memory->allocate((*window)->ring_bytes(core)).value();
    device::WindowBus bus{**window};
    perfmon::CorePerfmon<device::WindowBus> perfmon(perfmon::kA5Perfmon, bus, core);
    ASSERT_EQ(
        perfmon.start({.base = (*window)->attach(core, ring), .ring_bytes = (*window)->ring_bytes(core)}),
        perfmon::Fault::kNone);
    std::uint64_t bytes = 0;
    while ((*window)->next(core)) bytes += perfmon.drain().bytes;
    EXPECT_EQ(perfmon.lost_bytes(), 0U);
    std::uint64_t recorded = 0;
    for (const capture::LaneReport& lane : run.outcome.recording.report.lanes)
      if (lane.kind == recorder::RecordKind::kPerfmonBlock && lane.producer == core)
        recorded = lane.collected * recorder::PerfmonBlockRecord::kBytes;
    EXPECT_GT(bytes, 0U);
    EXPECT_LE(bytes, recorded);  // blocks are filled up
    EXPECT_GT(bytes * 2, recorded);
  }
}

// A flight recorder keeps the last: what is kept is right, and what is not is said.
TEST(CoreSwimlane, TheLastOfALongRun) {
  const device::Chip chip = small_chip(1, 1);
  RunOptions options;
  options.recording.options.policy = capture::RunPolicy::kOverwrite;
  options.recording.options.keep_bytes = base::Bytes{64 * 1024};
  const RecordedRun run = record_pipes(piped_graph(chip, 200), chip, options);
  ASSERT_FALSE(run.outcome.fault);
  for (const capture::LaneReport& lane : run.outcome.recording.report.lanes)
    EXPECT_TRUE(lane.adds_up()) << capture::name_of(lane);
}

}  // namespace
}  // namespace accelscope::runtime
