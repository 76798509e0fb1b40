// The profiling kit's operator statistics (its tool analyze_etdump_csv), their CSV files and what it prints.
//
// Known wrongs that are kept: durations are inclusive, time between operators belongs to nobody, and of two
// analyses the "speedup" is second / first, so that above 1 the FIRST is faster. The kit's documentation
// passes the accelerated timeline first and calls it the other one; whoever passes the names so gets the
// inverted labels.
//
// Pure functions over plain data; safe from any thread.
//
//   ACCELSCOPE_TRY(const KitOperatorAnalysis on, kit_operator_analysis(timeline, timeline.model_id));
//   write_kit_category_csv(out, on);                                // <model>_category_summary.csv
//   write_kit_comparison_csv(out, kit_operator_comparison(on, off, "SME2-On", "SME2-Off"));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/output.h"
#include "base/result.h"
#include "compat/kit_csv.h"

namespace accelscope::compat {

struct KitCategoryTime {
  std::string category;
  double total_ms = 0;  // over all runs
  double avg_ms = 0;    // per run
  double pct_of_e2e = 0;
  std::size_t operator_count = 0;  // different names
};

struct KitOperatorTime {
  std::string name;
  std::string category;
  double total_ms = 0;
  double avg_ms = 0;
  double pct_of_e2e = 0;
  std::size_t event_count = 0;
};

struct KitOperatorAnalysis {
  std::string model_name;
  std::size_t num_runs = 0;
  double total_ms = 0;
  double avg_ms = 0;
  double min_ms = 0;
  double max_ms = 0;
  // Largest average first.
  std::vector<KitCategoryTime> categories;
  std::vector<KitOperatorTime> operators;
};

struct KitCategoryComparison {
  std::string category;
  // Nothing where a side has no such category, or the first has no time in it.
  std::optional<double> first_ms = {};
  std::optional<double> second_ms = {};
  std::optional<double> speedup = {};
  std::optional<double> first_pct = {};
  std::optional<double> second_pct = {};
};

struct KitOperatorComparison {
  std::string first_name;
  std::string second_name;
  double first_ms = 0;
  double second_ms = 0;
  double speedup = 0;                                  // second / first
  std::vector<KitCategoryComparison> categories = {};  // by name
};

// An error where there is no "Method::execute" or no run_index.
base::Result<KitOperatorAnalysis> kit_operator_analysis(const KitTimeline& timeline, std::string model_name);
// The first two operators without a category.
std::vector<KitOperatorTime> kit_top_other_operators(const KitOperatorAnalysis& analysis);
KitOperatorComparison kit_operator_comparison(const KitOperatorAnalysis& first,
                                              const KitOperatorAnalysis& second, std::string first_name,
                                              std::string second_name);

void write_kit_category_csv(base::Output& out, const KitOperatorAnalysis& analysis);
// `has_latency`: the executions took any time at all; else percentages are the integer 0.
void write_kit_operator_csv(base::Output& out, const std::vector<KitOperatorTime>& operators,
                            bool has_latency = true);
void write_kit_e2e_csv(base::Output& out, const KitOperatorAnalysis& analysis);
void write_kit_comparison_csv(base::Output& out, const KitOperatorComparison& comparison);

// What the tool prints with -v.
std::string kit_operator_text(std::string_view timeline_path, const KitTimeline& timeline,
                              const KitOperatorAnalysis& analysis);
// `stem` is the folder and the model's name: "out/toy" for out/toy_category_summary.csv.
std::string kit_operator_saved_text(std::string_view stem, const KitOperatorAnalysis& analysis);
std::string kit_operator_comparison_text(const KitOperatorComparison& comparison);
std::string kit_operator_comparison_saved_text(std::string_view stem);

}  // namespace accelscope::compat
