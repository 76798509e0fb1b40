// What must hold for every real capture of a chip's run.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/chip/core_time.h"
#include "analysis/chip/exact_core_time.h"
#include "analysis/chip/functions.h"
#include "analysis/chip/imbalance.h"
#include "analysis/chip/loop_budget.h"
#include "analysis/chip/waits.h"
#include "formats/open/open.h"

namespace accelscope::analysis::chip {
namespace {

namespace fs = std::filesystem;
using trace::Trace;

const std::string kFolder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane/";

std::vector<std::string> captures() {
  std::vector<std::string> paths;
  if (fs::exists(kFolder))
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kFolder))
      if (entry.path().filename().string().rfind("chip_swimlane_records.json", 0) == 0)
        paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class ChipCaptures : public testing::Test {
 protected:
  void SetUp() override {
    if (captures().empty())
      GTEST_SKIP() << "no captures in " << kFolder << ": set ACCELSCOPE_FIXTURES to run this test";
  }

  // Calls check(trace, chip, times) for every capture, with the files beside it.
  template <class Check>
  void for_each(Check&& check) {
    for (const std::string& path : captures()) {
      SCOPED_TRACE(path);
      const base::Result<Trace> trace = formats::open::open_trace(path, formats::open::OpenOptions());
      ASSERT_TRUE(trace) << trace.error().to_string();
      const trace::ChipRun chip = trace::chip_run(*trace);
      ASSERT_FALSE(chip.cores.empty());
      check(*trace, chip, task_times(*trace, chip));
    }
  }
};

TEST_F(ChipCaptures, EveryTickOfEveryCoreHasOneClass) {
  for_each([](const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times) {
    const CoreTime time = core_time(trace, chip, times);
    tests::expect_every_tick_once(chip, time);
    EXPECT_GT(time.total[CoreClass::kBusy], Ticks{0});
    EXPECT_EQ(time.ready_source != ReadySource::kNone, chip.level >= 3);
    // Cores do not overlap in these captures, so what functions ran is what cores were busy with.
    EXPECT_EQ(function_times(trace, chip).total.exec.total, time.total[CoreClass::kBusy]);
    std::uint32_t cores = 0;
    for (const EngineBalance& engine : imbalance(chip, time)) cores += engine.cores;
    EXPECT_EQ(cores, chip.cores.size());
  });
}

TEST_F(ChipCaptures, TheTimeOfMixTasksIsThatOfTheirDispatches) {
  std::size_t with_mix = 0;
  for_each([&](const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times) {
    Ticks busy;
    for (const trace::ChipCore& core : chip.cores)
      for (const trace::Dispatch& part : trace::dispatches_of(trace, core.track))
        if (part.task != trace::TaskId::kNone && trace.text(trace.tasks().kind[index(part.task)]) == "MIX")
          busy += part.end - part.start;
    const CoreTime time = core_time(trace, chip, times);
    EXPECT_EQ(time.total_mix[CoreClass::kBusy], busy);
    with_mix += busy > Ticks{0} ? 1 : 0;
  });
  EXPECT_GE(with_mix, 3U) << "two of mixed_L4, and spmd_mix_L4";
}

TEST_F(ChipCaptures, EveryTickOfEverySchedulerThreadIsWorkOrIdle) {
  for_each([](const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times) {
    const LoopBudget budget = loop_budget(trace, chip, times);
    EXPECT_EQ(budget.recorded(), chip.level >= 3);
    std::uint64_t parts = 0;
    std::uint64_t tasks = 0;
    for (const ThreadBudget& thread : budget.threads) {
      Ticks sum = thread.idle;
      for (const PhaseTime& phase : thread.phases) sum += phase.self;
      EXPECT_EQ(sum, thread.window.length());
      parts += thread.parts_completed;
      tasks += thread.tasks;
    }
    if (!budget.recorded()) return;
    const auto ran = std::count_if(times.parts.begin(), times.parts.end(), [](auto n) { return n > 0; });
    EXPECT_EQ(parts, function_times(trace, chip).total.count);
    EXPECT_EQ(tasks, static_cast<std::uint64_t>(ran));
  });
}

TEST_F(ChipCaptures, NoStageOfARealRunGoesBackwards) {
  for_each([](const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times) {
    const Waits waits = wait_times(trace, chip, times);
    for (const Stage stage : {Stage::kSubmitToReady, Stage::kDispatchToReceive, Stage::kReceiveToStart,
                              Stage::kStartToEnd, Stage::kEndToFinish, Stage::kFinishToResolve})
      EXPECT_EQ(waits.overall[stage].negative, 0U) << to_string(stage);
    EXPECT_EQ(waits.overall[Stage::kFinishToResolve].n > 0, chip.level >= 3);
  });
}

}  // namespace
}  // namespace accelscope::analysis::chip
