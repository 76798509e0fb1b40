#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "accelscope/dfx_flags.h"
#include "base/human.h"
#include "experiments/synthetic_task.h"
#include "findings/columns.h"
#include "findings/findings_json.h"
#include "jobs/overhead.h"

namespace accelscope::jobs {
namespace {

using analysis::chip::LevelOverhead;
using analysis::chip::MeasuredOverhead;
using base::ErrorCode;
using base::Location;
using experiments::MeasuredTime;
using experiments::Overhead;
using experiments::PolicyCost;
using findings::Cell;
using findings::count_column;
using findings::Findings;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;

// What the reader looks for.
constexpr std::string_view kKind = "overhead";
constexpr std::string_view kCostSection = "cost";
constexpr std::string_view kCostTable = "costs";
constexpr std::string_view kMachineKey = "machine";
constexpr std::string_view kNoisyId = "trust.overhead_noisy";

// Rounds further apart than this mean that something else used the machine.
constexpr double kNoisySpread = 0.15;
// No hook costs a second.
constexpr double kMostNanoseconds = 1e9;

double share_of(double ns, base::Nanoseconds task) {
  return 100 * ns / static_cast<double>(task.value);
}

void add_machine(Findings& findings, const Overhead& measured, std::string_view machine) {
  Section& section = findings::add_section(findings, "machine", "The machine");
  section.tables.push_back({.id = "machine",
                            .columns = {text_column("key", "What"), text_column("value", "Value")},
                            .rows = {{std::string("Machine"), std::string(machine)},
                                     {std::string("Counter"), base::format_frequency(measured.counter)}}});
  const auto add = [&](std::string id, std::string label, double ns, std::string note) {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = ns,
                               .unit = "ns",
                               .n = measured.rounds,
                               .method = "median of rounds",
                               .note = std::move(note),
                               .better = findings::Better::kLower});
  };
  add("read", "one read of the counter", measured.read.ns, "");
  add("disabled_hook", "one hook, its feature off", measured.disabled.ns / experiments::kHooksOfTask, "");
}

void add_costs(Findings& findings, const Overhead& measured, base::Nanoseconds task_length) {
  Section& section = findings::add_section(findings, std::string(kCostSection), "What each level costs");
  const std::string length = base::format_duration(task_length);
  Table table{.id = std::string(kCostTable),
              .columns = {count_column("level", "Level"), text_column("policy", "Policy"),
                          count_column("records", "Records"), number_column("task_ns", "Per task", "ns", 1),
                          number_column("record_ns", "Per record", "ns", 1),
                          number_column("beyond_reads_ns", "Beyond reads", "ns", 1),
                          percent_column("share", fmt::format("Of {}", length), 3),
                          percent_column("spread", "Spread", 0)}};
  const auto add = [&](int level, std::string policy, const MeasuredTime& task) {
    const experiments::TaskShape shape = experiments::shape_of_task(level);
    const double beyond = task.ns - shape.reads * measured.read.ns;
    table.rows.push_back({std::int64_t{level}, std::move(policy), std::int64_t{shape.records}, task.ns,
                          shape.records == 0 ? Cell() : Cell(task.ns / shape.records),
                          shape.records == 0 ? Cell() : Cell(beyond / shape.records),
                          share_of(task.ns, task_length), 100 * task.spread});
  };
  add(0, "any", measured.disabled);
  for (const PolicyCost& cost : measured.costs)
    add(cost.level, std::string(capture::name_of(cost.policy)), cost.task);
  table.note = fmt::format(
      "Per task: all its hooks, on whichever processor they run, when the host keeps up: in bursts that fit "
      "the buffers, changes of buffers included. Beyond reads: per record, without the reads of the counter "
      "that the hooks contain. Median of {} rounds in which everything takes turns; the loop around the "
      "hooks "
      "({:.2f} ns) is taken off. Hooks come one behind the other: a real task leaves colder caches.",
      measured.rounds, measured.loop.ns);
  section.tables.push_back(std::move(table));
}

void add_bytes(Findings& findings, const Overhead& measured) {
  Section& section = findings::add_section(findings, "bytes", "What each level takes");
  Table table{
      .id = "bytes",
      .columns = {count_column("level", "Level"), count_column("records", "Records"),
                  count_column("reads", "Clock reads"), number_column("in_memory", "In memory", "bytes", 1),
                  number_column("on_disk", "On disk", "bytes", 1),
                  count_column("buffers", "Buffers", "bytes")},
      .note =
          "Per task; a synthetic task is one task of a core, one lifecycle, one edge, one phase of "
          "a scheduler and one of an orchestrator, of which a level has the first 0, 1, 3 or 5. "
          "Buffers: device memory for one core, one scheduler thread and one orchestrator."};
  for (const experiments::LevelBytes& bytes : measured.bytes)
    table.rows.push_back({std::int64_t{bytes.level}, std::int64_t{bytes.records}, std::int64_t{bytes.reads},
                          bytes.in_memory, bytes.on_disk, static_cast<std::int64_t>(bytes.buffers)});
  section.tables.push_back(std::move(table));
}

void add_flood(Findings& findings, const Overhead& measured, base::Nanoseconds task_length) {
  Section& section = findings::add_section(findings, "flood", "When the host cannot keep up");
  Table table{
      .id = "flood",
      .columns = {count_column("level", "Level"), text_column("policy", "Policy"),
                  number_column("task_ns", "Per task", "ns", 1),
                  number_column("records_per_second", "M records/s", "", 1),
                  percent_column("lost", "Lost", 1),
                  count_column("cores", fmt::format("Cores at {}", base::format_duration(task_length)))},
      .note =
          "Tasks of no length without end, from one producer. Cores: how many cores with tasks of that "
          "length, one behind the other, one collector keeps up with at least. The file goes nowhere: how "
          "fast a disk is does not count."};
  for (const PolicyCost& cost : measured.costs) {
    const double records = experiments::shape_of_task(cost.level).records;
    const bool waits = cost.policy == capture::RunPolicy::kBlock && cost.flooded.ns > 0;
    const auto cores = static_cast<std::int64_t>(
        waits ? std::min(1e6, static_cast<double>(task_length.value) / cost.flooded.ns) : 0);
    table.rows.push_back(
        {std::int64_t{cost.level}, std::string(capture::name_of(cost.policy)), cost.flooded.ns,
         cost.flooded.ns > 0 ? Cell(records * 1e3 / cost.flooded.ns * (1 - cost.lost)) : Cell(),
         100 * cost.lost, waits ? Cell(cores) : Cell()});
  }
  section.tables.push_back(std::move(table));
}

// One row for the worst; all have their spread in the table.
void add_doubts(Findings& findings, const Overhead& measured) {
  const PolicyCost* worst = nullptr;
  for (const PolicyCost& cost : measured.costs)
    if (cost.task.spread > kNoisySpread && (worst == nullptr || cost.task.spread > worst->task.spread))
      worst = &cost;
  if (worst == nullptr && measured.read.spread <= kNoisySpread) return;
  const std::string what =
      worst == nullptr ? fmt::format("a read of the counter vary by {:.0f} %", 100 * measured.read.spread)
                       : fmt::format("level {} under {} vary by {:.0f} %", worst->level,
                                     capture::name_of(worst->policy), 100 * worst->task.spread);
  findings.quality.add({.id = std::string(kNoisyId),
                        .severity = trace::Severity::kWarning,
                        .sentence = fmt::format("The machine was noisy: from round to round, times of {}. "
                                                "Measure again when nothing else runs, or for longer.",
                                                what)});
}

// --- reading

const std::string* text_in(const Cell& cell) {
  return std::get_if<std::string>(&cell);
}

std::optional<double> number_in(const Cell& cell) {
  if (const auto* value = std::get_if<double>(&cell)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*value);
  return std::nullopt;
}

std::optional<std::size_t> column_in(const Table& table, std::string_view id) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].id == id) return i;
  return std::nullopt;
}

std::string machine_in(const Findings& findings) {
  for (const findings::KeyValue& fact : findings.provenance.device)
    if (fact.key == kMachineKey && !fact.value.empty()) return fact.value;
  return "a machine that is not named";
}

base::Result<std::vector<LevelOverhead>> costs_in(const Table& table, const std::string& path) {
  const auto malformed = [&](std::string_view what) {
    return base::fail_at(Location::of_file(path), ErrorCode::kMalformed, "its table of costs {}", what);
  };
  const auto level_at = column_in(table, "level");
  const auto policy_at = column_in(table, "policy");
  const auto task_at = column_in(table, "task_ns");
  if (!level_at || !policy_at || !task_at) return malformed("has no column level, policy or task_ns");
  std::vector<LevelOverhead> costs;
  for (const std::vector<Cell>& row : table.rows) {
    if (row.size() != table.columns.size()) return malformed("has a row of another width");
    const auto* level = std::get_if<std::int64_t>(&row[*level_at]);
    const std::string* policy = text_in(row[*policy_at]);
    const std::optional<double> ns = number_in(row[*task_at]);
    if (level == nullptr || *level < 0 || *level > kMaxChipSwimlaneLevel || policy == nullptr)
      return malformed("has a row without a level from 0 to 3 and a policy");
    if (!ns || !std::isfinite(*ns) || std::abs(*ns) > kMostNanoseconds)
      return malformed("has a row without a time");
    costs.push_back({static_cast<int>(*level), *policy, *ns});
  }
  return costs;
}

}  // namespace

Findings overhead_document(const Overhead& measured, base::Nanoseconds task_length,
                           std::string_view machine) {
  Findings findings{.kind = std::string(kKind), .title = "What recording costs on this machine"};
  findings.provenance.device.push_back({std::string(kMachineKey), std::string(machine)});
  findings.provenance.options.push_back({"task length", base::format_duration(task_length)});
  add_doubts(findings, measured);
  add_machine(findings, measured, machine);
  add_costs(findings, measured, task_length);
  add_bytes(findings, measured);
  add_flood(findings, measured, task_length);
  return findings;
}

base::Result<MeasuredOverhead> overhead_in(const base::MappedFile& file) {
  const auto fail = [&](std::string_view what) {
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kUnknownFormat,
                         "{}; accelscope overhead --save makes what is asked for", what);
  };
  if (!findings::is_findings(file.text())) return fail("is no saved overhead");
  ACCELSCOPE_TRY(const Findings findings, findings::read_json(file));
  if (findings.kind != kKind)
    return fail(fmt::format("holds findings of the kind '{}', no overhead", findings.kind));
  const Section* section = findings::find_section(findings, kCostSection);
  const Table* table = section == nullptr ? nullptr : findings::find_table(*section, kCostTable);
  if (table == nullptr) return fail("has no table of costs");
  MeasuredOverhead overhead{.machine = machine_in(findings), .date = findings.provenance.generated_at};
  for (const trace::QualityRow& row : findings.quality.rows()) overhead.noisy |= row.id == kNoisyId;
  ACCELSCOPE_TRY(overhead.costs, costs_in(*table, file.path()));
  return overhead;
}

}  // namespace accelscope::jobs
