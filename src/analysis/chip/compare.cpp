#include "analysis/chip/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/report_work.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Statement;
using findings::StatementKind;
using findings::Table;

constexpr double kPointsWorthAWord = 10;  // of a percentage

const SampledTimes* find(const std::vector<SampledTimes>& samples, const std::string& name) {
  const auto found = std::find_if(samples.begin(), samples.end(),
                                  [&](const SampledTimes& sample) { return sample.name == name; });
  return found == samples.end() ? nullptr : &*found;
}

double change_of(const TimesComparison& item) {
  return item.candidate_total - item.baseline_total;
}

void judge(std::vector<TimesComparison>& items, const stats::CompareOptions& options) {
  std::vector<stats::Comparison> tests;
  for (const TimesComparison& item : items)
    if (item.test) tests.push_back(*item.test);
  stats::adjust_for_many(tests, options);
  std::size_t next = 0;
  for (TimesComparison& item : items)
    if (item.test) item.test = tests[next++];
}

std::vector<TimesComparison> compare_times(const std::vector<SampledTimes>& baseline,
                                           const std::vector<SampledTimes>& candidate,
                                           const stats::CompareOptions& options) {
  std::vector<TimesComparison> result;
  for (const SampledTimes& before : baseline) {
    TimesComparison item{.name = before.name, .baseline_count = before.count, .baseline_total = before.total};
    if (const SampledTimes* after = find(candidate, before.name); after != nullptr) {
      item.candidate_count = after->count;
      item.candidate_total = after->total;
      item.test = stats::compare(before.values, after->values, options);
    }
    result.push_back(std::move(item));
  }
  for (const SampledTimes& after : candidate)
    if (find(baseline, after.name) == nullptr)
      result.push_back({.name = after.name, .candidate_count = after.count, .candidate_total = after.total});
  judge(result, options);
  std::stable_sort(result.begin(), result.end(), [](const TimesComparison& a, const TimesComparison& b) {
    return std::abs(change_of(a)) > std::abs(change_of(b));
  });
  return result;
}

bool was_sampled(const std::vector<SampledTimes>& samples) {
  return std::any_of(samples.begin(), samples.end(),
                     [](const SampledTimes& sample) { return sample.values.size() < sample.count; });
}

Table table_of(std::string id, const std::vector<TimesComparison>& items, const RunComparison& comparison) {
  Table table{
      .id = std::move(id),
      .columns = {text_column("name", "Name"), count_column("baseline_count", "n"),
                  count_column("candidate_count", "n"),
                  number_column("baseline_median", "Before", comparison.unit, 2),
                  number_column("candidate_median", "After", comparison.unit, 2),
                  ratio_column("speedup", "Speedup"), text_column("interval", "95 % interval"),
                  text_column("verdict", "Verdict"), number_column("change", "Total", comparison.unit, 1)}};
  for (const TimesComparison& item : items) {
    std::vector<Cell> row{item.name, static_cast<std::int64_t>(item.baseline_count),
                          static_cast<std::int64_t>(item.candidate_count)};
    row.resize(table.columns.size() - 1);
    if (item.test) {
      row[3] = item.test->baseline_median;
      row[4] = item.test->candidate_median;
      if (std::isfinite(item.test->speedup)) row[5] = item.test->speedup;
      if (item.test->interval)
        row[6] = fmt::format("{:.3g}x to {:.3g}x", item.test->interval->low, item.test->interval->high);
      row[7] = std::string(stats::to_text(item.test->verdict));
    } else {
      row[7] = std::string(item.baseline_count > 0 ? "only before" : "only after");
    }
    row.emplace_back(change_of(item));
    table.rows.push_back(std::move(row));
  }
  table.rows_shown = 30;
  table.note =
      "n, then medians, of the baseline and of the candidate; total: by how much the sum of all changed.";
  return table;
}

void add_verdicts(Section& section, const std::vector<TimesComparison>& items, std::string_view what) {
  for (const TimesComparison& item : items) {
    if (!item.test) continue;
    const stats::Verdict verdict = item.test->verdict;
    if (verdict != stats::Verdict::kFaster && verdict != stats::Verdict::kSlower) continue;
    const bool slower = verdict == stats::Verdict::kSlower;
    section.statements.push_back(
        {.id = "chip.compare.changed",
         .kind = StatementKind::kFinding,
         .priority = slower ? findings::Priority::kHigh : findings::Priority::kNote,
         .subject = item.name,
         .text = fmt::format("{} {} is {} in the candidate: speedup {:.3g}x ({}).", what, item.name,
                             slower ? "slower" : "faster", item.test->speedup, item.test->reason)});
  }
}

void add_group(Findings& document, const RunComparison& comparison, std::string id, std::string title,
               const std::vector<TimesComparison>& items, std::string_view what, std::string hint) {
  Section& section = findings::add_section(document, id, std::move(title));
  section.empty_hint = std::move(hint);
  if (items.empty()) return;
  add_verdicts(section, items, what);
  section.tables.push_back(table_of(std::move(id), items, comparison));
}

std::vector<FigureComparison> compare_figures(const std::vector<PipeFigure>& baseline,
                                              const std::vector<PipeFigure>& candidate) {
  std::vector<FigureComparison> result;
  std::map<std::string_view, std::size_t> place_of;
  for (const PipeFigure& before : baseline) {
    place_of.emplace(before.id, result.size());
    result.push_back({.id = before.id, .baseline = before.value});
  }
  for (const PipeFigure& after : candidate) {
    const auto [place, is_new] = place_of.emplace(after.id, result.size());
    if (is_new) result.push_back({.id = after.id});
    result[place->second].candidate = after.value;
  }
  return result;
}

// One recording each has one value: shown, never tested.
void add_pipe_figures(Findings& document, const std::vector<FigureComparison>& figures) {
  if (figures.empty()) return;
  Section& section = findings::add_section(document, "pipes", "Inside the cores");
  Table table{
      .id = "pipes",
      .columns = {text_column("id", "Figure"), percent_column("baseline", "Before"),
                  percent_column("candidate", "After"), number_column("change", "Change", "points", 1)}};
  const auto cell = [](std::optional<double> value) { return value ? Cell(*value) : Cell(); };
  for (const FigureComparison& figure : figures) {
    std::optional<double> change;
    if (figure.baseline && figure.candidate) change = *figure.candidate - *figure.baseline;
    table.rows.push_back({figure.id, cell(figure.baseline), cell(figure.candidate), cell(change)});
    if (!change || std::abs(*change) < kPointsWorthAWord) continue;
    section.statements.push_back({.id = "chip.compare.pipes",
                                  .kind = StatementKind::kFinding,
                                  .priority = findings::Priority::kNote,
                                  .subject = figure.id,
                                  .text = fmt::format("{} went from {:.1f} % to {:.1f} %.", figure.id,
                                                      *figure.baseline, *figure.candidate)});
  }
  table.rows_shown = 30;
  table.note =
      "busy: share of the parts' time; overlap: of the first pipe's busy time, that in which the second is "
      "busy; bubbles: no pipe but SU is. Of all parts whose core data is whole; not tested.";
  section.tables.push_back(std::move(table));
}

}  // namespace

RunComparison compare_runs(const RunSamples& baseline, const RunSamples& candidate,
                           const stats::CompareOptions& options) {
  RunComparison result{.baseline = baseline.name,
                       .candidate = candidate.name,
                       .unit = baseline.unit,
                       .baseline_makespan = baseline.makespan,
                       .candidate_makespan = candidate.makespan};
  result.functions = compare_times(baseline.functions, candidate.functions, options);
  result.latencies = compare_times(baseline.latencies, candidate.latencies, options);
  result.phases = compare_times(baseline.phases, candidate.phases, options);
  result.pipes = compare_figures(baseline.pipes, candidate.pipes);
  for (const RunSamples* run : {&baseline, &candidate})
    for (const auto* group : {&run->functions, &run->latencies, &run->phases})
      result.sampled = result.sampled || was_sampled(*group);
  return result;
}

void judge_functions(RunComparison& comparison, const stats::CompareOptions& options) {
  judge(comparison.functions, options);
}

Findings comparison_document(const RunComparison& comparison) {
  Findings document{.kind = "chip comparison",
                    .title = fmt::format("{} against {}", comparison.candidate, comparison.baseline)};
  Section& run = findings::add_section(document, "makespan", "Makespan");
  run.metrics.push_back({.id = "baseline",
                         .label = comparison.baseline,
                         .value = comparison.baseline_makespan,
                         .unit = comparison.unit,
                         .n = 1});
  run.metrics.push_back({.id = "candidate",
                         .label = comparison.candidate,
                         .value = comparison.candidate_makespan,
                         .unit = comparison.unit,
                         .n = 1,
                         .better = findings::Better::kLower});
  findings::Metric speedup{.id = "speedup", .label = "speedup", .unit = "x"};
  if (comparison.candidate_makespan > 0)
    speedup.value = comparison.baseline_makespan / comparison.candidate_makespan;
  speedup.note = "one recording each: not tested";
  speedup.better = findings::Better::kHigher;
  run.metrics.push_back(std::move(speedup));
  if (comparison.sampled)
    document.quality.add(
        {.id = "trust.chip_samples",
         .severity = trace::Severity::kInfo,
         .sentence = fmt::format("Of more than {} times of one thing, that many were compared, "
                                 "picked at even distances; totals are of all.",
                                 kMostSamples)});
  add_group(document, comparison, "functions", "Functions: kernel time of every part", comparison.functions,
            "the kernel time of", "No function was recorded.");
  add_group(document, comparison, "latencies", "Functions: dispatch to finish", comparison.latencies,
            "the latency of", "Record both runs at level 2 or above to compare latencies.");
  add_group(document, comparison, "phases", "Scheduler phases", comparison.phases, "the phase",
            "Record both runs at level 3 or above to compare scheduler phases.");
  add_pipe_figures(document, comparison.pipes);
  return document;
}

}  // namespace accelscope::analysis::chip
