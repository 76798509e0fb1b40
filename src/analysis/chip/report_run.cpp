#include <fmt/core.h>

#include <algorithm>

#include "analysis/chip/explanation.h"
#include "analysis/report_work.h"
#include "base/human.h"
#include "trace/recorder_facts.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Findings;
using findings::Section;
using findings::Table;
using trace::Severity;

constexpr int kMaxRecorderLevel = 3;

std::string_view meaning_of_level(int level) {
  switch (level) {
    case 1:
      return "what the cores did";
    case 2:
      return "what the cores did, dispatch and finish";
    case 3:
      return "cores, dispatch and finish, and the phases of the scheduler threads";
    case 4:
      return "cores, dispatch and finish, scheduler phases, and every submission";
    default:
      return "not said";
  }
}

std::string_view missing_below(int level) {
  switch (level) {
    case 1:
      return "Dispatch, finish, scheduler phases and submissions were not recorded: overheads and waits are "
             "not known.";
    case 2:
      return "Scheduler phases and submissions were not recorded: who made a task wait is not known.";
    case 3:
      return "Submissions were not recorded: work that was not asked for yet cannot be told from work that "
             "waited.";
    default:
      return "";
  }
}

std::uint64_t engines_cores(const Explanation& run, std::string_view engine) {
  return static_cast<std::uint64_t>(
      std::count_if(run.chip.cores.begin(), run.chip.cores.end(),
                    [&](const trace::ChipCore& core) { return core.engine == engine; }));
}

void add_invariants(Section& section, const Explanation& run) {
  Table table{.id = "invariants",
              .title = "What must hold",
              .columns = {text_column("text", "Statement"), text_column("state", "State"),
                          count_column("checked", "Checked"), count_column("violations", "Violations"),
                          text_column("id", "Id")}};
  for (const Invariant& invariant : run.invariants)
    table.rows.push_back({invariant.text, std::string(name_of(invariant.state)),
                          static_cast<std::int64_t>(invariant.checked),
                          static_cast<std::int64_t>(invariant.violations), invariant.id});
  section.tables.push_back(std::move(table));
}

// A recording's level 4 has submissions, as the recorder's level 3 has; its level 3 has phases without them.
int recorder_level(int level) {
  return std::min(level, kMaxRecorderLevel);
}

// "" where it is not one of our recordings.
std::string_view policy_of(const trace::Trace& trace) {
  for (const trace::Fact& fact : trace.facts())
    if (trace.text(fact.key) == trace::kRecorderPolicyFact && fact.value.holds_text())
      return trace.text(fact.value.as_text());
  return {};
}

// What was measured for a run like this one, in a sentence; "" when nothing was.
std::string measured_cost(const Explanation& run) {
  if (!run.options.overhead) return {};
  const MeasuredOverhead& overhead = *run.options.overhead;
  const std::string_view recorded = policy_of(run.trace);
  const std::string_view policy = recorded.empty() ? "block" : recorded;
  const int level = recorder_level(run.chip.level);
  const LevelOverhead* cost = overhead_of(overhead, level, policy);
  if (cost == nullptr) return {};
  std::string text =
      fmt::format("Recording this much (level {} of the recorder, policy {}) costs {:.0f} ns per task", level,
                  policy, cost->task_ns);
  const base::Frequency frequency = run.trace.clock(run.chip.clock).frequency;
  const double median = run.in_unit(run.functions.total.exec.p50);
  if (frequency.known() && median > 0)
    text +=
        fmt::format(", {:.2g} % of this run's median task of {:.3g} us", cost->task_ns / median / 10, median);
  if (const LevelOverhead* core = overhead_of(overhead, 1, policy); core != nullptr && level > 1)
    text += fmt::format("; {:.0f} ns of it on the core itself", core->task_ns);
  return fmt::format("{} (measured on {}{}{}{}).", text, overhead.machine, overhead.date.empty() ? "" : ", ",
                     overhead.date.substr(0, overhead.date.find('T')),
                     overhead.noisy ? "; the machine was noisy" : "");
}

}  // namespace

void add_run(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "run", "The recording");
  Table table{.id = "run", .columns = {text_column("key", "What"), text_column("value", "Value")}};
  const auto add = [&](std::string key, std::string value) {
    table.rows.push_back({std::move(key), std::move(value)});
  };
  add("Level", fmt::format("{} ({})", run.chip.level, meaning_of_level(run.chip.level)));
  add("Window", run.trace.clock(run.chip.clock).frequency.known()
                    ? base::format_duration(
                          run.trace.clock(run.chip.clock).frequency.to_nanoseconds(run.times.window.length()))
                    : fmt::format("{} ticks", run.times.window.length().value));
  add("Clock", base::format_frequency(run.trace.clock(run.chip.clock).frequency));
  add("Cores", fmt::format("{} AIC, {} AIV", engines_cores(run, trace::engine::kCube),
                           engines_cores(run, trace::engine::kVector)));
  add("Scheduler threads", fmt::format("{}", run.chip.schedulers.size()));
  add("Tasks", base::format_count(run.trace.tasks().size()));
  add("Dispatches", base::format_count(run.functions.total.count));
  add("Dependencies", run.chip.dependencies_recorded ? base::format_count(run.trace.task_edges().size())
                                                     : std::string("not recorded"));
  if (!run.chip.orchestrators.empty())
    add("Orchestrated",
        run.chip.orchestrated_on_host
            ? (run.chip.clocks_compare ? "on the host, clocks aligned" : "on the host, clocks not aligned")
            : "on the device");
  section.tables.push_back(std::move(table));
  add_invariants(section, run);
}

trace::QualityTable doubts(const Explanation& run) {
  trace::QualityTable quality;
  const auto add = [&](std::string id, Severity severity, std::string sentence, std::uint64_t count = 1) {
    quality.add({.id = std::move(id), .severity = severity, .sentence = std::move(sentence), .count = count});
  };
  for (const Invariant& invariant : run.invariants)
    if (invariant.state == InvariantState::kViolated)
      add("trust.chip_invariant", Severity::kWarning,
          fmt::format("It does not hold that {}: {}.", invariant.text, invariant.first_violation),
          invariant.violations);
  if (const std::string_view missing = missing_below(run.chip.level); !missing.empty())
    add("trust.chip_level", Severity::kInfo,
        fmt::format("Recorded at level {}. {}", run.chip.level, missing));
  if (!run.chip.dependencies_recorded)
    add("trust.chip_no_dependencies", Severity::kInfo,
        "No dependencies were recorded: the critical path knows only which core was busy, and what a task "
        "waited for "
        "is not known. Record with the dependency recorder on.");
  if (!run.chip.clocks_compare)
    add("trust.chip_clocks", Severity::kWarning,
        "The clocks of host and device could not be related: no latency is taken from a submission on the "
        "host.");
  const Ticks frozen = run.core_time.total[CoreClass::kFrozen];
  if (frozen.value > 0)
    add("trust.chip_frozen", Severity::kWarning,
        fmt::format("The recorder froze the cores for {:.3f} {} of core time; it is counted apart.",
                    run.in_unit(frozen), run.unit()));
  if (const std::string measured = measured_cost(run); !measured.empty())
    add("trust.chip_overhead", Severity::kInfo, measured);
  else if (!policy_of(run.trace).empty())
    add("trust.chip_observer", Severity::kInfo,
        "What this recording cost is not known: `accelscope overhead --save overhead.json` measures it on "
        "the "
        "machine that recorded, and `report --overhead` quotes it.");
  else
    add("trust.chip_observer", Severity::kInfo,
        fmt::format("Recording took about {:.2f} % of the cores' time, {:.2f} % on the busiest core ({}).",
                    100 * run.observer.core_share, 100 * run.observer.worst_core_share, run.observer.basis));
  // Work that is ready but not queued yet is the scheduler's own delay; a queue that is full of work that
  // should not be ready is a contradiction.
  const QueueAgreement& queues = run.core_time.queue_agreement;
  if (queues.only_recorded * 10 > queues.snapshots)
    add("trust.chip_queues", Severity::kWarning,
        fmt::format(
            "In {} of {} snapshots a ready queue held work that should not have been ready by the recorded "
            "dependencies: the split between waiting for a dependency and waiting for the scheduler is "
            "doubtful.",
            queues.only_recorded, queues.snapshots));
  if (run.static_path.tasks_on_cycles > 0)
    add("trust.chip_cycles", Severity::kError,
        "The dependencies have a cycle: the tasks on it are left out of the critical path.",
        run.static_path.tasks_on_cycles);
  return quality;
}

}  // namespace accelscope::analysis::chip
