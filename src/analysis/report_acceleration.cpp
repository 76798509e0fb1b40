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

std::string verdict_of(const PairComparison& row) {
  if (!row.in_baseline) return "only in the candidate";
  if (!row.in_candidate) return "only in the baseline";
  return row.below_resolution ? "below the clock's resolution"
                              : std::string(stats::to_text(row.test->verdict));
}

// The name in the baseline where it is another one.
std::string earlier_name(const PairComparison& row) {
  return row.baseline_name == row.name ? std::string() : row.baseline_name;
}

std::vector<Cell> pair_row(const PairComparison& row, bool any_saving) {
  Cell speedup;
  Cell interval;
  Cell method;
  if (row.speedup) {
    speedup = *row.speedup;
    if (row.test->interval && !row.below_resolution) {
      interval = fmt::format("{:.2f} to {:.2f}", row.test->interval->low, row.test->interval->high);
      method = std::string(row.test->interval_method);
    }
  }
  return {row.name,
          row.in_baseline ? Cell(row.baseline) : Cell(),
          row.in_candidate ? Cell(row.candidate) : Cell(),
          speedup,
          interval,
          verdict_of(row),
          row.saving,
          any_saving ? Cell(row.saving_share) : Cell(),
          row.test && row.test->adjusted_p ? Cell(*row.test->adjusted_p) : Cell(),
          method,
          earlier_name(row)};
}

Table pair_table(const MethodComparison& method) {
  Table table{
      .id = "operators",
      .title = "Operators, largest change first",
      .columns = {text_column("operator", "Operator"), number_column("baseline", "Before", method.unit),
                  number_column("candidate", "After", method.unit), ratio_column("speedup", "Speedup"),
                  text_column("interval", "95 % interval"), text_column("verdict", "Verdict"),
                  number_column("saving", "Saving", method.unit), percent_column("saving_share", "of saving"),
                  number_column("p", "p (Holm)", "", 4), text_column("interval_method", "Interval by"),
                  text_column("baseline_name", "Was called")},
      .rows_shown = kPairsShown};
  for (const PairComparison& row : method.operators) table.rows.push_back(pair_row(row, method.saving != 0));
  table.note =
      "Every step of the program, overheads included: the savings sum to the total. Times and savings are "
      "means; "
      "speedups and intervals are of medians; p values are Mann-Whitney's, corrected after Holm. Packing of "
      "inputs counts "
      "with the operator it serves.";
  return table;
}

void add_packing(Section& section, const MethodComparison& method) {
  double packing = 0;
  std::vector<std::string> operators;
  for (const PairComparison& row : method.operators) {
    if (row.packing <= 0) continue;
    packing += row.packing;
    operators.push_back(fmt::format("{} ({:.4g} {})", row.name, row.packing, method.unit));
  }
  if (operators.empty()) return;
  section.statements.push_back(
      {.id = "acceleration.packing",
       .subject = "Packing",
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
       .subject = "programs",
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
