#include <fmt/core.h>

#include <algorithm>

#include "analysis/report_work.h"

namespace accelscope::analysis {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Series;
using findings::Statement;
using findings::Table;

constexpr std::size_t kOperatorsShown = 25;

Table share_table(std::string id, std::string title, std::string first_column,
                  const std::vector<Share>& shares, const std::string& unit) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .columns = {text_column("name", std::move(first_column)), number_column("mean", "Mean", unit),
                          percent_column("percent", "of end-to-end"), count_column("operators", "Entries")}};
  for (const Share& share : shares)
    table.rows.push_back({share.name, share.mean, share.percent, static_cast<std::int64_t>(share.operators)});
  return table;
}

Series bars(std::string id, std::string title, const std::vector<Share>& shares) {
  Series series{.id = std::move(id), .title = std::move(title), .unit = "%"};
  for (const Share& share : shares) {
    series.values.push_back(std::max(0.0, share.percent));
    series.labels.push_back(share.name);
  }
  return series;
}

Table category_comparison(const Comparison* comparison, const MethodComparison& method) {
  Table table{.id = "categories",
              .columns = {text_column("category", "Category"),
                          number_column("baseline", comparison->baseline, method.unit),
                          percent_column("baseline_percent", "%"),
                          number_column("candidate", comparison->candidate, method.unit),
                          percent_column("candidate_percent", "%"), ratio_column("speedup", "Speedup"),
                          number_column("saving", "Saving", method.unit),
                          percent_column("saving_share", "of saving")}};
  for (const CategoryComparison& row : method.categories)
    table.rows.push_back({std::string(name_of(row.category)), row.baseline, row.baseline_percent,
                          row.candidate, row.candidate_percent,
                          row.candidate > 0 && row.baseline > 0 ? Cell(row.baseline / row.candidate) : Cell(),
                          row.saving, method.saving != 0 ? Cell(row.saving_share) : Cell()});
  table.rows.push_back({std::string("Total"), method.baseline_breakdown.mean, 100.0,
                        method.candidate_breakdown.mean, 100.0,
                        method.candidate_breakdown.mean > 0
                            ? Cell(method.baseline_breakdown.mean / method.candidate_breakdown.mean)
                            : Cell(),
                        method.saving, method.saving != 0 ? Cell(100.0) : Cell()});
  table.note =
      "Exclusive time, mean of the steady executions; means add up, so the rows sum to the total. The "
      "speedup of the "
      "medians is in the section before.";
  return table;
}

void add_unknown_names(Section& section, const MethodProfile& method, const Breakdown& breakdown) {
  Table table{
      .id = "unknown",
      .title = "Names that match nothing, as recorded",
      .columns = {text_column("name", "Name"), number_column("mean", "Mean", std::string(unit_of(method))),
                  percent_column("percent", "of end-to-end")}};
  for (const Share& share : breakdown.by_type)
    if (!method.entries[share.entry].known) table.rows.push_back({share.name, share.mean, share.percent});
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

void add_foreign(Section& section, const Breakdown& breakdown) {
  if (breakdown.foreign.empty()) return;
  Table table{
      .id = "foreign",
      .title = "Inside delegate calls, on clocks of their own",
      .columns = {text_column("name", "Event"), percent_column("percent", "share"),
                  number_column("calls", "per execution", "", 1)},
      .note = "These clocks cannot be subtracted from the host's: shares are of the sum of each clock.",
      .rows_shown = kOperatorsShown};
  for (const Share& share : breakdown.foreign) table.rows.push_back({share.name, share.percent, share.calls});
  section.tables.push_back(std::move(table));
}

Table operator_table(const MethodProfile& method, const Breakdown& breakdown) {
  Table table{
      .id = "operators",
      .title = "Every operator",
      .columns = {text_column("operator", "Operator"), text_column("category", "Category"),
                  text_column("place", "Place"), number_column("mean", "Mean", std::string(unit_of(method))),
                  percent_column("percent", "of end-to-end"), number_column("calls", "per execution", "", 1)},
      .rows_shown = kOperatorsShown};
  for (const Share& share : breakdown.by_operator) {
    const Entry& entry = method.entries[share.entry];
    const std::string place = entry.part == Part::kLibraryOperator ? "CPU library"
                              : entry.backend.empty()              ? "delegate"
                                                                   : entry.backend;
    table.rows.push_back(
        {share.name, std::string(name_of(share.category)), place, share.mean, share.percent, share.calls});
  }
  return table;
}

}  // namespace

void add_categories(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "categories", "Operator Category Breakdown").empty_hint =
      "No operator was recorded. The runner must be built with the event tracer and given --etdump_path; "
      "then `accelscope "
      "operators FILE.etdump`.";
  add_per_subject(
      findings, input, work, "categories",
      [&](Section& section, const Subject& subject, const MethodProfile& method, const MethodWork& of) {
        const Breakdown& breakdown = of.breakdown;
        if (breakdown.by_operator.empty()) {
          section.statements.push_back({.id = "categories.no_operators",
                                        .subject = "operators",
                                        .text = "Only whole executions were recorded, no operators: nothing "
                                                "tells where their time went."});
          return;
        }
        if (subject.comparison != nullptr) {
          const auto found = std::find_if(
              work.comparisons.begin(), work.comparisons.end(), [&](const Comparison& comparison) {
                return subject.comparison >= comparison.methods.data() &&
                       subject.comparison < comparison.methods.data() + comparison.methods.size();
              });
          section.tables.push_back(category_comparison(&*found, *subject.comparison));
          section.series.push_back(bars("baseline_shares", fmt::format("{} by category", found->baseline),
                                        subject.comparison->baseline_breakdown.by_category));
          section.series.push_back(bars("candidate_shares", fmt::format("{} by category", found->candidate),
                                        breakdown.by_category));
        } else {
          section.tables.push_back(
              share_table("categories", "", "Category", breakdown.by_category, std::string(unit_of(method))));
          section.series.push_back(bars("shares", "By category", breakdown.by_category));
        }
        section.tables.push_back(share_table("parts", "What the end-to-end time is made of", "Part",
                                             breakdown.by_part, std::string(unit_of(method))));
        section.metrics.push_back(
            {.id = "nested_rows_inflation",
             .label = "Sum of all rows over end-to-end time",
             .value = method.all_rows.value > 0 ? std::optional(inflation_of(method)) : std::nullopt,
             .unit = "x",
             .n = method.executions.size(),
             .note = "what a table that adds calls and what they called would show"});
        add_unknown_names(section, method, breakdown);
      });
}

void add_operators(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "operators", "Operators").empty_hint =
      "No operator was recorded. The runner must be built with the event tracer and given --etdump_path.";
  add_per_subject(findings, input, work, "operators",
                  [](Section& section, const Subject&, const MethodProfile& method, const MethodWork& of) {
                    const Breakdown& breakdown = of.breakdown;
                    section.tables.push_back(share_table("types", "By operator type", "Type",
                                                         breakdown.by_type, std::string(unit_of(method))));
                    section.tables.back().rows_shown = kOperatorsShown;
                    section.tables.push_back(operator_table(method, breakdown));
                    add_foreign(section, breakdown);
                  });
}

}  // namespace accelscope::analysis
