#include <fmt/core.h>

#include <algorithm>

#include "findings/columns.h"
#include "jobs/emulate.h"
#include "jobs/emulate_document.h"
#include "jobs/emulate_numbers.h"

namespace accelscope::jobs {
namespace {

using emulator::TimeShare;
using findings::Better;
using findings::Findings;
using findings::Section;
using findings::Table;

// "nexys_video_layer-swap_serial_board", for ids.
std::string id_of(const EmulatedRun& run) {
  std::string id = fmt::format("{}_{}_{}_{}", run.machine->name, emulator::name_of(run.asked),
                               name_of(run.timing), emulator::name_of(run.costs));
  std::replace(id.begin(), id.end(), '-', '_');
  return id;
}

std::string memory_in_words(const EmulatedRun& run) {
  if (run.asked == run.memory.model) return std::string(emulator::name_of(run.asked));
  return fmt::format("{} ({})", emulator::name_of(run.asked), emulator::name_of(run.memory.model));
}

// What is the same in all rows is in the title and needs no column.
bool differ(std::span<const EmulatedRun> runs, const auto& of) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const EmulatedRun& run) { return of(run) != of(runs.front()); });
}

Table runs_table(std::span<const EmulatedRun> runs) {
  using findings::text_column;
  const bool timings = differ(runs, [](const EmulatedRun& run) { return run.timing; });
  const bool costs = differ(runs, [](const EmulatedRun& run) { return run.costs; });
  const bool checked = std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.checked; });
  Table table{
      .id = "runs",
      .columns = {text_column("board", "Board"), text_column("memory", "Memory")},
      .note = fmt::format("Relative: the latency as a multiple of the first row's.{}{}",
                          timings ? "" : fmt::format(" Timing: {}.", name_of(runs.front().timing)),
                          costs ? "" : fmt::format(" Costs: {}.", emulator::name_of(runs.front().costs)))};
  if (timings) table.columns.push_back(text_column("timing", "Timing"));
  if (costs) table.columns.push_back(text_column("costs", "Costs"));
  table.columns.push_back(findings::number_column("latency", "Latency", "us", 3));
  table.columns.push_back({.id = "relative", .title = "Relative", .kind = findings::ColumnKind::kRatio});
  table.columns.push_back(findings::number_column("bandwidth", "Memory", "GB/s", 3));
  table.columns.push_back(text_column("bound", "Bound by"));
  table.columns.push_back(findings::percent_column("share", "For", 1));
  if (checked) table.columns.push_back(text_column("expected", "As expected"));
  for (const EmulatedRun& run : runs) {
    const emulator::Emulation& done = run.done;
    const std::vector<TimeShare> shares = emulator::latency_shares(done);
    const TimeShare& most = largest(shares);
    std::vector<findings::Cell>& row = table.rows.emplace_back();
    row.emplace_back(run.machine->name);
    row.emplace_back(memory_in_words(run));
    if (timings) row.emplace_back(std::string(name_of(run.timing)));
    if (costs) row.emplace_back(std::string(emulator::name_of(run.costs)));
    row.emplace_back(microseconds(done.latency));
    row.emplace_back(seconds(done.latency) / seconds(runs.front().done.latency));
    row.emplace_back(rate(done.bytes_read + done.bytes_written, done.latency) / 1e9);
    row.emplace_back(most.id);
    row.push_back(share_cell(most.time, done.latency));
    if (checked) row.emplace_back(std::string(run.differences.empty() ? "yes" : "NO"));
  }
  return table;
}

void add_choices(Findings& findings, std::span<const EmulatedRun> runs) {
  Table table{.id = "choices",
              .columns = {findings::text_column("run", "Run"), findings::text_column("choice", "Choice")}};
  for (const EmulatedRun& run : runs)
    for (const std::string& choice : run.memory.choices) {
      std::vector<findings::Cell> row{fmt::format("{}, {}", run.machine->name, memory_in_words(run)), choice};
      // Timings and costs change nothing about the memory.
      if (std::find(table.rows.begin(), table.rows.end(), row) == table.rows.end())
        table.rows.push_back(std::move(row));
    }
  if (!table.rows.empty())
    findings::add_part(findings, "memory", "What was taken from where").tables.push_back(std::move(table));
}

void add_metrics(Findings& findings, const EmulatedRun& run) {
  Section& section = findings::add_section(findings, "run_" + id_of(run), name_of(run));
  section.data_only = true;
  const auto add = [&](std::string id, std::string label, double value, std::string unit, Better better) {
    section.metrics.push_back({.id = std::move(id) + "_" + id_of(run),
                               .label = fmt::format("{} of {}", label, name_of(run)),
                               .value = value,
                               .unit = std::move(unit),
                               .better = better});
  };
  add("latency", "latency", microseconds(run.done.latency), "us", Better::kLower);
  add("bytes_read", "bytes read", static_cast<double>(run.done.bytes_read), "B", Better::kLower);
  add("bytes_written", "bytes written", static_cast<double>(run.done.bytes_written), "B", Better::kLower);
  for (const TimeShare& share : emulator::latency_shares(run.done))
    add("time_" + share.id, share.name, microseconds(share.time), "us", Better::kLower);
}

}  // namespace

void add_run_matrix(Findings& findings, std::span<const EmulatedRun> runs) {
  Section& section = findings::add_section(findings, "runs", "All combinations");
  const auto fastest = std::min_element(
      runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.done.latency < b.done.latency; });
  const auto slowest = std::max_element(
      runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.done.latency < b.done.latency; });
  std::string text = fmt::format("Fastest: {}, {}.", name_of(*fastest), duration_text(fastest->done.latency));
  if (fastest->done.latency < slowest->done.latency && fastest->done.latency.value > 0)
    text += fmt::format(" Slowest: {}, {}, {:.2f} times as long.", name_of(*slowest),
                        duration_text(slowest->done.latency),
                        seconds(slowest->done.latency) / seconds(fastest->done.latency));
  section.statements.push_back({.id = "emulation.fastest",
                                .kind = findings::StatementKind::kVerdict,
                                .priority = findings::Priority::kHighest,
                                .subject = name_of(*fastest),
                                .text = std::move(text)});
  for (const EmulatedRun& run : runs)
    for (const std::string& difference : run.differences)
      section.statements.push_back({.id = "emulation.difference",
                                    .kind = findings::StatementKind::kFinding,
                                    .priority = findings::Priority::kHighest,
                                    .subject = name_of(run),
                                    .text = fmt::format("{}: {}", name_of(run), difference)});
  section.tables.push_back(runs_table(runs));
  add_choices(findings, runs);
  for (const EmulatedRun& run : runs) add_metrics(findings, run);
}

}  // namespace accelscope::jobs
