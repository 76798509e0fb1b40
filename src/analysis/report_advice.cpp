#include <fmt/core.h>

#include <algorithm>

#include "analysis/recommend.h"
#include "analysis/report_work.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Priority;
using findings::Section;
using findings::Statement;
using findings::Table;

std::string_view name_of(BottleneckKind kind) {
  switch (kind) {
    case BottleneckKind::kOutsideDelegate:
      return "outside every delegate";
    case BottleneckKind::kDataMovement:
      return "data movement";
    case BottleneckKind::kLowSpeedup:
      return "low speedup";
    case BottleneckKind::kLargeOperator:
      return "large operator";
    case BottleneckKind::kOverhead:
      return "overhead";
  }
  return "unknown";
}

std::string_view priority_text(BottleneckKind kind) {
  switch (kind) {
    case BottleneckKind::kOutsideDelegate:
      return "highest";
    case BottleneckKind::kDataMovement:
      return "high";
    case BottleneckKind::kLowSpeedup:
      return "investigate";
    case BottleneckKind::kLargeOperator:
    case BottleneckKind::kOverhead:
      break;
  }
  return "note";
}

Table bottleneck_table(const std::vector<Bottleneck>& rows, const std::string& unit,
                       const Thresholds& thresholds) {
  Table table{.id = "bottlenecks",
              .columns = {text_column("subject", "What"), text_column("kind", "Why"),
                          text_column("priority", "Priority"), number_column("mean", "Mean", unit),
                          percent_column("percent", "of end-to-end"), ratio_column("speedup", "Speedup"),
                          text_column("expected", "usual"), number_column("without", "If it vanished", unit),
                          ratio_column("speedup_without", "that is")}};
  for (const Bottleneck& row : rows)
    table.rows.push_back({row.subject, std::string(name_of(row.kind)), std::string(priority_text(row.kind)),
                          row.mean, row.percent, row.speedup ? Cell(*row.speedup) : Cell(), row.expected,
                          row.without, row.speedup_without > 0 ? Cell(row.speedup_without) : Cell()});
  table.note = fmt::format(
      "Shown: operators above {:g} % of end-to-end time, data movement above {:g} %, operators outside "
      "delegates above "
      "{:g} %, GEMM and convolution below {:g}x.",
      thresholds.operator_percent, thresholds.data_movement_percent, thresholds.outside_percent,
      thresholds.low_speedup);
  return table;
}

Table outside_table(const Delegation& delegation, const std::string& unit) {
  Table table{.id = "outside",
              .title = "Operators outside every delegate",
              .columns = {text_column("operator", "Operator"), text_column("category", "Category"),
                          number_column("mean", "Mean", unit), percent_column("percent", "of end-to-end"),
                          text_column("xnnpack", "XNNPACK delegate"), text_column("advice", "What to do")},
              .rows_shown = 15};
  for (const OutsideOperator& row : delegation.outside)
    table.rows.push_back({row.name, std::string(analysis::name_of(row.category)), row.mean, row.percent,
                          std::string(analysis::name_of(row.support.level)),
                          std::string(row.support.sentence)});
  table.note =
      "They ran in the CPU kernel library; whether its portable or its optimised kernels is not recorded.";
  return table;
}

Table backend_table(const Delegation& delegation, const std::string& unit) {
  Table table{.id = "backends",
              .title = "Delegates",
              .columns = {text_column("backend", "Backend"), text_column("source", "Named by"),
                          number_column("calls", "Calls per execution", "", 1),
                          number_column("mean", "Mean", unit), percent_column("percent", "of end-to-end")}};
  for (const BackendUse& use : delegation.backends)
    table.rows.push_back({use.backend.empty() ? std::string("unknown") : use.backend,
                          use.source.empty()                               ? std::string("nothing")
                          : use.source == trace::backend_source::kEtRecord ? std::string("the ETRecord")
                                                                           : use.source,
                          use.calls, use.mean, use.percent});
  return table;
}

}  // namespace

void add_bottlenecks(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "bottlenecks", "Bottleneck Identification").empty_hint =
      "No execution with operators was recorded; `accelscope operators FILE.etdump` shows what a file holds.";
  add_per_subject(
      findings, input, work, "bottlenecks",
      [&](Section& section, const Subject& subject, const MethodProfile& method, const MethodWork& of) {
        const std::vector<Bottleneck> rows =
            bottlenecks_of(method, of.breakdown, subject.comparison, input.thresholds);
        if (rows.empty())
          section.statements.push_back(
              {.id = "bottlenecks.none",
               .subject = subject.title,
               .text = "Nothing is above the thresholds: the time is spread over many operators."});
        else
          section.tables.push_back(bottleneck_table(rows, std::string(unit_of(method)), input.thresholds));
        const bool slow_compute = std::any_of(rows.begin(), rows.end(), [](const Bottleneck& row) {
          return row.kind == BottleneckKind::kLowSpeedup;
        });
        if (slow_compute)
          section.statements.push_back(
              {.id = "bottlenecks.low_speedup_checks",
               .priority = Priority::kInvestigate,
               .subject = "Compute",
               .text = fmt::format("Compute that gained less than is usual: {}.", kLowSpeedupChecks)});
      });
}

void add_delegation(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "delegation", "Portable vs Delegated Operator Analysis").empty_hint =
      "No operator was recorded; `accelscope operators FILE.etdump --etrecord FILE.etrecord` shows which "
      "backend ran what.";
  add_per_subject(
      findings, input, work, "delegation",
      [](Section& section, const Subject&, const MethodProfile& method, const MethodWork& of) {
        const Delegation& delegation = of.delegation;
        const std::string unit(unit_of(method));
        section.statements.push_back(
            {.id = "delegation.summary",
             .subject = "operators",
             .text = fmt::format(
                 "{:.1f} % of the time is in operators of a delegate, {:.1f} % in operators outside, {:.1f} "
                 "% in calls of the delegate but in none of its operators, {:.1f} % in the framework.",
                 delegation.inside_percent, delegation.outside_percent, delegation.overhead_percent,
                 delegation.rest_percent)});
        if (!delegation.backends.empty()) section.tables.push_back(backend_table(delegation, unit));
        if (!delegation.outside.empty()) section.tables.push_back(outside_table(delegation, unit));
      });
}

void add_recommendations(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "recommendations", "Actionable Recommendations").empty_hint =
      "Nothing can be recommended without a recorded execution. Record one with `accelscope bench "
      "CONFIG.json`.";
  add_per_subject(
      findings, input, work, "recommendations",
      [&](Section& section, const Subject& subject, const MethodProfile& profile, const MethodWork& method) {
        const Experiment& experiment = input.experiments[subject.experiment];
        const std::vector<Bottleneck> bottlenecks =
            bottlenecks_of(profile, method.breakdown, subject.comparison, input.thresholds);
        section.statements = recommend({.experiment = &experiment,
                                        .method = subject.method,
                                        .latency = &method.latency,
                                        .breakdown = &method.breakdown,
                                        .delegation = &method.delegation,
                                        .bottlenecks = &bottlenecks,
                                        .comparison = subject.comparison,
                                        .has_kernel_log = !input.kernel_logs.empty()});
      });
  if (!input.notes.empty())
    findings::add_part(findings, "recommendations.notes", "The author's notes").notes = input.notes;
}

}  // namespace accelscope::analysis
