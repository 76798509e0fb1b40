#include "analysis/chip/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/open/open.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::TaskId;
using trace::Trace;

// Two tasks, one after the other, recorded at level 4 without a fault.
struct GoodRun {
  ChipSketch chip{1, 1};
  TaskId first = chip.task(0, "A", "AIC");
  TaskId second = chip.task(1, "B", "AIV");

  GoodRun() {
    chip.edge(first, second);
    chip.submit(first, 0, 2);
    chip.submit(second, 2, 4);
    chip.run(0, first, {.dispatch = 3, .receive = 4, .start = 5, .end = 10, .finish = 12});
    chip.phase(0, "dispatch", 2, 4);
    chip.phase(0, "complete", 11, 14);
    chip.phase(0, "resolve", 12, 13);
  }
  void add_second(const tests::SketchedTimes& times) {
    chip.run(1, second, times);
    chip.phase(0, "dispatch", 14, 16, 2);
    chip.phase(0, "complete", 25, 27, 3);
  }
};

std::vector<Invariant> all_of(const Trace& trace) {
  const trace::ChipRun chip = trace::chip_run(trace);
  return check_invariants(trace, chip, task_times(trace, chip));
}

Invariant find(const Trace& trace, std::string_view id) {
  const std::vector<Invariant> all = all_of(trace);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Invariant& item) { return item.id == id; });
  EXPECT_NE(found, all.end()) << id;
  return found == all.end() ? Invariant{} : *found;
}

constexpr tests::SketchedTimes kGoodSecond{
    .dispatch = 15, .receive = 16, .start = 17, .end = 20, .finish = 26};

TEST(Invariants, AllHoldOnACompleteRun) {
  GoodRun run;
  run.add_second(kGoodSecond);
  const Trace trace = run.chip.finish();
  for (const Invariant& invariant : all_of(trace)) {
    if (invariant.id == "records") continue;  // a sketch has no accounting
    EXPECT_EQ(invariant.state, InvariantState::kHolds) << invariant.id << ": " << invariant.first_violation;
    EXPECT_GT(invariant.checked, 0U) << invariant.id;
  }
}

TEST(Invariants, ConsumersMayNotStartBeforeTheirProducersEnd) {
  GoodRun run;
  run.add_second({.dispatch = 4, .receive = 5, .start = 9, .end = 20, .finish = 26});
  const Invariant edges = find(run.chip.finish(), "happens_before");
  EXPECT_EQ(edges.state, InvariantState::kViolated);
  EXPECT_EQ(edges.first_violation, "t1 starts before t0 has ended");
}

TEST(Invariants, AnEarlyReceiveIsNoViolation) {
  GoodRun run;
  run.add_second({.dispatch = 4, .receive = 5, .start = 10, .end = 20, .finish = 26});
  EXPECT_EQ(find(run.chip.finish(), "happens_before").state, InvariantState::kHolds);
}

TEST(Invariants, MomentsMustBeInOrder) {
  GoodRun run;
  run.add_second({.dispatch = 15, .receive = 16, .start = 17, .end = 20, .finish = 19});
  const Invariant order = find(run.chip.finish(), "order");
  EXPECT_EQ(order.violations, 1U);
  EXPECT_EQ(order.checked, 2U);
}

TEST(Invariants, ACoreDoesOneThingAtATime) {
  GoodRun run;
  run.chip.run(0, run.second, {.dispatch = 6, .receive = 7, .start = 8, .end = 20, .finish = 26});
  EXPECT_EQ(find(run.chip.finish(), "one_at_a_time").violations, 1U);
}

TEST(Invariants, PhasesAccountForEveryDispatch) {
  GoodRun run;
  run.chip.run(1, run.second, kGoodSecond);  // no phase handed it out or saw it finish
  const Trace trace = run.chip.finish();
  EXPECT_EQ(find(trace, "dispatched").first_violation, "1 handed out, 2 dispatches");
  EXPECT_EQ(find(trace, "completed").first_violation, "1 seen, 2 finished dispatches");
}

TEST(Invariants, OuterPhasesDoNotOverlapAndResolvesAreInside) {
  GoodRun run;
  run.add_second(kGoodSecond);
  run.chip.phase(0, "release", 15, 18, 2);
  run.chip.phase(0, "resolve", 30, 31, 4);
  const Trace trace = run.chip.finish();
  EXPECT_EQ(find(trace, "phases_apart").violations, 1U);
  EXPECT_EQ(find(trace, "resolve_inside").violations, 1U);
}

TEST(Invariants, NumbersWithoutGaps) {
  GoodRun run;
  run.add_second(kGoodSecond);
  const trace::SliceId odd =
      run.chip.run(1, run.second, {.dispatch = 30, .start = 31, .end = 32, .finish = 33});
  run.chip.builder.add_slice_arg(odd, trace::arg::kSequence, trace::Value::of_uint(7));
  run.chip.submits = 5;
  run.chip.submit(run.second, 40, 41);
  const Trace trace = run.chip.finish();
  EXPECT_EQ(find(trace, "sequence").first_violation, "t1 on core 1 has number 7");
  EXPECT_EQ(find(trace, "submit_index").first_violation, "number 5 where 2 is expected");
}

TEST(Invariants, UnjoinedDispatchesAreNamed) {
  GoodRun run;
  run.add_second({.start = 17, .end = 20});
  EXPECT_EQ(find(run.chip.finish(), "join").first_violation, "t1 on core 1 has no record of its scheduler");
}

TEST(Invariants, CyclesAreFound) {
  GoodRun run;
  run.add_second(kGoodSecond);
  run.chip.edge(run.second, run.first);
  const Invariant acyclic = find(run.chip.finish(), "acyclic");
  EXPECT_EQ(acyclic.state, InvariantState::kViolated);
  EXPECT_EQ(acyclic.violations, 2U);
}

TEST(Invariants, LostRecordsAreCounted) {
  GoodRun run;
  run.add_second(kGoodSecond);
  run.chip.builder.add_accounting(
      {.producer = run.chip.builder.intern("core records"), .produced = 9, .collected = 7, .dropped = 2});
  const Invariant records = find(run.chip.finish(), "records");
  EXPECT_EQ(records.violations, 2U);
  EXPECT_EQ(records.first_violation, "core records: 7 of 9 are here");
}

// The reader cannot keep such ends; they must not be forgotten for that.
TEST(Invariants, WhatTheReaderCorrectsIsStillAViolation) {
  constexpr std::string_view kFile = R"({"chip_swimlane_level": 4,
    "metadata": {"clock_freq_hz": 50000000, "num_cores": 1, "core_types": ["aiv"], "core_to_thread": [0]},
    "aicore_tasks": [[0, 0, 1, 20, 10], [0, 1, 2, 30, 40], [0, 2, 3, 60, 50]],
    "aicpu_tasks": [[0, 1, 5, 25], [0, 2, 28, 45], [0, 3, 48, 65]],
    "aicpu_scheduler_phases": [[{"kind": "dispatch", "start_cycles": 9, "end_cycles": 8, "tasks_processed": 3},
      {"kind": "complete", "start_cycles": 70, "end_cycles": 80, "tasks_processed": 3}]],
    "aicpu_orchestrator_phases": [[{"submit_idx": 0, "task_id": 0, "start_cycles": 2, "end_cycles": 1}]]})";
  const base::MappedFile file = base::MappedFile::from_memory("odd.json", std::string(kFile));
  const formats::open::Reader* reader = formats::open::reader_for(file.text());
  ASSERT_NE(reader, nullptr);
  const base::Result<Trace> trace = reader->read(file, {});
  ASSERT_TRUE(trace) << trace.error().to_string();
  const Invariant order = find(*trace, "order");
  EXPECT_EQ(order.state, InvariantState::kViolated);
  EXPECT_EQ(order.checked, 3U);
  EXPECT_EQ(order.violations, 2U);
  EXPECT_EQ(order.first_violation, "t0 on core 0 ends before it starts");
  const Invariant control = find(*trace, "control_order");
  EXPECT_EQ(control.checked, 3U);
  EXPECT_EQ(control.violations, 2U);
  EXPECT_EQ(control.first_violation, "a dispatch of scheduler 0");
}

TEST(Invariants, WhatWasNotRecordedIsNotJudged) {
  ChipSketch chip(0, 1, 0, 1);
  chip.run(0, chip.task(0, "A", "AIV"), {.start = 1, .end = 2});
  const Trace trace = chip.finish();
  for (const char* id : {"join", "dispatched", "completed", "phases_apart", "submit_index", "happens_before"})
    EXPECT_EQ(find(trace, id).state, InvariantState::kNotRecorded) << id;
}

}  // namespace
}  // namespace accelscope::analysis::chip
