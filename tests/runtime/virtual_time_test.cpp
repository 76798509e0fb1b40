// Whether virtual time is believable: what the recorder shows of it with the default costs, and which way it
// moves when something is changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "runtime/recorded_run.h"

namespace accelscope::runtime {
namespace {

using formats::chip_swimlane::CoreRows;

const RunOptions kLevel3{.dfx_flags = dfx_flags_of_level(3)};

Graph independent_work(int tasks, double nanoseconds) {
  GraphBuilder build("independent");
  for (int i = 0; i < tasks; ++i) build.vector("wait").scalar(nanoseconds);
  return build.finish();
}

Graph chain(int tasks, double nanoseconds) {
  GraphBuilder build("chain");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  for (int i = 0; i < tasks; ++i) build.vector("wait").inout(row(x, 1)).scalar(nanoseconds);
  return build.finish();
}

// One task, many that need it, one that needs them all.
Graph fan(int tasks, double nanoseconds) {
  GraphBuilder build("fan");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  const auto y = build.buffer("y", DataType::kFloat32, static_cast<std::uint64_t>(tasks));
  const auto n = static_cast<std::uint32_t>(tasks);
  build.vector("wait").out(row(x, 1)).scalar(nanoseconds);
  for (std::uint32_t i = 0; i < n; ++i)
    build.vector("wait").in(row(x, 1)).out(row(y, 1, i)).scalar(nanoseconds);
  build.vector("wait").in(row(y, n)).scalar(nanoseconds);
  return build.finish();
}

device::Picoseconds makespan(const Graph& graph, const device::Chip& chip, const device::Costs& costs = {}) {
  const RunOutcome outcome = run_small(graph, chip, {}, costs);
  EXPECT_FALSE(outcome.fault);
  return outcome.makespan;
}

// All times in nanoseconds: the counter of the small chip ticks once in each.
TEST(VirtualTime, OfOneTaskIsWhatTheCostsSay) {
  const RecordedRun run = record_run(independent_work(1, 1000), small_chip(1), kLevel3);
  const auto found = std::find_if(run.recording.capture.cores.begin(), run.recording.capture.cores.end(),
                                  [](const CoreRows& core) { return !core.task.empty(); });
  ASSERT_NE(found, run.recording.capture.cores.end());
  EXPECT_NEAR(static_cast<double>(found->receive[0] - found->dispatch[0]), 145,
              2);                                       // write, until it is seen
  EXPECT_EQ(found->start[0] - found->receive[0], 870);  // the first of its kind
  EXPECT_EQ(found->end[0] - found->start[0], 1200);
  // 600 on the way, then a look at the register, and on average half a turn of the polling loop.
  EXPECT_GE(found->finish[0] - found->end[0], 700);
  EXPECT_LE(found->finish[0] - found->end[0], 1200);
}

TEST(VirtualTime, BetweenTwoTasksOfACoreIsATailAndASetUp) {
  const RecordedRun run = record_run(independent_work(40, 20'000), small_chip(1), kLevel3);
  for (std::size_t number = 1; number < 3; ++number) {
    const CoreRows& core = run.core(number);
    ASSERT_GE(core.task.size(), 15U);
    for (std::size_t i = 1; i < core.task.size(); ++i) {
      EXPECT_EQ(core.start[i] - core.end[i - 1], 810) << i;  // the next one was there already
      EXPECT_EQ(core.start[i] - core.receive[i], 290);
      EXPECT_LT(core.dispatch[i], core.end[i - 1]);
    }
  }
}

TEST(VirtualTime, CountersForbidASecondTaskOnACore) {
  RunOptions options = kLevel3;
  options.dfx_flags |= kDfxPmu;
  const RecordedRun run = record_run(independent_work(10, 20'000), small_chip(1), options);
  const CoreRows& core = run.core(1);
  ASSERT_GE(core.task.size(), 4U);
  for (std::size_t i = 1; i < core.task.size(); ++i) {
    EXPECT_GE(core.dispatch[i], core.finish[i - 1]);
    EXPECT_GT(core.start[i] - core.end[i - 1], 1000);
  }
}

TEST(VirtualTime, OfBlocksThatBeginTogetherIsTheSame) {
  GraphBuilder build("together");
  build.vector("wait").scalar(3'000);
  build.vector("wait").blocks(8).sync_start().scalar(5'000);
  const RecordedRun run = record_run(build.finish(), small_chip(4, 2), kLevel3);
  std::vector<std::int64_t> starts;
  for (const CoreRows& core : run.recording.capture.cores)
    for (std::size_t i = 0; i < core.task.size(); ++i)
      if (core.task[i] == 1) starts.push_back(core.start[i]);
  ASSERT_EQ(starts.size(), 8U);
  // A doorbell each, 5 ns apart; one of the cores has run the function before.
  const auto [first, last] = std::minmax_element(starts.begin(), starts.end());
  EXPECT_LE(*last - *first, 8 * 5 + 580);
}

TEST(VirtualTime, OfEarlyDispatchSavesTheWayToTheCore) {
  const auto pair = [](bool early) {
    GraphBuilder build("pair");
    const auto x = build.buffer("x", DataType::kFloat32, 1);
    build.vector("wait").inout(row(x, 1)).scalar(50'000);
    TaskBuilder second = build.vector("wait").inout(row(x, 1)).scalar(50'000);
    if (early) second.early();
    return build.finish();
  };
  const RecordedRun run = record_run(pair(true), small_chip(2), kLevel3);
  const CoreRows& first = run.core(2);
  const CoreRows& second = run.core(3);
  ASSERT_EQ(first.task.size(), 1U);
  ASSERT_EQ(second.task.size(), 1U);
  EXPECT_LT(second.receive[0], first.end[0]);  // it waits there
  EXPECT_GT(second.start[0], first.end[0]);
  EXPECT_LT(makespan(pair(true), small_chip(2)), makespan(pair(false), small_chip(2)));
}

struct ShapeOfGraph {
  const char* name;
  std::function<Graph(double nanoseconds)> make;
};
const ShapeOfGraph kShapesOfGraphs[] = {
    {"independent", [](double time) { return independent_work(300, time); }},
    {"chain", [](double time) { return chain(60, time); }},
    {"fan", [](double time) { return fan(120, time); }},
};

TEST(VirtualTime, GrowsWithKernelsAndSchedulersThatAreSlower) {
  device::Costs slow;
  slow.pop_task = slow.pop_task * 4;
  slow.dispatch_task = slow.dispatch_task * 4;
  slow.complete_block = slow.complete_block * 4;
  slow.resolve_consumer = slow.resolve_consumer * 4;
  slow.register_read = slow.register_read * 4;
  for (const ShapeOfGraph& shape : kShapesOfGraphs) {
    const device::Chip chip = small_chip(6, 2);
    const auto plain = makespan(shape.make(10'000), chip);
    EXPECT_GT(makespan(shape.make(20'000), chip), plain) << shape.name;
    EXPECT_LT(makespan(shape.make(5'000), chip), plain) << shape.name;
    EXPECT_GT(makespan(shape.make(10'000), chip, slow), plain) << shape.name;
  }
}

// Also by little, where the scheduler is on the path: no work falls into step with what a thread waits for.
TEST(VirtualTime, GrowsWithEveryBitOfWorkOfAScheduler) {
  for (const ShapeOfGraph& shape : kShapesOfGraphs) {
    const Graph graph = shape.make(10'000);
    device::Picoseconds before;
    for (int percent = 100; percent <= 200; percent += 10) {
      device::Costs costs;
      for (device::Picoseconds* cost : {&costs.pop_task, &costs.dispatch_task, &costs.complete_block,
                                        &costs.resolve_consumer, &costs.register_read})
        cost->value = cost->value * percent / 100;
      const auto now = makespan(graph, small_chip(6, 1), costs);
      const bool hidden = shape.name == std::string("independent");  // behind what cores do meanwhile
      EXPECT_GT(now, hidden ? device::Picoseconds{before.value * 99 / 100} : before)
          << shape.name << " at " << percent << " %";
      before = now;
    }
  }
}

TEST(VirtualTime, ShrinksWithCoresUnlessTheGraphIsAChain) {
  for (const ShapeOfGraph& shape : kShapesOfGraphs) {
    const Graph graph = shape.make(20'000);
    const auto few = makespan(graph, small_chip(2, 1));
    const auto more = makespan(graph, small_chip(8, 2));
    if (shape.name == std::string("chain")) {
      EXPECT_NEAR(static_cast<double>(more.value), static_cast<double>(few.value),
                  0.02 * static_cast<double>(few.value));
    } else {
      EXPECT_LT(more * 5, few * 2) << shape.name;
    }
  }
}

TEST(VirtualTime, IsAtLeastTheCriticalPathAndAtMostWhatAListScheduleTakes) {
  const double kernel = 10'200;  // nanoseconds, with what every call costs
  const auto chained = static_cast<double>(makespan(chain(60, 10'000), small_chip(6, 2)).value) / 1e3;
  EXPECT_GE(chained, 60 * kernel);
  EXPECT_LE(chained, 60 * (kernel + 4'000));
  const auto spread =
      static_cast<double>(makespan(independent_work(300, 10'000), small_chip(6, 2)).value) / 1e3;
  EXPECT_GE(spread, 300 * kernel / 12);
  EXPECT_LE(spread, (300.0 / 12 + 1) * (kernel + 2'000));
}

TEST(VirtualTime, PassesWithoutKernelsToo) {
  const Graph graph = fan(50, 10'000);
  RunOptions idle;
  idle.run_kernels = false;
  EXPECT_EQ(run_small(graph, small_chip(), idle).makespan, makespan(graph, small_chip()));
}

TEST(VirtualTime, OfLooksAtTheCounterIsPartOfTheRun) {
  const Graph graph = independent_work(200, 1'000);
  const RecordedRun recorded = record_run(graph, small_chip(8, 1), kLevel3);
  EXPECT_GT(recorded.outcome.makespan, makespan(graph, small_chip(8, 1)));
}

}  // namespace
}  // namespace accelscope::runtime
