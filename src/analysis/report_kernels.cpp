#include <fmt/format.h>

#include <algorithm>

#include "analysis/report_work.h"

namespace accelscope::analysis {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Table;

constexpr std::size_t kKernelsShown = 30;

std::vector<MeasuredOperator> measured_operators(const MethodProfile& method, const Breakdown& breakdown) {
  std::vector<MeasuredOperator> operators;
  for (const Share& share : breakdown.by_operator)
    if (share.part == Part::kDelegateOperator)
      operators.push_back({method.entries[share.entry].name, share.mean, is_compute(share.category)});
  return operators;
}

std::string levels_text(const EvidenceLevels& levels) {
  std::string text;
  const auto add = [&](bool has, char letter) {
    if (has) text += fmt::format("{}{}", text.empty() ? "" : " ", letter);
  };
  add(levels.registered, 'A');
  add(levels.implied, 'B');
  add(levels.invoked, 'C');
  add(levels.measured, 'D');
  return text.empty() ? "none" : text;
}

Table verdict_table(const KernelEvidence& evidence, const std::string& unit) {
  Table table{.id = "sme2",
              .title = "Did SME2 do the work?",
              .columns = {text_column("operator", "Operator"), number_column("mean", "Mean", unit),
                          text_column("verdict", "SME2"), text_column("levels", "Evidence"),
                          text_column("reasons", "Because")},
              .note =
                  "Evidence: A registered (a candidate), B implied by the operator's name in the timing run, "
                  "C invoked "
                  "according to the log, D measured.",
              .rows_shown = kKernelsShown};
  for (const OperatorVerdict& row : evidence.operators) {
    std::vector<std::string_view> reasons;
    for (const VerdictReason reason : row.reasons) reasons.push_back(sentence_of(reason));
    table.rows.push_back({std::string(row.name), row.time, std::string(name_of(row.verdict)),
                          levels_text(row.levels), fmt::format("{}", fmt::join(reasons, " "))});
  }
  return table;
}

Table kernel_table(const KernelEvidence& evidence, const std::string& unit) {
  Table table{
      .id = "kernels",
      .title = "Kernels in the logs",
      .columns = {text_column("kernel", "Kernel"), text_column("operation", "Operation"),
                  text_column("types", "Types"), text_column("tile", "Tile"), text_column("isa", "ISA"),
                  text_column("baseline", "Baseline"), text_column("candidate", "Candidate"),
                  count_column("invoked", "Family ran"), number_column("time", "Family time", unit)},
      .note =
          "Registered means that a kernel may be chosen, not that it ran; logs count operators of its "
          "family.",
      .rows_shown = kKernelsShown};
  const KernelSummary& summary = evidence.summary;
  const auto presence = [&](const KernelRow& row, Role role) {
    return std::string(summary.logs[role] == 0 ? "no log" : row.registered[role] > 0 ? "registered" : "-");
  };
  const Role measured = summary.logs[Role::kCandidate] > 0 ? Role::kCandidate : Role::kBaseline;
  for (const KernelRow& row : evidence.kernels)
    table.rows.push_back({std::string(row.symbol), std::string(row.parsed.operation),
                          fmt::format("{}", fmt::join(row.parsed.types, ", ")), std::string(row.parsed.tile),
                          std::string(name_of(row.parsed.isa)), presence(row, Role::kBaseline),
                          presence(row, Role::kCandidate),
                          static_cast<std::int64_t>(row.family_invoked[measured]),
                          row.family_measured > 0 ? Cell(row.family_time) : Cell()});
  return table;
}

void add_summary(Section& section, const KernelEvidence& evidence, const std::string& unit) {
  const KernelSummary& summary = evidence.summary;
  if (!evidence.operators.empty())
    section.statements.push_back(
        {.id = "kernels.summary",
         .subject = "SME2",
         .text = fmt::format(
             "SME2 is confirmed for {} of {} compute operators ({:.4g} {}), contradicted for {}, unknown "
             "for {}.",
             summary.count_of(Sme2Verdict::kConfirmed), evidence.operators.size(),
             summary.time_of(Sme2Verdict::kConfirmed), unit, summary.count_of(Sme2Verdict::kContradicted),
             summary.count_of(Sme2Verdict::kUnknown))});
  if (summary.sme2_kernels_in[Role::kBaseline] > 0)
    section.statements.push_back(
        {.id = "kernels.baseline_has_sme2",
         .priority = findings::Priority::kInvestigate,
         .subject = "baseline",
         .text = "The baseline's log registers SME2 kernels: it is not a build without SME2."});
}

}  // namespace

void add_kernels(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "kernels", "Kernel-Level Insights").empty_hint = fmt::format(
      "No kernel log and no operator of a delegate was recorded. Add an experiment with \"mode\": "
      "\"xnntrace\", or give "
      "the log: `accelscope kernels {} KERNELS.log`.",
      input.place);
  std::vector<Subject> subjects = subjects_of(input, work);
  if (subjects.empty() && !input.kernel_logs.empty())
    subjects.push_back({.experiment = input.experiments.size()});
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    std::vector<MeasuredOperator> operators;
    std::string unit = "ms";
    if (subjects[i].experiment < input.experiments.size()) {
      const MethodProfile& method =
          input.experiments[subjects[i].experiment].profile.methods[subjects[i].method];
      operators =
          measured_operators(method, work.experiments[subjects[i].experiment][subjects[i].method].breakdown);
      unit = unit_of(method);
    }
    const KernelEvidence evidence = gather_kernel_evidence(input.kernel_logs, operators);
    if (evidence.kernels.empty() && evidence.operators.empty()) continue;
    Section& section = place_for(findings, "kernels", i, subjects.size(), subjects[i].title);
    add_summary(section, evidence, unit);
    if (!evidence.operators.empty()) section.tables.push_back(verdict_table(evidence, unit));
    if (!evidence.kernels.empty()) section.tables.push_back(kernel_table(evidence, unit));
    if (input.kernel_logs.empty())
      section.statements.push_back(
          {.id = "kernels.no_log",
           .subject = "kernel log",
           .text =
               "No kernel log was recorded, so only the operators' names speak. An experiment with \"mode\": "
               "\"xnntrace\" tells which kernels were candidates and which families ran."});
  }
}

}  // namespace accelscope::analysis
