// The summaries that the profiling kit writes once for a folder: <model>_pipeline_summary.json and .md, and
// analysis_summary.json.
//
// Known wrong that is kept: the analysis summary sorts by the Inspector's op_types, which are "[]" without an
// ETRecord, over all events from loading to operators, so that nearly everything is "Other", and adds up all
// recordings. Numbers that are missing (null) are NaN here.
//
// Pure functions over plain data; safe from any thread.
//
//   write_kit_pipeline_json(out, summary);                  // no line end at the end, as the kit's
//   std::string markdown = kit_pipeline_markdown(summary);
//   write_kit_analysis_json(out, "/runs/mac", "", recordings);
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/output.h"
#include "compat/inspector_table.h"

namespace accelscope::compat {

struct KitRunMetrics {
  double median_ms = 0;
  double mean_ms = 0;
  double cv_percent = 0;
  std::string robust_stats_path;
};

struct KitPipelineRun {
  std::string experiment;
  std::uint32_t threads = 1;
  std::string mode = "timing";  // or "xnntrace"
  std::string status = "ok";    // or "analysis-only"
  // By name ("etdump", "xnntrace_log", ...), in the order in which they are written.
  std::vector<std::pair<std::string, std::string>> paths = {};
  std::optional<KitRunMetrics> metrics = {};
  std::uint32_t runs = 0;
  std::uint32_t warmup = 0;
};

struct KitPipelineSummary {
  std::string model;
  std::string generated_at;  // "2026-11-15T19:38:41.244037+00:00"
  std::string output_root;
  std::vector<KitPipelineRun> runs;
};

struct KitCategoryMs {
  std::string category;
  double ms = 0;
};

struct KitAnalysedRecording {
  std::string etdump;
  std::vector<KitCategoryMs> categories;  // as they first appear
  std::size_t rows = 0;
  // Paths, empty where there is no such file.
  std::string all_runs_timeline = {};
  std::string first_run_timeline = {};
  std::string stats = {};
};

// One row of the Inspector's table.
struct KitInspectorRow {
  std::string op_types = "[]";
  double avg_ms = 0;
};

// Of a table without an ETRecord, that is, with "[]" for all op_types; without OPERATOR_CALL, which the
// Inspector does not save.
std::vector<KitInspectorRow> kit_inspector_rows(const InspectorTable& table);
std::vector<KitCategoryMs> kit_inspector_categories(std::span<const KitInspectorRow> rows);

void write_kit_pipeline_json(base::Output& out, const KitPipelineSummary& summary);
std::string kit_pipeline_markdown(const KitPipelineSummary& summary);

// `etrecord` may be empty.
void write_kit_analysis_json(base::Output& out, std::string_view run_dir, std::string_view etrecord,
                             std::span<const KitAnalysedRecording> recordings);
// What analyze_results prints.
std::string kit_analysis_text(std::string_view json_path, std::span<const KitAnalysedRecording> recordings);

}  // namespace accelscope::compat
