#include <fmt/core.h>

#include "compat/kit_robust.h"
#include "compat/python_text.h"

namespace accelscope::compat {
namespace {

std::string robust_ms_line(std::string_view label, double ms) {
  return fmt::format("   {}: {} ms\n", label, fixed(ms, 3));
}

std::string percent_line(std::string_view label, double percent) {
  return fmt::format("   {}: {}%\n", label, fixed(percent, 2));
}

std::string outlier_lines(const KitRobustStats& stats) {
  std::string text = fmt::format("\n🔍 Outlier Analysis:\n   Outliers: {} ({}%)\n", stats.outliers.size(),
                                 fixed(stats.outlier_percentage, 1));
  if (!stats.outliers.empty())
    text += fmt::format("   Outlier bounds: [{}, {}] ms\n", fixed(stats.lower_bound, 3),
                        fixed(stats.upper_bound, 3));
  return text;
}

std::string side_lines(const KitRobustComparison::Side& side) {
  return fmt::format("\n{}:\n", side.name) + robust_ms_line("Median", side.median_ms) +
         robust_ms_line("Trimmed Mean (5%)", side.trimmed_mean_ms) + percent_line("CV", side.cv_percent) +
         fmt::format("   Runs: {}\n", side.count);
}

}  // namespace

std::string kit_robust_text(std::string_view timeline_path, const KitTimeline& timeline,
                            const KitRobustStats& stats) {
  std::string text =
      fmt::format("📊 Analyzing: {}\n   Total events: {}\n", timeline_path, timeline.events.size());
  if (timeline.has_run_index)
    text += fmt::format("   Runs: {}\n", count_run_indices(timeline));
  else
    text +=
        "   ⚠️  No run_index column - this CSV may not have all runs data\n"
        "   Use --all-runs flag when generating CSV with etdump_to_csv.py\n";
  text += fmt::format("\n⏱️  Per-Execution Latency Analysis\n   Total runs: {}\n", stats.count);
  text += robust_ms_line("Mean", stats.mean_ms) + robust_ms_line("Median", stats.median_ms);
  text += robust_ms_line("Std Dev", stats.std_dev_ms) + percent_line("CV", stats.cv_percent);
  text += robust_ms_line("Min", stats.min_ms) + robust_ms_line("Max", stats.max_ms);
  text += "\n📊 Percentiles:\n";
  for (std::size_t i = 0; i < kKitPercentiles.size(); ++i)
    text += robust_ms_line(fmt::format("P{}", kKitPercentiles[i]), stats.percentiles_ms[i]);
  text += outlier_lines(stats);
  text += fmt::format("\n📈 Robust Statistics (excluding outliers):\n   Count: {}\n", stats.inside_count);
  text += robust_ms_line("Mean", stats.inside_mean_ms) + robust_ms_line("Median", stats.inside_median_ms);
  text += robust_ms_line("Std Dev", stats.inside_std_dev_ms) + percent_line("CV", stats.inside_cv_percent);
  text += "\n🎯 Trimmed Means:\n";
  return text + robust_ms_line("5% trimmed", stats.trimmed_mean_5_ms) +
         robust_ms_line("10% trimmed", stats.trimmed_mean_10_ms);
}

std::string kit_robust_saved_text(std::string_view json_path) {
  return fmt::format("\n💾 Saved results to: {}\n", json_path);
}

std::string kit_robust_comparison_text(const KitRobustComparison& comparison) {
  const std::string rule(60, '=');
  std::string text = fmt::format("\n{0}\n📊 Configuration Comparison\n{0}\n", rule);
  text += side_lines(comparison.first) + side_lines(comparison.second);
  text += fmt::format("\n🚀 Speedup:\n   Based on median: {}x\n   Based on trimmed mean: {}x\n   {}\n",
                      fixed(comparison.by_median, 2), fixed(comparison.by_trimmed_mean, 2),
                      comparison.description);
  text += "\n📈 Variability:\n" + percent_line(comparison.first.name + " CV", comparison.first.cv_percent) +
          percent_line(comparison.second.name + " CV", comparison.second.cv_percent) +
          fmt::format("   More variable: {}\n", comparison.more_variable);
  if (comparison.first.cv_percent > 0 && comparison.second.cv_percent > 0)
    text += fmt::format("   CV ratio: {}x\n", fixed(comparison.cv_ratio, 2));
  return text;
}

std::string kit_robust_comparison_saved_text(std::string_view json_path) {
  return fmt::format("\n💾 Saved comparison to: {}\n", json_path);
}

}  // namespace accelscope::compat
