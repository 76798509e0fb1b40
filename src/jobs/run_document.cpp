#include "jobs/run_document.h"

#include <fmt/core.h>

#include "accelscope/dfx_flags.h"
#include "base/date.h"

namespace accelscope::jobs {
namespace {

using findings::Findings;
using findings::Section;
using findings::StatementKind;

void add_metric(Section& section, std::string id, std::string label, double value, std::string unit) {
  section.metrics.push_back(
      {.id = std::move(id), .label = std::move(label), .value = value, .unit = std::move(unit)});
}

void add_run(Findings& findings, const RunDocument& run) {
  Section& section = findings::add_section(findings, "run", "The run");
  if (run.outcome.fault)
    section.statements.push_back({.id = "run.fault",
                                  .kind = StatementKind::kVerdict,
                                  .priority = findings::Priority::kHighest,
                                  .text = run.outcome.fault->text});
  const runtime::RunOutcome& last = run.last;
  add_metric(section, "makespan", "makespan", run.outcome.rounds.back().makespan_us, "us");
  section.metrics.back().better = findings::Better::kLower;
  if (!last.has_counts) return;
  add_metric(section, "tasks", "tasks submitted", static_cast<double>(last.submitted), "");
  add_metric(section, "dispatches", "dispatches to cores", static_cast<double>(last.dispatches), "");
  add_metric(section, "edges", "dependencies found", static_cast<double>(last.edges), "");
}

void add_rounds(Findings& findings, const RunDocument& run) {
  if (run.outcome.rounds.size() == 1 && run.dfx_flags == 0) return;
  Section& section = findings::add_section(findings, "rounds", "Rounds");
  findings::Table table{
      .id = "rounds",
      .columns = {
          {.id = "round", .title = "Round", .kind = findings::ColumnKind::kInteger},
          {.id = "makespan", .title = "Makespan", .kind = findings::ColumnKind::kNumber, .unit = "us"},
          {.id = "produced", .title = "Records made", .kind = findings::ColumnKind::kInteger},
          {.id = "collected", .title = "Records kept", .kind = findings::ColumnKind::kInteger},
          {.id = "folder", .title = "Folder"}}};
  for (std::size_t i = 0; i < run.outcome.rounds.size(); ++i) {
    const RunRound& round = run.outcome.rounds[i];
    table.rows.push_back({static_cast<std::int64_t>(i + 1), round.makespan_us,
                          static_cast<std::int64_t>(round.produced),
                          static_cast<std::int64_t>(round.collected), round.folder});
  }
  section.tables.push_back(std::move(table));
}

void add_outputs(Findings& findings, const RunDocument& run) {
  if (run.outcome.outputs.empty()) return;
  Section& section = findings::add_section(findings, "outputs", "Expected outputs");
  findings::Table table{
      .id = "outputs",
      .columns = {{.id = "buffer", .title = "Buffer"},
                  {.id = "compared", .title = "Elements", .kind = findings::ColumnKind::kInteger},
                  {.id = "differing", .title = "Differ", .kind = findings::ColumnKind::kInteger}}};
  for (const CheckedOutput& output : run.outcome.outputs) {
    table.rows.push_back({output.buffer, static_cast<std::int64_t>(output.compared),
                          static_cast<std::int64_t>(output.differing)});
    if (output.differing > 0)
      section.statements.push_back({.id = "run.output_differs",
                                    .kind = StatementKind::kVerdict,
                                    .priority = findings::Priority::kHighest,
                                    .subject = output.buffer,
                                    .text = output.text});
  }
  section.tables.push_back(std::move(table));
}

}  // namespace

Findings run_document(const RunDocument& run) {
  Findings findings{.kind = "run", .title = fmt::format("{} on {}", run.graph.name, run.chip.name)};
  add_run(findings, run);
  for (const trace::QualityRow& row : run.last.monitors) findings.quality.add(row);
  for (const trace::QualityRow& row : run.last.recording.report.remarks)
    if (row.id.starts_with("perfmon.")) findings.quality.add(row);
  add_rounds(findings, run);
  add_outputs(findings, run);
  findings.provenance.version = run.version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  const auto add = [&](std::string key, std::string value) {
    findings.provenance.options.push_back({std::move(key), std::move(value)});
  };
  add("platform", std::string(runtime::name_of(run.platform)));
  add("chip swimlane level", fmt::format("{}", chip_swimlane_level_of(run.dfx_flags)));
  add("dfx flags", fmt::format("{:#x}", with_implied_dfx(run.dfx_flags)));
  add("policy", std::string(capture::name_of(run.policy)));
  return findings;
}

}  // namespace accelscope::jobs
