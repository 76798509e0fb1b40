#include "analysis/chip/what_if.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/chip_simulation.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using tests::SimulatedChip;
using tests::SimulatedWork;
using trace::TaskId;
using trace::Trace;

WhatIf answers_for(const Trace& trace, const WhatIfOptions& options = {}) {
  const trace::ChipRun chip = trace::chip_run(trace);
  return what_if(trace, chip, task_times(trace, chip), options);
}

const WhatIfAnswer* find(const WhatIf& result, Question question) {
  for (const WhatIfAnswer& answer : result.answers)
    if (answer.question == question) return &answer;
  return nullptr;
}

double error(Ticks estimate, std::int64_t truth) {
  return static_cast<double>(estimate.value - truth) / static_cast<double>(truth);
}

// Layers of eight tasks, each of which waits for two of the layer before.
SimulatedWork layers() {
  SimulatedWork work;
  for (std::size_t i = 0; i < 400; ++i)
    work.push_back(
        {.name = i % 4 == 0 ? "HEAVY" : "LIGHT",
         .on_cube = i % 4 == 1,
         .length = static_cast<std::int64_t>((i % 4 == 0 ? 150 : 40) + i * 13 % 20),
         .producers = i < 8 ? std::vector<std::size_t>{} : std::vector<std::size_t>{i - 8, i - 5}});
  return work;
}

constexpr SimulatedChip kCheap = {
    .cubes = 2, .vectors = 4, .submit_cost = 2, .dispatch_cost = 2, .complete_cost = 1, .pick_up = 3};
constexpr SimulatedChip kExpensive = {
    .cubes = 2, .vectors = 4, .submit_cost = 2, .dispatch_cost = 60, .complete_cost = 20, .pick_up = 3};
constexpr SimulatedChip kFree = {
    .cubes = 2, .vectors = 4, .submit_cost = 2, .dispatch_cost = 0, .complete_cost = 0, .pick_up = 0};

TEST(WhatIf, WithNothingChangedTheSimulationIsCloseToTheRun) {
  for (const SimulatedChip& chip : {kCheap, kExpensive, kFree}) {
    const tests::SimulatedRun run = tests::simulate_chip(layers(), chip);
    const WhatIf result = answers_for(run.trace);
    ASSERT_EQ(result.state, WhatIfState::kAnswered);
    EXPECT_EQ(result.observed, Ticks{run.makespan});
    EXPECT_LT(std::abs(result.calibration()), 0.05) << result.calibration();
    EXPECT_LE(result.dependency_bound, result.observed);
    EXPECT_LE(result.cube_bound, result.observed);
    EXPECT_LE(result.vector_bound, result.observed);
  }
}

// The must-show of the issue: the run with the expensive scheduler predicts the one with a free scheduler.
TEST(WhatIf, WithoutSchedulerCostTheExpensiveRunIsLikeTheFreeOne) {
  const tests::SimulatedRun expensive = tests::simulate_chip(layers(), kExpensive);
  const tests::SimulatedRun cheap = tests::simulate_chip(layers(), kCheap);
  const tests::SimulatedRun free = tests::simulate_chip(layers(), kFree);
  const WhatIf result = answers_for(expensive.trace);
  const WhatIfAnswer* answer = find(result, Question::kNoSchedulerCost);
  ASSERT_NE(answer, nullptr);
  EXPECT_LT(std::abs(error(answer->estimate, free.makespan)), 0.05) << error(answer->estimate, free.makespan);
  EXPECT_GT(expensive.makespan, 2 * cheap.makespan);  // there was something to predict
  // And the cheap run says that there is little to gain.
  const WhatIf little = answers_for(cheap.trace);
  EXPECT_GT(error(find(little, Question::kNoSchedulerCost)->estimate, cheap.makespan), -0.15);
}

TEST(WhatIf, AFasterFunctionAgainstTheTruth) {
  for (const SimulatedChip& chip : {kCheap, kExpensive}) {
    const tests::SimulatedRun run = tests::simulate_chip(layers(), chip);
    SimulatedWork faster = layers();
    for (tests::SimulatedTask& task : faster)
      if (task.name == "HEAVY") task.length /= 2;
    const std::int64_t truth = tests::simulate_chip(faster, chip).makespan;
    const WhatIf result = answers_for(run.trace);
    const WhatIfAnswer& answer = result.answers.front();
    EXPECT_EQ(answer.question, Question::kFasterFunction);
    EXPECT_EQ(run.trace.text(answer.function), "HEAVY");  // takes the most time
    EXPECT_EQ(answer.speedup, 2);
    EXPECT_LT(std::abs(error(answer.estimate, truth)), 0.07) << error(answer.estimate, truth);
  }
}

TEST(WhatIf, OneMoreCoreAgainstTheTruth) {
  for (const bool has_edges : {true, false}) {
    SimulatedWork work = layers();
    for (tests::SimulatedTask& task : work)
      if (!has_edges) task.producers.clear();
    for (SimulatedChip chip : {kCheap, kExpensive}) {
      const tests::SimulatedRun run = tests::simulate_chip(work, chip);
      ++chip.vectors;
      const std::int64_t truth = tests::simulate_chip(work, chip).makespan;
      const WhatIf result = answers_for(run.trace);
      const WhatIfAnswer& answer = result.answers.back();
      if (!has_edges && chip.dispatch_cost == kCheap.dispatch_cost) {
        EXPECT_LT(truth, run.makespan * 9 / 10);  // there was something to predict
      }
      EXPECT_EQ(answer.question, Question::kOneMoreCore);
      EXPECT_EQ(answer.engine, "AIV");
      EXPECT_LT(std::abs(error(answer.estimate, truth)), 0.07)
          << has_edges << ' ' << error(answer.estimate, truth);
    }
  }
}

TEST(WhatIf, FreeSubmissionAgainstTheTruth) {
  SimulatedChip chip = kCheap;
  chip.submit_cost = 80;
  const tests::SimulatedRun slow = tests::simulate_chip(layers(), chip);
  chip.submit_cost = 0;
  const std::int64_t truth = tests::simulate_chip(layers(), chip).makespan;
  const WhatIf result = answers_for(slow.trace);
  EXPECT_LT(std::abs(error(find(result, Question::kNoSubmissionCost)->estimate, truth)), 0.07)
      << error(find(result, Question::kNoSubmissionCost)->estimate, truth);
  EXPECT_GT(slow.makespan, 2 * truth);
  // Everything else hardly matters.
  for (const WhatIfAnswer& answer : result.answers)
    if (answer.question != Question::kNoSubmissionCost) {
      EXPECT_GT(error(answer.estimate, slow.makespan), -0.05) << static_cast<int>(answer.question);
    }
}

TEST(WhatIf, SeveralSchedulerThreads) {
  SimulatedChip chip = kExpensive;
  chip.threads = 2;
  const tests::SimulatedRun run = tests::simulate_chip(layers(), chip);
  const WhatIf result = answers_for(run.trace);
  EXPECT_LT(std::abs(result.calibration()), 0.07) << result.calibration();
  const std::int64_t truth = tests::simulate_chip(layers(), kFree).makespan;
  EXPECT_LT(std::abs(error(find(result, Question::kNoSchedulerCost)->estimate, truth)), 0.07);
}

TEST(WhatIf, TheCoresOfAMixBlockAreTakenTogether) {
  ChipSketch chip(1, 2);
  // Two MIX tasks need the cube core and two vector cores each: they cannot overlap.
  for (int i = 0; i < 2; ++i) {
    const TaskId mix = chip.task(static_cast<std::uint64_t>(i), "M+N", "MIX");
    chip.submit(mix, 0, 1);
    chip.run(0, mix, {.dispatch = 1 + 50 * i, .start = 1 + 50 * i, .end = 11 + 50 * i}, "M");
    for (const int core : {1, 2})
      chip.run(core, mix, {.dispatch = 1 + 50 * i, .start = 1 + 50 * i, .end = 51 + 50 * i}, "N");
  }
  const WhatIf result = answers_for(chip.finish());
  EXPECT_EQ(result.observed, Ticks{101});
  EXPECT_EQ(result.simulated, Ticks{101});
  for (const WhatIfAnswer& answer : result.answers)
    if (answer.question == Question::kOneMoreCore) {
      EXPECT_EQ(answer.simulated, Ticks{101});
    }
}

TEST(WhatIf, PassesThroughControlTasks) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId barrier = chip.task(1, "barrier", "dummy");
  const TaskId b = chip.task(2, "B", "AIV");
  chip.edge(a, barrier);
  chip.edge(barrier, b);
  for (const TaskId task : {a, barrier, b}) chip.submit(task, 0, 1);
  chip.run(0, a, {.dispatch = 2, .start = 3, .end = 10, .finish = 12});
  chip.control(0, "dummy_task", barrier, 14);
  chip.run(1, b, {.dispatch = 17, .start = 18, .end = 20, .finish = 21});
  const WhatIf result = answers_for(chip.finish());
  EXPECT_EQ(result.simulated, Ticks{20});
  EXPECT_EQ(find(result, Question::kNoSchedulerCost)->simulated, Ticks{1 + 7 + 2});
  EXPECT_EQ(result.dependency_bound, Ticks{9});
}

TEST(WhatIf, OnlyWhatIsLargerThanTheErrorSaysSomething) {
  WhatIf result{.observed = Ticks{1000}, .simulated = Ticks{900}};
  EXPECT_DOUBLE_EQ(result.calibration(), -0.1);
  EXPECT_DOUBLE_EQ(result.saving({.estimate = Ticks{750}}), 0.25);
  EXPECT_TRUE(result.is_beyond_error({.estimate = Ticks{890}}));
  EXPECT_FALSE(result.is_beyond_error({.estimate = Ticks{910}}));
  EXPECT_TRUE(result.is_beyond_error({.estimate = Ticks{1110}})) << "longer, and by more than the error";
  result.simulated = Ticks{1000};
  EXPECT_FALSE(result.is_beyond_error({.estimate = Ticks{1000}}));
}

TEST(WhatIf, SaysWhatItCannotAnswer) {
  SimulatedChip chip = kCheap;
  chip.record_submits = false;
  const WhatIf without = answers_for(tests::simulate_chip(layers(), chip).trace);
  EXPECT_FALSE(without.has_submissions);
  EXPECT_EQ(find(without, Question::kNoSchedulerCost), nullptr);
  EXPECT_EQ(find(without, Question::kNoSubmissionCost), nullptr);
  EXPECT_LT(std::abs(without.calibration()), 0.07) << without.calibration();

  chip = kCheap;
  chip.record_edges = false;
  const WhatIf no_edges = answers_for(tests::simulate_chip(layers(), chip).trace);
  EXPECT_FALSE(no_edges.has_dependencies);
  EXPECT_EQ(find(no_edges, Question::kNoSchedulerCost), nullptr);

  EXPECT_EQ(answers_for(tests::simulate_chip(layers(), kCheap).trace, {.most_tasks = 100}).state,
            WhatIfState::kTooManyTasks);
  EXPECT_EQ(answers_for(ChipSketch(1, 1).finish()).state, WhatIfState::kNothingRan);
}

TEST(WhatIf, ACycleIsLeftOut) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  const TaskId c = chip.task(2, "C", "AIV");
  chip.edge(a, b);
  chip.edge(b, a);
  chip.run(0, a, {.start = 0, .end = 10});
  chip.run(0, b, {.start = 10, .end = 20});
  chip.run(0, c, {.start = 20, .end = 25});
  const WhatIf result = answers_for(chip.finish());
  EXPECT_EQ(result.tasks_on_cycles, 2U);
  EXPECT_EQ(result.state, WhatIfState::kAnswered);
}

TEST(WhatIf, IsTheSameEveryTime) {
  const tests::SimulatedRun run = tests::simulate_chip(layers(), kExpensive);
  const WhatIf first = answers_for(run.trace);
  const WhatIf second = answers_for(run.trace);
  ASSERT_EQ(first.answers.size(), second.answers.size());
  for (std::size_t i = 0; i < first.answers.size(); ++i) {
    EXPECT_EQ(first.answers[i].simulated, second.answers[i].simulated);
    EXPECT_EQ(first.answers[i].function, second.answers[i].function);
  }
}

}  // namespace
}  // namespace accelscope::analysis::chip
