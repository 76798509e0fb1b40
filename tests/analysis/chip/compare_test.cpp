#include "analysis/chip/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "findings/findings.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::Trace;

// Forty tasks of two functions on one core, with a little jitter; ADD takes `add` ns, MUL always 500.
RunSamples run_with(std::int64_t add, std::string name) {
  ChipSketch chip(0, 1);
  std::int64_t now = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const bool is_add = i % 2 == 0;
    const trace::TaskId task = chip.task(i, is_add ? "ADD" : "MUL", "AIV");
    const std::int64_t length = (is_add ? add : 500) + static_cast<std::int64_t>(i * 7 % 11);
    chip.run(0, task,
             {.dispatch = now,
              .receive = now + 5,
              .start = now + 10,
              .end = now + 10 + length,
              .finish = now + 20 + length});
    chip.phase(0, "complete", now + 20 + length, now + 25 + length);
    now += length + 30;
  }
  const Trace trace = chip.finish();
  const trace::ChipRun run = trace::chip_run(trace);
  return samples_of(trace, run, task_times(trace, run), std::move(name));
}

const TimesComparison& find(const std::vector<TimesComparison>& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const TimesComparison& item) { return item.name == name; });
  EXPECT_NE(found, items.end());
  return *found;
}

TEST(ChipCompare, TellsWhichFunctionChanged) {
  const RunComparison comparison = compare_runs(run_with(1000, "before"), run_with(1500, "after"), {});
  EXPECT_EQ(find(comparison.functions, "ADD").test->verdict, stats::Verdict::kSlower);
  EXPECT_EQ(find(comparison.functions, "MUL").test->verdict, stats::Verdict::kNoDifference);
  EXPECT_NEAR(find(comparison.functions, "ADD").test->speedup, 1000.0 / 1500, 0.01);
  EXPECT_EQ(comparison.functions.front().name, "ADD");
  EXPECT_EQ(find(comparison.latencies, "ADD").test->verdict, stats::Verdict::kSlower);
  EXPECT_EQ(find(comparison.phases, "complete").test->verdict, stats::Verdict::kNoDifference);
  EXPECT_GT(comparison.candidate_makespan, comparison.baseline_makespan);
}

TEST(ChipCompare, FunctionsCanBeJudgedByAnotherThreshold) {
  const RunSamples before = run_with(1000, "before");
  const RunSamples after = run_with(1050, "after");
  RunComparison again = compare_runs(before, after, {.threshold = 0.02});
  EXPECT_EQ(find(again.functions, "ADD").test->verdict, stats::Verdict::kSlower);
  judge_functions(again, {.threshold = 0.1});
  const RunComparison anew = compare_runs(before, after, {.threshold = 0.1});
  ASSERT_EQ(again.functions.size(), anew.functions.size());
  for (std::size_t i = 0; i < anew.functions.size(); ++i) {
    EXPECT_EQ(again.functions[i].name, anew.functions[i].name);
    EXPECT_EQ(again.functions[i].test->verdict, anew.functions[i].test->verdict);
    EXPECT_EQ(again.functions[i].test->reason, anew.functions[i].test->reason);
    EXPECT_EQ(again.functions[i].test->interval, anew.functions[i].test->interval);
  }
  EXPECT_EQ(find(again.functions, "ADD").test->verdict, stats::Verdict::kNoDifference);
  EXPECT_EQ(find(again.latencies, "ADD").test->verdict, stats::Verdict::kSlower) << "as they were judged";
}

TEST(ChipCompare, NamesWhatOnlyOneRunHas) {
  RunSamples before = run_with(1000, "before");
  RunSamples after = run_with(1000, "after");
  std::erase_if(before.functions, [](const SampledTimes& item) { return item.name == "MUL"; });
  std::erase_if(after.functions, [](const SampledTimes& item) { return item.name == "ADD"; });
  const RunComparison comparison = compare_runs(before, after, {});
  EXPECT_FALSE(find(comparison.functions, "ADD").test);
  EXPECT_EQ(find(comparison.functions, "ADD").candidate_count, 0U);
  EXPECT_EQ(find(comparison.functions, "MUL").baseline_count, 0U);
}

TEST(ChipCompare, TheDocumentHasAVerdictPerFunction) {
  const findings::Findings document =
      comparison_document(compare_runs(run_with(1000, "before"), run_with(1500, "after"), {}));
  const findings::Section* functions = findings::find_section(document, "functions");
  ASSERT_NE(functions, nullptr);
  ASSERT_EQ(functions->statements.size(), 1U);
  EXPECT_EQ(functions->statements[0].subject, "ADD");
  const findings::Table* table = findings::find_table(*functions, "functions");
  ASSERT_NE(table, nullptr);
  for (const auto& row : table->rows) EXPECT_EQ(row.size(), table->columns.size());
}

TEST(ChipSamples, SurviveAFindingsDocument) {
  const RunSamples samples = run_with(1000, "before");
  findings::Findings document;
  add_samples(document, samples);
  const auto read = samples_in(document);
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->makespan, samples.makespan);
  ASSERT_EQ((*read)->functions.size(), 2U);
  EXPECT_EQ((*read)->functions[0].values, samples.functions[0].values);
  EXPECT_EQ((*read)->phases[0].count, 40U);
  EXPECT_EQ((*read)->latencies[1].total, samples.latencies[1].total);
}

TEST(ChipSamples, ADocumentWithoutThemHasNoneAndABrokenOneIsRefused) {
  findings::Findings document;
  const auto none = samples_in(document);
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  add_samples(document, run_with(1000, "before"));
  document.sections.back().metrics.clear();
  EXPECT_FALSE(samples_in(document));
}

TEST(ChipSamples, AreInTheOrderOfTheTasks) {
  ChipSketch chip(0, 2);
  const trace::TaskId late = chip.task(5, "ADD", "AIV");
  const trace::TaskId early = chip.task(2, "ADD", "AIV");
  chip.run(0, late, {.start = 0, .end = 3000});
  chip.run(1, early, {.start = 5, .end = 1005});
  const Trace trace = chip.finish();
  const trace::ChipRun run = trace::chip_run(trace);
  const RunSamples samples = samples_of(trace, run, task_times(trace, run), "x");
  EXPECT_EQ(samples.functions.at(0).values, (std::vector<double>{1, 3}));
  EXPECT_EQ(samples.functions.at(0).total, 4);
}

}  // namespace
}  // namespace accelscope::analysis::chip
