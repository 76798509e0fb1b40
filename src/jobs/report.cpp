#include "jobs/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "analysis/combined.h"
#include "base/date.h"
#include "base/file_names.h"
#include "base/output_file.h"
#include "experiments/fingerprint.h"
#include "findings/findings_json.h"
#include "jobs/chip_jobs.h"
#include "jobs/convert.h"
#include "jobs/overhead.h"
#include "report/markdown.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Location;
using base::Result;
using base::Status;
using base::write_file;
using findings::Findings;

void add_options(Findings& findings, const ReportInputOptions& input) {
  const stats::CompareOptions& statistics = input.compare.statistics;
  const auto add = [&](std::string key, std::string value) {
    findings.provenance.options.push_back({std::move(key), std::move(value)});
  };
  add("threshold", fmt::format("{:g} %", 100 * statistics.threshold));
  add("confidence level", fmt::format("{:g} %", 100 * statistics.level));
  add("bootstrap resamples", fmt::format("{}", statistics.resamples));
  add("operator threshold", fmt::format("{:g} %", input.thresholds.operator_percent));
  add("data movement threshold", fmt::format("{:g} %", input.thresholds.data_movement_percent));
  add("outside delegates threshold", fmt::format("{:g} %", input.thresholds.outside_percent));
  add("low speedup", fmt::format("{:g}x", input.thresholds.low_speedup));
}

void complete(Findings& findings, const LoadedInput& loaded, const ReportOptions& options) {
  add_provenance(findings, loaded, options.version);
  add_options(findings, options.input);
}

std::string_view name_of(View view) {
  switch (view) {
    case View::kLatency:
      return "Latency";
    case View::kOperators:
      return "Operators";
    case View::kKernels:
      break;
  }
  return "Kernels";
}

// A findings file given by itself is shown as it was saved.
Result<std::optional<Findings>> saved_report(const ReportInputOptions& options) {
  if (options.inputs.size() != 1 || !options.roles.baseline.empty() || !options.roles.candidate.empty())
    return std::optional<Findings>();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(options.inputs.front(), ignored)) return std::optional<Findings>();
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(options.inputs.front()));
  if (!findings::is_findings(file.text())) return std::optional<Findings>();
  ACCELSCOPE_TRY(Findings saved, findings::read_json(file));
  constexpr std::array<std::string_view, 8> kShown{"report", "combined report", "chip report", "overhead",
                                                   "fit",    "fit sweep",       "fit list",    "emulation"};
  if (std::find(kShown.begin(), kShown.end(), saved.kind) == kShown.end()) return std::optional<Findings>();
  if (!options.title.empty()) saved.title = options.title;
  return std::optional(std::move(saved));
}

// The report and what belongs beside it in a run directory.
Result<ReportOutcome> report_on_directory(const LoadedInput& loaded, const ReportOptions& options) {
  analysis::ReportSet set = analysis::make_report_set(loaded.input);
  for (Findings* findings : {&set.report, &set.operators, &set.kernels}) complete(*findings, loaded, options);
  ReportOutcome outcome;
  // A report that is to go elsewhere takes its files along: the run directory may be an archive that cannot
  // be written.
  const std::string folder =
      options.out.empty() ? loaded.directory : std::filesystem::path(options.out).parent_path().string();
  const auto place = [&](std::string_view name) {
    return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
  };
  const auto add = [&](std::string path, std::string what) {
    outcome.files.push_back({std::move(path), std::move(what)});
  };
  const std::string markdown = options.out.empty() ? place("report.md") : options.out;
  ACCELSCOPE_CHECK(write_markdown_file(set.report, markdown));
  add(markdown, "the report");
  ACCELSCOPE_CHECK(write_json_file(set.operators, place("operator_analysis.json")));
  add(place("operator_analysis.json"), "every operator, as findings");
  ACCELSCOPE_CHECK(write_markdown_file(set.kernels, place("kernel_view.md")));
  add(place("kernel_view.md"), "kernels and evidence");
  ACCELSCOPE_CHECK(write_json_file(set.report, place("findings.json")));
  add(place("findings.json"), "everything the report says; `accelscope compare` and `report` read it");
  outcome.findings = std::move(set.report);
  return outcome;
}

ConvertOptions drawing(const ReportOptions& options) {
  return {.inputs = options.input.inputs, .output = options.picture, .open = options.input.open};
}

Result<WrittenFile> draw(const trace::Trace& trace, const ReportOptions& options) {
  ACCELSCOPE_TRY(const OutputFormat format, check_output(drawing(options)));
  ACCELSCOPE_CHECK(write_trace(trace, format, drawing(options)));
  const OutputFormatInfo& info = info_of(format);
  return WrittenFile{options.picture, fmt::format("the picture: open with {}", info.viewer)};
}

Status refuse_chip_options(const ReportOptions& options) {
  if (!options.overhead.empty())
    return base::fail_at(Location::of_file(options.input.inputs.front()), ErrorCode::kUsage,
                         "is no recording of a chip: --overhead belongs to those");
  if (options.picture.empty()) return {};
  return base::fail_at(Location::of_file(options.input.inputs.front()), ErrorCode::kUsage,
                       "is no recording of a chip: --picture draws only those; accelscope convert draws all");
}

// What recording costs, for the trust box: the file that was named, which must be one, or the one beside the
// recording, of which a defect is a row there.
struct QuotedOverhead {
  std::optional<analysis::chip::MeasuredOverhead> overhead = std::nullopt;
  std::optional<findings::Input> input = std::nullopt;
  trace::QualityTable quality = {};
};

Result<QuotedOverhead> overhead_for(const LoadedInput& loaded, const ReportOptions& options) {
  QuotedOverhead quoted;
  const std::filesystem::path recording(loaded.inputs.front().path);
  const bool was_given = !options.overhead.empty();
  const std::string path =
      was_given ? options.overhead : (recording.parent_path() / "overhead.json").string();
  std::error_code ignored;
  if (!was_given && !std::filesystem::is_regular_file(path, ignored)) return quoted;
  Result<base::MappedFile> file = base::MappedFile::open(path);
  Result<analysis::chip::MeasuredOverhead> overhead =
      file ? overhead_in(*file) : Result<analysis::chip::MeasuredOverhead>(tl::unexpect, file.error());
  if (overhead) {
    quoted.overhead = *std::move(overhead);
    quoted.input = {.path = path,
                    .format = "findings",
                    .bytes = file->size(),
                    .hash = experiments::xxh3_of(file->text()),
                    .role = "overhead"};
  } else if (was_given) {
    return tl::unexpected(overhead.error());
  } else {
    quoted.quality.add(
        {.id = "trust.overhead_unusable",
         .severity = trace::Severity::kWarning,
         .sentence = fmt::format("An overhead.json lies beside the recording but cannot be used: it {}.",
                                 overhead.error().message),
         .first_place = overhead.error().where});
  }
  return quoted;
}

Result<ReportOutcome> report_on_chip(const LoadedInput& loaded, const ReportOptions& options) {
  if (loaded.chip_run == nullptr) {
    ACCELSCOPE_CHECK(refuse_chip_options(options));
  } else if (!options.picture.empty()) {
    // Before the work, what would make it useless.
    ACCELSCOPE_CHECK(check_output(drawing(options)));
  }
  ACCELSCOPE_TRY(QuotedOverhead quoted, overhead_for(loaded, options));
  ReportOutcome outcome;
  outcome.findings = chip_report(loaded, options.input, std::move(quoted.overhead));
  add_provenance(outcome.findings, loaded, options.version);
  outcome.findings.quality.append(quoted.quality);
  if (quoted.input) outcome.findings.provenance.inputs.push_back(*std::move(quoted.input));
  if (options.picture.empty()) return outcome;
  ACCELSCOPE_TRY(WrittenFile picture, draw(*loaded.chip_run, options));
  outcome.files.push_back(std::move(picture));
  return outcome;
}

}  // namespace

Status write_markdown_file(const Findings& findings, const std::string& path) {
  return write_file(path, [&](base::Output& output) { report::write_markdown(findings, output); });
}

Status write_json_file(const Findings& findings, const std::string& path) {
  return write_file(path, [&](base::Output& output) { findings::write_json(findings, output); });
}

void add_provenance(Findings& findings, const LoadedInput& loaded, const std::string& version) {
  findings.provenance.version = version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  findings.provenance.inputs = loaded.inputs;
  findings.quality.append(loaded.quality);
}

Result<ReportOutcome> report(const ReportOptions& options) {
  ReportOutcome outcome;
  ACCELSCOPE_TRY(std::optional<Findings> saved, saved_report(options.input));
  if (saved) {
    ACCELSCOPE_CHECK(refuse_chip_options(options));
    outcome.findings = *std::move(saved);
  } else {
    ACCELSCOPE_TRY(const LoadedInput loaded, load_report_input(options.input));
    if (is_chip_input(loaded)) {
      ACCELSCOPE_TRY(outcome, report_on_chip(loaded, options));
    } else {
      ACCELSCOPE_CHECK(refuse_chip_options(options));
      const bool writes_files = options.fill_directory || !options.out.empty();
      if (!loaded.directory.empty() && writes_files) return report_on_directory(loaded, options);
      outcome.findings = analysis::make_report(loaded.input);
      complete(outcome.findings, loaded, options);
    }
  }
  if (!options.out.empty()) {
    ACCELSCOPE_CHECK(write_markdown_file(outcome.findings, options.out));
    outcome.files.insert(outcome.files.begin(), {options.out, "the report"});
  }
  return outcome;
}

Result<Findings> view(View which, const ReportOptions& options) {
  ReportInputOptions input = options.input;
  if (input.title.empty() && !input.inputs.empty())
    input.title =
        fmt::format("{} of {}", name_of(which),
                    input.inputs.size() == 1 ? base::file_name(input.inputs.front()) : "several recordings");
  ACCELSCOPE_TRY(const LoadedInput loaded, load_report_input(input));
  if (is_chip_input(loaded))
    return base::fail_at(Location::of_file(input.inputs.front()), ErrorCode::kUsage,
                         "is the recording of a chip, not of a model; accelscope report explains it");
  Findings findings = which == View::kLatency     ? analysis::latency_view(loaded.input)
                      : which == View::kOperators ? analysis::operators_view(loaded.input)
                                                  : analysis::kernels_view(loaded.input);
  complete(findings, loaded, options);
  return findings;
}

Result<ReportOutcome> combined_report(const std::vector<PlatformFolder>& platforms,
                                      const ReportOptions& options) {
  std::vector<analysis::PlatformInput> inputs;
  std::vector<LoadedInput> kept;  // the inputs' kernel logs point into them
  trace::QualityTable quality;
  std::vector<findings::Input> files;
  std::string first_problem;
  for (const PlatformFolder& platform : platforms) {
    ReportInputOptions own = options.input;
    own.inputs = {platform.folder};
    Result<LoadedInput> loaded = load_report_input(own);
    if (loaded && is_chip_input(*loaded))
      return base::fail_at(Location::of_file(platform.folder), ErrorCode::kUsage,
                           "is of a chip, not of a model; accelscope report explains it by itself");
    if (!loaded) {
      inputs.push_back({.name = platform.name, .missing = loaded.error().to_string()});
      if (first_problem.empty()) first_problem = loaded.error().to_string();
      continue;
    }
    quality.append(loaded->quality);
    files.insert(files.end(), loaded->inputs.begin(), loaded->inputs.end());
    inputs.push_back({.name = platform.name, .input = std::move(loaded->input)});
    kept.push_back(*std::move(loaded));
  }
  if (kept.empty()) return base::fail(ErrorCode::kNotFound, "no platform has data: {}", first_problem);
  ReportOutcome outcome;
  const std::string title =
      options.input.title.empty() ? "Profiling Report: all platforms" : options.input.title;
  outcome.findings = analysis::combined_report(title, inputs);
  LoadedInput all;
  all.inputs = std::move(files);
  all.quality = std::move(quality);
  complete(outcome.findings, all, options);
  const std::string path = options.out.empty() ? "combined_report.md" : options.out;
  ACCELSCOPE_CHECK(write_markdown_file(outcome.findings, path));
  outcome.files.push_back({path, "the combined report"});
  return outcome;
}

}  // namespace accelscope::jobs
