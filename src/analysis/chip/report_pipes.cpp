#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "analysis/chip/counter_means.h"
#include "analysis/chip/explanation.h"
#include "analysis/chip/pipe_verdict.h"
#include "analysis/report_work.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Priority;
using findings::Section;
using findings::Statement;
using findings::Table;

constexpr std::size_t kEvidenceShown = 2;
constexpr double kLargeFunction = 0.25;  // of the time of all functions
constexpr double kCoarseTick = 0.005;    // of a function's mean: what happens within a tick matters then

std::string_view id_of(PipeVerdict::Kind kind) {
  switch (kind) {
    case PipeVerdict::Kind::kBound:
      return "chip.pipes.bound";
    case PipeVerdict::Kind::kOverlap:
      return "chip.pipes.overlap";
    case PipeVerdict::Kind::kBubbles:
      return "chip.pipes.bubbles";
    case PipeVerdict::Kind::kIdle:
      return "chip.pipes.idle";
    case PipeVerdict::Kind::kMixed:
      break;
  }
  return "chip.pipes.mixed";
}

std::string bubble_text(const Explanation& run, const FunctionPipes& function) {
  const TickStats& bubbles = function.bubbles;
  return fmt::format("{:.3g} a part, half of them below {:.3g} {}, the longest {:.3g} {}",
                     static_cast<double>(bubbles.n) / static_cast<double>(function.full),
                     run.in_unit(bubbles.p50), run.unit(), run.in_unit(bubbles.max), run.unit());
}

void add_metric(Section& section, std::string id, std::string label, std::uint64_t count) {
  section.metrics.push_back(
      {.id = std::move(id), .label = std::move(label), .value = static_cast<double>(count), .unit = "parts"});
}

class PipeSection {
 public:
  PipeSection(const Explanation& run, Section& section) : run_(run), pipes_(run.pipes), section_(section) {}

  void fill() {
    Ticks all = {};
    for (const FunctionPipes& function : pipes_.functions) all += function.use.duration;
    for (const FunctionPipes& function : pipes_.functions)
      if (function.full > 0 && function.use.duration.value > 0) judge(function, all);
    add_metric(section_, "parts_full", "parts of tasks with all core data", pipes_.full);
    add_metric(section_, "parts_partial", "with some of it", pipes_.partial);
    add_metric(section_, "parts_without", "with none", pipes_.without);
    if (pipes_.not_asked > 0)
      add_metric(section_, "parts_not_asked", "on cores that were not to be recorded", pipes_.not_asked);
    if (!pipes_.missing.empty()) section_.tables.push_back(missing_table());
    if (pipes_.full == 0) return;
    section_.tables.push_back(busy_table());
    section_.tables.push_back(overlap_table());
    section_.tables.push_back(bubble_table());
    if (Table table = counter_table(); !table.rows.empty()) section_.tables.push_back(std::move(table));
    section_.tables.push_back(part_table());
  }

 private:
  void judge(const FunctionPipes& function, Ticks all) {
    const bool large =
        static_cast<double>(function.use.duration.value) >= kLargeFunction * static_cast<double>(all.value);
    for (const PipeVerdict& verdict : verdicts_on(function.use, bubble_text(run_, function))) {
      const bool remedy =
          verdict.kind == PipeVerdict::Kind::kOverlap || verdict.kind == PipeVerdict::Kind::kBubbles;
      Statement& statement = section_.statements.emplace_back(
          Statement{.id = std::string(id_of(verdict.kind)),
                    .kind = remedy ? findings::StatementKind::kAdvice : findings::StatementKind::kVerdict,
                    .priority = !remedy ? Priority::kNote
                                : large ? Priority::kHigh
                                        : Priority::kInvestigate,
                    .subject = std::string(run_.text(function.function)),
                    .text = fmt::format("{}: {}", run_.text(function.function), verdict.text)});
      if (!remedy) continue;
      statement.gain = bound_of(function);
      add_evidence(statement, function);
    }
  }

  // No part is shorter than its busiest pipe is busy.
  findings::Gain bound_of(const FunctionPipes& function) const {
    const std::size_t busiest = function.use.busiest();
    const auto mean = [&](Ticks total) {
      return run_.in_unit(static_cast<double>(total.value) / static_cast<double>(function.full));
    };
    return {.before = mean(function.use.duration),
            .after = mean(function.use.busy(busiest)),
            .unit = std::string(run_.unit()),
            .basis = fmt::format("a part on average, if all else were hidden behind {}, the busiest pipe",
                                 trace::kPipeNames[busiest])};
  }

  void add_evidence(Statement& statement, const FunctionPipes& function) const {
    for (const PartPipes& part : pipes_.longest) {
      if (statement.evidence.size() == kEvidenceShown) return;
      const std::uint32_t row = index(part.slice);
      if (run_.trace.slices().name[row] != function.function) continue;
      statement.evidence.push_back(
          run_.evidence(fmt::format("{} took {:.2f} {}, {:.2f} {} of it in bubbles",
                                    run_.label_of(run_.trace.slices().task[row]), run_.in_unit(part.duration),
                                    run_.unit(), run_.in_unit(part.bubbles), run_.unit()),
                        part.slice));
    }
  }

  Table missing_table() const {
    Table table{.id = "missing",
                .title = "Parts of tasks without all of their core data",
                .columns = {text_column("cause", "Because"), count_column("partial", "Some of it"),
                            count_column("without", "None")}};
    for (const MissingCoreData& missing : pipes_.missing)
      table.rows.push_back({std::string(run_.text(missing.cause)), static_cast<std::int64_t>(missing.partial),
                            static_cast<std::int64_t>(missing.without)});
    table.note = "They are left out of all figures below.";
    return table;
  }

  Table busy_table() const {
    const std::string unit(run_.unit());
    Table table{.id = "busy",
                .title = "Busy pipes",
                .columns = {text_column("function", "Function"), count_column("parts", "Parts"),
                            number_column("duration", "Mean", unit, 2)}};
    for (const std::string_view name : trace::kPipeNames)
      table.columns.push_back(percent_column(std::string(name), std::string(name)));
    table.columns.push_back(text_column("limit", "Busiest"));
    table.columns.push_back(percent_column("bound", "Bound"));
    for_each_known([&](std::string name, const FunctionPipes& function) {
      const PipeUse& use = function.use;
      std::vector<Cell> row{
          std::move(name), static_cast<std::int64_t>(function.full),
          run_.in_unit(static_cast<double>(use.duration.value) / static_cast<double>(function.full))};
      for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
        Cell cell;
        if (use.busy(pipe).value > 0) cell = 100 * use.busy_share(pipe);
        row.push_back(std::move(cell));
      }
      const bool any = use.busy(use.busiest()).value > 0;
      row.emplace_back(std::string(any ? trace::kPipeNames[use.busiest()] : "none"));
      row.emplace_back(100 * (1 - use.busy_share(use.busiest())));
      table.rows.push_back(std::move(row));
    });
    table.rows_shown = 25;
    table.note =
        "Share of the parts' time in which each pipe was busy. Bound: what hiding everything behind the "
        "busiest pipe could save at most.";
    table.note += tick_text();
    return table;
  }

  std::string tick_text() const {
    bool is_coarse = false;
    for_each_known([&](const std::string&, const FunctionPipes& function) {
      const double mean =
          static_cast<double>(function.use.duration.value) / static_cast<double>(function.full);
      is_coarse = is_coarse || 1 > kCoarseTick * mean;
    });
    if (!is_coarse) return {};
    return fmt::format(
        " Times are whole ticks, of {:.3g} {}: a pipe without a figure may have been busy within them.",
        run_.in_unit(1.0), run_.unit());
  }

  Table overlap_table() const {
    Table table{.id = "overlap",
                .title = "Pipes that are busy together",
                .columns = {text_column("function", "Function"), text_column("pipe", "While")}};
    for (const std::string_view name : trace::kPipeNames)
      table.columns.push_back(percent_column(std::string(name), std::string(name)));
    for_each_known([&](const std::string& name, const FunctionPipes& function) {
      for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
        if (function.use.busy(pipe) == Ticks{0}) continue;
        std::vector<Cell> row{name, std::string(trace::kPipeNames[pipe])};
        for (std::size_t other = 0; other < kPipes; ++other) {
          Cell cell;
          if (other != pipe && function.use.busy(other).value > 0)
            cell = 100 * function.use.overlap(pipe, other);
          row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
      }
    });
    table.rows_shown = 28;
    table.note =
        "Of the time in which the pipe of the row was busy, the share in which that of the column was.";
    return table;
  }

  Table bubble_table() const {
    const std::string unit(run_.unit());
    Table table{.id = "bubbles",
                .title = "Bubbles",
                .columns = {text_column("function", "Function"), percent_column("share", "Share"),
                            count_column("count", "Count"), number_column("total", "Total", unit, 2),
                            number_column("p50", "p50", unit, 3), number_column("p90", "p90", unit, 3),
                            number_column("max", "max", unit, 3), percent_column("scalar", "SU busy"),
                            number_column("outside", "Outside", unit, 2)}};
    for_each_known([&](std::string name, const FunctionPipes& function) {
      const TickStats& bubbles = function.bubbles;
      std::vector<Cell> row(table.columns.size());
      row[0] = std::move(name);
      row[1] = 100 * function.use.share(function.use.bubbles());
      row[2] = static_cast<std::int64_t>(bubbles.n);
      row[3] = run_.in_unit(bubbles.total);
      if (bubbles.n > 0) {
        row[4] = run_.in_unit(bubbles.p50);
        row[5] = run_.in_unit(bubbles.p90);
        row[6] = run_.in_unit(bubbles.max);
        row[7] = 100 * static_cast<double>(function.use.in_mask[1U << kSu].value) /
                 static_cast<double>(bubbles.total.value);
      }
      row[8] = run_.in_unit(function.use.outside);
      table.rows.push_back(std::move(row));
    });
    table.rows_shown = 25;
    table.note =
        "A bubble is a stretch of a part in which no pipe but SU is busy. Outside: busy time that belongs to "
        "parts and lies before their start or behind their end, in no other figure.";
    return table;
  }

  // Which utilisation by a counter is that of a pipe.
  std::optional<double> by_counter(const CounterMeans& means, trace::StringId function,
                                   std::size_t pipe) const {
    constexpr std::array<std::string_view, kPipes> kCounted{"scalar", "vec",  "cube", "mte1",
                                                            "mte2",   "mte3", "fix"};
    const auto found = means.find(function);
    if (found == means.end()) return std::nullopt;
    for (const auto& [name, mean] : found->second)
      if (run_.text(name).find(kCounted[pipe]) != std::string_view::npos) return mean.mean();
    return std::nullopt;
  }

  Table counter_table() const {
    Table table{
        .id = "counters",
        .title = "Beside the counters of the performance monitor",
        .columns = {text_column("function", "Function"), text_column("pipe", "Pipe"),
                    percent_column("trace", "By the trace"), percent_column("counter", "By the counter")}};
    const CounterMeans means = counter_means(run_.trace, run_.chip);
    if (means.empty()) return table;
    for_each_known([&](const std::string& name, const FunctionPipes& function) {
      for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
        if (const std::optional<double> counted = by_counter(means, function.function, pipe))
          table.rows.push_back(
              {name, std::string(trace::kPipeNames[pipe]), 100 * function.use.busy_share(pipe), *counted});
    });
    table.rows_shown = 28;
    table.note =
        "Counters count cycles in which instructions of a pipe were at work; the trace has the time in which "
        "it "
        "was busy at all. Where they differ by much, one of them may not be of these tasks.";
    return table;
  }

  Table part_table() const {
    const std::string unit(run_.unit());
    Table table{.id = "parts",
                .title = "The longest parts",
                .columns = {text_column("task", "Task"), text_column("core", "Core"),
                            number_column("duration", "Duration", unit, 2)}};
    for (const std::string_view name : trace::kPipeNames)
      table.columns.push_back(percent_column(std::string(name), std::string(name)));
    table.columns.push_back(percent_column("bubbles", "Bubbles"));
    table.columns.push_back(number_column("longest_bubble", "Longest", unit, 2));
    for (const PartPipes& part : pipes_.longest) {
      const std::uint32_t slice = index(part.slice);
      const auto percent = [&](Ticks time) {
        return part.duration.value > 0
                   ? 100 * static_cast<double>(time.value) / static_cast<double>(part.duration.value)
                   : 0.0;
      };
      std::vector<Cell> row{run_.number_first(run_.trace.slices().task[slice]),
                            std::string(run_.text(run_.trace.track(run_.trace.slices().track[slice]).name)),
                            run_.in_unit(part.duration)};
      for (const Ticks busy : part.busy) row.emplace_back(percent(busy));
      row.emplace_back(percent(part.bubbles));
      row.emplace_back(run_.in_unit(part.longest_bubble));
      table.rows.push_back(std::move(row));
    }
    table.rows_shown = 10;
    return table;
  }

  // Calls add(name, function) for every function of which something is known.
  template <class Add>
  void for_each_known(Add&& add) const {
    for (const FunctionPipes& function : pipes_.functions)
      if (function.full > 0) add(std::string(run_.text(function.function)), function);
  }

  const Explanation& run_;
  const PipeTimes& pipes_;
  Section& section_;
};

}  // namespace

void add_pipes(Findings& findings, const Explanation& run) {
  if (!run.pipes.recorded) return;
  PipeSection(run, findings::add_section(findings, "pipes", "Inside the cores")).fill();
}

}  // namespace accelscope::analysis::chip
