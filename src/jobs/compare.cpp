#include "jobs/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/file_names.h"
#include "base/output_file.h"
#include "jobs/chip_jobs.h"
#include "jobs/compare_modelled.h"
#include "jobs/gate.h"
#include "jobs/report.h"
#include "jobs/timeline_names.h"

namespace accelscope::jobs {
namespace {

using analysis::Comparison;
using analysis::MethodComparison;
using base::ErrorCode;
using base::Location;
using base::Result;
using base::Status;
using report::GateCase;

// One side: everything that can be compared in it.
Result<LoadedInput> load_side(const std::string& path, const ReportInputOptions& shared) {
  ReportInputOptions options = shared;
  options.inputs = {path};
  options.find_roles = false;
  ACCELSCOPE_TRY(LoadedInput side, load_report_input(options));
  if (side.input.experiments.empty() && !is_chip_input(side))
    return base::fail_at(Location::of_file(path), ErrorCode::kMalformed,
                         "holds no recording that can be compared");
  return side;
}

Result<std::size_t> only_experiment(const LoadedInput& side, const std::string& path,
                                    const std::string& wanted, std::string_view option) {
  const std::vector<analysis::Experiment>& experiments = side.input.experiments;
  if (experiments.size() == 1 && wanted.empty()) return 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    if (!wanted.empty() && experiments[i].profile.name == wanted) return i;
    names.push_back(experiments[i].profile.name);
  }
  if (!wanted.empty())
    return base::fail_at(Location::of_file(path), ErrorCode::kUsage,
                         "holds no experiment called {}; there are: {}", wanted, fmt::join(names, ", "));
  return base::fail_at(Location::of_file(path), ErrorCode::kUsage,
                       "holds {} experiments ({}); choose one with {} NAME", experiments.size(),
                       fmt::join(names, ", "), option);
}

GateCase latency_case(const Comparison& comparison, const MethodComparison& method,
                      const CompareJobOptions& options, const stats::CompareOptions& statistics) {
  stats::CompareOptions at_gate = statistics;
  at_gate.threshold = *options.gate;
  return gate_case(
      fmt::format("latency of {}: less than {:g} % slower than {}", method.method, 100 * *options.gate,
                  comparison.baseline),
      "latency ",
      stats::compare(method.baseline_latency.steady_values, method.candidate_latency.steady_values, at_gate),
      {.slowdown = *options.gate, .strict = options.strict});
}

std::vector<GateCase> gate_cases(const Comparison& comparison, const CompareJobOptions& options,
                                 const stats::CompareOptions& statistics) {
  std::vector<GateCase> cases;
  for (const MethodComparison& method : comparison.methods)
    cases.push_back(latency_case(comparison, method, options, statistics));
  // A gate that has nothing to judge must not let everything pass.
  if (cases.empty())
    cases.push_back(
        {.name = "a method in both recordings",
         .passed = false,
         .message = comparison.refusal.empty() ? "no method is in both recordings" : comparison.refusal});
  for (const std::string& method : comparison.baseline_only)
    cases.push_back({.name = fmt::format("{} in both recordings", method),
                     .passed = false,
                     .message = "only the baseline ran it"});
  return cases;
}

Status write_junit_file(const CompareJobOptions& options, const std::vector<GateCase>& cases) {
  return base::write_file(
      options.junit, [&](base::Output& output) { report::write_junit("accelscope compare", cases, output); });
}

void add_gate_section(findings::Findings& findings, const std::vector<GateCase>& cases) {
  findings::Section& section = findings::add_section(findings, "gate", "Gate");
  for (const GateCase& result : cases)
    section.statements.push_back({.id = "gate",
                                  .kind = findings::StatementKind::kVerdict,
                                  .priority = findings::Priority::kHighest,
                                  .subject = result.name,
                                  .text = fmt::format("{}: {}; {}.",
                                                      result.skipped  ? "undecided"
                                                      : result.passed ? "passed"
                                                                      : "FAILED",
                                                      result.name, result.message)});
}

// What was read for both sides, each file with its role.
LoadedInput joined_sides(LoadedInput& before, LoadedInput& after) {
  LoadedInput both;
  for (LoadedInput* side : {&before, &after}) {
    for (findings::Input& input : side->inputs) input.role = side == &before ? "baseline" : "candidate";
    both.inputs.insert(both.inputs.end(), side->inputs.begin(), side->inputs.end());
    both.quality.append(side->quality);
  }
  return both;
}

Status judge(CompareOutcome& outcome, const CompareJobOptions& options) {
  if (!options.gate) return {};
  outcome.gate_failed = std::any_of(outcome.gate.begin(), outcome.gate.end(),
                                    [](const GateCase& result) { return !result.passed && !result.skipped; });
  add_gate_section(outcome.findings, outcome.gate);
  return options.junit.empty() ? Status() : write_junit_file(options, outcome.gate);
}

Result<CompareOutcome> compare_models(const ModelledPair& pair, const CompareJobOptions& options) {
  CompareOutcome outcome{.compared = true};
  ModelledComparison made = compare_modelled(pair, options.gate);
  outcome.findings = std::move(made.findings);
  outcome.gate = std::move(made.gate);
  if (!options.input.title.empty()) outcome.findings.title = options.input.title;
  outcome.findings.provenance.version = options.version;
  outcome.findings.provenance.generated_at = base::iso_date(base::report_time());
  ACCELSCOPE_CHECK(judge(outcome, options));
  return outcome;
}

}  // namespace

Result<CompareOutcome> compare(const CompareJobOptions& options) {
  if (options.gate && (*options.gate < 0 || *options.gate > 10))
    return base::fail(ErrorCode::kUsage, "--gate must be between 0 % and 1000 %");
  ACCELSCOPE_TRY(const std::optional<ModelledPair> modelled,
                 modelled_pair(options.baseline, options.candidate));
  if (modelled) return compare_models(*modelled, options);
  ACCELSCOPE_TRY(LoadedInput before, load_side(options.baseline, options.input));
  ACCELSCOPE_TRY(LoadedInput after, load_side(options.candidate, options.input));
  if (is_chip_input(before) || is_chip_input(after)) {
    CompareOutcome outcome;
    ACCELSCOPE_TRY(ChipComparisonOutcome chips, compare_chips(before, after, options));
    outcome.findings = std::move(chips.findings);
    outcome.gate = std::move(chips.gate);
    outcome.compared = true;
    add_provenance(outcome.findings, joined_sides(before, after), options.version);
    ACCELSCOPE_CHECK(judge(outcome, options));
    return outcome;
  }
  ACCELSCOPE_TRY(const std::size_t left,
                 only_experiment(before, options.baseline, options.input.roles.baseline, "--baseline"));
  ACCELSCOPE_TRY(const std::size_t right,
                 only_experiment(after, options.candidate, options.input.roles.candidate, "--candidate"));
  LoadedInput both;
  both.input.compare = options.input.compare;
  both.input.thresholds = options.input.thresholds;
  both.input.experiments = {std::move(before.input.experiments[left]),
                            std::move(after.input.experiments[right])};
  std::string& baseline_name = both.input.experiments[0].profile.name;
  std::string& candidate_name = both.input.experiments[1].profile.name;
  const std::vector<std::string> names = short_names({baseline_name, candidate_name});
  baseline_name = names[0];
  candidate_name = names[1];
  if (baseline_name == candidate_name) {
    baseline_name += " (baseline)";
    candidate_name += " (candidate)";
  }
  const auto threads = [&](std::size_t side) { return both.input.experiments[side].facts.threads; };
  if (threads(0) && threads(1) && *threads(0) != *threads(1) && !options.allow_thread_mismatch)
    return base::fail(
        ErrorCode::kUsage,
        "{} ran with {} threads, {} with {}: not one change. Use --allow-thread-mismatch to compare them "
        "anyway",
        baseline_name, *threads(0), candidate_name, *threads(1));
  both.input.pairs = {{0, 1}};
  both.input.title = options.input.title.empty() ? fmt::format("{} against {}", candidate_name, baseline_name)
                                                 : options.input.title;
  both.input.device = before.input.device;
  LoadedInput sides = joined_sides(before, after);
  both.inputs = std::move(sides.inputs);
  both.quality = std::move(sides.quality);
  CompareOutcome outcome;
  outcome.findings = analysis::comparison_view(both.input);
  add_provenance(outcome.findings, both, options.version);
  outcome.compared = findings::find_metric(outcome.findings, "speedup") != nullptr;
  if (!options.gate) return outcome;
  const Comparison comparison = analysis::compare_pairs(both.input).front();
  outcome.gate = gate_cases(comparison, options, both.input.compare.statistics);
  ACCELSCOPE_CHECK(judge(outcome, options));
  return outcome;
}

}  // namespace accelscope::jobs
