#include "analysis/chip/core_time.h"

#include <gtest/gtest.h>

#include "analysis/chip/exact_core_time.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::TaskFlag;
using trace::TaskId;
using trace::Trace;

CoreTime account(const Trace& trace, std::uint32_t buckets = 7) {
  const trace::ChipRun chip = trace::chip_run(trace);
  CoreTime time = core_time(trace, chip, task_times(trace, chip), buckets);
  tests::expect_every_tick_once(chip, time);
  return time;
}

void freeze(ChipSketch& chip, int core, std::int64_t from, std::int64_t to) {
  const trace::TrackId track = chip.builder.add_track({.name = chip.builder.intern("recorder"),
                                                       .parent = chip.cores[static_cast<std::size_t>(core)],
                                                       .level = trace::TrackLevel::kLane,
                                                       .kind = trace::TrackKind::kStates,
                                                       .clock = chip.clock});
  chip.builder.add_state(track, Ticks{from}, Ticks{to - from}, chip.builder.intern(trace::state::kFrozen),
                         trace::StringId::kEmpty);
}

struct Expected {
  std::int64_t busy = 0;
  std::int64_t in_switch = 0;
  std::int64_t ready = 0;
  std::int64_t dependency = 0;
  std::int64_t not_submitted = 0;
  std::int64_t no_work_left = 0;
  std::int64_t frozen = 0;
  std::int64_t unknown = 0;
};

void expect_times(const ClassTimes& times, const Expected& expected) {
  EXPECT_EQ(times[CoreClass::kBusy].value, expected.busy);
  EXPECT_EQ(times[CoreClass::kSwitch].value, expected.in_switch);
  EXPECT_EQ(times[CoreClass::kReady].value, expected.ready);
  EXPECT_EQ(times[CoreClass::kDependency].value, expected.dependency);
  EXPECT_EQ(times[CoreClass::kNotSubmitted].value, expected.not_submitted);
  EXPECT_EQ(times[CoreClass::kNoWorkLeft].value, expected.no_work_left);
  EXPECT_EQ(times[CoreClass::kFrozen].value, expected.frozen);
  EXPECT_EQ(times[CoreClass::kUnknown].value, expected.unknown);
}

// Two ticks per character. n not submitted, r ready, d dependency, s switch, # busy, . no work left,
// f frozen. B waits for C; C runs on the cube core, the others on vector cores.
//
//          0         20        40        60        80        100
//  submit  [A--][C--][B--]               [D--]
//  AIC 0   nnnnnnnnnnrrs############.....ff..................     C: ready 20, handed over 24, runs 26 to 50
//  AIV 1   nnnnnrrs############dddddnnnnnnnnnnrs########.....     A: 10, 14, 16 to 40; D: 70, 72, 74 to 90
//  AIV 2   nnnnnnnnnnnnnnnddddddddddrrrss##########..........     B: 50, 56, 60 to 80
//
// From 10 to 14 both vector cores are idle and one part is ready: it is core 1 that it goes to. From 50 to 56
// it is core 2, and core 1 has nothing to wait for but what was not submitted yet.
ChipSketch three_cores() {
  ChipSketch chip(1, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  const TaskId c = chip.task(2, "C", "AIC");
  const TaskId d = chip.task(3, "D", "AIV");
  chip.edge(c, b);
  chip.submit(a, 0, 10);
  chip.submit(c, 10, 20);
  chip.submit(b, 20, 30);
  chip.submit(d, 60, 70);
  chip.run(0, c, {.dispatch = 24, .receive = 25, .start = 26, .end = 50, .finish = 51});
  chip.run(1, a, {.dispatch = 14, .receive = 15, .start = 16, .end = 40, .finish = 42});
  chip.run(1, d, {.dispatch = 72, .receive = 73, .start = 74, .end = 90, .finish = 100});
  chip.run(2, b, {.dispatch = 56, .receive = 58, .start = 60, .end = 80, .finish = 82});
  freeze(chip, 0, 60, 64);
  return chip;
}

TEST(CoreTime, EveryClassOfAThreeCoreExampleIsAsDrawn) {
  ChipSketch chip = three_cores();
  const CoreTime time = account(chip.finish());
  EXPECT_EQ(time.ready_source, ReadySource::kSubmissionsAndDependencies);
  EXPECT_EQ(time.window.from, Ticks{0});
  EXPECT_EQ(time.window.to, Ticks{100});
  expect_times(
      time.cores[0],
      {.busy = 24, .in_switch = 2, .ready = 4, .not_submitted = 20, .no_work_left = 46, .frozen = 4});
  expect_times(
      time.cores[1],
      {.busy = 40, .in_switch = 4, .ready = 6, .dependency = 10, .not_submitted = 30, .no_work_left = 10});
  expect_times(
      time.cores[2],
      {.busy = 20, .in_switch = 4, .ready = 6, .dependency = 20, .not_submitted = 30, .no_work_left = 20});
  ASSERT_EQ(time.engines.size(), 2U);
  EXPECT_EQ(time.engines[0].engine, "AIC");
  EXPECT_EQ(time.engines[1].cores, 2U);
  EXPECT_EQ(time.engines[1].times[CoreClass::kDependency], Ticks{30});
  EXPECT_EQ(time.parts, (std::vector<std::uint64_t>{1, 2, 1}));
}

TEST(CoreTime, TheLongestGapsHaveTheirCauseAndTheirNeighbours) {
  ChipSketch chip = three_cores();
  const Trace trace = chip.finish();
  const CoreTime time = account(trace);
  // Core 2 before B; core 0 after C; core 1 between A and D; core 0 before C; core 2 after B; ...
  ASSERT_EQ(time.longest_gaps.size(), 7U);
  const CoreGap& longest = time.longest_gaps[0];
  EXPECT_EQ(longest.core, 2U);
  EXPECT_EQ(longest.length(), Ticks{60});
  EXPECT_EQ(longest.cause(), CoreClass::kNotSubmitted);
  EXPECT_EQ(longest.before, trace::SliceId::kNone);
  EXPECT_EQ(trace.text(trace.slices().name[index(longest.after)]), "B");
  const CoreGap& between = time.longest_gaps[2];
  EXPECT_EQ(between.core, 1U);
  EXPECT_EQ(between.from, Ticks{40});
  EXPECT_EQ(between.to, Ticks{74});
  EXPECT_EQ(trace.text(trace.slices().name[index(between.before)]), "A");
  EXPECT_EQ(trace.text(trace.slices().name[index(between.after)]), "D");
}

TEST(CoreTime, ACoreThatRanNothingHasNoGap) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.submit(a, 0, 1);
  chip.run(0, a, {.dispatch = 1, .start = 2, .end = 9, .finish = 20});
  const CoreTime time = account(chip.finish());
  ASSERT_EQ(time.longest_gaps.size(), 2U);
  EXPECT_EQ(time.longest_gaps[0].core, 0U);
  EXPECT_EQ(time.longest_gaps[0].length(), Ticks{11});
  EXPECT_EQ(time.longest_gaps[1].core, 0U);
}

TEST(CoreTime, BucketsShowTheClassesOverTime) {
  ChipSketch chip = three_cores();
  const CoreTime time = account(chip.finish(), 10);
  ASSERT_EQ(time.bounds.size(), 11U);
  EXPECT_EQ(time.bounds[1], Ticks{10});
  EXPECT_EQ(time.engines[1].buckets[0][CoreClass::kNotSubmitted], Ticks{20});
  EXPECT_EQ(time.engines[1].buckets[4][CoreClass::kDependency], Ticks{20});
  EXPECT_EQ(time.engines[0].buckets[6][CoreClass::kFrozen], Ticks{4});
}

// A takes a vector core alone; M takes the cube core and one vector core, and is handed over at different
// moments.
//
//          0         20        40        60
//  AIC 0   ............ssssss##############
//  AIV 1   ..######ss############..........
//  AIV 2   ................................
TEST(CoreTime, WhatCoresSpendOnMixTasksIsAPartOfTheirTime) {
  ChipSketch chip(1, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId m = chip.task(1, "M", "MIX");
  chip.dependencies_recorded();
  chip.submit(a, 0, 2);
  chip.submit(m, 2, 4);
  chip.run(1, a, {.dispatch = 4, .start = 4, .end = 16, .finish = 16});
  chip.run(1, m, {.dispatch = 16, .start = 20, .end = 44, .finish = 44});
  chip.run(0, m, {.dispatch = 24, .start = 36, .end = 64, .finish = 64});
  const CoreTime time = account(chip.finish(), 4);
  ASSERT_EQ(time.mix.size(), 3U);
  expect_times(time.mix[0], {.busy = 28, .in_switch = 12});
  expect_times(time.mix[1], {.busy = 24, .in_switch = 4});
  expect_times(time.mix[2], {});
  expect_times(time.total_mix, {.busy = 52, .in_switch = 16});
  expect_times(time.engines[0].mix, {.busy = 28, .in_switch = 12});
  expect_times(time.engines[1].mix, {.busy = 24, .in_switch = 4});
  EXPECT_EQ(time.engines[1].times[CoreClass::kBusy], Ticks{36});
  ASSERT_EQ(time.engines[1].mix_buckets.size(), 4U);
  expect_times(time.engines[1].mix_buckets[1], {.busy = 12, .in_switch = 4});
  expect_times(time.engines[0].mix_buckets[3], {.busy = 16});
}

TEST(CoreTime, WithoutMixTasksNothingIsSaidOfThem) {
  ChipSketch chip = three_cores();
  const CoreTime time = account(chip.finish());
  EXPECT_TRUE(time.mix.empty());
  EXPECT_TRUE(time.engines[0].mix_buckets.empty());
  EXPECT_EQ(time.total_mix.sum(), Ticks{0});
}

TEST(CoreTime, BlocksOfOneTaskAreWaitedForOneByOne) {
  ChipSketch chip(0, 3);
  const TaskId producer = chip.task(0, "P", "AIV");
  const TaskId spmd = chip.task(1, "S", "AIV", 2);
  chip.edge(producer, spmd);
  chip.submit(producer, 0, 10);
  chip.submit(spmd, 10, 20);
  chip.run(0, producer, {.dispatch = 10, .start = 10, .end = 30, .finish = 30});
  chip.run(1, spmd, {.dispatch = 34, .start = 36, .end = 50, .finish = 50});
  chip.run(2, spmd, {.dispatch = 40, .start = 42, .end = 60, .finish = 60});
  const CoreTime time = account(chip.finish());
  expect_times(time.cores[0], {.busy = 20, .not_submitted = 10, .no_work_left = 30});
  expect_times(
      time.cores[1],
      {.busy = 14, .in_switch = 2, .ready = 4, .dependency = 10, .not_submitted = 20, .no_work_left = 10});
  expect_times(time.cores[2],
               {.busy = 18, .in_switch = 2, .ready = 10, .dependency = 10, .not_submitted = 20});
}

TEST(CoreTime, PartsOfAMixedTaskCountForTheEngineThatRunsThem) {
  ChipSketch chip(1, 1);
  const TaskId mix = chip.task(0, "M", "MIX");
  chip.edge(chip.task(1, "Z", "dummy"), chip.task(2, "Z", "dummy"));
  chip.submit(mix, 0, 10);
  chip.run(0, mix, {.dispatch = 20, .start = 20, .end = 40, .finish = 40}, "cube part");
  chip.run(1, mix, {.dispatch = 30, .start = 30, .end = 40, .finish = 40}, "vector part");
  const CoreTime time = account(chip.finish());
  expect_times(time.cores[0], {.busy = 20, .ready = 10, .not_submitted = 10});
  expect_times(time.cores[1], {.busy = 10, .ready = 20, .not_submitted = 10});
}

TEST(CoreTime, AnEarlyDispatchWaitsForItsProducersNotForTheSwitch) {
  ChipSketch chip(0, 2);
  const TaskId producer = chip.task(0, "P", "AIV");
  const TaskId gated = chip.task(1, "G", "AIV", 1, TaskFlag::kEarlyDispatch);
  chip.edge(producer, gated);
  chip.submit(producer, 0, 2);
  chip.submit(gated, 2, 4);
  chip.run(0, producer, {.dispatch = 2, .start = 2, .end = 50, .finish = 51});
  chip.run(1, gated, {.dispatch = 10, .receive = 11, .start = 53, .end = 60, .finish = 60});
  const CoreTime time = account(chip.finish());
  // Submitted at 4, handed over at 10, free to start at 50.
  expect_times(time.cores[1], {.busy = 7, .in_switch = 3, .dependency = 46, .not_submitted = 4});
}

TEST(CoreTime, ASubmissionThatEndsAfterTheDispatchIsNoDependency) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);
  chip.submit(a, 0, 9);
  chip.submit(b, 9, 10);
  chip.run(0, a, {.dispatch = 5, .start = 12, .end = 20, .finish = 20});
  chip.run(0, b, {.dispatch = 14, .start = 22, .end = 30, .finish = 30});
  const CoreTime time = account(chip.finish());
  expect_times(time.cores[0], {.busy = 16, .in_switch = 9, .not_submitted = 5});
}

TEST(CoreTime, WithoutSubmissionsTheQueuesTellWhatWasReady) {
  ChipSketch chip(0, 2, 1, 3);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.queue_depth(0, {5, 0, 0});
  chip.queue_depth(4, {0, 1, 0});
  chip.queue_depth(6, {0, 0, 1});
  chip.queue_depth(8, {0, 0, 0});
  chip.queue_depth(30, {0, 9, 0});  // nothing was left to dispatch: an old figure
  chip.run(0, a, {.dispatch = 8, .start = 10, .end = 20, .finish = 21});
  chip.run(1, b, {.dispatch = 0, .start = 2, .end = 16, .finish = 40});
  const CoreTime time = account(chip.finish());
  EXPECT_EQ(time.ready_source, ReadySource::kQueueDepth);
  EXPECT_EQ(time.queue_agreement.snapshots, 0U);
  expect_times(time.cores[0], {.busy = 10, .in_switch = 2, .ready = 4, .no_work_left = 20, .unknown = 4});
  expect_times(time.cores[1], {.busy = 14, .in_switch = 2, .no_work_left = 24});
}

TEST(CoreTime, WithSubmissionsButNoDependenciesOnlyTheWaitInBetweenIsUnknown) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.submit(a, 0, 10);
  chip.run(0, a, {.dispatch = 15, .start = 16, .end = 20, .finish = 24});
  const CoreTime time = account(chip.finish());
  expect_times(time.cores[0],
               {.busy = 4, .in_switch = 1, .not_submitted = 10, .no_work_left = 4, .unknown = 5});
}

TEST(CoreTime, LevelsOneAndTwoTellSwitchesAndTheEnd) {
  for (const int level : {1, 2}) {
    ChipSketch chip(1, 2, 0, level);
    const TaskId a = chip.task(0, "A", "AIV");
    const TaskId b = chip.task(1, "B", "AIV");
    const auto when = [&](std::int64_t time) {
      return level == 2 ? std::optional<std::int64_t>(time) : std::nullopt;
    };
    chip.run(1, a, {.dispatch = when(0), .receive = 4, .start = 6, .end = 20, .finish = when(22)});
    chip.run(2, b, {.dispatch = when(8), .receive = 9, .start = 12, .end = 30, .finish = when(32)});
    const CoreTime time = account(chip.finish());
    EXPECT_EQ(time.ready_source, ReadySource::kNone);
    if (level == 2) {
      expect_times(time.cores[0], {.no_work_left = 32});  // its engine got nothing
      expect_times(time.cores[1], {.busy = 14, .in_switch = 6, .no_work_left = 12});
      expect_times(time.cores[2], {.busy = 18, .in_switch = 4, .no_work_left = 2, .unknown = 8});
    } else {
      expect_times(time.cores[1], {.busy = 14, .in_switch = 2, .no_work_left = 10});
      expect_times(time.cores[2], {.busy = 18, .in_switch = 3, .unknown = 5});
    }
  }
}

TEST(CoreTime, PartsOfUnknownReadinessLeaveTheirWaitUnknown) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);
  chip.edge(b, a);  // a cycle: nobody can tell when they were ready
  chip.submit(a, 0, 2);
  chip.submit(b, 2, 4);
  chip.run(0, a, {.dispatch = 6, .start = 8, .end = 10, .finish = 10});
  chip.run(0, b, {.dispatch = 14, .start = 15, .end = 20, .finish = 20});
  const CoreTime time = account(chip.finish());
  expect_times(time.cores[0], {.busy = 7, .in_switch = 3, .not_submitted = 2, .unknown = 8});
}

TEST(CoreTime, ACoreIsBusyOnceWhereDispatchesOverlap) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.run(0, a, {.dispatch = 0, .start = 10, .end = 50, .finish = 40});   // finished before it ended
  chip.run(0, a, {.dispatch = 45, .start = 20, .end = 30, .finish = 31});  // inside, handed over afterwards
  chip.run(0, a, {.dispatch = 1, .start = 40, .end = 70, .finish = 71});
  chip.run(0, a, {.dispatch = 90, .start = 80, .end = 80, .finish = 85});  // no length
  const CoreTime time = account(chip.finish());
  EXPECT_EQ(time.cores[0][CoreClass::kBusy], Ticks{60});
  EXPECT_EQ(time.parts[0], 4U);
  EXPECT_EQ(time.longest_gaps.size(), 3U);
}

TEST(CoreTime, FrozenTimeWinsOverEveryWaitButNotOverWork) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.run(0, a, {.dispatch = 0, .start = 20, .end = 40, .finish = 60});
  freeze(chip, 0, -10, 5);
  freeze(chip, 0, 15, 25);
  freeze(chip, 0, 17, 18);
  freeze(chip, 0, 50, 90);
  const CoreTime time = account(chip.finish());
  expect_times(time.cores[0], {.busy = 20, .in_switch = 10, .no_work_left = 10, .frozen = 20});
}

TEST(CoreTime, TheModelIsComparedWithTheRecordedQueues) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);
  chip.submit(a, 0, 10);
  chip.submit(b, 10, 12);
  chip.run(0, a, {.dispatch = 20, .start = 21, .end = 30, .finish = 31});
  chip.run(0, b, {.dispatch = 40, .start = 41, .end = 50, .finish = 51});
  chip.queue_depth(5, {0, 0, 0});   // nothing yet: agreed
  chip.queue_depth(15, {0, 1, 0});  // A is ready: agreed
  chip.queue_depth(25, {0, 1, 0});  // B is not: the queue says otherwise
  chip.queue_depth(35, {0, 0, 0});  // B is, and is not in the queue
  chip.queue_depth(38, {0, 0, 2});  // work for both engines counts
  const CoreTime time = account(chip.finish());
  EXPECT_EQ(time.queue_agreement.snapshots, 5U);
  EXPECT_EQ(time.queue_agreement.agree, 3U);
  EXPECT_EQ(time.queue_agreement.only_recorded, 1U);
  EXPECT_EQ(time.queue_agreement.only_modelled, 1U);
  EXPECT_DOUBLE_EQ(time.queue_agreement.share(), 0.6);
}

TEST(CoreTime, NothingRecordedIsNoTime) {
  const CoreTime nothing = account(ChipSketch(0, 0).finish());
  EXPECT_TRUE(nothing.engines.empty());
  const CoreTime idle = account(ChipSketch(1, 1).finish());
  EXPECT_EQ(idle.total.sum(), Ticks{0});
  ChipSketch only_asked(1, 0);
  only_asked.submit(only_asked.task(0, "A", "AIC"), 5, 9);
  EXPECT_EQ(account(only_asked.finish()).total.sum(), Ticks{0});
}

TEST(CoreTime, NoBucketsIsAnAnswerToo) {
  ChipSketch chip = three_cores();
  const CoreTime time = account(chip.finish(), 0);
  EXPECT_TRUE(time.engines[0].buckets.empty());
  EXPECT_EQ(time.total.sum(), Ticks{300});
}

}  // namespace
}  // namespace accelscope::analysis::chip
