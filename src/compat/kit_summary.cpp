#include "compat/kit_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/file_names.h"
#include "base/json_writer.h"
#include "compat/kit_categories.h"
#include "compat/numpy_math.h"
#include "compat/python_text.h"

namespace accelscope::compat {
namespace {

using base::JsonWriter;

// The Inspector leaves these out of the tables that it saves.
constexpr std::string_view kNotSaved = "OPERATOR_CALL";
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void write_run(JsonWriter& json, const KitPipelineRun& run) {
  json.begin_object();
  python_member(json, "experiment", run.experiment);
  json.member("threads", run.threads);
  python_member(json, "mode", run.mode);
  python_member(json, "status", run.status);
  json.key("paths").begin_object();
  for (const auto& [name, path] : run.paths) python_member(json, name, path);
  json.end_object();
  json.key("metrics").begin_object();
  if (run.metrics) {
    python_member(json, "median_ms", run.metrics->median_ms);
    python_member(json, "mean_ms", run.metrics->mean_ms);
    python_member(json, "cv_percent", run.metrics->cv_percent);
    python_member(json, "robust_stats_path", run.metrics->robust_stats_path);
  }
  json.end_object();
  json.member("runs", run.runs);
  json.member("warmup", run.warmup);
  json.end_object();
}

std::string timing_line(const KitPipelineRun& run) {
  const KitRunMetrics metrics = run.metrics.value_or(KitRunMetrics{kNaN, kNaN, kNaN, "n/a"});
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | `{}` |\n", run.experiment, run.threads, run.runs,
                     run.warmup, fixed(metrics.median_ms, 2), fixed(metrics.mean_ms, 2),
                     fixed(metrics.cv_percent, 2), metrics.robust_stats_path);
}

std::string trace_line(const KitPipelineRun& run) {
  std::string log = "n/a";
  for (const auto& [name, path] : run.paths)
    if (name == "xnntrace_log") log = path;
  return fmt::format("| {} | {} | `{}` |\n", run.experiment, run.threads, log);
}

template <class Line>
std::string lines_of_mode(const KitPipelineSummary& summary, std::string_view mode, const Line& line) {
  std::string text;
  for (const KitPipelineRun& run : summary.runs)
    if (run.mode == mode) text += line(run);
  return text;
}

void add(std::vector<KitCategoryMs>& totals, const std::string& category, double ms) {
  for (KitCategoryMs& total : totals)
    if (total.category == category) {
      total.ms += ms;
      return;
    }
  totals.push_back({category, ms});
}

std::vector<KitCategoryMs> totals_of(std::span<const KitAnalysedRecording> recordings) {
  std::vector<KitCategoryMs> totals;
  for (const KitAnalysedRecording& recording : recordings)
    for (const KitCategoryMs& category : recording.categories) add(totals, category.category, category.ms);
  return totals;
}

void write_categories(JsonWriter& json, std::string_view key, const std::vector<KitCategoryMs>& categories) {
  json.key(key).begin_object();
  for (const KitCategoryMs& category : categories) python_member(json, category.category, category.ms);
  json.end_object();
}

void write_path(JsonWriter& json, std::string_view key, std::string_view path) {
  if (path.empty())
    json.key(key).null();
  else
    python_member(json, key, path);
}

std::vector<std::string> csv_files_of(std::span<const KitAnalysedRecording> recordings) {
  std::vector<std::string> files;
  for (const KitAnalysedRecording& recording : recordings) {
    const std::string& timeline =
        recording.all_runs_timeline.empty() ? recording.first_run_timeline : recording.all_runs_timeline;
    if (!timeline.empty()) files.push_back(timeline);
    if (!recording.stats.empty()) files.push_back(recording.stats);
  }
  return files;
}

}  // namespace

std::vector<KitInspectorRow> kit_inspector_rows(const InspectorTable& table) {
  std::vector<KitInspectorRow> rows;
  for (const InspectorEvent& event : table.events)
    if (event.name != kNotSaved)
      rows.push_back({.avg_ms = event.duration_ms.empty() ? 0 : numpy_mean(event.duration_ms)});
  return rows;
}

std::vector<KitCategoryMs> kit_inspector_categories(std::span<const KitInspectorRow> rows) {
  std::vector<KitCategoryMs> categories;
  for (const KitInspectorRow& row : rows)
    add(categories, std::string(kit_coarse_category(row.op_types)), row.avg_ms);
  return categories;
}

void write_kit_pipeline_json(base::Output& out, const KitPipelineSummary& summary) {
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  python_member(json, "model", summary.model);
  python_member(json, "generated_at", summary.generated_at);
  python_member(json, "output_root", summary.output_root);
  json.key("runs").begin_array();
  for (const KitPipelineRun& run : summary.runs) write_run(json, run);
  json.end_array();
  json.end_object();
}

std::string kit_pipeline_markdown(const KitPipelineSummary& summary) {
  std::string text = fmt::format("# Pipeline Summary – {}\n\n- Generated: {}\n- Output root: `{}`\n",
                                 base::file_stem(summary.model), summary.generated_at, summary.output_root);
  const std::string timing = lines_of_mode(summary, "timing", timing_line);
  const std::string traces = lines_of_mode(summary, "xnntrace", trace_line);
  if (!timing.empty())
    text +=
        "\n## Timing Results\n"
        "| Experiment | Threads | Runs | Warmup | Median (ms) | Mean (ms) | CV (%) | Robust Stats |\n"
        "|-----------|---------|------|--------|-------------|-----------|--------|---------------|\n" +
        timing;
  if (!traces.empty())
    text +=
        "\n## XNNTrace Results\n| Experiment | Threads | Log Path |\n|-----------|---------|----------|\n" +
        traces;
  return text;
}

void write_kit_analysis_json(base::Output& out, std::string_view run_dir, std::string_view etrecord,
                             std::span<const KitAnalysedRecording> recordings) {
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  python_member(json, "run_dir", run_dir);
  write_path(json, "etrecord", etrecord);
  json.member("etdump_count", recordings.size());
  write_categories(json, "category_totals_ms", totals_of(recordings));
  json.key("per_etdump").begin_array();
  for (const KitAnalysedRecording& recording : recordings) {
    json.begin_object();
    python_member(json, "etdump", recording.etdump);
    write_categories(json, "categories_ms", recording.categories);
    json.member("rows", recording.rows);
    write_path(json, "csv_timeline", recording.first_run_timeline);
    write_path(json, "csv_stats", recording.stats);
    json.end_object();
  }
  json.end_array();
  json.key("csv_files").begin_array();
  for (const std::string& file : csv_files_of(recordings)) json.raw(python_json_string(file));
  json.end_array();
  json.end_object();
  out.append('\n');
}

std::string kit_analysis_text(std::string_view json_path, std::span<const KitAnalysedRecording> recordings) {
  std::string text = fmt::format("Wrote: {}\n", json_path);
  const std::size_t files = csv_files_of(recordings).size();
  if (files > 0) text += fmt::format("Generated {} CSV file(s)\n", files);
  text += "\nTop categories (ms, summed across traces):\n";
  std::vector<KitCategoryMs> totals = totals_of(recordings);
  std::stable_sort(totals.begin(), totals.end(),
                   [](const KitCategoryMs& a, const KitCategoryMs& b) { return a.ms > b.ms; });
  for (const KitCategoryMs& total : totals)
    text += fmt::format("  - {}: {}\n", total.category, fixed(total.ms, 3));
  return text;
}

}  // namespace accelscope::compat
