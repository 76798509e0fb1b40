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

std::vector<fs::path> path_captures() {
  std::vector<fs::path> paths;
  const fs::path folder = fs::path(ACCELSCOPE_FIXTURES_DIR) / "swimlane";
  if (!fs::is_directory(folder)) return paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename().string().starts_with("chip_swimlane_records.json"))
      paths.push_back(entry.path());
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
  const std::vector<fs::path> paths = path_captures();
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
  const std::vector<fs::path> paths = path_captures();
  if (paths.empty()) GTEST_SKIP() << "no captures of chips beside the checkout";
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const Opened run = open(path);
    const Bottleneck who = bottleneck(run.trace, run.chip, run.times, run.path);
    EXPECT_EQ(std::accumulate(who.ticks.begin(), who.ticks.end(), Ticks{}), run.times.window.length());
    for (const Ticks share : who.ticks) EXPECT_GE(share, Ticks{0});
    EXPECT_EQ(who.evidence.submissions, run.times.has_submit());
    if (run.chip.level >= 4 && who.evidence.dependencies) {
      EXPECT_EQ(who.of(Limit::kUnknown), Ticks{0});
    }
  }
}

TEST(PathFixtures, TheSimulationIsCloseWhereDependenciesWereRecorded) {
  const std::vector<fs::path> paths = path_captures();
  if (paths.empty()) GTEST_SKIP() << "no captures of chips beside the checkout";
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const Opened run = open(path);
    const WhatIf result = what_if(run.trace, run.chip, run.times);
    ASSERT_EQ(result.state, WhatIfState::kAnswered);
    EXPECT_EQ(result.observed, run.path.window.length());
    for (const Ticks bound : {result.dependency_bound, result.cube_bound, result.vector_bound})
      EXPECT_LE(bound, result.observed);
    if (!result.has_dependencies || !result.has_submissions) continue;
    EXPECT_LT(std::abs(result.calibration()), 0.2) << result.calibration();
    EXPECT_GE(result.simulated, result.dependency_bound);
  }
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The reference begins its window at the first start; its report names the ticks.
TEST(PathFixtures, TheWindowIsTheReferencesFromTheFirstStartOn) {
  int compared = 0;
  for (const fs::path& path : path_captures()) {
    const fs::path beside = path.parent_path() / "critical_path_report.md";
    if (!fs::exists(beside)) continue;
    SCOPED_TRACE(path.string());
    const std::string report = text_of(beside);
    std::smatch ticks;
    ASSERT_TRUE(std::regex_search(report, ticks, std::regex("vs makespan ([0-9]+) ticks")));
    const Opened run = open(path);
    EXPECT_EQ(run.path.makespan_from_first_start(), Ticks{std::stoll(ticks[1])});
    ++compared;
    // One step, so that expanding tasks into parts makes no difference: the same computing time.
    if (path.string().find("TestMixedExample_case2") == std::string::npos) continue;
    ASSERT_EQ(run.path.steps.size(), 1U);
    EXPECT_EQ(run.path.compute.value / 50, 54652);  // microseconds at 50 MHz
    EXPECT_EQ(run.path.front_gap_from_first_start().value / 50, 280);
  }
  if (compared == 0) GTEST_SKIP() << "no reports of the reference beside the checkout";
}

}  // namespace
}  // namespace accelscope::analysis::chip
