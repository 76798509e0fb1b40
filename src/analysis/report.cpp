#include "analysis/report.h"

#include <fmt/format.h>

#include "analysis/profile_data.h"
#include "analysis/report_work.h"

namespace accelscope::analysis {

using findings::Findings;
using findings::Section;
using findings::Table;

namespace {

Findings begin(std::string kind, const ReportInput& input, const ReportWork& work) {
  Findings findings{.kind = std::move(kind), .title = input.title};
  findings.provenance.device = input.device;
  findings.provenance.seed = input.compare.statistics.seed;
  findings.quality = work.quality;
  return findings;
}

void add_data(Findings& findings, const ReportInput& input) {
  for (const Experiment& experiment : input.experiments) add_profile_data(findings, experiment.profile);
}

Findings report_from(const ReportInput& input, const ReportWork& work) {
  Findings findings = begin("report", input, work);
  add_metadata(findings, input, work);
  add_latency(findings, input, work);
  add_categories(findings, input, work);
  add_acceleration(findings, input, work);
  add_bottlenecks(findings, input, work);
  add_delegation(findings, input, work);
  add_kernels(findings, input, work);
  add_recommendations(findings, input, work);
  add_data(findings, input);
  return findings;
}

// Without the recorded times, which a report beside it has.
Findings operators_from(const ReportInput& input, const ReportWork& work) {
  Findings findings = begin("operators", input, work);
  add_categories(findings, input, work);
  add_operators(findings, input, work);
  add_delegation(findings, input, work);
  return findings;
}

Findings kernels_from(const ReportInput& input, const ReportWork& work) {
  Findings findings = begin("kernels", input, work);
  add_kernels(findings, input, work);
  return findings;
}

}  // namespace

std::vector<Comparison> compare_pairs(const ReportInput& input) {
  std::vector<Comparison> comparisons;
  for (const RolePair& pair : input.pairs)
    comparisons.push_back(compare(input.experiments[pair.baseline].profile,
                                  input.experiments[pair.candidate].profile, input.compare));
  return comparisons;
}

void add_metadata(Findings& findings, const ReportInput& input, const ReportWork& work) {
  Section& section = findings::add_section(findings, "metadata", "Metadata");
  const auto key_values = [](std::string id, std::string title, const std::vector<findings::KeyValue>& list) {
    Table table{.id = std::move(id),
                .title = std::move(title),
                .columns = {text_column("what", "What"), text_column("value", "Value")}};
    for (const findings::KeyValue& item : list) table.rows.push_back({item.key, item.value});
    return table;
  };
  section.tables.push_back(key_values("run", "", input.metadata));
  if (input.device.empty())
    section.statements.push_back(
        {.id = "metadata.no_device",
         .subject = "device",
         .text = "Nothing was recorded about the device; `accelscope bench` records it."});
  else
    section.tables.push_back(key_values("device", "Device", input.device));
  Table checks{.id = "cross_checks",
               .title = "Cross-checks",
               .columns = {text_column("check", "Check"), text_column("outcome", "Found"),
                           text_column("passed", "Passed")}};
  for (const CrossCheck& check : work.checks)
    checks.rows.push_back({check.what, check.outcome, std::string(check.passed ? "yes" : "no")});
  if (!checks.rows.empty()) section.tables.push_back(std::move(checks));
}

Findings make_report(const ReportInput& input) {
  return report_from(input, do_work(input));
}

ReportSet make_report_set(const ReportInput& input) {
  const ReportWork work = do_work(input);
  return {report_from(input, work), operators_from(input, work), kernels_from(input, work)};
}

Findings latency_view(const ReportInput& input) {
  const ReportWork work = do_work(input);
  Findings findings = begin("latency", input, work);
  add_latency(findings, input, work);
  add_data(findings, input);
  return findings;
}

Findings operators_view(const ReportInput& input) {
  Findings findings = operators_from(input, do_work(input));
  add_data(findings, input);
  return findings;
}

Findings kernels_view(const ReportInput& input) {
  return kernels_from(input, do_work(input));
}

Findings comparison_view(const ReportInput& input) {
  const ReportWork work = do_work(input);
  Findings findings = begin("comparison", input, work);
  add_latency(findings, input, work);
  add_categories(findings, input, work);
  add_acceleration(findings, input, work);
  add_data(findings, input);
  return findings;
}

}  // namespace accelscope::analysis
