#include "compat/kit_files.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/file_names.h"
#include "base/output_file.h"
#include "compat/inspector_csv.h"
#include "compat/kit_operators.h"
#include "compat/kit_robust.h"

namespace accelscope::compat {
namespace {

namespace fs = std::filesystem;

using base::ErrorCode;
using base::Location;
using base::Result;
using base::Status;

class Folder {
 public:
  static Result<Folder> open(const std::string& path) {
    std::error_code failed;
    fs::create_directories(path, failed);
    if (failed)
      return base::fail_at(Location::of_file(path), ErrorCode::kWriteFailed, "the folder cannot be made: {}",
                           failed.message());
    return Folder(path);
  }

  template <class Write>
  Status write(const std::string& name, const Write& write_content) {
    const std::string path = (fs::path(path_) / name).native();
    std::error_code ignored;
    if (!input.empty() && fs::equivalent(path, input, ignored)) return {};
    ACCELSCOPE_CHECK(base::write_file(path, write_content));
    files.written.push_back(path);
    return {};
  }

  KitFiles files;
  std::string input;  // what is read and must not be written

 private:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

Status write_robust(Folder& folder, const std::string& timeline_stem, const KitRobustStats& stats) {
  return folder.write(timeline_stem + "_robust_stats.json",
                      [&](base::Output& out) { write_kit_robust_json(out, stats); });
}

// The name becomes part of file names, and comes from a file.
Status check_model_name(const std::string& name) {
  if (name.find('/') == std::string::npos) return {};
  return base::fail(
      ErrorCode::kMalformed,
      "the model_id '{}' has a '/' and cannot begin the names of files; change it in the CSV file", name);
}

Status write_operator_tables(Folder& folder, const KitOperatorAnalysis& analysis) {
  ACCELSCOPE_CHECK(check_model_name(analysis.model_name));
  const bool has_latency = analysis.avg_ms > 0;
  ACCELSCOPE_CHECK(folder.write(analysis.model_name + "_category_summary.csv",
                                [&](base::Output& out) { write_kit_category_csv(out, analysis); }));
  ACCELSCOPE_CHECK(folder.write(analysis.model_name + "_operator_details.csv", [&](base::Output& out) {
    write_kit_operator_csv(out, analysis.operators, has_latency);
  }));
  ACCELSCOPE_CHECK(folder.write(analysis.model_name + "_e2e_latency.csv",
                                [&](base::Output& out) { write_kit_e2e_csv(out, analysis); }));
  const std::vector<KitOperatorTime> other = kit_top_other_operators(analysis);
  if (other.empty()) return {};
  return folder.write(analysis.model_name + "_other_top_ops.csv",
                      [&](base::Output& out) { write_kit_operator_csv(out, other, has_latency); });
}

Result<KitTimeline> timeline_in(const std::string& csv) {
  return base::MappedFile::open(csv).and_then(read_kit_timeline);
}

Result<KitRobustStats> robust_stats_in(const std::string& csv, const std::string& name) {
  ACCELSCOPE_TRY(const KitTimeline timeline, timeline_in(csv));
  ACCELSCOPE_TRY(const KitLatencies latencies, kit_latencies(timeline));
  return kit_robust_stats(latencies, name);
}

Result<KitOperatorAnalysis> operator_analysis_in(const std::string& csv) {
  ACCELSCOPE_TRY(const KitTimeline timeline, timeline_in(csv));
  return kit_operator_analysis(timeline, timeline.model_id);
}

Result<KitFiles> write_text(const std::string& path, const std::string& text) {
  const fs::path target(path);
  ACCELSCOPE_TRY(Folder folder,
                 Folder::open(target.has_parent_path() ? target.parent_path().native() : std::string(".")));
  ACCELSCOPE_CHECK(folder.write(target.filename().native(), [&](base::Output& out) { out.append(text); }));
  return std::move(folder.files);
}

bool is_there(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed) && !failed;
}

Status add_platform(KitCombinedFacts& facts, const std::string& name, const std::string& folder) {
  if (!is_there(folder)) return {};
  ACCELSCOPE_TRY(const std::vector<KitExperimentFiles> files, discover_kit_experiments(folder));
  if (files.empty()) return {};
  KitMetrics metrics;
  const std::string metrics_path = folder + "/metrics.json";
  if (is_there(metrics_path)) {
    ACCELSCOPE_TRY(metrics, base::MappedFile::open(metrics_path).and_then(read_kit_metrics));
  }
  ACCELSCOPE_TRY(std::vector<KitExperiment> experiments, load_kit_experiments(files, metrics));
  facts.platforms.push_back({name, std::move(experiments)});
  return {};
}

}  // namespace

Result<KitFiles> write_kit_files(const trace::Trace& trace, const std::string& prefix,
                                 const std::string& folder_path, const std::string& name,
                                 const std::string& input) {
  ACCELSCOPE_TRY(Folder folder, Folder::open(folder_path));
  folder.input = input;
  const InspectorTable table = inspector_table(trace);
  const std::string csv = kit_csv_prefix(prefix + ".etdump");
  const std::vector<formats::timeline_csv::TimelineRow> rows = timeline_rows(table, prefix);
  ACCELSCOPE_CHECK(folder.write(csv + "_all_runs_timeline.csv",
                                [&](base::Output& out) { write_timeline_csv(out, rows); }));
  ACCELSCOPE_CHECK(folder.write(csv + "_run0_timeline.csv", [&](base::Output& out) {
    write_timeline_csv(out, timeline_rows_of_run(table, prefix, 0));
  }));
  ACCELSCOPE_CHECK(folder.write(csv + "_ops_stats.csv", [&](base::Output& out) {
    write_ops_stats_csv(out, ops_stats_rows(table, prefix));
  }));
  const KitTimeline timeline = kit_timeline(rows);
  const Result<KitLatencies> latencies = kit_latencies(timeline);
  if (!latencies) {
    folder.files.left_out.push_back(
        fmt::format("robust statistics and operator tables: {}", latencies.error().message));
    return std::move(folder.files);
  }
  ACCELSCOPE_CHECK(write_robust(folder, csv + "_all_runs_timeline", kit_robust_stats(*latencies, name)));
  ACCELSCOPE_TRY(const KitOperatorAnalysis analysis, kit_operator_analysis(timeline, prefix));
  ACCELSCOPE_CHECK(write_operator_tables(folder, analysis));
  return std::move(folder.files);
}

Result<KitFiles> write_kit_robust_comparison(const std::string& first_csv, const std::string& second_csv,
                                             const std::string& folder_path, const std::string& first_name,
                                             const std::string& second_name) {
  const std::string first_stem(base::file_stem(first_csv));
  const std::string second_stem(base::file_stem(second_csv));
  ACCELSCOPE_TRY(const KitRobustStats first, robust_stats_in(first_csv, first_stem));
  ACCELSCOPE_TRY(Folder folder, Folder::open(folder_path));
  ACCELSCOPE_CHECK(write_robust(folder, first_stem, first));
  ACCELSCOPE_TRY(const KitRobustStats second, robust_stats_in(second_csv, second_name));
  const KitRobustComparison comparison = kit_robust_comparison(first, second, first_name, second_name);
  ACCELSCOPE_CHECK(
      folder.write(first_stem + "_vs_" + second_stem + "_robust_comparison.json",
                   [&](base::Output& out) { write_kit_robust_comparison_json(out, comparison); }));
  return std::move(folder.files);
}

Result<KitFiles> write_kit_operator_comparison(const std::string& first_csv, const std::string& second_csv,
                                               const std::string& folder_path, const std::string& first_name,
                                               const std::string& second_name) {
  ACCELSCOPE_TRY(const KitOperatorAnalysis first, operator_analysis_in(first_csv));
  ACCELSCOPE_TRY(Folder folder, Folder::open(folder_path));
  ACCELSCOPE_CHECK(write_operator_tables(folder, first));
  ACCELSCOPE_TRY(const KitOperatorAnalysis second, operator_analysis_in(second_csv));
  ACCELSCOPE_CHECK(write_operator_tables(folder, second));
  const KitOperatorComparison comparison = kit_operator_comparison(first, second, first_name, second_name);
  ACCELSCOPE_CHECK(folder.write(first.model_name + "_comparison.csv",
                                [&](base::Output& out) { write_kit_comparison_csv(out, comparison); }));
  return std::move(folder.files);
}

Result<KitFiles> write_kit_report(const std::string& folder, const KitReportOptions& options) {
  ACCELSCOPE_TRY(KitReportFacts facts, kit_report_facts(folder, options.working_folder));
  facts.title = options.title;
  facts.generated = options.generated;
  facts.host = options.host;
  return write_text(options.out.empty() ? facts.run_dir + "/report.md" : options.out, kit_report(facts));
}

Result<KitFiles> write_kit_combined(const std::string& mac_folder, const std::string& android_folder,
                                    const KitCombinedOptions& options) {
  const std::string mac = resolved_path(mac_folder);
  const std::string android = resolved_path(android_folder);
  KitCombinedFacts facts{.model_name = options.model_name, .generated = options.generated, .platforms = {}};
  ACCELSCOPE_CHECK(add_platform(facts, "macOS", mac));
  ACCELSCOPE_CHECK(add_platform(facts, "Android", android));
  if (facts.platforms.empty())
    return base::fail(ErrorCode::kNotFound,
                      "No data found in either macOS or Android directories: neither {} nor {} has a "
                      "timeline or statistics CSV file",
                      mac, android);
  const fs::path beside = fs::path(is_there(mac) ? mac : android).parent_path();
  return write_text(options.out.empty() ? beside.native() + "/combined_report.md" : options.out,
                    kit_combined_report(facts));
}

}  // namespace accelscope::compat
