#include "jobs/compare_modelled.h"

#include <fmt/core.h>

#include <filesystem>
#include <map>

#include "analysis/chip/samples.h"
#include "analysis/profile_data.h"
#include "base/file_names.h"
#include "base/mapped_file.h"
#include "experiments/fingerprint.h"
#include "findings/columns.h"
#include "findings/findings_json.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Location;
using base::Result;
using findings::Better;
using findings::Cell;
using findings::Findings;
using findings::Metric;
using findings::Section;
using findings::Table;

struct Side {
  Findings findings = {};
  findings::Input input = {};
};

Result<std::optional<Side>> modelled_side(const std::string& path, std::string_view role) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::optional<Side>();
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
  if (!findings::is_findings(file.text())) return std::optional<Side>();
  ACCELSCOPE_TRY(Findings saved, findings::read_json(file));
  ACCELSCOPE_TRY(const auto samples, analysis::chip::samples_in(saved));
  ACCELSCOPE_TRY(const auto profiles, analysis::profiles_in(saved));
  const bool has_metrics = [&] {
    for (const Section& section : saved.sections)
      if (!section.metrics.empty()) return true;
    return false;
  }();
  if (samples || !profiles.empty() || !has_metrics) return std::optional<Side>();
  Side side{.input = {.path = path,
                      .format = "findings",
                      .bytes = file.size(),
                      .hash = experiments::xxh3_of(file.text()),
                      .role = std::string(role)}};
  side.findings = std::move(saved);
  return std::optional(std::move(side));
}

struct MetricPair {
  const Section* section = nullptr;
  const Metric* before = nullptr;
  const Metric* after = nullptr;
};

// Numbers that both documents have, in the order of the first.
std::vector<MetricPair> shared_metrics(const ModelledPair& pair) {
  std::vector<MetricPair> shared;
  for (const Section& section : pair.baseline.sections) {
    const Section* const other = findings::find_section(pair.candidate, section.id);
    if (other == nullptr) continue;
    for (const Metric& before : section.metrics) {
      const Metric* const after = findings::find_metric(*other, before.id);
      if (before.value && after != nullptr && after->value) shared.push_back({&section, &before, after});
    }
  }
  return shared;
}

// Baseline over candidate where less is better: above 1 the candidate is better.
std::optional<double> speedup(const MetricPair& metric) {
  double before = *metric.before->value;
  double after = *metric.after->value;
  if (metric.before->better == Better::kHigher) std::swap(before, after);
  if (before == 0 || after == 0) return std::nullopt;
  return before / after;
}

std::string verdict_of(const MetricPair& metric) {
  const double before = *metric.before->value;
  const double after = *metric.after->value;
  if (before == after) return "same";
  if (metric.before->better == Better::kNeither) return "";
  return (after < before) == (metric.before->better == Better::kLower) ? "better" : "worse";
}

Cell change_cell(double before, double after) {
  if (before == 0) return std::monostate{};
  return 100 * (after - before) / before;
}

void add_metrics(Section& section, const std::vector<MetricPair>& shared) {
  Table table{.id = "metrics",
              .title = "Numbers that changed",
              .columns = {findings::text_column("metric", "Metric"), findings::text_column("unit", "Unit"),
                          findings::number_column("baseline", "Baseline", "", 3),
                          findings::number_column("candidate", "Candidate", "", 3),
                          findings::percent_column("change", "Change", 2),
                          findings::text_column("verdict", "Which is")},
              .rows_shown = 40};
  std::size_t same = 0;
  for (const MetricPair& metric : shared) {
    if (*metric.before->value == *metric.after->value) {
      ++same;
      continue;
    }
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(metric.before->label);
    row.emplace_back(metric.before->unit);
    row.emplace_back(*metric.before->value);
    row.emplace_back(*metric.after->value);
    row.push_back(change_cell(*metric.before->value, *metric.after->value));
    row.emplace_back(verdict_of(metric));
  }
  table.note = fmt::format("{} numbers are the same in both.", same);
  section.tables.push_back(std::move(table));
}

std::optional<std::size_t> column_of(const Table& table, std::string_view id) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].id == id) return i;
  return std::nullopt;
}

// The times of a table by the names in its first column.
std::map<std::string, double> times_in(const Table& table) {
  std::map<std::string, double> times;
  const std::optional<std::size_t> column = column_of(table, "time");
  if (!column || *column == 0) return times;
  for (const std::vector<Cell>& row : table.rows) {
    const auto* const name = std::get_if<std::string>(&row.front());
    const auto* const time = std::get_if<double>(&row[*column]);
    if (name != nullptr && time != nullptr) times[*name] += *time;
  }
  return times;
}

// Where the time changed: every table that tells times by name.
void add_tables(Findings& findings, const ModelledPair& pair) {
  Section& changes = findings::add_section(findings, "parts", "Where it changed");
  for (const Section& section : pair.baseline.sections) {
    const Section* const other = findings::find_section(pair.candidate, section.id);
    if (other == nullptr) continue;
    for (const Table& before : section.tables) {
      const Table* const after = findings::find_table(*other, before.id);
      if (after == nullptr) continue;
      const std::map<std::string, double> now = times_in(*after);
      std::map<std::string, std::pair<double, double>> both;
      for (const auto& [name, time] : times_in(before)) both[name].first = time;
      for (const auto& [name, time] : now) both[name].second = time;
      if (both.empty()) continue;
      const findings::Column& time = before.columns[*column_of(before, "time")];
      Table table{
          .id = before.id,
          .title = before.title == after->title ? before.title : before.title + "; now: " + after->title,
          .columns = {before.columns.front(),
                      findings::number_column("baseline", "Baseline", time.unit, time.decimals),
                      findings::number_column("candidate", "Candidate", time.unit, time.decimals),
                      findings::number_column("saving", "Saved", time.unit, time.decimals)},
          .rows_shown = 15};
      for (const auto& [name, times] : both) {
        if (times.first == times.second) continue;
        table.rows.push_back({name, times.first, times.second, times.first - times.second});
      }
      if (!table.rows.empty()) changes.tables.push_back(std::move(table));
    }
  }
  if (changes.tables.empty()) changes.empty_hint = "No part took another time.";
}

// What was asked for otherwise: a comparison of two things at once is no comparison.
void add_circumstances(Findings& findings, const ModelledPair& pair) {
  std::map<std::string, std::pair<std::string, std::string>> options;
  for (const findings::KeyValue& one : pair.baseline.provenance.options) options[one.key].first = one.value;
  for (const findings::KeyValue& one : pair.candidate.provenance.options) options[one.key].second = one.value;
  options["title"] = {pair.baseline.title, pair.candidate.title};
  Table table{
      .id = "circumstances",
      .columns = {findings::text_column("option", "What"), findings::text_column("baseline", "Baseline"),
                  findings::text_column("candidate", "Candidate")}};
  for (const auto& [key, values] : options)
    if (values.first != values.second) table.rows.push_back({key, values.first, values.second});
  if (table.rows.empty()) return;
  findings::add_section(findings, "circumstances", "What was asked for otherwise")
      .tables.push_back(std::move(table));
}

const MetricPair* headline(const std::vector<MetricPair>& shared) {
  for (const MetricPair& metric : shared)
    if (metric.before->better != Better::kNeither) return &metric;
  return nullptr;
}

void add_verdict(Section& section, const MetricPair& metric) {
  const std::optional<double> factor = speedup(metric);
  const std::string verdict = verdict_of(metric);
  std::string text =
      fmt::format("{}: {:g} {} before, {:g} {} now", metric.before->label, *metric.before->value,
                  metric.before->unit, *metric.after->value, metric.after->unit);
  if (verdict == "same")
    text += ": the same.";
  else if (factor)
    text += fmt::format(": {}, a speedup of {:.4f}.", verdict, *factor);
  else
    text += fmt::format(": {}.", verdict);
  section.statements.push_back({.id = "modelled.verdict",
                                .kind = findings::StatementKind::kVerdict,
                                .priority = findings::Priority::kHighest,
                                .subject = metric.before->label,
                                .text = std::move(text)});
  section.metrics.push_back({.id = "speedup",
                             .label = fmt::format("speedup of the {}", metric.before->label),
                             .value = factor,
                             .unit = "x",
                             .method = "modelled, not measured: exact",
                             .better = Better::kHigher});
}

report::GateCase gate_of(const MetricPair* metric, double gate) {
  if (metric == nullptr)
    return {.name = "a number in both findings", .passed = false, .message = "there is none to judge by"};
  const std::optional<double> factor = speedup(*metric);
  const double slower = factor ? 1 / *factor - 1 : 0;
  const bool same = verdict_of(*metric) == "same";
  return {
      .name = fmt::format("{}: less than {:g} % worse", metric->before->label, 100 * gate),
      .passed = same || (factor && slower < gate),
      .message = fmt::format("{:g} {} before, {:g} {} now ({:+.2f} %)", *metric->before->value,
                             metric->before->unit, *metric->after->value, metric->after->unit, 100 * slower)};
}

}  // namespace

Result<std::optional<ModelledPair>> modelled_pair(const std::string& baseline, const std::string& candidate) {
  ACCELSCOPE_TRY(std::optional<Side> before, modelled_side(baseline, "baseline"));
  ACCELSCOPE_TRY(std::optional<Side> after, modelled_side(candidate, "candidate"));
  if (!before && !after) return std::optional<ModelledPair>();
  if (!before || !after) {
    const std::string& modelled = before ? baseline : candidate;
    const std::string& other = before ? candidate : baseline;
    return base::fail_at(Location::of_file(modelled), ErrorCode::kUsage,
                         "holds findings of kind `{}`, which were modelled; {} does not",
                         before ? before->findings.kind : after->findings.kind, other);
  }
  if (before->findings.kind != after->findings.kind)
    return base::fail_at(Location::of_file(candidate), ErrorCode::kUsage,
                         "holds findings of kind `{}`, and {} of kind `{}`", after->findings.kind, baseline,
                         before->findings.kind);
  ModelledPair pair{.inputs = {before->input, after->input}};
  pair.baseline = std::move(before->findings);
  pair.candidate = std::move(after->findings);
  return std::optional(std::move(pair));
}

ModelledComparison compare_modelled(const ModelledPair& pair, std::optional<double> gate) {
  ModelledComparison made;
  made.findings = {.kind = "comparison",
                   .title = fmt::format("{} against {}", base::file_name(pair.inputs[1].path),
                                        base::file_name(pair.inputs[0].path))};
  const std::vector<MetricPair> shared = shared_metrics(pair);
  Section& section = findings::add_section(made.findings, "change", "What changed");
  const MetricPair* const first = headline(shared);
  if (first != nullptr) add_verdict(section, *first);
  add_metrics(section, shared);
  add_tables(made.findings, pair);
  add_circumstances(made.findings, pair);
  made.findings.quality.append(pair.baseline.quality);
  made.findings.quality.append(pair.candidate.quality);
  made.findings.provenance.inputs = pair.inputs;
  if (gate) made.gate.push_back(gate_of(first, *gate));
  return made;
}

}  // namespace accelscope::jobs
