#include "jobs/run_checklist.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "base/file_names.h"
#include "base/mapped_file.h"
#include "experiments/run_directory.h"
#include "findings/findings_json.h"
#include "jobs/run_directory_input.h"
#include "jobs/timeline_names.h"
#include "trace/summary.h"

namespace accelscope::jobs {
namespace {

using base::MappedFile;
using base::Result;
using experiments::RunDirectory;
using experiments::RunExperiment;
using experiments::RunProblem;
using experiments::RunRecording;

constexpr std::array<std::string_view, 8> kSectionTitles = {"Metadata",
                                                            "Latency Comparison",
                                                            "Operator Category Breakdown",
                                                            "Acceleration Analysis",
                                                            "Bottleneck Identification",
                                                            "Portable vs Delegated Operator Analysis",
                                                            "Kernel-Level Insights",
                                                            "Actionable Recommendations"};

bool has_heading(std::string_view markdown, std::string_view title) {
  for (std::size_t begin = 0; begin < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', begin), markdown.size());
    const std::string_view line = markdown.substr(begin, end - begin);
    if (line.starts_with("## ") && line.substr(3).starts_with(title)) return true;
    begin = end + 1;
  }
  return false;
}

std::uint64_t complete_executions(const trace::Trace& trace) {
  std::uint64_t count = 0;
  const trace::TraceSummary summary = trace::summarise(trace);
  for (const trace::MethodSummary& method : summary.methods)
    if (method.kind == trace::RunKind::kExecution)
      count += static_cast<std::uint64_t>(std::count_if(
          method.runs.begin(), method.runs.end(),
          [](const trace::RunSummary& run) { return run.status == trace::RunStatus::kComplete; }));
  return count;
}

class Checker {
 public:
  Checker(const RunDirectory& run, const formats::open::OpenOptions& open) : run_(run), open_(open) {
    if (open_.etrecord.empty()) open_.etrecord = run.etrecord;
  }

  RunChecklist check() && {
    list_.directory = run_.path;
    check_json("manifest", "manifest.json",
               "`accelscope bench CONFIG` writes it; the kit's pipeline does not, and `accelscope report` "
               "does without it");
    check_json("metrics", "metrics.json",
               "`accelscope bench CONFIG` writes it; `--analysis-only` does so anew from its recordings");
    check_steps();
    check_recorded_files();
    check_recordings();
    check_metrics_agree();
    check_tables_agree();
    check_report();
    check_operator_analysis();
    check_kernel_view();
    return std::move(list_);
  }

 private:
  std::string place(std::string_view name) const { return fmt::format("{}/{}", run_.path, name); }
  std::string report_command() const { return fmt::format("`accelscope report {}` writes it", run_.path); }

  static std::string in_words(const RunExperiment& experiment) {
    return experiment.threads ? fmt::format("{} t{}", experiment.name, *experiment.threads) : experiment.name;
  }

  // Failed when something was found, ok when not.
  RunCheck& add(std::string id, std::string what, std::vector<std::string> found, std::string what_to_do) {
    RunCheck check{.id = std::move(id), .what = std::move(what)};
    check.status = found.empty() ? CheckStatus::kOk : CheckStatus::kFailed;
    check.found = std::move(found);
    if (check.status == CheckStatus::kFailed) check.what_to_do = std::move(what_to_do);
    return list_.checks.emplace_back(std::move(check));
  }

  static void skip(RunCheck& check, std::string why) {
    check.status = CheckStatus::kSkipped;
    check.found = {std::move(why)};
    check.what_to_do.clear();
  }

  std::vector<std::string> problems(std::initializer_list<std::string_view> ids,
                                    std::string_view file = {}) const {
    std::vector<std::string> found;
    for (const RunProblem& problem : run_.problems) {
      if (std::find(ids.begin(), ids.end(), problem.id) == ids.end()) continue;
      if (!file.empty() && base::file_name(problem.path) != file) continue;
      found.push_back(problem.path.empty() ? problem.sentence
                                           : fmt::format("{}: {}", problem.path, problem.sentence));
    }
    return found;
  }

  void check_json(std::string id, std::string_view file, std::string what_to_do) {
    std::vector<std::string> found =
        problems({"run_directory.bad_json", "run_directory.bad_field", "run_directory.duplicate_result",
                  "run_directory.metrics_differ"},
                 file);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(place(file), ignored))
      found.push_back(fmt::format("{} is not there", place(file)));
    add(std::move(id), fmt::format("{} is there and can be read", file), std::move(found),
        std::move(what_to_do));
  }

  void check_steps() {
    add("steps", "every process of the experiments ended well",
        problems({"run_directory.step_not_ok", "run_directory.incomplete"}),
        "look into the logs of those that failed; `accelscope bench CONFIG --resume` runs them again");
  }

  void check_recorded_files() {
    add("recorded_files", "the files that the records name are there",
        problems({"run_directory.missing_file", "run_directory.no_files", "run_directory.empty_file"}),
        "copy them into the directory, or run them again with `accelscope bench CONFIG --resume`");
  }

  Result<trace::Trace> open(const std::string& path) const { return formats::open::open_trace(path, open_); }

  // The executions in a recording; what is wrong with it goes to `found`.
  std::optional<std::uint64_t> executions_of(const std::string& path, std::vector<std::string>& found) const {
    const Result<trace::Trace> trace = open(path);
    if (!trace) {
      found.push_back(trace.error().to_string());
      return std::nullopt;
    }
    const std::uint64_t count = complete_executions(*trace);
    if (count == 0) found.push_back(fmt::format("{}: holds no complete execution", path));
    return count;
  }

  void check_recordings() {
    std::vector<std::string> found;
    std::size_t recordings = 0;
    for (const RunExperiment& experiment : run_.experiments) {
      const bool timing = experiment.mode == experiments::Mode::kTiming;
      if (timing && experiment.etdumps.empty())
        found.push_back(fmt::format("{} has no ETDump", in_words(experiment)));
      for (const RunRecording& dump : experiment.etdumps) {
        ++recordings;
        dump_executions_.push_back({&experiment, &dump, executions_of(dump.path, found)});
      }
      if (timing) continue;
      if (experiment.kernel_logs.empty() && experiment.kernels_csvs.empty())
        found.push_back(fmt::format("{} has no kernel log", in_words(experiment)));
      for (const std::string& log : experiment.kernel_logs) {
        ++recordings;
        check_kernel_log(log, found);
      }
    }
    if (recordings == 0) found.emplace_back("there is no recording");
    add("recordings", "every experiment has a recording that can be read", std::move(found),
        "record them again with `accelscope bench CONFIG --resume`; a file that is cut off was copied too "
        "early");
  }

  void check_kernel_log(const std::string& path, std::vector<std::string>& found) const {
    const Result<trace::Trace> trace = open(path);
    if (!trace)
      found.push_back(trace.error().to_string());
    else if (!is_kernel_log(*trace))
      found.push_back(fmt::format("{}: names no kernel; was the runner built with XNN_LOG_LEVEL=5?", path));
  }

  void check_metrics_agree() {
    std::vector<std::string> found;
    std::size_t compared = 0;
    const DirectoryInput input = read_directory_input(run_, open_);
    for (const analysis::Experiment& experiment : input.experiments) {
      trace::QualityTable rows;
      std::vector<analysis::CrossCheck> checks;
      analysis::check_experiment(experiment, rows, checks);
      if (!experiment.profile.methods.empty()) compared += experiment.references.size();
      for (const trace::QualityRow& row : rows.rows())
        if (row.id == "trust.disagrees" || row.id == "trust.nested_rows_summed")
          found.push_back(row.sentence);
    }
    RunCheck& check =
        add("metrics_agree", "recorded latencies agree with the recordings within 5 %", std::move(found),
            "believe the recordings; `accelscope bench CONFIG --analysis-only` writes the records anew from "
            "them");
    if (compared == 0) skip(check, "no latency is recorded beside a recording");
  }

  void check_tables_agree() {
    std::vector<std::string> found;
    for (const DumpExecutions& dump : dump_executions_) {
      if (dump.experiment->mode != experiments::Mode::kTiming) continue;
      const std::vector<RunRecording>& tables = dump.experiment->timeline_all_csvs;
      const auto table = std::find_if(tables.begin(), tables.end(), [&](const RunRecording& one) {
        return one.round == dump.recording->round;
      });
      if (table == tables.end()) {
        found.push_back(fmt::format("{}: has no timeline CSV beside it", dump.recording->path));
        continue;
      }
      const std::optional<std::uint64_t> rows = executions_of(table->path, found);
      if (rows && dump.count && *rows != *dump.count)
        found.push_back(fmt::format("{}: {} executions, its ETDump has {}", table->path, *rows, *dump.count));
    }
    RunCheck& check =
        add("tables_agree", "every ETDump has a timeline CSV with as many executions", std::move(found),
            "`accelscope bench CONFIG --analysis-only` writes the CSV files anew, and "
            "`accelscope operators FILE.etdump --compat` those of one recording");
    if (dump_executions_.empty()) skip(check, "there is no ETDump");
  }

  void check_report() {
    std::vector<std::string> found;
    const Result<MappedFile> file = MappedFile::open(place("report.md"));
    if (!file) {
      found.push_back(file.error().to_string());
    } else {
      for (const std::string_view title : kSectionTitles)
        if (!has_heading(file->text(), title))
          found.push_back(fmt::format("{}: has no section \"{}\"", place("report.md"), title));
      if (file->text().find("Config File") == std::string_view::npos)
        found.push_back(fmt::format("{}: has no line \"Config File\"", place("report.md")));
    }
    add("report", "report.md is there, with its eight sections and the line \"Config File\"",
        std::move(found), report_command());
  }

  void check_operator_analysis() {
    std::vector<std::string> found;
    const Result<MappedFile> file = MappedFile::open(place("operator_analysis.json"));
    if (!file) {
      found.push_back(file.error().to_string());
    } else if (const Result<findings::Findings> read = findings::read_json(*file); !read) {
      found.push_back(read.error().to_string());
    } else if (read->sections.empty()) {
      found.push_back(fmt::format("{}: has no section", file->path()));
    }
    add("operator_analysis", "operator_analysis.json is there and can be read", std::move(found),
        report_command());
  }

  void check_kernel_view() {
    std::vector<std::string> found;
    const Result<MappedFile> file = MappedFile::open(place("kernel_view.md"));
    if (!file)
      found.push_back(file.error().to_string());
    else if (file->text().find("Kernel") == std::string_view::npos)
      found.push_back(fmt::format("{}: says nothing about kernels", file->path()));
    add("kernel_view", "kernel_view.md is there and can be read", std::move(found), report_command());
  }

  struct DumpExecutions {
    const RunExperiment* experiment = nullptr;
    const RunRecording* recording = nullptr;
    std::optional<std::uint64_t> count = std::nullopt;
  };

  const RunDirectory& run_;
  formats::open::OpenOptions open_;
  std::vector<DumpExecutions> dump_executions_;
  RunChecklist list_;
};

}  // namespace

std::string_view name_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kOk:
      return "ok";
    case CheckStatus::kFailed:
      return "failed";
    case CheckStatus::kSkipped:
      return "skipped";
  }
  return "";
}

bool RunChecklist::complete() const {
  return std::none_of(checks.begin(), checks.end(),
                      [](const RunCheck& check) { return check.status == CheckStatus::kFailed; });
}

Result<RunChecklist> check_run_directory(const std::string& directory,
                                         const formats::open::OpenOptions& open) {
  ACCELSCOPE_TRY(const RunDirectory run, experiments::read_run_directory(directory, {}));
  return Checker(run, open).check();
}

}  // namespace accelscope::jobs
