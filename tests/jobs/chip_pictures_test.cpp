// Every real recording of a chip, converted and read back the way Perfetto does it: bars, arrows and counters
// are what was recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "analysis/chip/invariants.h"
#include "formats/perfetto/replay.h"
#include "jobs/convert.h"
#include "support/temporary_folder.h"
#include "trace/chip_run.h"
#include "views/swimlane/arrows.h"

namespace accelscope::jobs {
namespace {

namespace fs = std::filesystem;
using test::Replay;
using test::ReplayedFlow;
using test::ReplayedSlice;
using tests::read_file;
using tests::TemporaryFolder;
using views::swimlane::ArrowKind;

std::vector<std::string> captures() {
  std::vector<std::string> paths;
  const fs::path folder = fs::path(ACCELSCOPE_FIXTURES_DIR) / "swimlane";
  if (!fs::is_directory(folder)) return paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename().string().starts_with("chip_swimlane_records.json"))
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

struct Capture {
  explicit Capture(trace::Trace opened) : trace(std::move(opened)) {}

  trace::Trace trace;
  trace::ChipRun chip = trace::chip_run(trace);
};

Capture open(const std::string& path) {
  base::Result<trace::Trace> trace = formats::open::open_trace(path, {});
  EXPECT_TRUE(trace) << trace.error().to_string();
  return Capture(std::move(trace).value());
}

std::size_t dispatches(const Capture& capture) {
  std::size_t count = 0;
  for (const trace::ChipCore& core : capture.chip.cores)
    count += trace::dispatches_of(capture.trace, core.track).size();
  return count;
}

Replay picture_of(const std::string& path) {
  const TemporaryFolder folder;
  ConvertOptions options;
  options.inputs = {path};
  options.output = folder.file("out.pftrace");
  const auto outcome = convert(options);
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  return outcome ? test::replay(read_file(options.output)) : Replay{};
}

// "Worker View", "Scheduler", ...: the outermost track.
std::string process_of(const Replay& replay, std::uint64_t track) {
  const perfetto_subset::TrackDescriptor* at = &replay.tracks.at(track);
  while (at->has_parent_uuid() && replay.tracks.contains(at->parent_uuid()))
    at = &replay.tracks.at(at->parent_uuid());
  return test::track_name(*at);
}

std::size_t count_in(const Replay& replay, std::string_view process,
                     const std::function<bool(const ReplayedSlice&)>& is_counted) {
  return static_cast<std::size_t>(
      std::count_if(replay.slices.begin(), replay.slices.end(), [&](const ReplayedSlice& slice) {
        return process_of(replay, slice.track) == process && is_counted(slice);
      }));
}

// The other slices there are what is inside of them, and markers of tasks without a core.
std::size_t worker_bars(const Replay& replay) {
  return count_in(replay, "Worker View", [](const ReplayedSlice& slice) {
    return !slice.parent && slice.args.contains("sequence");
  });
}

std::size_t scheduler_bars(const Replay& replay) {
  return count_in(replay, "Scheduler View", [](const ReplayedSlice& slice) { return !slice.is_instant; });
}

ArrowKind kind_of(const ReplayedFlow& flow) {
  return static_cast<ArrowKind>(flow.id >> 32U);
}

std::vector<ReplayedFlow> arrows_of(const Replay& replay, ArrowKind kind) {
  std::vector<ReplayedFlow> found;
  for (const ReplayedFlow& flow : replay.flows)
    if (kind_of(flow) == kind) found.push_back(flow);
  return found;
}

// The processes that an arrow of a kind leaves from and arrives at.
using Ends = std::pair<std::set<std::string>, std::set<std::string>>;

const std::map<ArrowKind, Ends>& ends_of_kinds() {
  static const std::set<std::string> kTasks = {"Worker View", "Scheduler", "Graph execution"};
  static const std::map<ArrowKind, Ends> kEnds = {
      {ArrowKind::kDependency, {kTasks, kTasks}},
      {ArrowKind::kSubmitToDispatch, {{"Orchestrator"}, {"Scheduler View"}}},
      {ArrowKind::kDispatchToStart, {{"Scheduler", "Scheduler View"}, {"Worker View"}}},
      {ArrowKind::kFinishToComplete, {{"Worker View"}, {"Scheduler"}}},
      {ArrowKind::kCompleteToReady, {{"Scheduler"}, {"Scheduler View"}}}};
  return kEnds;
}

void expect_sound_arrows(const Replay& replay) {
  for (const auto& [id, ends] : replay.flow_ends) ASSERT_EQ(ends, 2U) << "arrow " << id;
  EXPECT_EQ(replay.flows.size(), replay.flow_ends.size());
  for (const ReplayedFlow& flow : replay.flows) {
    const ReplayedSlice& from = replay.slices[flow.from];
    const ReplayedSlice& to = replay.slices[flow.to];
    ASSERT_LT(from.start, to.start) << from.name << " -> " << to.name;
    const auto allowed = ends_of_kinds().find(kind_of(flow));
    ASSERT_NE(allowed, ends_of_kinds().end()) << "kind " << (flow.id >> 32U);
    EXPECT_TRUE(allowed->second.first.contains(process_of(replay, from.track)))
        << (flow.id >> 32U) << " leaves " << process_of(replay, from.track);
    EXPECT_TRUE(allowed->second.second.contains(process_of(replay, to.track)))
        << (flow.id >> 32U) << " arrives at " << process_of(replay, to.track);
  }
}

std::set<std::string> counters_with_samples(const Replay& replay) {
  std::set<std::string> names;
  for (const test::ReplayedSample& sample : replay.samples)
    names.insert(test::track_name(replay.tracks.at(sample.track)));
  return names;
}

TEST(ChipPictures, ShowWhatWasRecordedOfEveryCapture) {
  const std::vector<std::string> paths = captures();
  if (paths.empty()) GTEST_SKIP() << "no captures of chips beside the checkout";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const Capture capture = open(path);
    const Replay replay = picture_of(path);
    EXPECT_TRUE(replay.errors.empty()) << replay.errors.front();
    EXPECT_EQ(worker_bars(replay), dispatches(capture));
    EXPECT_EQ(scheduler_bars(replay), capture.chip.level >= 2 ? dispatches(capture) : 0U);
    expect_sound_arrows(replay);
    // The simulator never starts a task too early.
    EXPECT_TRUE(arrows_of(replay, ArrowKind::kViolation).empty());
    EXPECT_EQ(arrows_of(replay, ArrowKind::kDispatchToStart).size(),
              capture.chip.level >= 2 ? dispatches(capture) : 0U);
    for (const char* queue : {"AIC", "AIV", "MIX"})
      EXPECT_EQ(counters_with_samples(replay).contains(queue), capture.chip.level >= 3) << queue;
  }
}

TEST(ChipPictures, OfSpmdAndMixTasksBindEachArrowToItsOwnSlice) {
  std::vector<std::string> paths = captures();
  paths.erase(
      std::remove_if(paths.begin(), paths.end(),
                     [](const std::string& path) { return path.find("spmd_mix_L4") == std::string::npos; }),
      paths.end());
  if (paths.empty()) GTEST_SKIP() << "no capture of SPMD and MIX tasks beside the checkout";
  ASSERT_EQ(paths.size(), 1U);
  const Replay replay = picture_of(paths.front());
  const std::vector<ReplayedFlow> arrows = arrows_of(replay, ArrowKind::kDispatchToStart);
  EXPECT_EQ(arrows.size(), 282U);
  std::set<std::size_t> bars;
  std::set<std::pair<std::uint64_t, std::string>> dispatches;  // the core's track, and number
  for (const ReplayedFlow& arrow : arrows) {
    const ReplayedSlice& bar = replay.slices[arrow.to];
    bars.insert(arrow.to);
    ASSERT_TRUE(bar.args.contains("sequence"));
    dispatches.emplace(bar.track, bar.args.at("sequence"));
  }
  EXPECT_EQ(bars.size(), 282U);
  EXPECT_EQ(dispatches.size(), 282U);
}

TEST(ChipInvariants, HoldInEveryCapture) {
  const std::vector<std::string> paths = captures();
  if (paths.empty()) GTEST_SKIP() << "no captures of chips beside the checkout";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const Capture capture = open(path);
    for (const analysis::chip::Invariant& invariant : analysis::chip::check_invariants(
             capture.trace, capture.chip, analysis::chip::task_times(capture.trace, capture.chip))) {
      EXPECT_NE(invariant.state, analysis::chip::InvariantState::kViolated)
          << invariant.text << ": " << invariant.first_violation;
      if (invariant.id == "records" || invariant.id == "sequence" || invariant.id == "one_at_a_time") {
        EXPECT_GE(invariant.checked, dispatches(capture)) << invariant.id;
      }
    }
  }
}

}  // namespace
}  // namespace accelscope::jobs
