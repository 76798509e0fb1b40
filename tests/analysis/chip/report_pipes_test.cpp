// The section on pipes, from a recording's bytes to sentences: a GEMM with and without double buffering.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analysis/chip/compare.h"
#include "analysis/chip/report.h"
#include "findings/findings_json.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/chip_run/sample_pipes.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Findings;
using findings::Section;
using findings::Statement;
using findings::Table;
using formats::chip_run::PipeSpan;
using formats::chip_run::SamplePipes;
using formats::chip_run::words_of;
using formats::perfmon::Pipe;

constexpr std::uint64_t kStart = 100'000;
constexpr std::int64_t kTiles = 10;

trace::Trace trace_of(const SamplePipes& run) {
  base::MemoryOutput out;
  EXPECT_TRUE(record_pipes(run, out));
  auto trace = formats::chip_run::read_recording(
      base::MappedFile::from_memory("run.astrace", std::string(out.bytes())));
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

// Each tile: 60 of load, then 40 of cube; the next load waits for the cube.
std::vector<PipeSpan> single_buffered(std::int64_t start) {
  std::vector<PipeSpan> spans;
  for (std::int64_t tile = 0; tile < kTiles; ++tile) {
    const std::int64_t at = start + 100 * tile;
    spans.push_back({at, at + 60, Pipe::kMte2});
    spans.push_back({at + 60, at + 100, Pipe::kCube});
  }
  return spans;
}

// Loads of 40 run ahead of cubes of 60: the cube never waits but for the first tile.
std::vector<PipeSpan> double_buffered(std::int64_t start) {
  std::vector<PipeSpan> spans;
  for (std::int64_t tile = 0; tile < kTiles; ++tile) {
    spans.push_back({start + 60 * tile, start + 60 * tile + 40, Pipe::kMte2});
    spans.push_back({start + 40 + 60 * tile, start + 100 + 60 * tile, Pipe::kCube});
  }
  return spans;
}

// Two functions on one core, each of them twice.
SamplePipes gemms() {
  SamplePipes run{.cores = {formats::capture::CoreType::kCube}, .functions = {"GEMM", "GEMM2"}};
  std::uint64_t at = kStart;
  for (std::uint64_t task = 1; task <= 4; ++task) {
    const bool twice = task > 2;
    const auto start = static_cast<std::int64_t>(at);
    const std::uint64_t end = at + (twice ? 640 : 1000);
    run.tasks.push_back({0, task, twice ? 1U : 0U, at, end});
    run.drains.push_back({.time = end,
                          .task = task,
                          .bytes = words_of(twice ? double_buffered(start) : single_buffered(start))});
    at = end + 100;
  }
  return run;
}

Findings report_on(const trace::Trace& trace) {
  return explain(trace, {.title = "run", .input = "run.astrace"});
}

const Section& pipes(const Findings& findings) {
  static const Section kNone;
  const Section* found = findings::find_section(findings, "pipes");
  EXPECT_NE(found, nullptr);
  return found == nullptr ? kNone : *found;
}

const Statement* about(const Section& section, std::string_view function) {
  for (const Statement& statement : section.statements)
    if (statement.subject == function) return &statement;
  return nullptr;
}

double number(const Table& table, std::size_t row, std::string_view column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].id == column) return std::get<double>(table.rows[row][i]);
  ADD_FAILURE() << column;
  return 0;
}

TEST(ReportOnPipes, TellsTheTwoGemmsApart) {
  const trace::Trace trace = trace_of(gemms());
  const Findings findings = report_on(trace);
  const Section& section = pipes(findings);
  const Statement* single = about(section, "GEMM");
  ASSERT_NE(single, nullptr);
  EXPECT_EQ(single->id, "chip.pipes.overlap");
  EXPECT_EQ(single->text, "GEMM: MTE2 is busy 60.0 % and overlaps CUBE only 0.0 %: double-buffer the loads.");
  ASSERT_TRUE(single->gain);
  EXPECT_DOUBLE_EQ(single->gain->before, 1.0);  // microseconds at 1 GHz
  EXPECT_DOUBLE_EQ(single->gain->after, 0.6);
  EXPECT_EQ(single->evidence.size(), 2U);
  const Statement* twice = about(section, "GEMM2");
  ASSERT_NE(twice, nullptr);
  EXPECT_EQ(twice->id, "chip.pipes.bound");
  EXPECT_EQ(twice->text,
            "GEMM2: CUBE is busy 93.8 %: the kernel is bound by the cube; nothing to gain from overlap.");
  EXPECT_EQ(findings::find_metric(section, "parts_full")->value, 4.0);
  EXPECT_EQ(findings::find_metric(section, "parts_partial")->value, 0.0);

  const Table* busy = findings::find_table(section, "busy");
  ASSERT_NE(busy, nullptr);
  EXPECT_DOUBLE_EQ(number(*busy, 0, "MTE2"), 60);
  EXPECT_DOUBLE_EQ(number(*busy, 0, "CUBE"), 40);
  EXPECT_DOUBLE_EQ(number(*busy, 0, "bound"), 40);
  EXPECT_DOUBLE_EQ(number(*busy, 1, "CUBE"), 93.75);
  EXPECT_DOUBLE_EQ(number(*busy, 1, "MTE2"), 62.5);
  const Table* bubbles = findings::find_table(section, "bubbles");
  ASSERT_NE(bubbles, nullptr);
  EXPECT_DOUBLE_EQ(number(*bubbles, 0, "share"), 0);
  // Of each load but the first, 20 fall into the cube's tile before it and 20 into the one behind.
  const Table* overlap = findings::find_table(section, "overlap");
  ASSERT_NE(overlap, nullptr);
  ASSERT_EQ(overlap->rows.size(), 4U);
  EXPECT_DOUBLE_EQ(number(*overlap, 3, "CUBE"), 90);
  EXPECT_EQ(std::get<std::string>(overlap->rows[3][1]), "MTE2");
  EXPECT_EQ(findings::find_table(section, "missing"), nullptr);
  EXPECT_EQ(findings::find_table(section, "counters"), nullptr);
}

TEST(ReportOnPipes, SaysWhereTicksAreCoarse) {
  const auto note_on = [](std::uint64_t duration) {
    SamplePipes run{.cores = {formats::capture::CoreType::kCube}, .functions = {"GEMM"}};
    run.tasks.push_back({0, 1, 0, kStart, kStart + duration});
    const auto start = static_cast<std::int64_t>(kStart);
    run.drains.push_back(
        {.time = kStart + duration, .task = 1, .bytes = words_of({{start, start + 20, Pipe::kCube}})});
    const Findings findings = report_on(trace_of(run));
    const Table* busy = findings::find_table(pipes(findings), "busy");
    return busy == nullptr ? std::string() : busy->note;
  };
  EXPECT_NE(note_on(40).find("Times are whole ticks, of 0.001 us"), std::string::npos) << note_on(40);
  EXPECT_NE(note_on(400).find("Share of the parts' time"), std::string::npos);
  EXPECT_EQ(note_on(400).find("whole ticks"), std::string::npos) << note_on(400);
}

TEST(ReportOnPipes, CountsPartsByWhatIsKnownOfThem) {
  SamplePipes run = gemms();
  // Of the second task the first half is lost, of the last one everything.
  run.drains[1].lost = 64;
  run.drains[1].bytes = words_of(double_buffered(static_cast<std::int64_t>(run.tasks[1].start + 400)));
  run.drains[3].bytes = {};
  run.drains[3].state = 7;
  const Findings findings = report_on(trace_of(run));
  const Section& section = pipes(findings);
  EXPECT_EQ(findings::find_metric(section, "parts_full")->value, 2.0);
  EXPECT_EQ(findings::find_metric(section, "parts_partial")->value, 1.0);
  EXPECT_EQ(findings::find_metric(section, "parts_without")->value, 1.0);
  const Table* missing = findings::find_table(section, "missing");
  ASSERT_NE(missing, nullptr);
  ASSERT_EQ(missing->rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(missing->rows[0][0]), "overwritten before it was drained");
  EXPECT_EQ(std::get<std::int64_t>(missing->rows[0][1]), 1);
  EXPECT_EQ(std::get<std::string>(missing->rows[1][0]),
            "the performance monitor was not as it had to be: gone: every register reads as ones");
  EXPECT_EQ(std::get<std::int64_t>(missing->rows[1][2]), 1);
}

TEST(ReportOnPipes, HasTheCountersBesideIt) {
  SamplePipes run = gemms();
  run.pmu_counters = {"vec_busy_cycles", "cube_busy_cycles", "mte2_busy_cycles"};
  for (std::uint32_t task = 1; task <= 4; ++task) run.pmu.push_back({task, 1000, task, 0, {0, 410, 590}});
  const Findings findings = report_on(trace_of(run));
  const Table* counters = findings::find_table(pipes(findings), "counters");
  ASSERT_NE(counters, nullptr);
  ASSERT_EQ(counters->rows.size(), 6U);
  EXPECT_EQ(std::get<std::string>(counters->rows[1][1]), "CUBE");
  EXPECT_DOUBLE_EQ(number(*counters, 1, "trace"), 40);
  EXPECT_DOUBLE_EQ(number(*counters, 1, "counter"), 41);
}

RunSamples samples(const Findings& findings) {
  base::MemoryOutput out;
  findings::write_json(findings, out);
  auto saved = findings::read_json(base::MappedFile::from_memory("saved.json", std::string(out.bytes())));
  EXPECT_TRUE(saved) << saved.error().to_string();
  auto found = samples_in(*saved);
  EXPECT_TRUE(found && *found);
  return **std::move(found);
}

TEST(ReportOnPipes, CanBeComparedAlsoFromASavedReport) {
  const Findings before = report_on(trace_of(gemms()));
  SamplePipes run = gemms();
  run.tasks[0].function = run.tasks[1].function = 1;
  run.tasks[2].function = run.tasks[3].function = 0;
  const Findings after = report_on(trace_of(run));
  const Findings document = comparison_document(compare_runs(samples(before), samples(after), {}));
  const Table* table = findings::find_table(pipes(document), "pipes");
  ASSERT_NE(table, nullptr);
  const auto row_of = [&](std::string_view id) {
    for (std::size_t row = 0; row < table->rows.size(); ++row)
      if (std::get<std::string>(table->rows[row][0]) == id) return row;
    ADD_FAILURE() << id;
    return std::size_t{0};
  };
  const std::size_t cube = row_of("GEMM/busy.CUBE");
  EXPECT_DOUBLE_EQ(number(*table, cube, "baseline"), 40);
  EXPECT_DOUBLE_EQ(number(*table, cube, "candidate"), 93.75);
  EXPECT_DOUBLE_EQ(number(*table, cube, "change"), 53.75);
  EXPECT_DOUBLE_EQ(number(*table, row_of("GEMM/overlap.MTE2.CUBE"), "candidate"), 90);
  EXPECT_DOUBLE_EQ(number(*table, row_of("GEMM/bubbles"), "baseline"), 0);
  const Statement* statement = about(pipes(document), "GEMM/busy.CUBE");
  ASSERT_NE(statement, nullptr);
  EXPECT_EQ(statement->text, "GEMM/busy.CUBE went from 40.0 % to 93.8 %.");
}

}  // namespace
}  // namespace accelscope::analysis::chip
