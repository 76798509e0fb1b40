#include "jobs/chip_jobs.h"

#include <fmt/core.h>

#include <filesystem>

#include "analysis/chip/compare.h"
#include "analysis/chip/report.h"
#include "base/file_names.h"
#include "jobs/gate.h"

namespace accelscope::jobs {
namespace {

using analysis::chip::RunComparison;
using analysis::chip::RunSamples;
using analysis::chip::TimesComparison;
using base::ErrorCode;
using base::Location;
using base::Result;
using report::GateCase;

// The runtime calls all its recordings the same; what tells runs apart is the folder.
std::string folder_name(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).parent_path().filename().string();
}

// As the user named it: a directory, or the file.
std::string run_name(const std::string& given, const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_directory(given, ignored) ? folder_name(file)
                                                       : std::string(base::file_name(file));
}

void tell_apart(RunSamples& before, const std::string& before_path, RunSamples& after,
                const std::string& after_path) {
  if (before.name != after.name) return;
  const std::string before_folder = folder_name(before_path);
  const std::string after_folder = folder_name(after_path);
  if (before_folder != after_folder) {
    before.name = fmt::format("{}/{}", before_folder, before.name);
    after.name = fmt::format("{}/{}", after_folder, after.name);
    return;
  }
  before.name += " (baseline)";
  after.name += " (candidate)";
}

Result<RunSamples> samples_of_side(const LoadedInput& side, const std::string& given) {
  const std::string& path = side.inputs.front().path;
  const std::string name = run_name(given, path);
  if (side.chip_samples) {
    RunSamples saved = *side.chip_samples;
    saved.name = name;
    return saved;
  }
  if (side.chip_run == nullptr)
    return base::fail_at(Location::of_file(path), ErrorCode::kUsage,
                         "is no recording of a chip; it cannot be compared with one");
  const trace::Trace& trace = *side.chip_run;
  const trace::ChipRun chip = trace::chip_run(trace);
  RunSamples samples = analysis::chip::samples_of(trace, chip, analysis::chip::task_times(trace, chip), name);
  samples.pipes = analysis::chip::pipe_figures(trace, analysis::chip::pipe_times(trace, chip));
  return samples;
}

GateCase function_case(const TimesComparison& item, const Gate& gate) {
  std::string name =
      fmt::format("kernel time of {}: less than {:g} % slower", item.name, 100 * gate.slowdown);
  if (item.test) return gate_case(std::move(name), "", *item.test, gate);
  const bool is_new = item.baseline_count == 0;
  return {.name = std::move(name),
          .passed = is_new,
          .message = is_new ? "only the candidate ran it" : "only the baseline ran it"};
}

// One recording each has one makespan: whether its change is chance cannot be told, so it only fails a strict
// gate.
GateCase makespan_case(const RunComparison& comparison, const Gate& gate) {
  const double change =
      comparison.baseline_makespan > 0 ? comparison.candidate_makespan / comparison.baseline_makespan - 1 : 0;
  GateCase result{.name = fmt::format("makespan: less than {:g} % slower", 100 * gate.slowdown)};
  result.message = fmt::format("changed by {:+.2f} % (one recording each, not tested)", 100 * change);
  result.passed = change < gate.slowdown || !gate.strict;
  result.skipped = change >= gate.slowdown && !gate.strict;
  return result;
}

std::vector<GateCase> gate_cases(const RunComparison& comparison, const Gate& gate) {
  std::vector<GateCase> cases{makespan_case(comparison, gate)};
  for (const TimesComparison& function : comparison.functions) cases.push_back(function_case(function, gate));
  return cases;
}

}  // namespace

bool is_chip_input(const LoadedInput& loaded) {
  return loaded.chip_run != nullptr || loaded.chip_samples.has_value();
}

findings::Findings chip_report(const LoadedInput& loaded, const ReportInputOptions& options,
                               std::optional<analysis::chip::MeasuredOverhead> overhead) {
  const std::string& path = loaded.inputs.front().path;
  const std::string given = options.inputs.size() == 1 ? options.inputs.front() : path;
  const std::string title =
      options.title.empty() ? fmt::format("Chip run: {}", run_name(given, path)) : options.title;
  return analysis::chip::explain(
      *loaded.chip_run,
      {.title = title, .input = path, .notes = loaded.input.notes, .overhead = std::move(overhead)});
}

Result<ChipComparisonOutcome> compare_chips(const LoadedInput& baseline, const LoadedInput& candidate,
                                            const CompareJobOptions& options) {
  ACCELSCOPE_TRY(RunSamples before, samples_of_side(baseline, options.baseline));
  ACCELSCOPE_TRY(RunSamples after, samples_of_side(candidate, options.candidate));
  if (before.unit != after.unit)
    return base::fail(ErrorCode::kUsage,
                      "the times of one recording have no known unit: they cannot be compared");
  tell_apart(before, baseline.inputs.front().path, after, candidate.inputs.front().path);
  stats::CompareOptions statistics = options.input.compare.statistics;
  RunComparison comparison = analysis::chip::compare_runs(before, after, statistics);
  ChipComparisonOutcome outcome{.findings = analysis::chip::comparison_document(comparison)};
  if (!options.input.title.empty()) outcome.findings.title = options.input.title;
  for (const LoadedInput* side : {&baseline, &candidate})
    if (side->chip_run != nullptr) outcome.findings.quality.append(side->chip_run->quality());
  if (!options.gate) return outcome;
  statistics.threshold = *options.gate;
  analysis::chip::judge_functions(comparison, statistics);
  outcome.gate = gate_cases(comparison, {.slowdown = *options.gate, .strict = options.strict});
  return outcome;
}

}  // namespace accelscope::jobs
