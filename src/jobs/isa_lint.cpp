#include "jobs/isa_lint.h"

#include <fmt/core.h>

#include "base/date.h"
#include "base/file_names.h"
#include "base/mapped_file.h"
#include "findings/columns.h"
#include "isa/lint.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;
using findings::Cell;
using findings::count_column;
using findings::Findings;
using findings::Table;
using findings::text_column;
using findings::whole_cell;

Table table_of(const std::vector<isa::Diagnostics>& all) {
  Table table{
      .id = "findings",
      .columns = {text_column("file", "File"), count_column("line", "Line"), count_column("column", "Column"),
                  text_column("severity", "Severity"), text_column("rule", "Rule"),
                  text_column("message", "Message"), text_column("text", "The line")}};
  for (const isa::Diagnostics& one : all)
    for (const isa::Diagnostic& found : one.in_order())
      table.rows.push_back({one.file(), whole_cell(found.line), whole_cell(found.column),
                            std::string(isa::name_of(found.severity)),
                            std::string(isa::facts_of(found.rule).id), found.message, found.text});
  return table;
}

void add_document(IsaLintOutcome& outcome) {
  Findings& findings = outcome.findings;
  findings.kind = "isa lint";
  findings.title = outcome.diagnostics.size() == 1
                       ? fmt::format("Lint of {}", base::file_name(outcome.diagnostics.front().file()))
                       : fmt::format("Lint of {} programs", outcome.diagnostics.size());
  findings::Section& section = findings::add_section(findings, "lint", "What was found");
  const auto add = [&](const std::string& id, std::uint64_t count) {
    section.metrics.push_back(
        {.id = id, .label = id, .value = static_cast<double>(count), .better = findings::Better::kLower});
  };
  add("errors", outcome.errors);
  add("warnings", outcome.warnings);
  add("notes", outcome.notes);
  section.tables.push_back(table_of(outcome.diagnostics));
}

}  // namespace

Result<IsaLintOutcome> lint_programs(const IsaLintOptions& options) {
  if (options.machine.boards.size() > 1)
    return base::fail(ErrorCode::kUsage, "--board is given {} times; lint looks at one board",
                      options.machine.boards.size());
  ACCELSCOPE_TRY(const IsaMachines machines, load_machines(options.machine));
  IsaLintOutcome outcome;
  std::vector<findings::Input> inputs;
  for (const std::string& path : options.files) {
    ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
    isa::Diagnostics found = isa::lint(path, file.text(), options.dialect, machines.machines.front());
    outcome.errors += found.errors();
    outcome.warnings += found.warnings();
    outcome.notes += found.found(isa::Severity::kNote);
    outcome.diagnostics.push_back(std::move(found));
    inputs.push_back({.path = path, .format = "isa", .bytes = file.size()});
  }
  add_document(outcome);
  findings::Provenance& provenance = outcome.findings.provenance;
  provenance.version = options.version;
  provenance.generated_at = base::iso_date(base::report_time());
  provenance.options = machines.options;
  provenance.options.push_back({"dialect", std::string(isa::name_of(options.dialect))});
  inputs.insert(inputs.end(), machines.inputs.begin(), machines.inputs.end());
  provenance.inputs = std::move(inputs);
  for (const std::string& remark : machines.remarks)
    outcome.findings.quality.add(
        {.id = "isa.settings", .severity = trace::Severity::kInfo, .sentence = remark});
  return outcome;
}

}  // namespace accelscope::jobs
