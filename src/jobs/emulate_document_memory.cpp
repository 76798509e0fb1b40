#include <fmt/core.h>

#include "findings/columns.h"
#include "jobs/emulate_document.h"
#include "jobs/emulate_numbers.h"

namespace accelscope::jobs {
namespace {

using findings::Cell;
using findings::count_column;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;
using findings::whole_cell;
using memory::ChannelStatistics;
using memory::Counter;
using memory::ModelStatistics;

void add_choices(Section& section, const EmulatedRun& run) {
  Table table{
      .id = "choices", .title = "What was taken from where", .columns = {text_column("choice", "Choice")}};
  for (const std::string& choice : run.memory.choices) table.rows.push_back({choice});
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

void add_counters(Section& section, const std::vector<ModelStatistics>& models) {
  Table table{.id = "counters",
              .title = "Counters",
              .columns = {text_column("model", "Model"), text_column("counter", "Counter"),
                          count_column("value", "Value"), text_column("unit", "Unit")}};
  for (const ModelStatistics& model : models)
    for (const Counter& counter : model.counters)
      if (counter.value != 0) {
        std::string name = counter.id;
        for (char& c : name)
          if (c == '_') c = ' ';
        table.rows.push_back({model.name, std::move(name), counter.value, counter.unit});
      }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

Cell percent_of(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return std::monostate{};
  return 100 * static_cast<double>(part) / static_cast<double>(all);
}

void add_channels(Section& section, const std::vector<ModelStatistics>& models) {
  Table table{.id = "channels",
              .title = "Channels",
              .columns = {text_column("model", "Model"), count_column("channel", "Channel"),
                          count_column("reads", "Reads"), count_column("writes", "Writes"),
                          percent_column("row_hits", "Row hits", 1), percent_column("busy", "Bus busy", 1),
                          count_column("activates", "Activates"), count_column("refreshes", "Refreshes")},
              .rows_shown = 16};
  for (const ModelStatistics& model : models)
    for (std::size_t i = 0; i < model.channels.size(); ++i) {
      const ChannelStatistics& one = model.channels[i];
      const std::uint64_t rows = one.row_hits + one.row_misses + one.row_conflicts;
      std::vector<Cell>& row = table.rows.emplace_back();
      row.emplace_back(model.name);
      for (const std::uint64_t number : {std::uint64_t{i}, one.reads, one.writes})
        row.push_back(whole_cell(number));
      row.push_back(percent_of(one.row_hits, rows));
      row.emplace_back(100 * one.utilisation());
      for (const std::uint64_t number : {one.activates, one.refreshes}) row.push_back(whole_cell(number));
    }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

void add_channel_metrics(Section& section, const std::vector<ModelStatistics>& models) {
  ChannelStatistics all;
  double energy = 0;
  for (const ModelStatistics& model : models) {
    all.add(memory::total(model.channels));
    energy += model.energy_picojoules;
  }
  const std::uint64_t rows = all.row_hits + all.row_misses + all.row_conflicts;
  if (rows > 0)
    section.metrics.push_back({.id = "row_hits",
                               .label = "accesses that found their row open",
                               .value = 100 * static_cast<double>(all.row_hits) / static_cast<double>(rows),
                               .unit = "%",
                               .better = findings::Better::kHigher});
  if (all.elapsed_ticks > 0)
    section.metrics.push_back(
        {.id = "bus_busy", .label = "data buses busy", .value = 100 * all.utilisation(), .unit = "%"});
  if (energy > 0)
    section.metrics.push_back({.id = "memory_energy",
                               .label = "energy of the memory, estimated",
                               .value = energy / 1e6,
                               .unit = "uJ",
                               .better = findings::Better::kLower});
}

void add_layers(Section& section, const std::vector<ModelStatistics>& models) {
  Table table{
      .id = "layers",
      .title = "Over the host link, by layer",
      .columns = {count_column("layer", "Layer"), count_column("transfers", "Transfers"),
                  count_column("bytes", "Bytes", "B"), number_column("time", "Link busy", "us", 3),
                  number_column("exposed", "Waited for", "us", 3), percent_column("hidden", "Hidden", 1)},
      .rows_shown = 40};
  for (const ModelStatistics& model : models)
    for (const memory::LayerTransfers& layer : model.layers) {
      std::vector<Cell>& row = table.rows.emplace_back();
      row.push_back(whole_cell(layer.layer));
      row.push_back(whole_cell(layer.transfers));
      row.emplace_back(layer.bytes.value);
      row.emplace_back(microseconds(layer.time));
      row.emplace_back(microseconds(layer.exposed));
      row.push_back(share_cell(layer.hidden(), layer.time));
    }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

void add_link_metrics(Section& section, const EmulatedRun& run) {
  if (!run.memory.host_bandwidth) return;
  section.metrics.push_back({.id = "link_bytes",
                             .label = "bytes over the host link",
                             .value = static_cast<double>(emulator::link_bytes_of(run.done)),
                             .unit = "B",
                             .better = findings::Better::kLower});
  section.metrics.push_back({.id = "link_bandwidth",
                             .label = "bandwidth of the host link",
                             .value = static_cast<double>(run.memory.host_bandwidth->value) / 1e9,
                             .unit = "GB/s"});
}

}  // namespace

void add_run_memory(findings::Findings& findings, const EmulatedRun& run) {
  Section& section = findings::add_section(findings, "memory", "Memory: " + run.memory.description);
  add_channel_metrics(section, run.done.memory);
  add_link_metrics(section, run);
  add_choices(section, run);
  add_counters(section, run.done.memory);
  add_layers(section, run.done.memory);
  add_channels(section, run.done.memory);
}

}  // namespace accelscope::jobs
