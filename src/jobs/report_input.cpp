#include "jobs/report_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "analysis/profile_data.h"
#include "base/file_names.h"
#include "base/mapped_file.h"
#include "experiments/fingerprint.h"
#include "findings/findings_json.h"
#include "jobs/run_directory_input.h"
#include "jobs/timeline_names.h"
#include "trace/chip_run.h"
#include "trace/vocabulary.h"

namespace accelscope::jobs {
namespace {

using analysis::Experiment;
using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;
using base::Status;
using findings::Findings;

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

// A saved trace names the files that it was made from, and not the one that it lies in. Those files were not
// read now, and may be gone.
bool was_saved(const trace::Trace& trace, const std::string& path) {
  const auto sources = trace.sources();
  return !sources.empty() &&
         std::none_of(sources.begin(), sources.end(),
                      [&](const trace::SourceFile& source) { return source.path == path; });
}

class Loader {
 public:
  explicit Loader(const ReportInputOptions& options) : options_(options) {
    loaded_.input.compare = options.compare;
    loaded_.input.thresholds = options.thresholds;
    loaded_.input.title = options.title;
  }

  Result<LoadedInput> load() && {
    if (options_.inputs.empty()) return base::fail(ErrorCode::kUsage, "no input given");
    ACCELSCOPE_CHECK(formats::open::enter_run_directories(options_.inputs));
    ACCELSCOPE_CHECK(formats::open::take_siblings(options_.inputs, options_.open));
    for (const std::string& path : options_.inputs) {
      ACCELSCOPE_CHECK(is_directory(path) ? add_directory(path) : add_file(path));
    }
    ACCELSCOPE_CHECK(add_notes());
    if (loaded_.chip_run || loaded_.chip_samples) {
      ACCELSCOPE_CHECK(check_no_roles());
    } else if (options_.find_roles) {
      ACCELSCOPE_CHECK(choose());
    }
    if (loaded_.directory.empty() && options_.find_roles) shorten_names();
    finish_metadata();
    return std::move(loaded_);
  }

 private:
  Status add_directory(const std::string& path) {
    if (options_.inputs.size() > 1)
      return base::fail_at(
          Location::of_file(path), ErrorCode::kUsage,
          "is a run directory, which is reported by itself; for several platforms use --combined "
          "NAME=DIR ...");
    ACCELSCOPE_TRY(DirectoryInput directory, read_directory_input(path, options_.open));
    loaded_.directory = path;
    loaded_.input.place = path;
    loaded_.input.metadata = std::move(directory.metadata);
    loaded_.input.device = std::move(directory.device);
    loaded_.inputs = std::move(directory.inputs);
    loaded_.quality.append(directory.quality);
    candidates_ = std::move(directory.candidates);
    config_pairs_ = std::move(directory.config_pairs);
    loaded_.input.experiments = std::move(directory.experiments);
    for (NamedKernelLog& log : directory.kernel_logs) add_kernel_log(std::move(log));
    return {};
  }

  Status add_file(const std::string& path) {
    {
      // Mapped only as long as it is looked at: opening a trace maps it again, and large ones count twice.
      ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(path));
      loaded_.inputs.push_back(
          {.path = path, .bytes = file.size(), .hash = experiments::xxh3_of(file.text())});
      if (findings::is_findings(file.text())) return add_findings(file);
    }
    ACCELSCOPE_TRY(trace::Trace trace, formats::open::open_trace(path, options_.open));
    const std::string format = trace.sources().empty() ? "" : trace.sources().front().format;
    loaded_.inputs.back().format = was_saved(trace, path) ? "astrace" : format;
    if (trace::is_chip_run(trace)) return add_chip_run(path, std::move(trace));
    loaded_.input.place = path;
    const std::string name = unique_name(recording_name(path), path);
    if (is_kernel_log(trace)) {
      add_kernel_log({name, std::make_unique<trace::Trace>(std::move(trace))});
      return {};
    }
    Experiment experiment;
    experiment.profile = analysis::profile_of(name, std::array{analysis::Recording{&trace, 0, path}},
                                              timing_use(path, format));
    experiment.quality = trace.quality();
    add_experiment(std::move(experiment));
    return {};
  }

  Status add_chip_run(const std::string& path, trace::Trace trace) {
    ACCELSCOPE_CHECK(check_only_input(path, "the recording of a chip"));
    // The files of its run decide what is said as much as the swimlane does.
    for (const trace::SourceFile& source : trace.sources()) {
      if (source.path == path || was_saved(trace, path)) continue;
      ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(source.path));
      loaded_.inputs.push_back({.path = source.path,
                                .format = source.format,
                                .bytes = file.size(),
                                .hash = experiments::xxh3_of(file.text())});
    }
    loaded_.chip_run = std::make_unique<trace::Trace>(std::move(trace));
    return {};
  }

  Status check_only_input(const std::string& path, std::string_view what) const {
    if (options_.inputs.size() == 1) return {};
    return base::fail_at(Location::of_file(path), ErrorCode::kUsage,
                         "is {}, which is reported by itself; accelscope compare takes two", what);
  }

  Status check_no_roles() const {
    if (options_.roles.baseline.empty() && options_.roles.candidate.empty()) return {};
    return base::fail_at(Location::of_file(options_.inputs.front()), ErrorCode::kUsage,
                         "is of a chip and has no experiments: --baseline and --candidate are for models");
  }

  Status add_findings(const MappedFile& file) {
    ACCELSCOPE_TRY(const Findings saved, findings::read_json(file));
    loaded_.inputs.back().format = "findings";
    ACCELSCOPE_TRY(loaded_.chip_samples, analysis::chip::samples_in(saved));
    if (loaded_.chip_samples) return check_only_input(file.path(), "a report on a chip");
    ACCELSCOPE_TRY(std::vector<analysis::Profile> profiles, analysis::profiles_in(saved));
    if (profiles.empty())
      return base::fail_at(
          Location::of_file(file.path()), ErrorCode::kMalformed,
          "holds findings but no recorded times; make it with --json of report, compare, latency or "
          "operators");
    for (analysis::Profile& profile : profiles) {
      Experiment experiment;
      profile.name =
          unique_name(profile.name, fmt::format("{} ({})", profile.name, base::file_name(file.path())));
      experiment.profile = std::move(profile);
      add_experiment(std::move(experiment));
    }
    // What the analysis itself adds is found again; what the files said is not.
    for (const trace::QualityRow& row : saved.quality.rows())
      if (!row.id.starts_with("trust.")) loaded_.quality.add(row);
    if (loaded_.input.device.empty()) loaded_.input.device = saved.provenance.device;
    return {};
  }

  void add_experiment(Experiment experiment) {
    candidates_.push_back({.name = experiment.profile.name, .timing = true});
    loaded_.input.experiments.push_back(std::move(experiment));
  }

  void add_kernel_log(NamedKernelLog log) {
    loaded_.input.kernel_logs.push_back({.trace = log.trace.get(), .name = log.name});
    loaded_.kernel_traces.push_back(std::move(log.trace));
  }

  std::string unique_name(std::string name, const std::string& otherwise) const {
    const bool taken =
        std::any_of(loaded_.input.experiments.begin(), loaded_.input.experiments.end(),
                    [&](const Experiment& experiment) { return experiment.profile.name == name; });
    return taken ? otherwise : name;
  }

  Status add_notes() {
    if (options_.notes.empty()) return {};
    ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(options_.notes));
    loaded_.input.notes = file.text();
    return {};
  }

  Status choose() {
    ACCELSCOPE_TRY(Roles roles, choose_roles(candidates_, config_pairs_, options_.roles));
    loaded_.input.pairs = roles.pairs;
    loaded_.quality.append(roles.quality);
    if (!roles.pairs.empty()) loaded_.roles_chosen_by = roles.chosen_by;
    for (analysis::KernelLog& log : loaded_.input.kernel_logs) log.role = role_of_log(log.name);
    return {};
  }

  // A log belongs to the experiment whose name it begins with; else its name says on or off.
  analysis::Role role_of_log(std::string_view name) const {
    for (const analysis::RolePair& pair : loaded_.input.pairs) {
      if (name.starts_with(loaded_.input.experiments[pair.candidate].profile.name))
        return analysis::Role::kCandidate;
      if (name.starts_with(loaded_.input.experiments[pair.baseline].profile.name))
        return analysis::Role::kBaseline;
    }
    return says_on(name).value_or(true) ? analysis::Role::kCandidate : analysis::Role::kBaseline;
  }

  void shorten_names() {
    std::vector<std::string> names;
    for (const Experiment& experiment : loaded_.input.experiments) names.push_back(experiment.profile.name);
    names = short_names(names);
    for (std::size_t i = 0; i < names.size(); ++i) loaded_.input.experiments[i].profile.name = names[i];
  }

  void finish_metadata() {
    analysis::ReportInput& input = loaded_.input;
    if (input.title.empty()) {
      std::string_view subject = options_.inputs.size() == 1 ? base::file_name(options_.inputs.front())
                                                             : std::string_view("several recordings");
      for (const findings::KeyValue& item : input.metadata)
        if (item.key == "Model") subject = base::file_stem(item.value);
      input.title = fmt::format("Profiling Report: {}", subject);
    }
    if (loaded_.directory.empty()) {
      input.metadata.push_back({"Config File", "none: single files were given"});
      for (const findings::Input& file : loaded_.inputs)
        input.metadata.push_back(
            {"Input", fmt::format("{} ({}, XXH3 {})", file.path, file.format, file.hash)});
    }
    if (!loaded_.roles_chosen_by.empty()) input.metadata.push_back({"Roles by", loaded_.roles_chosen_by});
  }

  ReportInputOptions options_;  // without the inputs that only belong to another one
  LoadedInput loaded_;
  std::vector<RoleCandidate> candidates_;
  std::vector<ConfigPair> config_pairs_;
};

}  // namespace

Result<LoadedInput> load_report_input(const ReportInputOptions& options) {
  return Loader(options).load();
}

}  // namespace accelscope::jobs
