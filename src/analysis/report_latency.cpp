#include <fmt/core.h>

#include <algorithm>

#include "analysis/report_work.h"

namespace accelscope::analysis {
namespace {

using findings::Better;
using findings::Cell;
using findings::Findings;
using findings::Metric;
using findings::Section;
using findings::Series;
using findings::Statement;
using findings::StatementKind;
using findings::Table;

Cell cell(std::optional<double> value) {
  return value ? Cell(*value) : Cell();
}

std::optional<double> ratio(std::optional<double> baseline, std::optional<double> candidate) {
  if (!baseline || !candidate || *candidate <= 0) return std::nullopt;
  return *baseline / *candidate;
}

struct Figure {
  std::string_view name;
  std::optional<double> (*of)(const stats::Description&);
  bool has_speedup;
};

constexpr Figure kFigures[] = {
    {"Median", [](const stats::Description& d) { return std::optional(d.median); }, true},
    {"Mean", [](const stats::Description& d) { return std::optional(d.mean); }, true},
    {"Min", [](const stats::Description& d) { return std::optional(d.min); }, true},
    {"Max", [](const stats::Description& d) { return std::optional(d.max); }, true},
    {"Std Dev", [](const stats::Description& d) { return d.standard_deviation; }, false},
    {"90th percentile", [](const stats::Description& d) { return d.p90; }, true},
    {"95th percentile", [](const stats::Description& d) { return d.p95; }, true},
    {"99th percentile", [](const stats::Description& d) { return d.p99; }, true},
};

Table comparison_table(const Comparison& comparison, const MethodComparison& method) {
  const stats::Description& before = method.baseline_latency.steady;
  const stats::Description& after = method.candidate_latency.steady;
  Table table{.id = "latency",
              .columns = {text_column("figure", "Figure"),
                          number_column("baseline", comparison.baseline, method.unit),
                          number_column("candidate", comparison.candidate, method.unit),
                          ratio_column("speedup", "Speedup"), text_column("interval", "95 % interval")}};
  for (const Figure& figure : kFigures) {
    const std::optional<double> left = before.n > 0 ? figure.of(before) : std::nullopt;
    const std::optional<double> right = after.n > 0 ? figure.of(after) : std::nullopt;
    if (!left && !right && figure.name.ends_with("percentile")) continue;
    Cell interval;
    if (figure.name == "Median" && method.end_to_end.interval)
      interval = fmt::format("{:.2f}x to {:.2f}x", method.end_to_end.interval->low,
                             method.end_to_end.interval->high);
    table.rows.push_back({std::string(figure.name), cell(left), cell(right),
                          figure.has_speedup ? cell(ratio(left, right)) : Cell(), interval});
  }
  table.note = fmt::format(
      "Steady executions: {} of {} (baseline), {} of {} (candidate). Speedup is baseline over candidate. "
      "Percentiles "
      "are shown from 10, 20 and 100 runs on.",
      before.n, method.baseline_latency.values.size(), after.n, method.candidate_latency.values.size());
  return table;
}

Series run_series(std::string id, const std::string& name, const MethodLatency& latency) {
  Series series{.id = std::move(id),
                .title = fmt::format("{}, every execution in order", name),
                .unit = latency.unit,
                .x_title = "execution",
                .values = latency.values};
  for (std::size_t i = 0; i < latency.states.size(); ++i)
    if (latency.states[i] != ExecutionState::kSteady)
      series.marks.push_back({i, latency.states[i] == ExecutionState::kDeclaredWarmUp ? "warm-up" : "cold"});
  for (const std::uint32_t position : latency.outliers) series.marks.push_back({position, "outlier, kept"});
  std::stable_sort(series.marks.begin(), series.marks.end(),
                   [](const findings::Mark& a, const findings::Mark& b) { return a.position < b.position; });
  return series;
}

Statement verdict_statement(const Comparison& comparison, const MethodComparison& method) {
  return {.id = "latency.verdict",
          .kind = StatementKind::kVerdict,
          .priority = findings::Priority::kHighest,
          .subject = "end-to-end latency",
          .text = verdict_sentence(comparison, method)};
}

void add_test_metrics(Section& section, const MethodComparison& method) {
  const stats::Comparison& test = method.end_to_end;
  const std::uint64_t n = method.baseline_latency.steady.n + method.candidate_latency.steady.n;
  Metric speedup{.id = "speedup",
                 .label = "Speedup of medians",
                 .value = test.speedup,
                 .unit = "x",
                 .n = n,
                 .better = Better::kHigher};
  if (test.interval)
    speedup.interval = findings::Interval{test.interval->low, test.interval->high, test.interval->level,
                                          std::string(test.interval_method)};
  section.metrics.push_back(std::move(speedup));
  section.metrics.push_back({.id = "saving",
                             .label = "Saving per execution",
                             .value = method.saving,
                             .unit = method.unit,
                             .n = n,
                             .method = "difference of means, which the breakdown sums to",
                             .better = Better::kHigher});
  section.metrics.push_back({.id = "shift",
                             .label = "Typical shift",
                             .value = test.shift,
                             .unit = method.unit,
                             .n = n,
                             .method = "Hodges-Lehmann, baseline - candidate"});
  section.metrics.push_back({.id = "p",
                             .label = "p value",
                             .value = test.p,
                             .n = n,
                             .method = "Mann-Whitney, two-sided, serial correlation allowed for"});
  section.metrics.push_back({.id = "cliffs_delta",
                             .label = "Cliff's delta",
                             .value = test.cliffs_delta,
                             .n = n,
                             .method = "-1 to 1"});
}

struct NamedCold {
  std::string name;
  ColdStart cold;
};

void add_cold_start(Section& section, const std::vector<NamedCold>& rows) {
  Table table{.id = "cold_start",
              .title = "Cold start",
              .columns = {text_column("experiment", "Experiment"),
                          number_column("load", "Load", rows.front().cold.unit),
                          number_column("init", "of it init", rows.front().cold.unit),
                          number_column("first", "First execution", rows.front().cold.unit),
                          number_column("to_steady", "Until steady", rows.front().cold.unit)}};
  for (const NamedCold& row : rows)
    table.rows.push_back({row.name, cell(row.cold.load), cell(row.cold.init), cell(row.cold.first_execution),
                          cell(row.cold.time_to_steady)});
  section.tables.push_back(std::move(table));
}

void add_per_run(Section& section, const Profile& profile) {
  const RunLatency per_run = latency_per_run(profile);
  if (per_run.values.empty()) return;
  const stats::Description description = stats::describe(per_run.values);
  section.metrics.push_back({.id = fmt::format("per_run.{}", profile.name),
                             .label = fmt::format("Per run of {} (up to {} executions summed)", profile.name,
                                                  per_run.executions_per_run),
                             .value = description.median,
                             .unit = per_run.unit,
                             .n = per_run.values.size(),
                             .method = "median; what metrics.json holds, not a latency of one execution"});
}

void add_pair(Findings& findings, const ReportInput& input, const Comparison& comparison,
              const RolePair& pair, const MethodComparison& method, std::size_t number, std::size_t parts) {
  const Profile& baseline = input.experiments[pair.baseline].profile;
  const Profile& candidate = input.experiments[pair.candidate].profile;
  Section& section =
      place_for(findings, "latency", number, parts, title_of(comparison, method, comparison.methods.size()));
  section.statements.push_back(verdict_statement(comparison, method));
  section.tables.push_back(comparison_table(comparison, method));
  add_test_metrics(section, method);
  section.series.push_back(run_series("baseline", baseline.name, method.baseline_latency));
  section.series.push_back(run_series("candidate", candidate.name, method.candidate_latency));
  add_cold_start(
      section,
      {{baseline.name, cold_start_of(baseline, method.baseline_method, method.baseline_latency)},
       {candidate.name, cold_start_of(candidate, method.candidate_method, method.candidate_latency)}});
  add_per_run(section, baseline);
  add_per_run(section, candidate);
}

void add_interval(Metric& metric, const stats::Description& steady) {
  if (steady.median_interval)
    metric.interval =
        findings::Interval{steady.median_interval->interval.low, steady.median_interval->interval.high,
                           steady.median_interval->interval.level, "order statistics"};
}

// An experiment that is compared with nothing.
void add_single(Findings& findings, const Experiment& experiment, std::size_t position,
                const MethodLatency& latency, std::size_t number, std::size_t parts) {
  const Profile& profile = experiment.profile;
  const stats::Description& steady = latency.steady;
  const std::string name = profile.methods.size() == 1
                               ? profile.name
                               : fmt::format("{}: {}", profile.name, profile.methods[position].method);
  Section& section = place_for(findings, "latency", number, parts, name);
  const auto add = [&](std::string id, std::string label, std::optional<double> value, std::string unit,
                       std::string note = {}) {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = value,
                               .unit = std::move(unit),
                               .n = steady.n,
                               .note = std::move(note),
                               .better = Better::kLower});
  };
  const bool any = steady.n > 0;
  add("median", "Median", any ? std::optional(steady.median) : std::nullopt, latency.unit);
  add_interval(section.metrics.back(), steady);
  add("mean", "Mean", any ? std::optional(steady.mean) : std::nullopt, latency.unit);
  add("min", "Min", any ? std::optional(steady.min) : std::nullopt, latency.unit);
  add("max", "Max", any ? std::optional(steady.max) : std::nullopt, latency.unit);
  add("standard_deviation", "Std Dev", steady.standard_deviation, latency.unit);
  add("mad", "MAD (as sigma)", steady.n > 1 ? std::optional(steady.mad_sigma) : std::nullopt, latency.unit);
  add("iqr", "IQR", steady.n > 1 ? std::optional(steady.iqr) : std::nullopt, latency.unit);
  add("cv", "Variation",
      steady.coefficient_of_variation ? std::optional(100 * *steady.coefficient_of_variation) : std::nullopt,
      "%");
  add("p90", "90th percentile", steady.p90, latency.unit, steady.p90 ? "" : "n too small: needs 10 runs");
  add("p95", "95th percentile", steady.p95, latency.unit, steady.p95 ? "" : "n too small: needs 20 runs");
  add("p99", "99th percentile", steady.p99, latency.unit, steady.p99 ? "" : "n too small: needs 100 runs");
  section.series.push_back(run_series("executions", name, latency));
  add_cold_start(section, {{profile.name, cold_start_of(profile, position, latency)}});
  if (position == 0) add_per_run(section, profile);
}

}  // namespace

void add_latency(Findings& findings, const ReportInput& input, const ReportWork& work) {
  findings::add_section(findings, "latency", "Latency Comparison").empty_hint = fmt::format(
      "No execution whose time may be used was recorded. Record with `accelscope bench CONFIG.json`, or give "
      "an ETDump: `accelscope "
      "report {}`.",
      input.place);
  std::vector<bool> paired(input.experiments.size(), false);
  std::size_t parts = 0;
  for (std::size_t i = 0; i < work.comparisons.size(); ++i) {
    parts += work.comparisons[i].methods.size();
    if (work.comparisons[i].methods.empty()) continue;
    paired[input.pairs[i].baseline] = paired[input.pairs[i].candidate] = true;
  }
  for (std::size_t i = 0; i < input.experiments.size(); ++i)
    if (!paired[i] && input.experiments[i].profile.use == TimingUse::kTiming)
      parts += work.experiments[i].size();
  std::size_t number = 0;
  for (std::size_t i = 0; i < work.comparisons.size(); ++i)
    for (const MethodComparison& method : work.comparisons[i].methods)
      add_pair(findings, input, work.comparisons[i], input.pairs[i], method, number++, parts);
  for (std::size_t i = 0; i < input.experiments.size(); ++i) {
    if (paired[i] || input.experiments[i].profile.use != TimingUse::kTiming) continue;
    for (std::size_t method = 0; method < work.experiments[i].size(); ++method)
      add_single(findings, input.experiments[i], method, work.experiments[i][method].latency, number++,
                 parts);
  }
}

}  // namespace accelscope::analysis
