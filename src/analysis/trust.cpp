#include "analysis/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/human.h"
#include "stats/quantile.h"

namespace accelscope::analysis {
namespace {

using trace::QualityTable;
using trace::Severity;

constexpr double kNoisyCv = 5;  // percent
constexpr double kUnreliableCv = 10;
constexpr double kWideSpread = 20;  // percent between the shortest and the longest steady run
constexpr double kAgreement = 5;    // percent between two records of one latency
constexpr double kSerialCorrelation = 0.3;
constexpr std::size_t kFewRuns = 10;
// Tables that add a call and what it called show two to four times the time, most often three.
constexpr double kNestedLow = 2.4;
constexpr double kNestedHigh = 3.6;

class ProfileChecker {
 public:
  ProfileChecker(const Experiment& experiment, QualityTable& quality, std::vector<CrossCheck>& checks)
      : experiment_(experiment), profile_(experiment.profile), quality_(quality), checks_(checks) {}

  void check() {
    if (!experiment_.facts.failure.empty())
      add("trust.failed_experiment", Severity::kError,
          fmt::format("{}: the experiment failed and says nothing: {}", profile_.name,
                      experiment_.facts.failure));
    check_use();
    if (profile_.use != TimingUse::kTiming) return;
    if (profile_.methods.empty()) {
      if (experiment_.facts.failure.empty())
        add("trust.no_executions", Severity::kError,
            fmt::format("{}: holds no complete execution, so there is no latency.", profile_.name));
      return;
    }
    if (profile_.aborted_runs + profile_.empty_runs > 0)
      add("trust.missing_executions", Severity::kWarning,
          fmt::format("{}: {} aborted and {} empty runs are left out.", profile_.name, profile_.aborted_runs,
                      profile_.empty_runs));
    check_run_count();
    for (std::size_t i = 0; i < profile_.methods.size(); ++i) check_method(i);
    for (const ReferenceFigure& figure : experiment_.references) check_reference(figure);
  }

 private:
  void add(std::string id, Severity severity, std::string sentence) {
    quality_.add({.id = std::move(id), .severity = severity, .sentence = std::move(sentence)});
  }

  std::string subject(std::size_t method) const {
    return profile_.methods.size() == 1
               ? profile_.name
               : fmt::format("{}, {}", profile_.name, profile_.methods[method].method);
  }

  void check_use() {
    if (profile_.use == TimingUse::kOneRunOfSeveral)
      add("trust.one_run_file", Severity::kError,
          fmt::format("{}: the file holds one run cut out of a recording. Its time is no latency and takes "
                      "part in no "
                      "verdict; use the file of all runs or the ETDump.",
                      profile_.name));
    if (profile_.use == TimingUse::kKernelTrace)
      add("trust.kernel_trace_timing", Severity::kError,
          fmt::format(
              "{}: recorded while every kernel was logged. Its time is no latency and takes part in no "
              "verdict; use a timing run.",
              profile_.name));
    if (profile_.use == TimingUse::kAggregated)
      add("trust.aggregated", Severity::kWarning,
          fmt::format("{}: holds averages over runs, so there is no spread and no verdict.", profile_.name));
  }

  void check_run_count() {
    if (!experiment_.facts.runs_asked) return;
    std::uint64_t executions = 0;
    for (const MethodProfile& method : profile_.methods)
      executions = std::max<std::uint64_t>(
          executions, static_cast<std::uint64_t>(
                          std::count_if(method.executions.begin(), method.executions.end(),
                                        [](const Execution& execution) { return !execution.warm_up; })));
    if (executions < *experiment_.facts.runs_asked)
      add("trust.missing_executions", Severity::kWarning,
          fmt::format("{}: {} runs were asked for, {} were recorded.", profile_.name,
                      *experiment_.facts.runs_asked, executions));
  }

  void check_method(std::size_t position) {
    const MethodLatency latency = latency_of(profile_, position);
    const std::string name = subject(position);
    check_counts(name, latency);
    check_noise(name, latency);
    check_course(name, latency);
    check_sums(name, profile_.methods[position], latency);
    check_durations(name, profile_.methods[position]);
  }

  void check_counts(const std::string& name, const MethodLatency& latency) {
    const std::size_t n = latency.steady_values.size();
    if (n == 0)
      add("trust.no_executions", Severity::kError, fmt::format("{}: no steady execution is left.", name));
    else if (n == 1)
      add("trust.one_run", Severity::kWarning,
          fmt::format("{}: one run only; nothing can be said about noise.", name));
    else if (n < kFewRuns)
      add("trust.few_runs", Severity::kWarning,
          fmt::format("{}: {} steady runs are few; intervals are wide or missing. Ten or more are better.",
                      name, n));
    if (latency.detected_warm_up > 0)
      add("trust.warm_up", Severity::kInfo,
          fmt::format(
              "{}: {} {} cold, slower than all that follow: shown, but not part of the steady figures.", name,
              latency.detected_warm_up == 1 ? "the first run"
                                            : fmt::format("the first {} runs", latency.detected_warm_up),
              latency.detected_warm_up == 1 ? "is" : "are"));
  }

  void check_noise(const std::string& name, const MethodLatency& latency) {
    const stats::Description& steady = latency.steady;
    if (steady.n < 2) return;
    if (!latency.outliers.empty())
      add("trust.outliers", Severity::kInfo,
          fmt::format("{}: {} {} outside Tukey's fences; flagged and kept.", name,
                      fmt::format("{} {}", latency.outliers.size() == 1 ? "run" : "runs",
                                  fmt::join(latency.outliers, ", ")),
                      latency.outliers.size() == 1 ? "lies" : "lie"));
    const double cv = 100 * steady.coefficient_of_variation.value_or(0);
    if (cv > kUnreliableCv)
      add("trust.unreliable", Severity::kWarning,
          fmt::format(
              "{}: runs vary by {:.1f} % (coefficient of variation); above {:.0f} % figures are unreliable.",
              name, cv, kUnreliableCv));
    else if (cv > kNoisyCv)
      add("trust.noisy", Severity::kWarning,
          fmt::format("{}: runs vary by {:.1f} % (coefficient of variation); above {:.0f} % is noisy.", name,
                      cv, kNoisyCv));
    const double spread = steady.min > 0 ? 100 * (steady.max - steady.min) / steady.min : 0;
    check(fmt::format("{}: spread between runs at most {:.0f} %", name, kWideSpread),
          fmt::format("{:.1f} %", spread), spread <= kWideSpread);
    if (spread > kWideSpread)
      add("trust.spread", Severity::kWarning,
          fmt::format("{}: the slowest steady run takes {:.0f} % longer than the fastest.", name, spread));
  }

  void check_course(const std::string& name, const MethodLatency& latency) {
    const stats::Description& steady = latency.steady;
    if (steady.drift && steady.drift->drifting)
      add("trust.drift", Severity::kWarning,
          fmt::format("{}: runs get {} in the course of the measurement: the first quarter has a median of "
                      "{:.4g} {}, "
                      "the last {:.4g} {}{}.",
                      name, steady.drift->relative_change > 0 ? "slower" : "faster",
                      steady.drift->first_quarter_median, latency.unit, steady.drift->last_quarter_median,
                      latency.unit, steady.drift->relative_change > 0 ? "; throttling suspected" : ""));
    if (steady.step)
      add("trust.step", Severity::kWarning,
          fmt::format("{}: the level changes at run {}: from {:.4g} to {:.4g} {}.", name,
                      latency.positions[steady.step->position], steady.step->before_median,
                      steady.step->after_median, latency.unit));
    if (steady.modes)
      add("trust.two_modes", Severity::kWarning,
          fmt::format("{}: runs fall into two groups, around {:.4g} and {:.4g} {} (the latter {:.0f} "
                      "% of them); cores of two kinds or two clock rates do this.",
                      name, steady.modes->low_median, steady.modes->high_median, latency.unit,
                      100 * steady.modes->high_share));
    // What chance alone gives independent runs, 19 times of 20, is not worth a word.
    const double notable = std::max(kSerialCorrelation, 2 / std::sqrt(static_cast<double>(steady.n)));
    if (steady.lag1 && steady.n >= kFewRuns && *steady.lag1 > notable)
      add("trust.serial_correlation", Severity::kWarning,
          fmt::format("{}: a run resembles the one before it (lag-1 correlation {:.2f}); {} runs are worth "
                      "about {:.0f} independent ones, and comparisons widen their intervals for it.",
                      name, *steady.lag1, steady.n, steady.effective_count));
    if (steady.lag1 && steady.n >= kFewRuns && *steady.lag1 < -notable)
      add("trust.alternating_runs", Severity::kInfo,
          fmt::format("{}: slow and fast runs take turns (lag-1 correlation {:.2f}).", name, *steady.lag1));
    // Between processes nothing is periodic but the processes themselves.
    if (steady.spike_spacing && profile_.sources.size() == 1)
      add("trust.periodic_spikes", Severity::kInfo,
          fmt::format("{}: slow runs come back every {} runs.", name, steady.spike_spacing->runs));
  }

  void check_sums(const std::string& name, const MethodProfile& method, const MethodLatency& latency) {
    const Breakdown breakdown = breakdown_of(method, latency.positions);
    if (breakdown.by_operator.empty()) return;
    double operators = 0;
    for (const Share& share : breakdown.by_operator) operators += std::max(0.0, share.mean);
    const bool holds = operators <= breakdown.mean * (1 + 1e-12);
    check(fmt::format("{}: end-to-end time is at least the sum of exclusive operator times", name),
          fmt::format("{:.4g} against {:.4g} {}", breakdown.mean, operators, latency.unit), holds);
    if (!holds)
      add("trust.operators_exceed_total", Severity::kError,
          fmt::format(
              "{}: operators add up to {:.4g} {}, more than the {:.4g} of the whole; some times are wrong.",
              name, operators, latency.unit, breakdown.mean));
    if (!breakdown.exact)
      add("trust.sum_differs", Severity::kError,
          fmt::format("{}: exclusive times do not sum to the end-to-end time.", name));
  }

  void check_durations(const std::string& name, const MethodProfile& method) {
    const auto zero = std::count_if(method.executions.begin(), method.executions.end(),
                                    [](const Execution& execution) { return execution.duration.value <= 0; });
    if (zero > 0)
      add("trust.zero_durations", Severity::kError,
          fmt::format("{}: {} executions last no time at all; their clock did not run.", name, zero));
    std::int64_t step = 0;
    for (const Entry& entry : method.entries)
      if (entry.estimated)
        for (const Ticks self : entry.self) step = std::gcd(step, self.value);
    if (step > 1)
      add("trust.quantised_times", Severity::kInfo,
          fmt::format(
              "{}: operator times of the delegate come in steps of {}; smaller differences cannot be seen.",
              name,
              method.frequency.known() ? base::format_duration(method.frequency.to_nanoseconds(Ticks{step}))
                                       : fmt::format("{} ticks", step)));
  }

  // In milliseconds, as references are; none where the clock's unit is unknown.
  std::vector<double> comparable_values() const {
    if (!profile_.methods.front().frequency.known()) return {};
    const RunLatency per_run = latency_per_run(profile_);
    if (!per_run.values.empty()) return per_run.values;
    std::vector<double> values;
    for (const Execution& execution : profile_.methods.front().executions)
      if (!execution.warm_up) values.push_back(to_unit(profile_.methods.front(), execution.duration));
    return values;
  }

  void check_reference(const ReferenceFigure& figure) {
    std::vector<double> finite;
    for (const double value : figure.values)
      if (std::isfinite(value)) finite.push_back(value);
    if (finite.size() < figure.values.size())
      add("trust.not_a_number", Severity::kWarning,
          fmt::format("{}: {} holds values that are not numbers; they are left out.", profile_.name,
                      figure.source));
    const std::vector<double> ours = comparable_values();
    if (finite.empty() || ours.empty()) return;
    const double theirs = stats::median(finite);
    const double mine = stats::median(ours);
    const double ratio = mine > 0 ? theirs / mine : 0;
    const bool agrees = std::abs(ratio - 1) * 100 <= kAgreement;
    check(fmt::format("{}: latency agrees with {} within {:.0f} %", profile_.name, figure.source, kAgreement),
          fmt::format("{:.4g} against {:.4g} ms", mine, theirs), agrees);
    if (agrees) return;
    if (ratio > kNestedLow && ratio < kNestedHigh)
      add("trust.nested_rows_summed", Severity::kError,
          fmt::format("{}: {} says {:.4g} ms, {:.1f} times the end-to-end time of {:.4g} ms: nested rows "
                      "summed. A call "
                      "and what it called were both counted.",
                      profile_.name, figure.source, theirs, ratio, mine));
    else
      add("trust.disagrees", Severity::kWarning,
          fmt::format("{}: {} says {:.4g} ms, the recording {:.4g} ms; they should agree within {:.0f} %.",
                      profile_.name, figure.source, theirs, mine, kAgreement));
  }

  void check(std::string what, std::string outcome, bool passed) {
    checks_.push_back({std::move(what), std::move(outcome), passed});
  }

  const Experiment& experiment_;
  const Profile& profile_;
  QualityTable& quality_;
  std::vector<CrossCheck>& checks_;
};

std::map<std::string, std::string> by_key(const std::vector<findings::KeyValue>& list) {
  std::map<std::string, std::string> map;
  for (const findings::KeyValue& item : list) map[item.key] = item.value;
  return map;
}

// "march: armv9-a / (none)" for every fact that differs.
std::string differences(const ExperimentFacts& a, const ExperimentFacts& b) {
  const std::map<std::string, std::string> left = by_key(a.build);
  std::map<std::string, std::string> right = by_key(b.build);
  std::vector<std::string> texts;
  for (const auto& [key, value] : left) {
    const auto found = right.find(key);
    const std::string other = found == right.end() ? "(none)" : found->second;
    if (other != value) texts.push_back(fmt::format("{}: {} / {}", key, value, other));
    if (found != right.end()) right.erase(found);
  }
  for (const auto& [key, value] : right) texts.push_back(fmt::format("{}: (none) / {}", key, value));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

void check_experiment(const Experiment& experiment, QualityTable& quality, std::vector<CrossCheck>& checks) {
  ProfileChecker(experiment, quality, checks).check();
}

void check_pair(const Experiment& baseline, const Experiment& candidate, const Comparison& comparison,
                QualityTable& quality) {
  const std::string pair = fmt::format("{} against {}", comparison.baseline, comparison.candidate);
  const auto add = [&](std::string id, Severity severity, std::string sentence) {
    quality.add({.id = std::move(id), .severity = severity, .sentence = std::move(sentence)});
  };
  if (!comparison.refusal.empty())
    add("trust.no_verdict", Severity::kError, fmt::format("{}: no verdict, {}.", pair, comparison.refusal));
  if (const std::string text = differences(baseline.facts, candidate.facts); !text.empty())
    add("trust.builds_differ", Severity::kWarning,
        fmt::format("{}: the builds differ in more than one can see from the result ({}); some of the change "
                    "may come "
                    "from that.",
                    pair, text));
  if (baseline.facts.threads && candidate.facts.threads &&
      *baseline.facts.threads != *candidate.facts.threads)
    add("trust.threads_differ", Severity::kError,
        fmt::format("{}: {} threads against {}; the comparison is not of one change.", pair,
                    *baseline.facts.threads, *candidate.facts.threads));
  if (baseline.facts.order == "sequential" || candidate.facts.order == "sequential")
    add("trust.sequential_order", Severity::kInfo,
        fmt::format(
            "{}: measured one after the other, so a drifting clock or temperature counts as a difference; "
            "interleaved order does not have this.",
            pair));
  for (const MethodComparison& method : comparison.methods)
    if (method.match.baseline_only + method.match.candidate_only > 0)
      add("trust.unmatched_operators", Severity::kInfo,
          fmt::format(
              "{}: {} operators of the baseline and {} of the candidate have no partner; they count in the "
              "totals and are listed.",
              pair, method.match.baseline_only, method.match.candidate_only));
  for (const std::string& method : comparison.baseline_only)
    add("trust.unmatched_method", Severity::kWarning,
        fmt::format("{}: only the baseline ran {}.", pair, method));
  for (const std::string& method : comparison.candidate_only)
    add("trust.unmatched_method", Severity::kWarning,
        fmt::format("{}: only the candidate ran {}.", pair, method));
}

}  // namespace accelscope::analysis
