#include "jobs/memory_measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/date.h"
#include "base/human.h"
#include "findings/columns.h"
#include "memory/dram_preset_file.h"

namespace accelscope::jobs {
namespace {

using findings::Findings;
using findings::Section;
using memory::ChannelStatistics;
using memory::DramMeasurement;
using memory::DramPreset;
using memory::Idle;

struct Advice {
  Idle reason;
  std::string_view text;
};

// What to try when a reason has the largest share of the idle time.
constexpr auto kAdvice = std::to_array<Advice>({
    {Idle::kNoRequest, "The load asks for no more: the memory waits for requests, not they for it."},
    {Idle::kRowBus,
     "Activates and precharges fill their command bus: only more bytes from every open row help, by larger "
     "blocks or another address map."},
    {Idle::kActivateWindow,
     "Activates are as close as tRRD and tFAW allow: only more bytes from every open row help."},
    {Idle::kRefresh, "What is lost is lost to refresh; --refresh per-bank may lose less where there is one."},
    {Idle::kTurnaround, "Reads and writes take turns too often: deeper write queues make longer batches."},
    {Idle::kBankConflict,
     "Requests meet in the same banks: try --hash, another --map, or streams that do not lie at powers of "
     "two."},
    {Idle::kBankGroup,
     "Columns follow each other in one bank group (tCCD_L): a map that changes the group with every burst "
     "or two helps."},
    {Idle::kColumnBus, "The column commands fill their bus."},
});

double nanoseconds(double picoseconds) {
  return picoseconds * 1e-3;
}

void add_result(Findings& findings, const DramMeasurement& measured) {
  Section& section = findings::add_section(findings, "bandwidth", "Bandwidth and latency");
  const auto add = [&](std::string id, std::string label, double value, std::string unit,
                       findings::Better better, std::string note = "") {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = value,
                               .unit = std::move(unit),
                               .n = measured.requests,
                               .note = std::move(note),
                               .better = better});
  };
  using findings::Better;
  add("bandwidth", "delivered", static_cast<double>(measured.bandwidth.value) * 1e-9, "GB/s",
      Better::kHigher);
  add("peak", "peak", static_cast<double>(measured.peak.value) * 1e-9, "GB/s", Better::kNeither);
  add("of_peak", "of the peak", measured.of_peak * 100, "%", Better::kHigher);
  add("latency_mean", "mean latency", nanoseconds(measured.mean_latency), "ns", Better::kLower);
  add("latency_p50", "median latency", nanoseconds(measured.median_latency), "ns", Better::kLower);
  add("latency_p99", "99th percentile", nanoseconds(measured.p99_latency), "ns", Better::kLower);
  add("elapsed", "simulated time", static_cast<double>(measured.elapsed.value) * 1e-6, "us",
      Better::kNeither);
  if (measured.statistics.energy_picojoules > 0)
    add("energy", "energy", measured.statistics.energy_picojoules * 1e-6, "uJ", Better::kLower,
        "an estimate: bytes moved times a documented energy per bit; `memory show` has its source");
}

void add_reasons(Findings& findings, const ChannelStatistics& all) {
  if (all.elapsed_ticks == 0) return;
  const std::int64_t idle = std::accumulate(all.idle_ticks.begin(), all.idle_ticks.end(), std::int64_t{0});
  if (idle == 0 && all.busy_ticks != all.elapsed_ticks) return;  // the model was not asked
  Section& section = findings::add_section(findings, "bus", "What the data buses did");
  findings::Table table{
      .id = "reasons",
      .columns = {findings::text_column("what", "What"), findings::count_column("ticks", "Ticks"),
                  findings::percent_column("share", "Of all time", 2)},
      .note =
          "Ticks of all data buses together. Every idle tick has one reason; with the busy ones they are "
          "all of the time."};
  const auto add = [&](std::string what, std::int64_t ticks) {
    table.rows.push_back(
        {std::move(what), ticks, 100 * static_cast<double>(ticks) / static_cast<double>(all.elapsed_ticks)});
  };
  add("data", all.busy_ticks);
  for (std::size_t i = 0; i < memory::kIdleReasons; ++i)
    add("idle: " + std::string(memory::name_of(static_cast<Idle>(i))), all.idle_ticks[i]);
  add("total", all.elapsed_ticks);
  section.tables.push_back(std::move(table));
  const auto most = std::max_element(all.idle_ticks.begin(), all.idle_ticks.end());
  if (idle == 0) return;
  const auto reason = static_cast<Idle>(most - all.idle_ticks.begin());
  const auto advice =
      std::find_if(kAdvice.begin(), kAdvice.end(), [&](const Advice& one) { return one.reason == reason; });
  section.statements.push_back(
      {.id = "memory.idle_reason",
       .kind = findings::StatementKind::kFinding,
       .priority = findings::Priority::kNote,
       .subject = std::string(memory::name_of(reason)),
       .text = fmt::format("{:.1f} % of the idle time is: {}. {}",
                           100 * static_cast<double>(*most) / static_cast<double>(idle),
                           memory::name_of(reason), advice->text)});
}

void add_channels(Findings& findings, const std::vector<ChannelStatistics>& channels) {
  if (channels.empty()) return;
  Section& section = findings::add_section(findings, "channels", "Channels");
  findings::Table table{
      .id = "channels",
      .columns = {findings::count_column("channel", "Channel"),
                  findings::percent_column("busy", "Bus busy", 2), findings::count_column("reads", "Reads"),
                  findings::count_column("writes", "Writes"), findings::count_column("hits", "Row hits"),
                  findings::count_column("misses", "Misses"),
                  findings::count_column("conflicts", "Conflicts"),
                  findings::count_column("activates", "Activates"),
                  findings::count_column("refreshes", "Refreshes")},
      .note = "Bursts. Hit: the row was open; miss: the bank was closed; conflict: another row was open.",
      .rows_shown = 16};
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const ChannelStatistics& c = channels[i];
    const auto count = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    table.rows.push_back({count(i), 100 * c.utilisation(), count(c.reads), count(c.writes), count(c.row_hits),
                          count(c.row_misses), count(c.row_conflicts), count(c.activates),
                          count(c.refreshes)});
  }
  section.tables.push_back(std::move(table));
}

// The default span is as large as the memory where that is smaller.
memory::DramLoad fitted(const MemoryMeasureOptions& options, const DramPreset& preset) {
  memory::DramLoad load = options.load;
  const std::int64_t channels =
      options.dram.channels == 0 ? preset.organisation.channels : options.dram.channels;
  if (!options.whole_span)
    load.span.value = std::min(load.span.value, preset.channel_capacity().value * channels);
  return load;
}

void add_provenance(Findings& findings, const MemoryMeasureOptions& options, const DramPreset& preset,
                    const memory::DramLoad& load) {
  findings::Provenance& provenance = findings.provenance;
  provenance.version = options.version;
  provenance.generated_at = base::iso_date(base::report_time());
  provenance.seed = load.seed;
  const auto add = [&](std::string key, std::string value) {
    provenance.options.push_back({std::move(key), std::move(value)});
  };
  const memory::DramOptions& dram = options.dram;
  add("preset", preset.name);
  add("source", fmt::format("{}, {}", preset.source, preset.revision));
  add("channels", fmt::format("{}", dram.channels == 0 ? preset.organisation.channels : dram.channels));
  add("map", fmt::format("{}{}", memory::name_of(dram.map), dram.hash_rows ? ", rows hashed" : ""));
  add("refresh", std::string(memory::name_of(dram.refresh)));
  add("page", std::string(memory::name_of(dram.page)));
  add("queues", fmt::format("{} reads, {} writes", dram.read_queue, dram.write_queue));
  add("fidelity", preset.family == memory::DramFamily::kReference
                      ? "reference"
                      : std::string(memory::name_of(options.fidelity)));
  add("pattern", memory::to_string(load.pattern));
  add("requests", fmt::format("{}", load.requests));
  add("span", base::format_size(load.span));
}

struct CurvePoint {
  double offered = 0;
  DramMeasurement measured;
};

constexpr std::array kOffered{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95};
// Less than this of what is offered is delivered: it waits longer and longer, and no latency means anything.
constexpr double kKeepsUp = 0.98;

base::Result<std::vector<CurvePoint>> points_of(const MemoryCurveOptions& options, const DramPreset& preset,
                                                double write_percent) {
  std::vector<CurvePoint> points;
  memory::DramLoad load = fitted(options.measure, preset);
  load.write_percent = write_percent;
  for (const double offered : kOffered) {
    load.offered = offered;
    ACCELSCOPE_TRY(DramMeasurement measured,
                   memory::measure_dram(preset, options.measure.dram, load, options.measure.fidelity));
    if (measured.of_peak < offered * kKeepsUp) break;
    points.push_back({offered, std::move(measured)});
  }
  return points;
}

void add_curve(Findings& findings, findings::Table& table, double write_percent,
               const std::vector<CurvePoint>& points, double most) {
  Section& section = findings.sections.front();
  findings::Series series{.id = fmt::format("writes_{:.0f}", write_percent),
                          .title = fmt::format("Mean latency, {:.0f} % writes, by offered share of the peak "
                                               "(saturates at {:.1f} %)",
                                               write_percent, most * 100),
                          .unit = "ns",
                          .x_title = "offered"};
  for (const CurvePoint& point : points) {
    const DramMeasurement& m = point.measured;
    series.values.push_back(nanoseconds(m.mean_latency));
    series.labels.push_back(fmt::format("{:.0f} %", point.offered * 100));
    table.rows.push_back({write_percent, point.offered * 100, static_cast<double>(m.bandwidth.value) * 1e-9,
                          nanoseconds(m.mean_latency), nanoseconds(m.median_latency),
                          nanoseconds(m.p99_latency)});
  }
  if (!series.values.empty()) section.series.push_back(std::move(series));
}

}  // namespace

base::Result<Findings> measure_memory(const MemoryMeasureOptions& options) {
  ACCELSCOPE_TRY(const DramPreset preset, memory::load_dram_preset(options.preset));
  const memory::DramLoad load = fitted(options, preset);
  ACCELSCOPE_TRY(const DramMeasurement measured,
                 memory::measure_dram(preset, options.dram, load, options.fidelity));
  Findings findings{.kind = "memory-measurement",
                    .title = fmt::format("{}: {}", preset.name, memory::to_string(load.pattern))};
  add_result(findings, measured);
  add_reasons(findings, memory::total(measured.statistics.channels));
  add_channels(findings, measured.statistics.channels);
  add_provenance(findings, options, preset, load);
  findings.provenance.options.push_back({"writes", fmt::format("{:g} %", load.write_percent)});
  findings.provenance.options.push_back({"gap", fmt::format("{} clocks", load.gap.value)});
  return findings;
}

base::Result<Findings> memory_curve(const MemoryCurveOptions& options) {
  ACCELSCOPE_TRY(const DramPreset preset, memory::load_dram_preset(options.measure.preset));
  Findings findings{.kind = "memory-curve",
                    .title = fmt::format("{}: latency under load, {}", preset.name,
                                         memory::to_string(options.measure.load.pattern))};
  findings::add_section(findings, "curve", "Load and latency");
  findings::Table table{
      .id = "curve",
      .columns = {findings::percent_column("writes", "Writes", 0),
                  findings::percent_column("offered", "Offered", 0),
                  findings::number_column("bandwidth", "Delivered", "GB/s", 2),
                  findings::number_column("mean", "Mean", "ns", 1),
                  findings::number_column("p50", "Median", "ns", 1),
                  findings::number_column("p99", "99th", "ns", 1)},
      .note =
          "Offered: of the peak. Latency counts from arrival. A row that is missing was offered more than "
          "the memory can deliver."};
  for (const double write_percent : options.write_percents) {
    ACCELSCOPE_TRY(const std::vector<CurvePoint> points, points_of(options, preset, write_percent));
    memory::DramLoad saturating = fitted(options.measure, preset);
    saturating.write_percent = write_percent;
    ACCELSCOPE_TRY(const DramMeasurement most,
                   memory::measure_dram(preset, options.measure.dram, saturating, options.measure.fidelity));
    add_curve(findings, table, write_percent, points, most.of_peak);
    findings.sections.front().metrics.push_back({.id = fmt::format("saturated_{:.0f}", write_percent),
                                                 .label = fmt::format("most, {:.0f} % writes", write_percent),
                                                 .value = static_cast<double>(most.bandwidth.value) * 1e-9,
                                                 .unit = "GB/s",
                                                 .better = findings::Better::kHigher});
  }
  findings.sections.front().tables.push_back(std::move(table));
  add_provenance(findings, options.measure, preset, fitted(options.measure, preset));
  return findings;
}

std::string curve_csv(const Findings& curve) {
  std::string text = "writes_percent,offered_percent,bandwidth_gbps,mean_ns,median_ns,p99_ns\n";
  for (const auto& row : curve.sections.front().tables.front().rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += fmt::format("{}{:.10g}", i == 0 ? "" : ",", std::get<double>(row[i]));
    text += '\n';
  }
  return text;
}

}  // namespace accelscope::jobs
