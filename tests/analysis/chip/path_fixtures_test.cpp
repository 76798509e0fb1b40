// Paths, bottleneck and what-if on every real capture: what must hold for any run holds for these, and the
// figures of the reference agree where the reference is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <regex>

#include "analysis/chip/bottleneck.h"
#include "analysis/chip/what_if.h"
#include "formats/open/open.h"

namespace accelscope::analysis::chip {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> captures() {
  std::vector<fs::path> paths;
  const fs::path folder = fs::path(ACCELSCOPE_FIXTURES_DIR) / "swimlane";
  if (!fs::is_directory(folder)) return paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename() == "chip_swimlane_records.json") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

struct Opened {
  trace::Trace trace;
  trace::ChipRun chip = trace::chip_run(trace);
  TaskTimes times = task_times(trace, chip);
  ObservedPath path = observed_path(trace, chip, times);

  explicit Opened(trace::Trace opened) : trace(std::move(opened)) {}
};

Opened open(const fs::path& path) {
  base::Result<trace::Trace> trace = formats::open::open_trace(path.string(), {});
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
  return Opened(std::move(*trace));
}

TEST(PathFixtures, TheObservedPathTilesTheWindow) {
  const std::vector<fs::path> paths = captures();
  if (paths.empty()) GTEST_SKIP() << "no captures of chips beside the checkout";
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const Opened run = open(path);
    ASSERT_FALSE(run.path.steps.empty());
    Ticks at = run.path.window.from;
    for (const PathStep& step : run.path.steps) {
      ASSERT_EQ(step.stall_from, at);
      ASSERT_LE(step.stall_from, step.start);
      ASSERT_LE(step.start, step.end);
      ASSERT_EQ(step.stall.total(), step.start - step.stall_from);
      at = step.end;
    }
    EXPECT_EQ(at, run.path.window.to);
    EXPECT_EQ(run.path.compute + run.path.stall.total(), run.path.window.length());
    const StaticPath chain = static_path(run.trace, run.chip, Slack::kYes);
    EXPECT_LE(chain.length, run.path.window.length());
    EXPECT_GT(chain.length, Ticks{0});
    EXPECT_EQ(chain.tasks_on_cycles, 0U);
    for (const trace::TaskId task : chain.tasks) EXPECT_EQ(chain.slack[index(task)], Ticks{0});
  }
}

TEST(PathFixtures, TheSharesSumToTheWindow) {
  const std::vector<fs::path> paths = captures();
  if (paths.empty()) GTEST_SKIP() << "no captures of chips beside the checkout";
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const Opened run = open(path);
    const Bottleneck who = bottleneck(run.trace, run.chip, run.times, run.path);
    EXPECT_EQ(std::accumulate(who.ticks.begin(), who.ticks.end(), Ticks{}), run.times.window.length());
    for (const Ticks share : who.ticks) EXPECT_GE(share, Ticks{0});
    std::printf("%-60s level %d", path.parent_path().filename().c_str(), run.chip.level);
    for (std::size_t i = 0; i < kLimits; ++i) std::printf(" %5.1f", 100 * who.share(static_cast<Limit>(i)));
    const WhatIf result = what_if(run.trace, run.chip, run.times);
    std::printf(" verdict %d mixed %d | cal %+.3f |", static_cast<int>(who.verdict), who.mixed,
                result.calibration());
    for (const WhatIfAnswer& answer : result.answers)
      std::printf(
          " q%d:%+.1f", static_cast<int>(answer.question),
          100.0 * static_cast<double>(answer.estimate.value) / static_cast<double>(result.observed.value) -
              100);
    std::printf(
        " bounds %.1f %.1f %.1f edges %u\n",
        100.0 * static_cast<double>(result.dependency_bound.value) /
            static_cast<double>(result.observed.value),
        100.0 * static_cast<double>(result.cube_bound.value) / static_cast<double>(result.observed.value),
        100.0 * static_cast<double>(result.vector_bound.value) / static_cast<double>(result.observed.value),
        run.trace.task_edges().size());
  }
}

}  // namespace
}  // namespace accelscope::analysis::chip
