#include "jobs/memory_presets.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/date.h"
#include "base/human.h"
#include "findings/columns.h"
#include "memory/dram_closed_form.h"
#include "memory/dram_preset_file.h"

namespace accelscope::jobs {
namespace {

using findings::Findings;
using memory::DramPreset;
using memory::RowState;

double gigabytes(base::BytesPerSecond bandwidth) {
  return static_cast<double>(bandwidth.value) * 1e-9;
}

void add_summary(Findings& findings, const DramPreset& preset) {
  findings::Section& section = findings::add_section(findings, "summary", "Summary");
  const auto add = [&](std::string id, std::string label, double value, std::string unit,
                       std::string method) {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = value,
                               .unit = std::move(unit),
                               .method = std::move(method)});
  };
  const auto latency = [&](RowState row) {
    return static_cast<double>(memory::unloaded_read(preset, row).value) * 1e-3;
  };
  const auto share = [&](memory::TrafficShape shape, memory::RefreshKind refresh) {
    return 100 * memory::closed_form_efficiency(preset, shape, memory::MapKind::kMop4ClXor, refresh);
  };
  add("peak", "peak", gigabytes(preset.peak_bandwidth(preset.organisation.channels)), "GB/s", "");
  add("capacity", "capacity",
      static_cast<double>(preset.channel_capacity().value) * preset.organisation.channels / (1 << 30), "GiB",
      "");
  if (preset.family == memory::DramFamily::kReference) return;
  add("hit", "idle read, row open", latency(RowState::kHit), "ns", "formula");
  add("closed", "idle read, bank closed", latency(RowState::kClosed), "ns", "formula");
  add("conflict", "idle read, other row open", latency(RowState::kConflict), "ns", "formula");
  add("random", "random bursts, of the peak",
      share(memory::TrafficShape::kRandom, memory::RefreshKind::kAllBank), "%", "formula");
  add("refresh", "left by all-bank refresh",
      100 * memory::refresh_factor(preset, memory::RefreshKind::kAllBank), "%", "formula");
}

}  // namespace

base::Result<Findings> memory_presets(const std::string& version) {
  Findings findings{.kind = "memory-presets", .title = "DRAM presets"};
  findings::Section& section = findings::add_section(findings, "presets", "DRAM presets");
  findings::Table table{
      .id = "presets",
      .columns = {findings::text_column("name", "Name"), findings::count_column("channels", "Channels"),
                  findings::number_column("peak", "Peak", "GB/s", 1),
                  findings::text_column("capacity", "Capacity"),
                  findings::text_column("description", "Description")},
      .note =
          "`accelscope memory show NAME` has every parameter with its source; a preset of one's own is a "
          "file like `accelscope memory show NAME --file`, and its path goes wherever a name goes."};
  for (const std::string_view name : memory::dram_preset_names()) {
    ACCELSCOPE_TRY(const DramPreset preset, memory::load_dram_preset(std::string(name)));
    const std::uint32_t channels = preset.organisation.channels;
    table.rows.push_back({preset.name, std::int64_t{channels}, gigabytes(preset.peak_bandwidth(channels)),
                          base::format_size({preset.channel_capacity().value * channels}),
                          preset.description});
  }
  section.tables.push_back(std::move(table));
  findings.provenance.version = version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  return findings;
}

base::Result<Findings> memory_preset(const std::string& name_or_path, const std::string& version) {
  ACCELSCOPE_TRY(const DramPreset preset, memory::load_dram_preset(name_or_path));
  Findings findings{.kind = "memory-preset", .title = preset.name};
  add_summary(findings, preset);
  findings::Section& section = findings::add_section(findings, "parameters", "Parameters");
  findings::Table table{
      .id = "parameters",
      .columns = {findings::text_column("key", "Key"), findings::text_column("value", "Value"),
                  findings::text_column("meaning", "Meaning")},
      .note =
          fmt::format("Source: {}, revision {}. Energy: {}. Times are in clocks of tCK_ns unless they say "
                      "otherwise.",
                      preset.source, preset.revision, preset.energy_source)};
  for (memory::DramParameter& parameter : memory::parameters_of(preset))
    table.rows.push_back(
        {std::string(parameter.key), std::move(parameter.value), std::string(parameter.meaning)});
  section.tables.push_back(std::move(table));
  findings.provenance.version = version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  findings.provenance.options.push_back({"source", fmt::format("{}, {}", preset.source, preset.revision)});
  return findings;
}

base::Result<std::string> memory_preset_file(const std::string& name_or_path) {
  ACCELSCOPE_TRY(const DramPreset preset, memory::load_dram_preset(name_or_path));
  base::MemoryOutput out;
  memory::write_dram_preset(preset, out);
  return std::string(out.bytes());
}

}  // namespace accelscope::jobs
