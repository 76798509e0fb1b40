#include <fmt/core.h>

#include <algorithm>

#include "base/csv.h"
#include "compat/kit_operators.h"
#include "compat/python_text.h"
#include "formats/timeline_csv/python_float.h"

namespace accelscope::compat {
namespace {

using base::append_csv_cell;
using formats::timeline_csv::python_float;

constexpr std::size_t kTopOperators = 10;

void append_cell(base::Output& out, std::string_view cell, char end = ',') {
  append_csv_cell(out, cell);
  out.append(end);
}

// A column of nothing but the integer 0, which stands for what could not be computed, stays one of integers.
std::string percent_cell(double percent, bool has_latency) {
  return has_latency ? python_float(percent) : "0";
}

using Cell = std::optional<double> KitCategoryComparison::*;

bool is_integer_column(const KitOperatorComparison& comparison, Cell cell) {
  return std::none_of(comparison.categories.begin(), comparison.categories.end(),
                      [&](const KitCategoryComparison& row) { return (row.*cell).has_value(); });
}

std::string ms_line(std::string_view label, double ms) {
  return fmt::format("   {}: {} ms\n", label, fixed(ms, 3));
}

std::string latency_lines(const KitOperatorAnalysis& analysis) {
  return fmt::format("\n⏱️  End-to-End Latency (Method::execute)\n   Runs: {}\n", analysis.num_runs) +
         ms_line("Total", analysis.total_ms) + ms_line("Average", analysis.avg_ms) +
         ms_line("Min", analysis.min_ms) + ms_line("Max", analysis.max_ms);
}

std::string category_lines(const KitOperatorAnalysis& analysis) {
  std::string text = fmt::format("\n📋 Operator Category Breakdown\n{:<20} {:<15} {:<15} {:<10}\n{}\n",
                                 "Category", "Avg Time (ms)", "% of E2E", "Op Count", std::string(60, '-'));
  for (const KitCategoryTime& row : analysis.categories)
    text += fmt::format("{} {} ms {}% {:>10}\n", padded(row.category, 20), fixed(row.avg_ms, 3, 12),
                        fixed(row.pct_of_e2e, 2, 13), row.operator_count);
  return text;
}

std::string operator_lines(const KitOperatorAnalysis& analysis) {
  std::string text = fmt::format("\n🔍 Top 10 Operators by Time\n{:<50} {:<15} {:<15} {:<15}\n{}\n",
                                 "Operator", "Category", "Avg Time (ms)", "% of E2E", std::string(95, '-'));
  for (std::size_t i = 0; i < std::min(kTopOperators, analysis.operators.size()); ++i) {
    const KitOperatorTime& row = analysis.operators[i];
    text += fmt::format("{} {} {} ms {}%\n", padded(shortened(row.name, 50, 47), 50),
                        padded(row.category, 15), fixed(row.avg_ms, 3, 12), fixed(row.pct_of_e2e, 2, 13));
  }
  return text;
}

std::string other_lines(const KitOperatorAnalysis& analysis) {
  const std::vector<KitOperatorTime> top = kit_top_other_operators(analysis);
  std::string text = top.empty() ? "" : "\n🕵️  Top OTHER operators\n";
  for (std::size_t i = 0; i < top.size(); ++i)
    text += fmt::format("   {}. {} — {} ms avg ({}% of E2E across {} events)\n", i + 1,
                        shortened(top[i].name, 63, 60), fixed(top[i].avg_ms, 3), fixed(top[i].pct_of_e2e, 2),
                        top[i].event_count);
  return text;
}

std::string comparison_header(std::string_view title, const KitOperatorComparison& comparison) {
  return fmt::format("{:<20} {} {} {:<15}\n{}\n", title, padded(comparison.first_name, 20),
                     padded(comparison.second_name, 20), "Speedup", std::string(75, '-'));
}

std::string comparison_line(std::string_view label, double first, double second, double speedup) {
  return fmt::format("{} {} ms {} ms {}x\n", padded(label, 20), fixed(first, 3, 15), fixed(second, 3, 15),
                     fixed(speedup, 3, 13));
}

}  // namespace

void write_kit_category_csv(base::Output& out, const KitOperatorAnalysis& analysis) {
  if (!analysis.categories.empty()) out.append("category,total_ms,avg_ms,pct_of_e2e,operator_count");
  out.append('\n');
  for (const KitCategoryTime& row : analysis.categories) {
    append_cell(out, row.category);
    append_cell(out, python_float(row.total_ms));
    append_cell(out, python_float(row.avg_ms));
    append_cell(out, percent_cell(row.pct_of_e2e, analysis.avg_ms > 0));
    append_cell(out, std::to_string(row.operator_count), '\n');
  }
}

void write_kit_operator_csv(base::Output& out, const std::vector<KitOperatorTime>& operators,
                            bool has_latency) {
  if (!operators.empty()) out.append("operator,category,total_ms,avg_ms,pct_of_e2e,event_count");
  out.append('\n');
  for (const KitOperatorTime& row : operators) {
    append_cell(out, row.name);
    append_cell(out, row.category);
    append_cell(out, python_float(row.total_ms));
    append_cell(out, python_float(row.avg_ms));
    append_cell(out, percent_cell(row.pct_of_e2e, has_latency));
    append_cell(out, std::to_string(row.event_count), '\n');
  }
}

void write_kit_e2e_csv(base::Output& out, const KitOperatorAnalysis& analysis) {
  out.append("model_name,num_runs,total_ms,avg_ms,min_ms,max_ms\n");
  append_cell(out, analysis.model_name);
  append_cell(out, std::to_string(analysis.num_runs));
  append_cell(out, python_float(analysis.total_ms));
  append_cell(out, python_float(analysis.avg_ms));
  append_cell(out, python_float(analysis.min_ms));
  append_cell(out, python_float(analysis.max_ms), '\n');
}

void write_kit_comparison_csv(base::Output& out, const KitOperatorComparison& comparison) {
  struct Column {
    std::string name;
    Cell cell;
  };
  const std::vector<Column> columns = {{comparison.first_name + "_ms", &KitCategoryComparison::first_ms},
                                       {comparison.second_name + "_ms", &KitCategoryComparison::second_ms},
                                       {"speedup", &KitCategoryComparison::speedup},
                                       {comparison.first_name + "_pct", &KitCategoryComparison::first_pct},
                                       {comparison.second_name + "_pct", &KitCategoryComparison::second_pct}};
  if (comparison.categories.empty()) return out.append('\n');
  out.append("category");
  for (const Column& column : columns) {
    out.append(',');
    append_csv_cell(out, column.name);
  }
  for (const KitCategoryComparison& row : comparison.categories) {
    out.append('\n');
    append_csv_cell(out, row.category);
    for (const Column& column : columns) {
      out.append(',');
      out.append(is_integer_column(comparison, column.cell) ? "0"
                                                            : python_float((row.*column.cell).value_or(0)));
    }
  }
  out.append('\n');
}

std::string kit_operator_text(std::string_view timeline_path, const KitTimeline& timeline,
                              const KitOperatorAnalysis& analysis) {
  return fmt::format("📊 Analyzing: {}\n   Total events: {}\n   Unique run indices: {}\n", timeline_path,
                     timeline.events.size(), count_run_indices(timeline)) +
         latency_lines(analysis) + category_lines(analysis) + operator_lines(analysis) +
         other_lines(analysis);
}

std::string kit_operator_saved_text(std::string_view stem, const KitOperatorAnalysis& analysis) {
  std::string text = fmt::format(
      "\n💾 Saved category summary: {0}_category_summary.csv\n"
      "💾 Saved operator details: {0}_operator_details.csv\n"
      "💾 Saved E2E latency: {0}_e2e_latency.csv\n",
      stem);
  if (!kit_top_other_operators(analysis).empty())
    text += fmt::format("💾 Saved top OTHER ops: {}_other_top_ops.csv\n", stem);
  return text;
}

std::string kit_operator_comparison_text(const KitOperatorComparison& comparison) {
  std::string text =
      fmt::format("\n🔄 Comparison: {} vs {}\n", comparison.first_name, comparison.second_name) +
      comparison_header("Metric", comparison) +
      comparison_line("E2E Latency", comparison.first_ms, comparison.second_ms, comparison.speedup) +
      "\n📊 Category Comparison\n" + comparison_header("Category", comparison);
  std::vector<KitCategoryComparison> rows = comparison.categories;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.first_ms.value_or(0) > b.first_ms.value_or(0);
  });
  for (const KitCategoryComparison& row : rows)
    text += comparison_line(row.category, row.first_ms.value_or(0), row.second_ms.value_or(0),
                            row.speedup.value_or(0));
  return text;
}

std::string kit_operator_comparison_saved_text(std::string_view stem) {
  return fmt::format("\n💾 Saved comparison: {}_comparison.csv\n", stem);
}

}  // namespace accelscope::compat
