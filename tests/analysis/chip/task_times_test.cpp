#include "analysis/chip/task_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::is_known;
using trace::TaskId;
using trace::Trace;

TaskTimes task_times_of(const Trace& trace) {
  return task_times(trace, trace::chip_run(trace));
}

TEST(TaskTimes, ReadyIsTheLaterOfTheSubmissionAndTheLastProducer) {
  ChipSketch chip(1, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV", 2);
  const TaskId late = chip.task(2, "C", "AIC");
  chip.edge(a, b);
  chip.edge(a, late);
  chip.submit(a, 10, 12);
  chip.submit(b, 12, 15);
  chip.submit(late, 15, 60);
  chip.run(1, a, {.dispatch = 13, .receive = 14, .start = 20, .end = 30, .finish = 31});
  chip.run(1, b, {.dispatch = 33, .receive = 34, .start = 35, .end = 50, .finish = 51});
  chip.run(2, b, {.dispatch = 34, .receive = 35, .start = 36, .end = 70, .finish = 80});
  chip.run(0, late, {.dispatch = 62, .receive = 63, .start = 64, .end = 66, .finish = 67});
  const TaskTimes times = task_times_of(chip.finish());
  EXPECT_EQ(times.ready[index(a)], Ticks{12});
  EXPECT_EQ(times.ready[index(b)], Ticks{30});
  EXPECT_EQ(times.ready[index(late)], Ticks{60});  // its producer had long ended: it was not asked for
  EXPECT_EQ(times.parts[index(b)], 2U);
  EXPECT_EQ(times.first_dispatch[index(b)], Ticks{33});
  EXPECT_EQ(times.last_end[index(b)], Ticks{70});
  EXPECT_EQ(times.last_finish[index(b)], Ticks{80});
  EXPECT_EQ(times.window.from, Ticks{10});
  EXPECT_EQ(times.window.to, Ticks{80});
}

// The usual order of edges is gone through as it stands, any other along lists: both give the same.
TEST(TaskTimes, TheOrderOfEdgesDoesNotMatter) {
  constexpr std::uint32_t kTasks = 300;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t to = 1; to < kTasks; ++to)
    for (std::uint32_t back = 1; back <= to && back <= 7; back += 1 + to % 3)
      edges.emplace_back(to - back, to);
  const auto times_with = [&](auto before) {
    std::sort(edges.begin(), edges.end(), before);
    ChipSketch chip(0, 3);
    std::vector<TaskId> tasks;
    for (std::uint32_t i = 0; i < kTasks; ++i)
      tasks.push_back(chip.task(i, "A", i % 11 == 0 ? "dummy" : "AIV"));
    for (const auto& [from, to] : edges) chip.edge(tasks[from], tasks[to]);
    for (std::uint32_t i = 0; i < kTasks; ++i) {
      const std::int64_t start = 100 + 7 * std::int64_t{i} + 40 * (i % 3);
      if (i % 11 != 0 && i % 50 != 1) chip.run(i % 3, tasks[i], {.start = start, .end = start + 5});
    }
    return task_times_of(chip.finish());
  };
  const TaskTimes in_order = times_with(std::less<>());
  const TaskTimes backwards = times_with(std::greater<>());
  EXPECT_EQ(in_order.ready, backwards.ready);
  EXPECT_EQ(in_order.done, backwards.done);
  EXPECT_TRUE(std::any_of(in_order.ready.begin(), in_order.ready.end(), is_known));
  EXPECT_FALSE(std::all_of(in_order.ready.begin(), in_order.ready.end(), is_known));
}

TEST(TaskTimes, ControlTasksPassOnWhenTheyAreDone) {
  ChipSketch chip(0, 1);
  const TaskId memory = chip.task(0, "alloc", "allocation");
  const TaskId barrier = chip.task(1, "barrier", "dummy");
  const TaskId unseen = chip.task(2, "barrier", "dummy");
  const TaskId kernel = chip.task(3, "A", "AIV");
  chip.edge(memory, barrier);
  chip.edge(barrier, unseen);
  chip.edge(unseen, kernel);
  chip.submit(memory, 0, 2);
  chip.submit(barrier, 2, 4);
  chip.submit(unseen, 4, 5);
  chip.submit(kernel, 5, 6);
  chip.control(0, "dummy_task", barrier, 9);
  chip.run(0, kernel, {.dispatch = 11, .start = 12, .end = 20});
  const TaskTimes times = task_times_of(chip.finish());
  EXPECT_EQ(times.done[index(memory)], Ticks{2});
  EXPECT_EQ(times.done[index(barrier)], Ticks{9});
  EXPECT_EQ(times.done[index(unseen)], Ticks{9});
  EXPECT_EQ(times.ready[index(kernel)], Ticks{9});
}

TEST(TaskTimes, WhatWasNotRecordedIsNotGuessed) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId lost = chip.task(1, "B", "AIV");
  const TaskId c = chip.task(2, "C", "AIV");
  chip.run(0, a, {.start = 5, .end = 9});
  chip.run(0, c, {.start = 10, .end = 11});
  {
    const TaskTimes times = task_times_of(chip.finish());
    EXPECT_FALSE(times.has_submit());
    EXPECT_FALSE(times.has_ready());
    EXPECT_EQ(times.window.from, Ticks{5});
  }
  ChipSketch with_edges(0, 1);
  const TaskId x = with_edges.task(0, "A", "AIV");
  const TaskId y = with_edges.task(1, "B", "AIV");
  with_edges.edge(x, y);
  with_edges.run(0, x, {.start = 5, .end = 9});
  with_edges.run(0, y, {.start = 10, .end = 12});
  const TaskTimes times = task_times_of(with_edges.finish());
  EXPECT_FALSE(is_known(times.ready[index(x)]));
  EXPECT_EQ(times.ready[index(y)], Ticks{9});
  static_cast<void>(lost);
}

TEST(TaskTimes, ACycleStaysUnknownAndEnds) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);
  chip.edge(b, a);
  chip.submit(a, 0, 1);
  chip.submit(b, 1, 2);
  chip.run(0, a, {.start = 5, .end = 9});
  chip.run(0, b, {.start = 10, .end = 12});
  const TaskTimes times = task_times_of(chip.finish());
  EXPECT_FALSE(is_known(times.ready[index(a)]));
  EXPECT_FALSE(is_known(times.ready[index(b)]));
}

TEST(TaskTimes, HostSubmissionsAreBroughtToTheCoresClock) {
  ChipSketch chip(0, 1);
  const trace::ClockId host = chip.add_clock("host", base::Frequency::nanoseconds());
  chip.builder.track(chip.orchestrator).clock = host;
  chip.builder.add_clock_relation({.from = host,
                                   .to = chip.clock,
                                   .samples = {},
                                   .knots = {{Ticks{1000}, Ticks{0}}, {Ticks{2000}, Ticks{1000}}},
                                   .uncertainty = Ticks{1}});
  const TaskId a = chip.task(0, "A", "AIV");
  chip.submit(a, 900, 1010);
  chip.run(0, a, {.dispatch = 20, .start = 25, .end = 30});
  const TaskTimes times = task_times_of(chip.finish());
  EXPECT_EQ(times.ready[index(a)], Ticks{10});
  EXPECT_EQ(times.window.from, Ticks{20});  // the device's time begins with the device
}

}  // namespace
}  // namespace accelscope::analysis::chip
