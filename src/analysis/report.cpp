#include "analysis/report.h"

#include <fmt/core.h>

#include <initializer_list>

#include "analysis/profile_data.h"
#include "analysis/report_work.h"

namespace accelscope::analysis {

using findings::Findings;
using findings::Section;
using findings::Table;

namespace {

using AddSection = void (*)(Findings&, const ReportInput&, const ReportWork&);

// A document of these sections, in this order, with the trust box before them.
Findings made_of(std::string kind, const ReportInput& input, const ReportWork& work,
                 std::initializer_list<AddSection> sections) {
  Findings findings{.kind = std::move(kind), .title = input.title};
  findings.provenance.device = input.device;
  findings.provenance.seed = input.compare.statistics.seed;
  findings.quality = work.quality;
  for (const AddSection add : sections) add(findings, input, work);
  return findings;
}

// The data goes behind everything else.
Findings with_data(Findings findings, const ReportInput& input) {
  for (const Experiment& experiment : input.experiments) add_profile_data(findings, experiment.profile);
  return findings;
}

Findings report_of(const ReportInput& input, const ReportWork& work) {
  return with_data(made_of("report", input, work,
                           {add_metadata, add_latency, add_categories, add_acceleration, add_bottlenecks,
                            add_delegation, add_kernels, add_recommendations}),
                   input);
}

Findings operators_of(const ReportInput& input, const ReportWork& work) {
  return made_of("operators", input, work, {add_categories, add_operators, add_delegation});
}

Findings kernels_of(const ReportInput& input, const ReportWork& work) {
  return made_of("kernels", input, work, {add_kernels});
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
  return report_of(input, do_work(input));
}

ReportSet make_report_set(const ReportInput& input) {
  const ReportWork work = do_work(input);
  return {report_of(input, work), operators_of(input, work), kernels_of(input, work)};
}

Findings latency_view(const ReportInput& input) {
  return with_data(made_of("latency", input, do_work(input), {add_latency}), input);
}

Findings operators_view(const ReportInput& input) {
  return with_data(operators_of(input, do_work(input)), input);
}

Findings kernels_view(const ReportInput& input) {
  return with_data(kernels_of(input, do_work(input)), input);
}

Findings comparison_view(const ReportInput& input) {
  return with_data(
      made_of("comparison", input, do_work(input), {add_latency, add_categories, add_acceleration}), input);
}

}  // namespace accelscope::analysis
