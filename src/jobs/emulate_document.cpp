#include "jobs/emulate_document.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/file_names.h"
#include "findings/columns.h"
#include "jobs/emulate.h"
#include "jobs/emulate_numbers.h"

namespace accelscope::jobs {
namespace {

using base::Picoseconds;
using emulator::Cause;
using emulator::Emulation;
using emulator::index;
using emulator::TimeShare;
using findings::Better;
using findings::Findings;
using findings::Metric;
using findings::Section;
using findings::Table;
using findings::whole_cell;

void add_metric(Section& section, std::string id, std::string label, double value, std::string unit,
                Better better = Better::kLower) {
  section.metrics.push_back({.id = std::move(id),
                             .label = std::move(label),
                             .value = value,
                             .unit = std::move(unit),
                             .better = better});
}

void add_bandwidths(Section& section, const EmulatedRun& run) {
  const Emulation& done = run.done;
  const double achieved = rate(done.bytes_read + done.bytes_written, done.latency);
  const double transferring = rate(done.bytes_read + done.bytes_written, done.transfers);
  add_metric(section, "bandwidth", "memory bandwidth over the whole run", achieved / 1e9, "GB/s",
             Better::kHigher);
  add_metric(section, "transfer_bandwidth", "memory bandwidth while it transfers", transferring / 1e9, "GB/s",
             Better::kHigher);
  if (!run.memory.peak_bandwidth) return;
  const auto peak = static_cast<double>(run.memory.peak_bandwidth->value);
  add_metric(section, "peak_bandwidth", "memory bandwidth at best", peak / 1e9, "GB/s", Better::kNeither);
  if (peak > 0)
    add_metric(section, "bandwidth_used", "of that used over the whole run", 100 * achieved / peak, "%",
               Better::kNeither);
}

std::string_view word_for(const TimeShare& share) {
  if (share.id == "memory") return "the memory";
  if (share.id == "link") return "the host link";
  if (share.id == "matrix") return "the matrix unit";
  if (share.id == "vector") return "the vector unit";
  if (share.id == "scalar") return "scalar and control instructions";
  return "what the memory did after the last instruction";
}

void add_verdict(Section& section, const isa::Program& program, const EmulatedRun& run) {
  const Emulation& done = run.done;
  const std::vector<TimeShare> shares = emulator::latency_shares(done);
  const TimeShare& most = largest(shares);
  std::string text = fmt::format(
      "{} {} {} on {} ({} instructions). It was bound by {}: {:.1f} % of the time.", shown_name(program),
      done.partial ? "was stopped after" : "took", duration_text(done.latency), name_of(run),
      base::format_count(done.instructions), word_for(most), percent(most.time, done.latency));
  if (run.checked)
    text += run.differences.empty() ? " What it left in memory is as expected."
                                    : " What it left in memory is NOT as expected.";
  section.statements.push_back({.id = "emulation.verdict",
                                .kind = findings::StatementKind::kVerdict,
                                .priority = findings::Priority::kHighest,
                                .subject = shown_name(program),
                                .text = std::move(text)});
  for (const std::string& difference : run.differences)
    section.statements.push_back({.id = "emulation.difference",
                                  .kind = findings::StatementKind::kFinding,
                                  .priority = findings::Priority::kHighest,
                                  .subject = shown_name(program),
                                  .text = difference});
}

// For comparisons: numbers that the tables have too, by ids that do not change.
void add_measures(Findings& findings, const EmulatedRun& run) {
  Section& section = findings::add_section(findings, "measures", "Measures");
  section.data_only = true;
  const emulator::Accounts& accounts = run.done.accounts;
  for (const TimeShare& share : emulator::latency_shares(run.done))
    add_metric(section, "time_" + share.id, share.name, microseconds(share.time), "us");
  for (const emulator::Bound& bound : emulator::bounds_of(run.done, run.memory.host_bandwidth.has_value()))
    add_metric(section, "bound_" + bound.id, "latency " + bound.what, microseconds(bound.latency), "us");
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit) {
    const std::string name(isa::name_of(static_cast<isa::Unit>(unit)));
    add_metric(section, "busy_" + name, name + " unit busy", microseconds(accounts.units[unit].busy()), "us",
               Better::kNeither);
    add_metric(section, "operations_" + name, name + " operations",
               static_cast<double>(accounts.units[unit].operations), "", Better::kNeither);
  }
  for (std::size_t cause = 1; cause < emulator::kCauses; ++cause) {
    const std::string name(emulator::name_of(static_cast<Cause>(cause)));
    std::string id = "waited_" + name;
    std::replace(id.begin(), id.end(), ' ', '_');
    add_metric(section, id, "issue waited: " + name,
               microseconds(emulator::waited_for(accounts, static_cast<Cause>(cause))), "us");
  }
}

}  // namespace

std::string shown_name(const isa::Program& program) {
  const std::string_view name = base::file_name(program.file);
  const bool usual = name == "program.asm" || name == "program.mem" || name == "generated_machine_code.mem";
  if (!usual || name.size() == program.file.size()) return std::string(name);
  const std::string_view folder =
      std::string_view(program.file).substr(0, program.file.size() - name.size() - 1);
  return fmt::format("{}/{}", base::file_name(folder), name);
}

std::string name_of(const EmulatedRun& run) {
  std::string memory(emulator::name_of(run.memory.model));
  if (run.asked != run.memory.model)
    memory = fmt::format("{} ({})", emulator::name_of(run.asked), emulator::name_of(run.memory.model));
  return fmt::format("{}, {}, {}, {} costs", run.machine->name, memory, name_of(run.timing),
                     emulator::name_of(run.costs));
}

const TimeShare& largest(const std::vector<TimeShare>& shares) {
  return *std::max_element(shares.begin(), shares.end(),
                           [](const TimeShare& a, const TimeShare& b) { return a.time < b.time; });
}

void add_run_result(Findings& findings, const isa::Program& program, const EmulatedRun& run) {
  Section& section = findings::add_section(findings, "result", "Result");
  const Emulation& done = run.done;
  add_verdict(section, program, run);
  const double period = run.machine->clock.to_seconds({1});
  add_metric(section, "latency", "latency", microseconds(done.latency), "us");
  if (done.partial) section.metrics.back().note = "partial: until the run was stopped";
  add_metric(section, "cycles", fmt::format("cycles of {}", base::format_frequency(run.machine->clock)),
             seconds(done.latency) / period, "");
  add_metric(section, "instructions", "instructions carried out", static_cast<double>(done.instructions), "");
  add_metric(section, "bytes_read", "bytes read from external memory", static_cast<double>(done.bytes_read),
             "B");
  add_metric(section, "bytes_written", "bytes written to external memory",
             static_cast<double>(done.bytes_written), "B");
  add_metric(section, "transfer_time", "time of transfers, each by itself", microseconds(done.transfers),
             "us");
  add_bandwidths(section, run);
}

void add_run_time(Findings& findings, const EmulatedRun& run) {
  Section& section = findings::add_section(findings, "time", "Where the time went");
  const emulator::Accounts& accounts = run.done.accounts;
  Table shares{
      .id = "shares",
      .title = run.done.critical_path ? "On the critical path" : "One after the other",
      .columns = {findings::text_column("what", "What"), findings::number_column("time", "Time", "us", 3),
                  findings::percent_column("share", "Share", 1)}};
  for (const TimeShare& share : emulator::latency_shares(run.done))
    if (share.time.value != 0)
      shares.rows.push_back({share.name, microseconds(share.time), share_cell(share.time, run.done.latency)});
  section.tables.push_back(std::move(shares));
  Table table{
      .id = "units",
      .title = "What each unit did",
      .columns = {findings::text_column("unit", "Unit"), findings::count_column("operations", "Operations")},
      .note =
          "In microseconds. A unit is busy, or waits for what the run as a whole waits for; each row "
          "sums to the latency."};
  std::vector<std::size_t> causes;
  for (std::size_t cause = 0; cause < emulator::kCauses; ++cause) {
    const bool somewhere = std::any_of(accounts.units.begin(), accounts.units.end(),
                                       [&](const auto& unit) { return unit.time[cause].value != 0; });
    if (!somewhere && cause != index(Cause::kBusy)) continue;
    causes.push_back(cause);
    std::string name(emulator::name_of(static_cast<Cause>(cause)));
    std::string id = name;
    std::replace(id.begin(), id.end(), ' ', '_');
    table.columns.push_back(findings::number_column(
        std::move(id), cause == index(Cause::kBusy) ? "Busy" : "Waits: " + name, "us", 3));
  }
  table.columns.push_back(findings::percent_column("busy_share", "Busy", 1));
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit) {
    const emulator::UnitAccount& account = accounts.units[unit];
    std::vector<findings::Cell> row{std::string(isa::name_of(static_cast<isa::Unit>(unit))),
                                    whole_cell(account.operations)};
    for (const std::size_t cause : causes) row.emplace_back(microseconds(account.time[cause]));
    row.push_back(share_cell(account.busy(), accounts.total));
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
}

Findings emulate_document(const isa::Program& program, std::span<const EmulatedRun> runs) {
  const EmulatedRun& first = runs.front();
  Findings findings{
      .kind = "emulation",
      .title = fmt::format("{} on {}", shown_name(program),
                           runs.size() == 1 ? name_of(first) : fmt::format("{} combinations", runs.size()))};
  if (runs.size() > 1) {
    add_run_matrix(findings, runs);
  } else {
    add_run_result(findings, program, first);
    add_run_time(findings, first);
    add_run_parts(findings, program, first);
    add_run_limits(findings, program, first);
    add_run_memory(findings, first);
    add_run_advice(findings, program, first);
    add_measures(findings, first);
  }
  for (const EmulatedRun& run : runs) add_run_doubts(findings, program, run);
  return findings;
}

}  // namespace accelscope::jobs
