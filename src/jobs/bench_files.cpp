#include "jobs/bench_files.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <map>

#include "analysis/breakdown.h"
#include "analysis/latency.h"
#include "base/date.h"
#include "base/file_names.h"
#include "base/json_writer.h"
#include "base/output_file.h"
#include "compat/inspector_csv.h"
#include "compat/kit_files.h"
#include "compat/kit_summary.h"
#include "formats/open/open.h"
#include "stats/moments.h"
#include "stats/quantile.h"

namespace accelscope::jobs {
namespace {

using base::Result;
using base::Status;
using base::write_file;
using experiments::BenchState;
using experiments::StepRecord;
using experiments::StepStatus;
using trace::Trace;

// One recording and what the summaries say about it.
struct Recorded {
  const StepRecord* step = nullptr;
  std::string etdump = {};
  std::string prefix = {};  // of its CSV files, with the folder
  std::size_t rows = 0;
  std::vector<std::pair<std::string, double>> categories_ms = {};  // exclusive, mean of the steady executions
};

std::vector<std::pair<std::string, double>> categories_of(const Trace& trace, const StepRecord& step) {
  const analysis::Profile profile = analysis::profile_of(
      "", std::array{analysis::Recording{&trace, static_cast<std::uint32_t>(step.step.warmup), ""}});
  std::map<std::string, double> sums;
  for (std::size_t i = 0; i < profile.methods.size(); ++i) {
    const analysis::MethodLatency latency = analysis::latency_of(profile, i);
    for (const analysis::Share& share :
         analysis::breakdown_of(profile.methods[i], latency.positions).by_category)
      sums[share.name] += share.mean;
  }
  return {sums.begin(), sums.end()};
}

class BenchFiles {
 public:
  explicit BenchFiles(const BenchState& state) : state_(state), root_(state.config.output_root) {}

  Result<std::vector<WrittenFile>> write(bool compat) && {
    for (const StepRecord& step : state_.steps)
      if (step.status == StepStatus::kOk && step.has_etdump) ACCELSCOPE_CHECK(add_recording(step, compat));
    ACCELSCOPE_CHECK(write_analysis_summary());
    ACCELSCOPE_CHECK(write_pipeline_summary());
    return std::move(files_);
  }

 private:
  Status add_recording(const StepRecord& step, bool compat) {
    Recorded recorded{.step = &step,
                      .etdump = fmt::format("{}/{}", root_, etdump_name(state_.config, step.step))};
    formats::open::OpenOptions open;
    open.etrecord = state_.config.etrecord;
    // What could not be read again is named in the report; the rest goes on.
    const Result<Trace> trace = formats::open::open_trace(recorded.etdump, open);
    if (!trace) return {};
    const std::filesystem::path folder = std::filesystem::path(recorded.etdump).parent_path();
    const std::string stem(base::file_stem(recorded.etdump));
    recorded.prefix = (folder / fmt::format("{}_exec", stem)).string();
    const compat::InspectorTable table = compat::inspector_table(*trace);
    recorded.rows = table.events.size();
    recorded.categories_ms = categories_of(*trace, step);
    ACCELSCOPE_CHECK(write_file(recorded.prefix + "_all_runs_timeline.csv", [&](base::Output& out) {
      compat::write_timeline_csv(out, compat::timeline_rows(table, stem));
    }));
    ACCELSCOPE_CHECK(write_file(recorded.prefix + "_run0_timeline.csv", [&](base::Output& out) {
      compat::write_timeline_csv(out, compat::timeline_rows_of_run(table, stem, 0));
    }));
    ACCELSCOPE_CHECK(write_file(recorded.prefix + "_ops_stats.csv", [&](base::Output& out) {
      compat::write_ops_stats_csv(out, compat::ops_stats_rows(table, stem));
    }));
    if (compat) ACCELSCOPE_CHECK(compat::write_kit_files(*trace, stem, folder.string(), stem));
    recorded_.push_back(std::move(recorded));
    return {};
  }

  void write_recording(base::JsonWriter& json, const Recorded& recorded) const {
    json.begin_object();
    json.member("etdump", recorded.etdump);
    write_categories(json, "categories_ms", recorded.categories_ms);
    json.member("rows", recorded.rows)
        .member("csv_timeline", recorded.prefix + "_all_runs_timeline.csv")
        .member("csv_stats", recorded.prefix + "_ops_stats.csv");
    json.end_object();
  }

  static void write_categories(base::JsonWriter& json, std::string_view key,
                               const std::vector<std::pair<std::string, double>>& categories) {
    json.key(key).begin_object();
    for (const auto& [category, ms] : categories) json.member(category, ms);
    json.end_object();
  }

  // The kit's shape with exclusive times. Totals only where there is one recording: sums over experiments
  // mean nothing.
  Status write_analysis_summary() {
    const std::string path = fmt::format("{}/analysis_summary.json", root_);
    ACCELSCOPE_CHECK(write_file(path, [&](base::Output& out) {
      base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
      json.begin_object();
      json.member("run_dir", root_);
      if (state_.config.etrecord.empty())
        json.key("etrecord").null();
      else
        json.member("etrecord", state_.config.etrecord);
      json.member("etdump_count", recorded_.size());
      write_categories(json, "category_totals_ms",
                       recorded_.size() == 1 ? recorded_.front().categories_ms
                                             : std::vector<std::pair<std::string, double>>());
      json.key("per_etdump").begin_array();
      for (const Recorded& recorded : recorded_) write_recording(json, recorded);
      json.end_array();
      json.key("csv_files").begin_array();
      for (const Recorded& recorded : recorded_)
        json.value(recorded.prefix + "_all_runs_timeline.csv").value(recorded.prefix + "_ops_stats.csv");
      json.end_array();
      json.end_object();
      out.append("\n");
    }));
    files_.push_back({path, "exclusive time by category of every recording"});
    return {};
  }

  // One row per experiment and thread count; rounds are put together.
  std::vector<compat::KitPipelineRun> pipeline_runs() const {
    std::vector<compat::KitPipelineRun> runs;
    std::map<std::pair<std::size_t, std::int64_t>, std::size_t> places;
    std::vector<std::vector<double>> latencies;
    for (const StepRecord& record : state_.steps) {
      const auto [place, added] =
          places.try_emplace({record.step.experiment, record.step.threads}, runs.size());
      if (added) {
        runs.push_back(first_of(record));
        latencies.emplace_back();
      }
      compat::KitPipelineRun& run = runs[place->second];
      run.runs += static_cast<std::uint32_t>(added ? 0 : record.step.runs);
      if (record.status != StepStatus::kOk) run.status = std::string(status_name(record.status));
      std::vector<double>& values = latencies[place->second];
      values.insert(values.end(), record.latencies.measured_ms.begin(), record.latencies.measured_ms.end());
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (!latencies[i].empty())
        runs[i].metrics = compat::KitRunMetrics{
            .median_ms = stats::median(latencies[i]),
            .mean_ms = stats::mean(latencies[i]),
            .cv_percent = 100 * stats::coefficient_of_variation(latencies[i]).value_or(0),
            .robust_stats_path = {}};
    return runs;
  }

  compat::KitPipelineRun first_of(const StepRecord& record) const {
    const experiments::Experiment& experiment = state_.config.experiments[record.step.experiment];
    const std::string log = fmt::format("{}/{}", root_, log_name(state_.config, record.step));
    const std::string dump = fmt::format("{}/{}", root_, etdump_name(state_.config, record.step));
    compat::KitPipelineRun run{.experiment = experiment.name,
                               .threads = static_cast<std::uint32_t>(record.step.threads),
                               .mode = std::string(mode_name(record.step.mode)),
                               .runs = static_cast<std::uint32_t>(record.step.runs),
                               .warmup = static_cast<std::uint32_t>(experiment.warmup)};
    if (record.step.mode == experiments::Mode::kTiming) {
      const std::string prefix = dump.substr(0, dump.size() - std::string_view(".etdump").size());
      run.paths = {{"latency_log", log},
                   {"timeline_all", prefix + "_exec_all_runs_timeline.csv"},
                   {"timeline_run0", prefix + "_exec_run0_timeline.csv"},
                   {"etdump", dump}};
    } else {
      run.paths = {{"xnntrace_log", log}};
    }
    return run;
  }

  Status write_pipeline_summary() {
    const std::string stem(base::file_stem(state_.config.model));
    const compat::KitPipelineSummary summary{.model = state_.config.model,
                                             .generated_at = base::iso_date(base::report_time()),
                                             .output_root = root_,
                                             .runs = pipeline_runs()};
    const std::string prefix = fmt::format("{}/{}_pipeline_summary", root_, stem);
    ACCELSCOPE_CHECK(write_file(prefix + ".json",
                                [&](base::Output& out) { compat::write_kit_pipeline_json(out, summary); }));
    ACCELSCOPE_CHECK(write_file(
        prefix + ".md", [&](base::Output& out) { out.append(compat::kit_pipeline_markdown(summary)); }));
    files_.push_back({prefix + ".md", "the experiments at a glance (and the same as .json)"});
    return {};
  }

  const BenchState& state_;
  std::string root_;
  std::vector<Recorded> recorded_;
  std::vector<WrittenFile> files_;
};

}  // namespace

Result<std::vector<WrittenFile>> write_bench_files(const BenchState& state, bool compat) {
  return BenchFiles(state).write(compat);
}

}  // namespace accelscope::jobs
