#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report_work.h"

namespace accelscope::analysis {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Statement;
using findings::Table;

constexpr std::size_t kPairsShown = 20;
// A shift worth a sentence, in points of the end-to-end time.
constexpr double kNotableShift = 5;

Table pair_table(const MethodComparison& method) {
  Table table{
      .id = "operators",
      .title = "Operators, largest change first",
      .columns = {text_column("operator", "Operator"), text_column("baseline_name", "was"),
                  number_column("baseline", "Baseline", method.unit),
                  number_column("candidate", "Candidate", method.unit), ratio_column("speedup", "Speedup"),
                  text_column("interval", "95 % interval"), number_column("p", "p (Holm)", "", 4),
                  text_column("verdict", "Verdict"), number_column("saving", "Saving", method.unit),
                  percent_column("saving_share", "of saving")},
      .rows_shown = kPairsShown};
  for (const PairComparison& row : method.operators) {
    Cell speedup;
    Cell interval;
    if (row.test && row.candidate > 0 && row.baseline > 0) {
      speedup = row.baseline / row.candidate;
      if (row.test->interval && !row.below_resolution)
        interval = fmt::format("{:.2f} to {:.2f} ({})", row.test->interval->low, row.test->interval->high,
                               row.test->interval_method);
    }
    std::string verdict = !row.in_baseline    ? "only in the candidate"
                          : !row.in_candidate ? "only in the baseline"
                                              : std::string(stats::to_text(row.test->verdict));
    if (row.below_resolution) verdict = "below the clock's resolution";
    table.rows.push_back(
        {row.name, row.baseline_name == row.name ? std::string() : row.baseline_name,
         row.in_baseline ? Cell(row.baseline) : Cell(), row.in_candidate ? Cell(row.candidate) : Cell(),
         speedup, interval, row.test && row.test->adjusted_p ? Cell(*row.test->adjusted_p) : Cell(),
         std::move(verdict), row.saving, method.saving != 0 ? Cell(row.saving_share) : Cell()});
  }
  table.note =
      "Every step of the program, overheads included: the savings sum to the total. Speedups here are ratios "
      "of means; "
      "p values are Mann-Whitney's, corrected after Holm. Packing of inputs counts with the operator it "
      "serves.";
  return table;
}

void add_packing(Section& section, const MethodComparison& method) {
  double packing = 0;
  std::vector<std::string> operators;
  for (const PairComparison& row : method.operators) {
    if (row.packing == 0) continue;
    packing += row.packing;
    operators.push_back(fmt::format("{} ({:.4g} {})", row.name, row.packing, method.unit));
  }
  if (operators.empty()) return;
  section.statements.push_back(
      {.id = "acceleration.packing",
       .subject = "packing",
       .text = fmt::format("Packing inputs for the accelerated kernels costs {:.4g} {} per execution: {}.",
                           packing, method.unit, fmt::join(operators, ", "))});
}

const Share* largest(const Breakdown& breakdown) {
  return breakdown.by_category.empty() ? nullptr : &breakdown.by_category.front();
}

void add_shift(Section& section, const MethodComparison& method) {
  const Share* before = largest(method.baseline_breakdown);
  const Share* after = largest(method.candidate_breakdown);
  if (before == nullptr || after == nullptr) return;
  std::vector<std::string> shifts;
  for (const CategoryComparison& row : method.categories)
    if (std::abs(row.candidate_percent - row.baseline_percent) >= kNotableShift)
      shifts.push_back(fmt::format("{} {:.1f} % -> {:.1f} %", name_of(row.category), row.baseline_percent,
                                   row.candidate_percent));
  const std::string moved =
      before->category == after->category
          ? fmt::format("{} is the largest category before and after.", after->name)
          : fmt::format("The bottleneck moved from {} to {}.", before->name, after->name);
  section.statements.push_back(
      {.id = "acceleration.bottleneck_shift",
       .subject = after->name,
       .text =
           shifts.empty()
               ? fmt::format("{} No category's share changed by {:.0f} points or more.", moved, kNotableShift)
               : fmt::format("{} Shares of end-to-end time: {}.", moved, fmt::join(shifts, ", "))});
}

void add_unmatched(Section& section, const MethodComparison& method) {
  if (method.match.same_calls) return;
  section.statements.push_back(
      {.id = "acceleration.programs_differ",
       .subject = "matching",
       .text = "The two programs make different calls, so their whole sequences of operators "
               "were aligned; pairs are likely, not certain."});
}

}  // namespace

void add_acceleration(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "acceleration", "Acceleration Analysis").empty_hint = fmt::format(
      "Nothing to compare with. Name the roles: `accelscope report {} --baseline NAME --candidate NAME`, or "
      "compare two "
      "recordings: `accelscope compare BASE CAND`.",
      input.place);
  std::size_t parts = 0;
  for (const Comparison& comparison : work.comparisons) parts += comparison.methods.size();
  std::size_t number = 0;
  for (const Comparison& comparison : work.comparisons) {
    for (const MethodComparison& method : comparison.methods) {
      Section& section = place_for(findings, "acceleration", number++, parts,
                                   title_of(comparison, method, comparison.methods.size()));
      add_shift(section, method);
      add_packing(section, method);
      add_unmatched(section, method);
      section.tables.push_back(pair_table(method));
    }
  }
}

}  // namespace accelscope::analysis
