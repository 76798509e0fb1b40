// The profiling kit's "robust" latency statistics, their comparison, its JSON files and what it prints.
//
// Known wrongs that are kept: outliers are deleted on each side before medians are compared, 5 % of fewer
// than twenty runs trims nothing, and no number has an uncertainty. One thing is mended: where the kit writes
// the bare word NaN (one run has no standard deviation), which is not JSON, the files say null.
//
// Pure functions over plain data; safe from any thread.
//
//   ACCELSCOPE_TRY(const KitLatencies latencies, kit_latencies(timeline));
//   const KitRobustStats stats = kit_robust_stats(latencies, "mac_sme2_on_t1");
//   write_kit_robust_json(out, stats);                       // <timeline stem>_robust_stats.json
//   write_kit_robust_comparison_json(out, kit_robust_comparison(off, on, "SME2-Off", "SME2-On"));
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/output.h"
#include "compat/kit_latency.h"

namespace accelscope::compat {

inline constexpr std::array<int, 5> kKitPercentiles = {50, 75, 90, 95, 99};

struct KitRobustStats {
  std::size_t count = 0;
  double mean_ms = 0;
  double median_ms = 0;
  double std_dev_ms = 0;  // NaN for one run
  double cv_percent = 0;
  double min_ms = 0;
  double max_ms = 0;
  std::array<double, kKitPercentiles.size()> percentiles_ms{};
  std::vector<double> outliers;  // in the order of the runs
  double outlier_percentage = 0;
  double lower_bound = 0;
  double upper_bound = 0;
  double trimmed_mean_5_ms = 0;
  double trimmed_mean_10_ms = 0;
  // Of what lies within the bounds.
  std::size_t inside_count = 0;
  double inside_mean_ms = 0;
  double inside_median_ms = 0;
  double inside_std_dev_ms = 0;
  double inside_cv_percent = 0;
  KitLatencies latencies;
  std::string name;
};

struct KitRobustComparison {
  struct Side {
    std::string name;
    double median_ms = 0;
    double trimmed_mean_ms = 0;
    double cv_percent = 0;
    std::size_t count = 0;
  };
  Side first;
  Side second;
  double by_median = 0;  // first / second: above 1, the second is faster
  double by_trimmed_mean = 0;
  std::string description;
  std::string more_variable;
  double cv_ratio = 0;
};

// Of at least one latency.
KitRobustStats kit_robust_stats(const KitLatencies& latencies, std::string name);
KitRobustComparison kit_robust_comparison(const KitRobustStats& first, const KitRobustStats& second,
                                          std::string first_name, std::string second_name);

void write_kit_robust_json(base::Output& out, const KitRobustStats& stats);
void write_kit_robust_comparison_json(base::Output& out, const KitRobustComparison& comparison);

// What the kit's tool prints with --verbose; the lines that name files it saved are functions of their own.
std::string kit_robust_text(std::string_view timeline_path, const KitTimeline& timeline,
                            const KitRobustStats& stats);
std::string kit_robust_saved_text(std::string_view json_path);
std::string kit_robust_comparison_text(const KitRobustComparison& comparison);
std::string kit_robust_comparison_saved_text(std::string_view json_path);

}  // namespace accelscope::compat
