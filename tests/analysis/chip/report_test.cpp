#include "analysis/chip/report.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "findings/findings_json.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "formats/open/open.h"
#include "support/chip_simulation.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Findings;
using findings::Section;
using findings::Statement;
using findings::Table;
using tests::ChipSketch;
using tests::SimulatedChip;
using tests::SimulatedWork;
using trace::TaskId;
using trace::Trace;

// docs/report.md, "The report on a chip"; the last two are for machines.
const std::vector<std::string> kSections = {
    "run",     "bottleneck",      "core_time",           "functions",
    "waits",   "scheduler",       "critical_path",       "what_if",
    "balance", "recommendations", "core_time.over_time", "chip_samples"};

Findings whole_report(const Trace& trace) {
  return explain(trace, {.title = "a run", .input = "run.json"});
}

const Section& section(const Findings& findings, std::string_view id) {
  static const Section kNone;
  const Section* found = findings::find_section(findings, id);
  EXPECT_NE(found, nullptr) << id;
  return found == nullptr ? kNone : *found;
}

const Table& table(const Findings& findings, std::string_view in, std::string_view id) {
  static const Table kNone;
  const Table* found = findings::find_table(section(findings, in), id);
  EXPECT_NE(found, nullptr) << in << ", " << id;
  return found == nullptr ? kNone : *found;
}

const Statement* statement(const Findings& findings, std::string_view id) {
  for (const Section& one : findings.sections)
    for (const Statement& statement : one.statements)
      if (statement.id == id) return &statement;
  return nullptr;
}

std::string verdict(const Findings& findings) {
  const Statement* found = statement(findings, "chip.bottleneck");
  return found == nullptr ? "" : found->subject;
}

double sum_of_percents(const Table& table, const std::vector<findings::Cell>& row) {
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (table.columns[i].kind == findings::ColumnKind::kPercent) sum += std::get<double>(row[i]);
  return sum;
}

void expect_whole(const Table& table) {
  EXPECT_FALSE(table.rows.empty()) << table.id;
  for (const auto& row : table.rows) EXPECT_NEAR(sum_of_percents(table, row), 100, 1e-9) << table.id;
}

std::string json_of(const Findings& findings) {
  base::MemoryOutput out;
  findings::write_json(findings, out);
  return std::string(out.bytes());
}

// What is so of the report on any run.
void expect_well_formed(const Findings& report) {
  EXPECT_EQ(report.kind, "chip report");
  std::vector<std::string> ids;
  // Two sections are there only with files of their own beside the swimlane.
  for (const Section& one : report.sections)
    if (one.id != "counters" && one.id != "rings") ids.push_back(one.id);
  EXPECT_EQ(ids, kSections);
  for (const Section& one : report.sections) {
    SCOPED_TRACE(one.id);
    EXPECT_FALSE(one.title.empty() && !one.data_only);
    std::set<std::string> names;
    for (const Table& rows : one.tables) {
      EXPECT_TRUE(names.insert(rows.id).second) << rows.id;
      for (const auto& row : rows.rows) ASSERT_EQ(row.size(), rows.columns.size()) << rows.id;
    }
    for (const findings::Metric& metric : one.metrics)
      EXPECT_TRUE(names.insert("metric " + metric.id).second) << metric.id;
    for (const Statement& said : one.statements) {
      EXPECT_FALSE(said.text.empty()) << said.id;
      EXPECT_EQ(said.kind == findings::StatementKind::kAdvice, !said.group.empty()) << said.id;
      if (said.gain) {
        EXPECT_LT(said.gain->after, said.gain->before) << said.id;
        EXPECT_FALSE(said.gain->basis.empty()) << said.id;
      }
    }
    if (findings::is_empty(one)) {
      EXPECT_FALSE(one.empty_hint.empty());
    }
  }
  // Everything can be saved and read again, to the last digit.
  const std::string json = json_of(report);
  const auto again = findings::read_json(base::MappedFile::from_memory("report.json", json));
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(json_of(*again), json);
}

// Where something ran.
void expect_sums(const Findings& report) {
  double shares = 0;
  for (const findings::Metric& metric : section(report, "bottleneck").metrics)
    if (metric.id.starts_with("share."))
      shares += metric.value.value_or(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NEAR(shares, 100, 1e-9);
  EXPECT_EQ(section(report, "bottleneck").metrics.size(), 5U);
  expect_whole(table(report, "core_time", "engines"));
  expect_whole(table(report, "core_time", "cores"));
  expect_whole(table(report, "core_time.over_time", "over_time"));
}

SimulatedWork independent_tasks(std::size_t tasks, std::int64_t length) {
  return SimulatedWork(tasks, {.name = "A", .length = length});
}

SimulatedWork chain_of_tasks(std::size_t tasks, std::int64_t length) {
  SimulatedWork work = independent_tasks(tasks, length);
  for (std::size_t i = 1; i < tasks; ++i) work[i].producers = {i - 1};
  return work;
}

Findings whole_report(const SimulatedWork& work, const SimulatedChip& chip) {
  Findings report = whole_report(tests::simulate_chip(work, chip).trace);
  expect_well_formed(report);
  expect_sums(report);
  return report;
}

TEST(ChipReport, ASchedulerBoundRunIsToldWhatAFreeSchedulerWouldGive) {
  const Findings report = whole_report(independent_tasks(200, 100), {.vectors = 4, .dispatch_cost = 60});
  EXPECT_EQ(verdict(report), "scheduling");
  const Statement* advice = statement(report, "chip.advice.scheduling");
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->priority, findings::Priority::kHighest);
  EXPECT_EQ(&section(report, "recommendations").statements.front(), advice)
      << "the most important comes first";
  ASSERT_TRUE(advice->gain);
  EXPECT_EQ(advice->gain->basis, "if scheduling cost nothing; simulated, 0.0 % off for the run as it was");
  EXPECT_EQ(advice->gain->unit, "us");
  // 200 tasks of 100 on four cores take 5 us at least.
  EXPECT_NEAR(advice->gain->after, 5.0, 0.5);
  EXPECT_FALSE(advice->evidence.empty());
  EXPECT_EQ(advice->evidence.front().input, "run.json");
  EXPECT_EQ(statement(report, "chip.advice.submission"), nullptr);
}

TEST(ChipReport, ASubmissionBoundRunIsToldWhatFreeSubmissionWouldGive) {
  const Findings report = whole_report(independent_tasks(50, 60), {.vectors = 2, .submit_cost = 100});
  EXPECT_EQ(verdict(report), "submission");
  const Statement* advice = statement(report, "chip.advice.submission");
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->subject, "orchestrator");
  ASSERT_TRUE(advice->gain);
  EXPECT_EQ(advice->gain->basis, "if submitting cost nothing; simulated, 0.0 % off for the run as it was");
  EXPECT_LT(advice->gain->after, 0.6 * advice->gain->before);
  EXPECT_EQ(statement(report, "chip.advice.scheduling"), nullptr);
}

TEST(ChipReport, ADependencyBoundRunIsToldSo) {
  const Findings report = whole_report(chain_of_tasks(60, 100), {.vectors = 4});
  EXPECT_EQ(verdict(report), "dependencies");
  const Statement* advice = statement(report, "chip.advice.dependencies");
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->group, "Model changes");
  ASSERT_TRUE(advice->gain);
  EXPECT_EQ(advice->gain->basis, "if A were 2x faster; simulated, 0.0 % off for the run as it was");
  ASSERT_FALSE(advice->evidence.empty());
  EXPECT_EQ(advice->evidence.front().text, "the longest chain takes 6.00 us over 60 tasks");
  EXPECT_EQ(findings::find_metric(section(report, "critical_path"), "static")->value, 6.0);
}

TEST(ChipReport, AComputeBoundRunIsToldWhichFunctionToMakeFaster) {
  SimulatedWork work = independent_tasks(200, 50);
  for (std::size_t i = 0; i < work.size(); i += 2) work[i] = {.name = "SLOW", .length = 400};
  const Findings report = whole_report(work, {.vectors = 4});
  EXPECT_EQ(verdict(report), "compute");
  const Statement* advice = statement(report, "chip.advice.compute");
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->subject, "SLOW");
  ASSERT_TRUE(advice->gain);
  EXPECT_NE(advice->gain->basis.find("if SLOW were"), std::string::npos) << advice->gain->basis;
  const Table& functions = table(report, "functions", "functions");
  ASSERT_EQ(functions.rows.size(), 3U);
  EXPECT_EQ(std::get<std::string>(functions.rows[0][0]), "SLOW");
  EXPECT_EQ(std::get<std::string>(functions.rows[2][0]), "all");
}

// Without the edges of a chain its tasks look independent, and the simulation runs them side by side.
TEST(ChipReport, GainsWithinTheErrorOfTheSimulationAreNotPromised) {
  const Findings exact = whole_report(chain_of_tasks(60, 100), {.vectors = 4});
  const Findings wrong = whole_report(chain_of_tasks(60, 100), {.vectors = 4, .record_edges = false});
  const auto error = [](const Findings& report) {
    return *findings::find_metric(section(report, "what_if"), "calibration")->value;
  };
  EXPECT_NEAR(error(exact), 0, 0.05);
  EXPECT_LT(error(wrong), -40);
  const auto against_error = [](const Findings& report) {
    return table(report, "what_if", "answers").rows.front().back();
  };
  EXPECT_EQ(against_error(exact), findings::Cell("beyond"));
  EXPECT_EQ(against_error(wrong), findings::Cell("within"));
  EXPECT_TRUE(statement(exact, "chip.what_if.calibration")->text.find("is as long as it took") !=
              std::string::npos)
      << statement(exact, "chip.what_if.calibration")->text;
  EXPECT_TRUE(statement(wrong, "chip.what_if.calibration")->text.find("% shorter than it took") !=
              std::string::npos)
      << statement(wrong, "chip.what_if.calibration")->text;
  for (const Statement& advice : section(wrong, "recommendations").statements)
    EXPECT_FALSE(advice.gain) << advice.id;
}

TEST(ChipReport, TheTimeOfMixTasksStandsBesideThatOfTheEngines) {
  ChipSketch chip(1, 1);
  const TaskId mix = chip.task(0, "M", "MIX");
  const TaskId add = chip.task(1, "A", "AIV");
  chip.dependencies_recorded();
  chip.submit(mix, 0, 2);
  chip.submit(add, 2, 4);
  chip.run(0, mix, {.dispatch = 10, .start = 20, .end = 60, .finish = 60});
  chip.run(1, mix, {.dispatch = 10, .start = 20, .end = 40, .finish = 40});
  chip.run(1, add, {.dispatch = 40, .start = 40, .end = 100, .finish = 100});
  const Findings report = whole_report(chip.finish());
  expect_well_formed(report);
  expect_sums(report);
  using Row = std::vector<findings::Cell>;
  EXPECT_EQ(table(report, "core_time", "mix").rows, (std::vector<Row>{{"AIC x 1", 40.0, 10.0, 100.0},
                                                                      {"AIV x 1", 20.0, 10.0, 25.0},
                                                                      {"all cores", 30.0, 10.0, 50.0}}));
  EXPECT_EQ(table(report, "core_time.over_time", "mix_cores").rows,
            (std::vector<Row>{{"AIC 0", 40.0, 10.0, 100.0}, {"AIV 1", 20.0, 10.0, 25.0}}));
  EXPECT_EQ(table(report, "core_time.over_time", "mix_over_time").rows.size(), 120U);
  const std::vector<findings::Series>& series = section(report, "core_time").series;
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[2].id, "busy.MIX");
  EXPECT_EQ(series[2].values[20], 100.0);
  EXPECT_EQ(series[2].values[30], 50.0);
  EXPECT_EQ(series[2].values[50], 0.0);
}

TEST(ChipReport, WithoutMixTasksThereIsNoTableOfThem) {
  const Findings report = whole_report(independent_tasks(4, 100), {});
  EXPECT_EQ(findings::find_table(section(report, "core_time"), "mix"), nullptr);
  EXPECT_EQ(findings::find_table(section(report, "core_time.over_time"), "mix_cores"), nullptr);
}

// The cube core is the limit, though the vector cores together work longer.
TEST(ChipReport, TheFunctionWithTheMostKernelTimeNeedNotBeTheOneToMakeFaster) {
  SimulatedWork work;
  for (int i = 0; i < 20; ++i) {
    work.push_back({.name = "M", .on_cube = true, .length = 400});
    for (int k = 0; k < 4; ++k) work.push_back({.name = "V", .length = 200});
  }
  const Findings report = whole_report(work, {.cubes = 1, .vectors = 4});
  const Statement* advice = statement(report, "chip.advice.compute");
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->subject, "M");
  EXPECT_NE(advice->text.find("V takes 66.7 % of all kernel time, but a faster kernel for M shortens the run "
                              "most."),
            std::string::npos)
      << advice->text;
}

TEST(ChipReport, SmallTasksIdleCoresImbalanceAndGapsAreNamed) {
  ChipSketch chip(0, 4);
  // Core 3 runs nothing; core 0 works longest; core 2 has a gap between two tiny tasks.
  const auto run = [&](std::uint64_t id, int core, std::int64_t from, std::int64_t length) {
    const TaskId task = chip.task(id, length < 10 ? "TINY" : "BIG", "AIV");
    chip.submit(task, static_cast<std::int64_t>(id), static_cast<std::int64_t>(id) + 1);
    chip.run(core, task,
             {.dispatch = from - 5, .start = from, .end = from + length, .finish = from + length});
  };
  run(0, 0, 10, 90);
  run(1, 1, 10, 30);
  run(2, 2, 12, 6);
  run(3, 2, 90, 6);
  for (std::uint64_t id = 4; id < 7; ++id) run(id, 1, 50 + 10 * static_cast<std::int64_t>(id - 4), 4);
  chip.dependencies_recorded();
  const Findings report = whole_report(chip.finish());
  expect_well_formed(report);
  expect_sums(report);
  ASSERT_NE(statement(report, "chip.advice.small_tasks"), nullptr);
  EXPECT_EQ(statement(report, "chip.advice.small_tasks")->subject, "TINY");
  ASSERT_NE(statement(report, "chip.advice.idle_cores"), nullptr);
  EXPECT_NE(statement(report, "chip.advice.idle_cores")->text.find("1 of 4 AIV cores ran nothing"),
            std::string::npos);
  ASSERT_NE(statement(report, "chip.advice.imbalance"), nullptr);
  EXPECT_EQ(statement(report, "chip.advice.imbalance")->evidence.front().track, "AIV 0");
  ASSERT_NE(statement(report, "chip.advice.gaps"), nullptr);
  EXPECT_EQ(statement(report, "chip.advice.gaps")->subject, "AIV 2");
  EXPECT_EQ(statement(report, "chip.advice.gaps")->evidence.front().track, "AIV 2");
  EXPECT_EQ(std::get<std::string>(table(report, "balance", "engines").rows[0].back()), "3");
}

// One vector core of three does a little work beside a busy cube core: nothing to advise about.
TEST(ChipReport, EnginesThatHardlyMatterAreNotAdvisedAbout) {
  ChipSketch chip(1, 3);
  const TaskId big = chip.task(0, "BIG", "AIC");
  const TaskId small = chip.task(1, "SMALL", "AIV");
  chip.dependencies_recorded();
  chip.submit(big, 0, 1);
  chip.submit(small, 1, 2);
  chip.run(0, big, {.dispatch = 2, .start = 3, .end = 1000, .finish = 1001});
  chip.run(1, small, {.dispatch = 3, .start = 4, .end = 50, .finish = 51});
  chip.run(2, small, {.dispatch = 3, .start = 4, .end = 9, .finish = 10});
  const Findings report = whole_report(chip.finish());
  EXPECT_EQ(statement(report, "chip.advice.idle_cores"), nullptr);
  EXPECT_EQ(statement(report, "chip.advice.imbalance"), nullptr);
}

TEST(ChipReport, EveryGenerationAndLevelIsExplained) {
  for (const formats::chip_swimlane::SampleCapture& sample : formats::chip_swimlane::sample_captures()) {
    SCOPED_TRACE(sample.name);
    const base::MappedFile file = base::MappedFile::from_memory(sample.name, sample.json);
    const formats::open::Reader* reader = formats::open::reader_for(file.text());
    ASSERT_NE(reader, nullptr);
    const base::Result<Trace> trace = reader->read(file, {});
    ASSERT_TRUE(trace) << trace.error().to_string();
    const Findings report = whole_report(*trace);
    expect_well_formed(report);
    expect_sums(report);
    EXPECT_EQ(section(report, "waits").empty_hint,
              sample.level < 2 ? "Record at level 2 or above to see what tasks wait for." : "");
    EXPECT_EQ(section(report, "scheduler").empty_hint,
              sample.level < 3 ? "Record at level 3 or above to see what the scheduler threads did." : "");
    EXPECT_EQ(statement(report, "chip.advice.record_level") != nullptr, sample.level < 4);
    EXPECT_EQ(report.quality.count("trust.chip_level"), sample.level < 4 ? 1U : 0U);
    const std::string level = std::get<std::string>(table(report, "run", "run").rows[0][1]);
    EXPECT_TRUE(level.starts_with(fmt::format("{} (", sample.level))) << level;
    EXPECT_EQ(statement(report, "chip.advice.record_dependencies") != nullptr,
              !trace::chip_run(*trace).dependencies_recorded);
  }
}

TEST(ChipReport, OfARunWithoutDispatchesHasHints) {
  const Findings report = whole_report(ChipSketch(1, 1).finish());
  expect_well_formed(report);
  for (const std::string_view id : {"core_time", "functions", "critical_path", "what_if"})
    EXPECT_EQ(section(report, id).empty_hint, "Nothing ran.") << id;
}

TEST(ChipReport, NotesAreAPartOfTheRecommendations) {
  const tests::SimulatedRun run = tests::simulate_chip(independent_tasks(4, 10), {});
  const Findings report = explain(run.trace, {.title = "a run", .notes = "Look *here*."});
  ASSERT_NE(findings::find_section(report, "recommendations.notes"), nullptr);
  EXPECT_EQ(section(report, "recommendations.notes").notes, "Look *here*.");
  EXPECT_EQ(section(report, "recommendations.notes").depth, 3);
}

TEST(ChipReport, OfEveryRealCaptureIsWhole) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(ACCELSCOPE_FIXTURES_DIR) / "swimlane";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no captures of chips beside the checkout";
  std::size_t captures = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("chip_swimlane_records.json")) continue;
    SCOPED_TRACE(entry.path().string());
    ++captures;
    const base::Result<Trace> trace = formats::open::open_trace(entry.path().string(), {});
    ASSERT_TRUE(trace) << trace.error().to_string();
    const Findings report = whole_report(*trace);
    expect_well_formed(report);
    expect_sums(report);
    EXPECT_FALSE(verdict(report).empty());
  }
  EXPECT_GT(captures, 10U);
}

}  // namespace
}  // namespace accelscope::analysis::chip
