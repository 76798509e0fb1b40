#include "compat/kit_robust.h"

#include <algorithm>
#include <limits>

#include "base/json_writer.h"
#include "compat/numpy_math.h"
#include "compat/python_text.h"

namespace accelscope::compat {
namespace {

using base::JsonWriter;

constexpr double kInPercent = 100;
constexpr double kFence = 1.5;

double variation(double deviation, double mean) {
  return mean > 0 ? deviation / mean * kInPercent : 0;
}

void split_by_fences(KitRobustStats& stats) {
  const std::vector<double>& values = stats.latencies.ms;
  const double q1 = numpy_percentile(values, 25);
  const double q3 = numpy_percentile(values, 75);
  stats.lower_bound = q1 - kFence * (q3 - q1);
  stats.upper_bound = q3 + kFence * (q3 - q1);
  std::vector<double> inside;
  for (const double value : values) {
    if (value < stats.lower_bound || value > stats.upper_bound) stats.outliers.push_back(value);
    if (value >= stats.lower_bound && value <= stats.upper_bound) inside.push_back(value);
  }
  stats.outlier_percentage =
      static_cast<double>(stats.outliers.size()) / static_cast<double>(values.size()) * kInPercent;
  stats.inside_count = inside.size();
  const bool any = !inside.empty();
  stats.inside_mean_ms = any ? numpy_mean(inside) : stats.mean_ms;
  stats.inside_median_ms = any ? numpy_median(inside) : stats.median_ms;
  stats.inside_std_dev_ms = any ? numpy_standard_deviation(inside) : stats.std_dev_ms;
  stats.inside_cv_percent = any ? variation(stats.inside_std_dev_ms, stats.inside_mean_ms) : stats.cv_percent;
}

void write_list(JsonWriter& json, std::string_view key, const std::vector<double>& values) {
  json.key(key).begin_array();
  for (const double value : values) python_value(json, value);
  json.end_array();
}

void write_outliers(JsonWriter& json, const KitRobustStats& stats) {
  json.key("outliers").begin_object();
  json.member("count", stats.outliers.size());
  python_member(json, "percentage", stats.outlier_percentage);
  write_list(json, "values", stats.outliers);
  json.key("bounds").begin_object();
  python_member(json, "lower", stats.lower_bound);
  python_member(json, "upper", stats.upper_bound);
  json.end_object();
  json.end_object();
}

void write_inside(JsonWriter& json, const KitRobustStats& stats) {
  json.key("robust_stats").begin_object();
  json.member("count", stats.inside_count);
  python_member(json, "mean_ms", stats.inside_mean_ms);
  python_member(json, "median_ms", stats.inside_median_ms);
  python_member(json, "std_dev_ms", stats.inside_std_dev_ms);
  python_member(json, "cv_percent", stats.inside_cv_percent);
  json.end_object();
}

void write_run_indices(JsonWriter& json, const KitLatencies& latencies) {
  json.key("run_indices").begin_array();
  for (const double index : latencies.run_indices) {
    if (latencies.indices_are_floats)
      python_value(json, index);
    else
      json.value(static_cast<std::int64_t>(index));
  }
  json.end_array();
}

KitRobustComparison::Side side(const KitRobustStats& stats, std::string name) {
  return {std::move(name), stats.inside_median_ms, stats.trimmed_mean_5_ms, stats.inside_cv_percent,
          stats.count};
}

void write_side(JsonWriter& json, std::string_view key, const KitRobustComparison::Side& side) {
  json.key(key).begin_object();
  python_member(json, "name", side.name);
  python_member(json, "median_ms", side.median_ms);
  python_member(json, "trimmed_mean_ms", side.trimmed_mean_ms);
  python_member(json, "cv_percent", side.cv_percent);
  json.member("count", side.count);
  json.end_object();
}

double ratio(double above, double below) {
  return below > 0 ? above / below : 0;
}

}  // namespace

KitRobustStats kit_robust_stats(const KitLatencies& latencies, std::string name) {
  KitRobustStats stats;
  stats.latencies = latencies;
  stats.name = std::move(name);
  const std::vector<double>& values = stats.latencies.ms;
  stats.count = values.size();
  stats.mean_ms = numpy_mean(values);
  stats.median_ms = numpy_median(values);
  stats.std_dev_ms = numpy_standard_deviation(values);
  stats.cv_percent = variation(stats.std_dev_ms, stats.mean_ms);
  stats.min_ms = *std::min_element(values.begin(), values.end());
  stats.max_ms = *std::max_element(values.begin(), values.end());
  for (std::size_t i = 0; i < kKitPercentiles.size(); ++i)
    stats.percentiles_ms[i] = numpy_percentile(values, kKitPercentiles[i]);
  stats.trimmed_mean_5_ms = scipy_trimmed_mean(values, 0.05);
  stats.trimmed_mean_10_ms = scipy_trimmed_mean(values, 0.10);
  split_by_fences(stats);
  return stats;
}

KitRobustComparison kit_robust_comparison(const KitRobustStats& first, const KitRobustStats& second,
                                          std::string first_name, std::string second_name) {
  KitRobustComparison comparison;
  comparison.first = side(first, std::move(first_name));
  comparison.second = side(second, std::move(second_name));
  const KitRobustComparison::Side& a = comparison.first;
  const KitRobustComparison::Side& b = comparison.second;
  comparison.by_median = ratio(a.median_ms, b.median_ms);
  comparison.by_trimmed_mean = ratio(a.trimmed_mean_ms, b.trimmed_mean_ms);
  comparison.description =
      comparison.by_median > 1
          ? b.name + " is " + fixed(comparison.by_median, 2) + "x faster than " + a.name
          : a.name + " is " + fixed(1 / comparison.by_median, 2) + "x faster than " + b.name;
  comparison.more_variable = a.cv_percent > b.cv_percent ? a.name : b.name;
  comparison.cv_ratio = ratio(a.cv_percent, b.cv_percent);
  return comparison;
}

void write_kit_robust_json(base::Output& out, const KitRobustStats& stats) {
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("count", stats.count);
  python_member(json, "mean_ms", stats.mean_ms);
  python_member(json, "median_ms", stats.median_ms);
  python_member(json, "std_dev_ms", stats.std_dev_ms);
  python_member(json, "cv_percent", stats.cv_percent);
  python_member(json, "min_ms", stats.min_ms);
  python_member(json, "max_ms", stats.max_ms);
  json.key("percentiles").begin_object();
  for (std::size_t i = 0; i < kKitPercentiles.size(); ++i)
    python_member(json, "p" + std::to_string(kKitPercentiles[i]), stats.percentiles_ms[i]);
  json.end_object();
  write_outliers(json, stats);
  python_member(json, "trimmed_mean_5_ms", stats.trimmed_mean_5_ms);
  python_member(json, "trimmed_mean_10_ms", stats.trimmed_mean_10_ms);
  write_inside(json, stats);
  write_list(json, "latencies_ms", stats.latencies.ms);
  write_run_indices(json, stats.latencies);
  python_member(json, "name", stats.name);
  json.end_object();
}

void write_kit_robust_comparison_json(base::Output& out, const KitRobustComparison& comparison) {
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  write_side(json, "config1", comparison.first);
  write_side(json, "config2", comparison.second);
  json.key("speedup").begin_object();
  python_member(json, "median_based", comparison.by_median);
  python_member(json, "trimmed_mean_based", comparison.by_trimmed_mean);
  python_member(json, "description", comparison.description);
  json.end_object();
  json.key("variability").begin_object();
  python_member(json, "config1_cv", comparison.first.cv_percent);
  python_member(json, "config2_cv", comparison.second.cv_percent);
  python_member(json, "more_variable", comparison.more_variable);
  python_member(json, "cv_ratio", comparison.cv_ratio);
  json.end_object();
  json.end_object();
}

}  // namespace accelscope::compat
