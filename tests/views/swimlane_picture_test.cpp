#include "views/swimlane/swimlane_picture.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"
#include "views/drawn_picture.h"

namespace accelscope::views {
namespace {

using tests::ChipSketch;
using tests::DrawnPicture;
using tests::Lines;
using trace::TaskId;
using trace::Trace;

DrawnPicture drawn(ChipSketch& chip, const SwimlaneOptions& options = {}) {
  const Trace trace = chip.finish();
  const auto picture = swimlane_picture(trace, options);
  EXPECT_TRUE(picture) << picture.error().to_string();
  return tests::drawn_picture(*picture);
}

TEST(SwimlanePicture, LevelOneHasTheWorkerViewOnlyAndKeepsIdleCores) {
  ChipSketch chip(1, 2, 0, 1);
  const TaskId add = chip.task(5, "ADD", "AIV", 4);
  chip.run(1, add, {.receive = 4, .start = 5, .end = 9});
  chip.run(1, add, {.start = 9, .end = 12});
  const DrawnPicture picture = drawn(chip);
  EXPECT_EQ(picture.tracks,
            (Lines{"Worker View", "Worker View / AIC 0", "Worker View / AIV 1", "Worker View / AIV 2"}));
  // Without a receive time the bar is the kernel.
  EXPECT_EQ(picture.slices_below("Worker View"), (Lines{"AIV 1: ADD 4-9", "AIV 1: setup 4-5 (inner)",
                                                        "AIV 1: kernel 5-9 (inner)", "AIV 1: ADD 9-12"}));
  EXPECT_EQ(picture.args.at("Worker View / AIV 1: ADD 9-12"), (Lines{"task=t5", "sequence=2", "blocks=4"}));
  EXPECT_EQ(picture.arrows, Lines{});
}

TEST(SwimlanePicture, LevelTwoAddsTheSchedulerViewWithLanesForDualIssue) {
  ChipSketch chip(1, 0, 0, 2);
  const TaskId mm = chip.task((std::uint64_t{1} << 32U) | 5, "MM", "AIC");
  const TaskId next = chip.task(7, "MM", "AIC");
  chip.run(0, mm, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 11});
  chip.run(0, next, {.dispatch = 8, .receive = 10, .start = 12, .end = 20, .finish = 25});
  chip.run(0, next, {.dispatch = 25, .receive = 25, .start = 26, .end = 30, .finish = 31});
  const DrawnPicture picture = drawn(chip);
  EXPECT_EQ(picture.tracks,
            (Lines{"Scheduler View", "Scheduler View / AIC 0", "Scheduler View / AIC 0 / AIC 0 (lane 2)",
                   "Worker View", "Worker View / AIC 0"}));
  EXPECT_EQ(picture.slices_below("Scheduler View"),
            (Lines{"AIC 0: MM 3-11", "AIC 0: MM 25-31", "AIC 0 / AIC 0 (lane 2): MM 8-25"}));
  EXPECT_EQ(picture.args.at("Scheduler View / AIC 0: MM 3-11"), (Lines{"task=r1t5", "sequence=1"}));
  // The third was received in the tick of its dispatch: its arrow would have no direction.
  EXPECT_EQ(picture.arrows_of("dispatch to start"),
            (Lines{"Scheduler View / AIC 0 / AIC 0 (lane 2): MM 8-25 -> Worker View / AIC 0: MM 10-20",
                   "Scheduler View / AIC 0: MM 3-11 -> Worker View / AIC 0: MM 4-9"}));
}

TEST(SwimlanePicture, PipesAreDrawnBelowTheirCoreInTheirOrder) {
  ChipSketch chip(1, 1, 0, 1);
  const TaskId mm = chip.task(5, "MM", "AIC");
  const trace::SliceId first = chip.run(0, mm, {.start = 10, .end = 20});
  chip.run(0, mm, {.start = 18, .end = 40});  // a second lane
  chip.pipe(0, 6, 17, 20, first);
  chip.pipe(0, 4, 11, 14, first);
  chip.pipe(0, 4, 45, 46);
  chip.pipe(0, 2, 13, 18, first);
  chip.mark(0, 0, 12, 7);
  chip.pipe_gap(0, 30, 40, "overwritten");
  chip.record_pipes(1);
  const Trace trace = chip.finish();
  for (const std::uint32_t rows_per_part : {1U, 1000U}) {
    const auto picture = swimlane_picture(trace, {.rows_per_part = rows_per_part});
    ASSERT_TRUE(picture) << picture.error().to_string();
    const DrawnPicture lines = tests::drawn_picture(*picture);
    EXPECT_EQ(lines.tracks,
              (Lines{"Worker View", "Worker View / AIC 0", "Worker View / AIC 0 / AIC 0 (lane 2)",
                     "Worker View / AIC 0 / SU", "Worker View / AIC 0 / CUBE", "Worker View / AIC 0 / MTE2",
                     "Worker View / AIC 0 / FIXP", "Worker View / AIC 0 / pipes not recorded",
                     "Worker View / AIV 1"}))
        << "pipes that were never busy are left out";
    EXPECT_EQ(lines.slices_below("Worker View / AIC 0"),
              (Lines{"AIC 0 (lane 2): MM 18-40", "CUBE: CUBE 13-18", "MTE2: MTE2 11-14", "MTE2: MTE2 45-46",
                     "FIXP: FIXP 17-20"}));
    EXPECT_EQ(lines.args.at("Worker View / AIC 0 / CUBE: CUBE 13-18"), (Lines{"task=t5", "task id=5"}));
    EXPECT_EQ(lines.args.at("Worker View / AIC 0 / MTE2: MTE2 45-46"), Lines{});
    const Trace& part = *picture->first;
    ASSERT_EQ(part.instants().size(), 1U);
    EXPECT_EQ(tests::path_of(part, part.instants().track[0]), "Worker View / AIC 0 / SU");
    EXPECT_EQ(part.text(part.instants().name[0]), "mark 7");
    ASSERT_EQ(part.states().size(), 1U);
    EXPECT_EQ(part.text(part.states().cause[0]), "overwritten");
    std::vector<std::int32_t> orders;
    for (const trace::Track& track : part.tracks())
      if (track.level == trace::TrackLevel::kLane) orders.push_back(track.order);
    EXPECT_TRUE(std::is_sorted(orders.begin(), orders.end())) << "lanes first, then pipes";
  }
}

TEST(SwimlanePicture, CutsCoresIntoPartsWithoutChangingThePicture) {
  const auto sketch = [](const SwimlaneOptions& options) {
    ChipSketch chip(0, 2, 1, 4);
    TaskId previous = TaskId::kNone;
    // Bars of the scheduler view overlap, three deep.
    for (int i = 0; i < 400; ++i) {
      const TaskId task = chip.task(static_cast<std::uint64_t>(i), i % 2 == 0 ? "ADD" : "MUL", "AIV");
      if (previous != TaskId::kNone) chip.edge(previous, task);
      previous = task;
      const int at = 100 + i * 10;
      chip.phase(0, "dispatch", at - 20, at - 15);
      chip.run(i % 2, task,
               {.dispatch = at - 18, .receive = at + 1, .start = at + 2, .end = at + 9, .finish = at + 21});
      chip.phase(0, "complete", at - 14, at - 12);
    }
    return drawn(chip, options);
  };
  const DrawnPicture whole = sketch({.rows_per_part = 1000000});
  const DrawnPicture cut = sketch({.rows_per_part = 1});
  EXPECT_EQ(whole.slices.size(), std::size_t{400 * 4 + 800});
  EXPECT_EQ(whole.tracks, cut.tracks);
  EXPECT_EQ(whole.slices, cut.slices);
  EXPECT_EQ(whole.arrows, cut.arrows);
  EXPECT_EQ(whole.arrows_of("dependency").size(), 399U);
}

TEST(SwimlanePicture, ArrowsOfAFullRecordingBindToTheRightSlices) {
  ChipSketch chip(1, 2);
  const TaskId mm = chip.task(0, "MM", "AIC");
  const TaskId add = chip.task(1, "ADD", "AIV", 3);
  chip.edge(mm, add);
  chip.submit(mm, 0, 2);
  chip.submit(add, 2, 4);
  chip.phase(0, "dispatch", 5, 8);
  chip.run(0, mm, {.dispatch = 6, .receive = 9, .start = 10, .end = 20, .finish = 23});
  chip.phase(0, "complete", 22, 25);
  chip.phase(0, "resolve", 23, 24);
  chip.phase(0, "dispatch", 26, 30);
  // Three blocks on two cores: the same task twice on one core.
  chip.run(1, add, {.dispatch = 28, .receive = 31, .start = 32, .end = 40, .finish = 42});
  chip.run(2, add, {.dispatch = 27, .receive = 33, .start = 34, .end = 38, .finish = 41});
  chip.phase(0, "complete", 40, 43);
  chip.run(1, add, {.dispatch = 44, .receive = 45, .start = 46, .end = 50, .finish = 52});
  chip.phase(0, "complete", 60, 61);
  const DrawnPicture picture = drawn(chip);
  EXPECT_EQ(picture.slices_below("Orchestrator"),
            (Lines{"orchestrator: submit MM 0-2", "orchestrator: submit ADD 2-4"}));
  EXPECT_EQ(
      picture.slices_below("Scheduler"),
      (Lines{"scheduler 0: dispatch 5-8", "scheduler 0: complete 22-25", "scheduler 0: resolve 23-24 (inner)",
             "scheduler 0: dispatch 26-30", "scheduler 0: complete 40-43", "scheduler 0: complete 60-61"}));
  EXPECT_EQ(
      picture.arrows,
      (Lines{
          "complete to ready: Scheduler / scheduler 0: complete 22-25 -> Scheduler View / AIV 2: ADD 27-41",
          "dependency: Worker View / AIC 0: kernel 10-20 -> Worker View / AIV 1: kernel 32-40",
          "dispatch to start: Scheduler / scheduler 0: dispatch 26-30 -> Worker View / AIV 1: ADD 31-40",
          "dispatch to start: Scheduler / scheduler 0: dispatch 26-30 -> Worker View / AIV 2: ADD 33-38",
          "dispatch to start: Scheduler / scheduler 0: dispatch 5-8 -> Worker View / AIC 0: MM 9-20",
          // No phase is known that dispatched the last block.
          "dispatch to start: Scheduler View / AIV 1: ADD 44-52 -> Worker View / AIV 1: ADD 45-50",
          "finish to complete: Worker View / AIC 0: MM 9-20 -> Scheduler / scheduler 0: complete 22-25",
          // Its finish is in no complete phase: the next one saw it.
          "finish to complete: Worker View / AIV 1: ADD 45-50 -> Scheduler / scheduler 0: complete 60-61",
          "submit to dispatch: Orchestrator / orchestrator: submit ADD 2-4 -> Scheduler View / AIV 2: ADD "
          "27-41",
          "submit to dispatch: Orchestrator / orchestrator: submit MM 0-2 -> Scheduler View / AIC 0: MM "
          "6-23"}));
}

TEST(SwimlanePicture, OnlyAStartBeforeTheProducersEndIsAViolation) {
  ChipSketch chip(1, 2);
  const TaskId producer = chip.task(3, "MM", "AIC");
  const TaskId early = chip.task(4, "ADD", "AIV", 1, trace::TaskFlag::kEarlyDispatch);
  const TaskId wrong = chip.task(5, "MUL", "AIV");
  chip.edge(producer, early);
  chip.edge(producer, wrong);
  chip.run(0, producer, {.dispatch = 1, .receive = 10, .start = 12, .end = 50, .finish = 55});
  // Received long before its producer ended, started after it: it waited for its doorbell.
  chip.run(1, early, {.dispatch = 2, .receive = 5, .start = 52, .end = 60, .finish = 61});
  chip.run(2, wrong, {.dispatch = 20, .receive = 21, .start = 22, .end = 30, .finish = 31});
  const DrawnPicture picture = drawn(chip);
  EXPECT_EQ(picture.arrows_of("dependency"),
            (Lines{"Worker View / AIC 0: kernel 12-50 -> Worker View / AIV 1: kernel 52-60"}));
  EXPECT_EQ(picture.arrows_of("happens-before violation"),
            (Lines{"Worker View / AIC 0: kernel 12-50 -> Worker View / AIV 2: kernel 22-30"}));
  EXPECT_EQ(picture.args.at("Worker View / AIV 2: kernel 22-30"),
            (Lines{"happens-before violation=started before its producer t3 had ended"}));
  EXPECT_EQ(
      picture.slices_below("Worker View"),
      (Lines{"AIC 0: MM 10-50", "AIC 0: setup 10-12 (inner)", "AIC 0: kernel 12-50 (inner)",
             "AIV 1: ADD 5-60", "AIV 1: waiting for its doorbell 5-52 (inner)", "AIV 1: kernel 52-60 (inner)",
             "AIV 2: MUL 21-30", "AIV 2: setup 21-22 (inner)", "AIV 2: kernel 22-30 (inner)"}));
}

TEST(SwimlanePicture, TasksWithoutACoreAreMarkersThatEdgesPassThrough) {
  ChipSketch chip(1, 1);
  const TaskId alloc = chip.task(0, "", "allocation");
  const TaskId mm = chip.task(1, "MM", "AIC");
  const TaskId barrier = chip.task(2, "", "dummy");
  const TaskId add = chip.task(3, "ADD", "AIV");
  const TaskId skipped = chip.task(4, "SUB", "skipped");
  for (const auto& [from, to] :
       {std::pair(alloc, mm), std::pair(mm, barrier), std::pair(barrier, add), std::pair(add, skipped)})
    chip.edge(from, to);
  chip.submit(alloc, 0, 1);
  chip.submit(mm, 1, 2);
  chip.run(0, mm, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 10});
  chip.phase(0, "dummy", 10, 14);
  chip.control(0, "dummy_task", barrier, 12);
  chip.run(1, add, {.dispatch = 15, .receive = 16, .start = 17, .end = 19, .finish = 20});
  chip.control(0, "predicated_skip", skipped, 21);
  const DrawnPicture picture = drawn(chip);
  EXPECT_EQ(picture.slices_below("Orchestrator"),
            (Lines{"orchestrator: alloc 0-1", "orchestrator: submit MM 1-2"}));
  EXPECT_EQ(picture.slices_below("Scheduler"), (Lines{"scheduler 0: dummy 10-14"}));
  const Lines worker = picture.slices_below("Worker View");
  EXPECT_EQ(Lines(worker.end() - 3, worker.end()),
            (Lines{"scheduler 0: without a core: dummy_task 12-12",
                   "scheduler 0: without a core: predicated_skip 21-21",
                   "orchestrator: without a core: alloc 0-1"}));
  EXPECT_EQ(picture.arrows_of("dependency"),
            (Lines{"Worker View / AIC 0: kernel 5-9 -> Worker View / scheduler 0: without a core: dummy_task "
                   "12-12",
                   "Worker View / AIV 1: kernel 17-19 -> Worker View / scheduler 0: without a core: "
                   "predicated_skip 21-21",
                   "Worker View / orchestrator: without a core: alloc 0-1 -> Worker View / AIC 0: kernel 5-9",
                   "Worker View / scheduler 0: without a core: dummy_task 12-12 -> Worker View / AIV 1: "
                   "kernel 17-19"}));
  // The barrier was retired in the dummy phase, which made its consumer ready.
  EXPECT_EQ(picture.arrows_of("complete to ready"),
            (Lines{"Scheduler / scheduler 0: dummy 10-14 -> Scheduler View / AIV 1: ADD 15-20"}));
}

TEST(SwimlanePicture, GraphsAreEnvelopesInLanes) {
  ChipSketch chip(0, 2);
  const TaskId first = chip.task(1, "decoder", "graph");
  const TaskId second = chip.task(2, "", "graph");
  const auto node = [&](std::uint64_t id, TaskId graph) {
    const TaskId task = chip.task(id, "ADD", "AIV");
    chip.builder.tasks().parent[index(task)] = graph;
    return task;
  };
  const auto prepare = [&](TaskId graph, std::int64_t start, std::int64_t end) {
    chip.builder.set_duration(chip.control(0, "graph_prepare", graph, start), trace::Ticks{end - start});
  };
  prepare(first, 5, 8);
  prepare(second, 9, 11);
  chip.run(0, node(100, first), {.dispatch = 8, .receive = 9, .start = 10, .end = 20, .finish = 21});
  chip.run(1, node(101, first), {.dispatch = 8, .receive = 9, .start = 10, .end = 30, .finish = 31});
  chip.run(0, node(102, second), {.dispatch = 21, .receive = 22, .start = 23, .end = 40, .finish = 41});
  const DrawnPicture picture = drawn(chip);
  EXPECT_EQ(picture.slices_below("Graph Execution"),
            (Lines{"graphs: decoder 5-30", "graphs / graphs (lane 2): graph 9-40"}));
  EXPECT_EQ(picture.args.at("Graph Execution / graphs: decoder 5-30"),
            (Lines{"task=t1", "task id=1", "nodes=2"}));
  EXPECT_EQ(picture.slices_below("Scheduler"),
            (Lines{"scheduler 0: graph_prepare 5-8", "scheduler 0: graph_prepare 9-11"}));
}

TEST(SwimlanePicture, ProcessesHaveAnOrderForPeople) {
  ChipSketch chip(0, 1);
  const TaskId task = chip.task(1, "ADD", "AIV");
  const trace::TrackId extra = chip.builder.add_track({.name = chip.builder.intern("scope occupancy"),
                                                       .kind = trace::TrackKind::kCounter,
                                                       .clock = chip.clock});
  chip.builder.add_counter(extra, trace::Ticks{3}, std::int64_t{7});
  const trace::TrackId upload = chip.builder.add_track(
      {.name = chip.builder.intern("uploads"),
       .clock = chip.clock,
       .resource = chip.builder.add_resource(
           {chip.builder.intern("uploads"), chip.builder.intern(trace::engine::kHost)})});
  chip.add(upload, "arena", 0, 1);
  chip.submit(task, 0, 2);
  chip.phase(0, "dispatch", 2, 4);
  chip.queue_depth(2, {0, 1, 0});
  chip.run(0, task, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 10});
  const Trace trace = chip.finish();
  const auto picture = swimlane_picture(trace);
  ASSERT_TRUE(picture);
  std::vector<std::pair<std::int32_t, std::string>> processes;
  for (const trace::Track& track : picture->first->tracks())
    if (track.parent == trace::TrackId::kNone)
      processes.emplace_back(track.order, picture->first->text(track.name));
  std::sort(processes.begin(), processes.end());
  Lines names;
  for (const auto& [order, name] : processes) names.push_back(name);
  EXPECT_EQ(names, (Lines{"Orchestrator", "Host", "Scheduler", "Scheduler View", "Worker View",
                          "Ready queues", "scope occupancy"}));
  EXPECT_EQ(picture->first->counters().size(), 4U);
  EXPECT_EQ(picture->first_times, (std::vector{trace::Ticks{0}}));
}

TEST(SwimlanePicture, NoArrowsWhereClocksDoNotCompare) {
  ChipSketch chip(0, 1);
  const trace::ClockId host = chip.add_clock("host", base::Frequency::nanoseconds());
  chip.builder.track(chip.orchestrator).clock = host;
  const TaskId alloc = chip.task(0, "", "allocation");
  const TaskId task = chip.task(1, "ADD", "AIV");
  chip.edge(alloc, task);
  chip.submit(alloc, 0, 1);
  chip.submit(task, 1, 2);
  chip.run(0, task, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 10});
  const DrawnPicture picture = drawn(chip);
  EXPECT_EQ(picture.arrows_of("submit to dispatch"), Lines{});
  EXPECT_EQ(picture.arrows_of("dependency"), Lines{});
}

}  // namespace
}  // namespace accelscope::views
