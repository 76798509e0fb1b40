#include <fmt/format.h>

#include <algorithm>

#include "analysis/chip/explanation.h"
#include "analysis/report_work.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Statement;
using findings::StatementKind;
using findings::Table;

constexpr CoreClass kAllClasses[] = {CoreClass::kBusy,       CoreClass::kSwitch,       CoreClass::kReady,
                                     CoreClass::kDependency, CoreClass::kNotSubmitted, CoreClass::kNoWorkLeft,
                                     CoreClass::kFrozen,     CoreClass::kUnknown};
constexpr Limit kAllLimits[] = {Limit::kSubmission, Limit::kScheduling, Limit::kDependencies, Limit::kCompute,
                                Limit::kUnknown};

std::string_view meaning_of(Limit limit) {
  switch (limit) {
    case Limit::kSubmission:
      return "the path waited for work that had not been asked for";
    case Limit::kScheduling:
      return "work was ready, or done, and the scheduler had not acted on it";
    case Limit::kDependencies:
      return "cores were idle, and nothing was ready: the chain of tasks is the limit";
    case Limit::kCompute:
      return "the cores that were needed were at work";
    case Limit::kUnknown:
      break;
  }
  return "the recording does not tell";
}

std::string verdict_text(const Explanation& run) {
  const Bottleneck& who = run.bottleneck;
  const double share = 100 * who.share(who.verdict);
  if (who.verdict == Limit::kUnknown)
    return fmt::format("Who the bottleneck is cannot be told for {:.1f} % of the window from this recording.",
                       share);
  if (who.mixed)
    return fmt::format("Mixed: {:.1f} % of the window is {}, {:.1f} % is {}.", share, word_for(who.verdict),
                       100 * who.share(who.second), word_for(who.second));
  return fmt::format("The bottleneck is {}: {:.1f} % of the window ({}).", word_for(who.verdict), share,
                     meaning_of(who.verdict));
}

std::string evidence_used(const BottleneckEvidence& evidence) {
  std::vector<std::string_view> words;
  if (evidence.submissions) words.emplace_back("submit times");
  if (evidence.dependencies) words.emplace_back("dependencies");
  if (evidence.dispatches) words.emplace_back("dispatch times");
  if (evidence.queue_depths) words.emplace_back("depths of the ready queues");
  return words.empty() ? std::string("starts and ends only") : fmt::format("{}", fmt::join(words, ", "));
}

double percent(Ticks part, Ticks whole) {
  return whole.value > 0 ? 100 * static_cast<double>(part.value) / static_cast<double>(whole.value) : 0;
}

std::vector<CoreClass> classes_seen(const Explanation& run) {
  std::vector<CoreClass> seen;
  for (const CoreClass core_class : kAllClasses)
    if (run.core_time.total[core_class].value > 0) seen.push_back(core_class);
  return seen;
}

Table class_table(std::string id, std::string title, std::string first,
                  const std::vector<CoreClass>& classes) {
  Table table{
      .id = std::move(id), .title = std::move(title), .columns = {text_column("name", std::move(first))}};
  for (const CoreClass core_class : classes)
    table.columns.push_back(
        percent_column(std::string(to_string(core_class)), std::string(to_string(core_class))));
  return table;
}

// The shares stand in the last columns, the name before them.
void add_row(Table& table, std::string name, const ClassTimes& times, const std::vector<CoreClass>& classes) {
  std::vector<Cell> row(table.columns.size());
  const std::size_t first = row.size() - classes.size();
  row[first - 1] = std::move(name);
  for (std::size_t i = 0; i < classes.size(); ++i) row[first + i] = percent(times[classes[i]], times.sum());
  table.rows.push_back(std::move(row));
}

// A table of its own, since these are parts of what the tables beside it divide.
Table mix_table(std::string id, std::string title, std::string first) {
  return {.id = std::move(id),
          .title = std::move(title),
          .columns = {text_column("name", std::move(first)), percent_column("busy", "busy"),
                      percent_column("switch", "switch"), percent_column("of_busy", "Of all busy")}};
}

// `row` begins with what the shares are of.
void add_mix_row(Table& table, std::vector<Cell> row, const ClassTimes& mix, const ClassTimes& all) {
  row.emplace_back(percent(mix[CoreClass::kBusy], all.sum()));
  row.emplace_back(percent(mix[CoreClass::kSwitch], all.sum()));
  row.emplace_back(percent(mix[CoreClass::kBusy], all[CoreClass::kBusy]));
  table.rows.push_back(std::move(row));
}

std::string name_of(const EngineTime& engine) {
  return fmt::format("{} x {}", engine.engine, engine.cores);
}

void add_mix(Section& section, const Explanation& run) {
  const CoreTime& time = run.core_time;
  if (time.mix.empty()) return;
  Table table = mix_table("mix", "Of it, for MIX tasks", "Engine");
  for (const EngineTime& engine : time.engines)
    add_mix_row(table, {name_of(engine)}, engine.mix, engine.times);
  add_mix_row(table, {"all cores"}, time.total_mix, time.total);
  table.note =
      "MIX tasks take cores of both engines. These are parts of busy and switch above, in the same shares of "
      "cores times window.";
  section.tables.push_back(std::move(table));
}

// Series of the share of cores that are busy, over the window.
void add_busy_series(Section& section, std::string_view name, std::string_view title,
                     const std::vector<ClassTimes>& busy, const std::vector<ClassTimes>& all) {
  findings::Series series{.id = fmt::format("busy.{}", name),
                          .title = fmt::format("{}: busy over the window", title),
                          .unit = "%",
                          .x_title = "slice of the window"};
  for (std::size_t i = 0; i < busy.size(); ++i)
    series.values.push_back(percent(busy[i][CoreClass::kBusy], all[i].sum()));
  if (!series.values.empty()) section.series.push_back(std::move(series));
}

// MIX tasks over the window, as a share of all cores.
void add_mix_series(Section& section, const CoreTime& time) {
  std::vector<ClassTimes> mix;
  std::vector<ClassTimes> all;
  for (const EngineTime& engine : time.engines) {
    mix.resize(engine.mix_buckets.size());
    all.resize(engine.buckets.size());
    for (std::size_t i = 0; i < mix.size(); ++i) mix[i] += engine.mix_buckets[i];
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += engine.buckets[i];
  }
  add_busy_series(section, trace::task_kind::kMix, "MIX tasks, on all cores", mix, all);
}

void add_mix_data(Section& section, const Explanation& run) {
  const CoreTime& time = run.core_time;
  if (time.mix.empty()) return;
  Table over_time = mix_table("mix_over_time", "", "Engine");
  over_time.columns.insert(over_time.columns.begin(),
                           number_column("from", "From", std::string(run.unit()), 1));
  for (const EngineTime& engine : time.engines)
    for (std::size_t i = 0; i < engine.mix_buckets.size(); ++i)
      add_mix_row(over_time,
                  {run.in_unit(time.bounds[i] - run.times.window.from), std::string(engine.engine)},
                  engine.mix_buckets[i], engine.buckets[i]);
  section.tables.push_back(std::move(over_time));
  Table cores = mix_table("mix_cores", "", "Core");
  for (std::size_t i = 0; i < time.mix.size(); ++i)
    add_mix_row(cores, {run.name_of_core(i)}, time.mix[i], time.cores[i]);
  section.tables.push_back(std::move(cores));
}

}  // namespace

void add_bottleneck(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "bottleneck", "Who is the bottleneck");
  section.statements.push_back({.id = "chip.bottleneck",
                                .kind = StatementKind::kVerdict,
                                .priority = findings::Priority::kHighest,
                                .subject = std::string(word_for(run.bottleneck.verdict)),
                                .text = verdict_text(run)});
  for (const Limit limit : kAllLimits)
    section.metrics.push_back({.id = fmt::format("share.{}", word_for(limit)),
                               .label = std::string(word_for(limit)),
                               .value = 100 * run.bottleneck.share(limit),
                               .unit = "%",
                               .method = std::string(meaning_of(limit))});
  section.statements.push_back({.id = "chip.bottleneck.evidence",
                                .kind = StatementKind::kFinding,
                                .text = fmt::format("Judged by: {}. The shares tile the window exactly.",
                                                    evidence_used(run.bottleneck.evidence))});
}

void add_core_time(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "core_time", "Where each core's time went");
  const std::vector<CoreClass> classes = classes_seen(run);
  if (classes.empty()) {
    section.empty_hint = "Nothing ran.";
    return;
  }
  Table engines = class_table("engines", "By engine", "Engine", classes);
  for (const EngineTime& engine : run.core_time.engines)
    add_row(engines, name_of(engine), engine.times, classes);
  add_row(engines, "all cores", run.core_time.total, classes);
  std::vector<std::string> legend;
  for (const CoreClass core_class : classes)
    if (to_string(core_class) != words_for(core_class))
      legend.push_back(fmt::format("{}: {}", to_string(core_class), words_for(core_class)));
  engines.note = fmt::format("Shares of cores times window; they sum to {} ticks exactly. {}.",
                             run.core_time.total.sum().value, fmt::join(legend, "; "));
  section.tables.push_back(std::move(engines));
  add_mix(section, run);
  Table cores = class_table("cores", "By core", "Core", classes);
  for (std::size_t i = 0; i < run.core_time.cores.size(); ++i)
    add_row(cores, run.name_of_core(i), run.core_time.cores[i], classes);
  cores.rows_shown = 12;
  section.tables.push_back(std::move(cores));
  for (const EngineTime& engine : run.core_time.engines)
    if (engine.times[CoreClass::kBusy].value > 0)
      add_busy_series(section, engine.engine, engine.engine, engine.buckets, engine.buckets);
  if (!run.core_time.mix.empty()) add_mix_series(section, run.core_time);
}

// For plots: too long for people.
void add_core_time_over_time(Findings& findings, const Explanation& run) {
  const std::vector<CoreClass> classes = classes_seen(run);
  Section& section = findings::add_section(findings, "core_time.over_time", "Core time over the window");
  section.data_only = true;
  Table table = class_table("over_time", "", "Engine", classes);
  table.columns.insert(table.columns.begin(), number_column("from", "From", std::string(run.unit()), 1));
  for (const EngineTime& engine : run.core_time.engines)
    for (std::size_t i = 0; i < engine.buckets.size(); ++i) {
      add_row(table, std::string(engine.engine), engine.buckets[i], classes);
      table.rows.back().front() = run.in_unit(run.core_time.bounds[i] - run.times.window.from);
    }
  section.tables.push_back(std::move(table));
  add_mix_data(section, run);
}

void add_balance(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "balance", "Load balance and gaps");
  Table table{.id = "engines",
              .title = "Busy time per core",
              .columns = {text_column("engine", "Engine"), count_column("cores", "Cores"),
                          number_column("busy_min", "Least", std::string(run.unit()), 1),
                          number_column("busy_mean", "Mean", std::string(run.unit()), 1),
                          number_column("busy_max", "Most", std::string(run.unit()), 1),
                          ratio_column("imbalance", "Most / mean"), count_column("idle_cores", "Ran nothing"),
                          text_column("idle_list", "Which")}};
  for (const EngineBalance& engine : run.balance) {
    std::vector<std::string> idle;
    for (const std::uint32_t core : engine.idle_cores)
      idle.push_back(fmt::format("{}", run.chip.cores[core].number));
    table.rows.push_back(
        {std::string(engine.engine), static_cast<std::int64_t>(engine.cores), run.in_unit(engine.busy_min),
         run.in_unit(engine.busy_mean()), run.in_unit(engine.busy_max), engine.imbalance(),
         static_cast<std::int64_t>(engine.idle_cores.size()), fmt::format("{}", fmt::join(idle, " "))});
  }
  section.tables.push_back(std::move(table));
  Table gaps{
      .id = "gaps",
      .title = "Longest gaps",
      .columns = {text_column("core", "Core"), number_column("from", "From", std::string(run.unit()), 1),
                  number_column("length", "Length", std::string(run.unit()), 1),
                  percent_column("share", "Of window"), text_column("cause", "Mostly"),
                  text_column("after", "Then ran")}};
  for (const CoreGap& gap : run.core_time.longest_gaps) {
    const std::string next =
        gap.after == trace::SliceId::kNone ? "" : run.number_first(run.trace.slices().task[index(gap.after)]);
    gaps.rows.push_back({run.name_of_core(gap.core), run.in_unit(gap.from - run.times.window.from),
                         run.in_unit(gap.length()), run.share_of_window(gap.length()),
                         std::string(words_for(gap.cause())), next});
  }
  gaps.rows_shown = 10;
  gaps.note = "From: since the beginning of the window. Cores that ran nothing have no gaps.";
  section.tables.push_back(std::move(gaps));
}

}  // namespace accelscope::analysis::chip
