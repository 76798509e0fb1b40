#include "analysis/chip/samples.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using base::Result;
using findings::Findings;
using findings::Section;
using findings::Series;
using trace::ChipRun;
using trace::Dispatch;
using trace::is_known;
using trace::StringId;
using trace::Trace;

constexpr std::string_view kSection = "chip_samples";

struct TimedTask {
  std::uint64_t task = 0;  // the producer's id: the order of submission within a ring
  Ticks duration = {};
};
using TimesByName = std::map<StringId, std::vector<TimedTask>>;

std::vector<SampledTimes> sampled(const Trace& trace, TimesByName times, base::Frequency frequency) {
  std::vector<SampledTimes> result;
  for (auto& [name, tasks] : times) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const TimedTask& a, const TimedTask& b) { return a.task < b.task; });
    SampledTimes sample{.name = std::string(trace.text(name)), .count = tasks.size()};
    Ticks total{};
    for (const TimedTask& task : tasks) total += task.duration;
    sample.total = 1e6 * frequency.to_seconds(total);
    const std::size_t kept = std::min(tasks.size(), kMostSamples);
    for (std::size_t i = 0; i < kept; ++i)
      sample.values.push_back(1e6 * frequency.to_seconds(tasks[i * tasks.size() / kept].duration));
    result.push_back(std::move(sample));
  }
  std::sort(result.begin(), result.end(),
            [](const SampledTimes& a, const SampledTimes& b) { return a.name < b.name; });
  return result;
}

void add_series(Section& section, std::string_view kind, const std::vector<SampledTimes>& samples) {
  for (const SampledTimes& sample : samples) {
    section.series.push_back({.id = std::string(kind) + "/" + sample.name,
                              .title = sample.name,
                              .unit = "us",
                              .x_title = "task",
                              .values = sample.values});
    section.metrics.push_back({.id = std::string(kind) + "/" + sample.name,
                               .label = sample.name,
                               .value = sample.total,
                               .unit = "us",
                               .n = sample.count});
  }
}

}  // namespace

RunSamples samples_of(const Trace& trace, const ChipRun& chip, const TaskTimes& times, std::string name) {
  const base::Frequency frequency = trace.clock(chip.clock).frequency;
  TimesByName kernels;
  TimesByName latencies;
  for (const trace::ChipCore& core : chip.cores) {
    for (const Dispatch& dispatch : trace::dispatches_of(trace, core.track)) {
      const std::uint64_t task =
          dispatch.task == trace::TaskId::kNone ? 0 : trace.tasks().external_id[index(dispatch.task)];
      kernels[dispatch.function].push_back({task, dispatch.end - dispatch.start});
      if (is_known(dispatch.dispatch) && is_known(dispatch.finish))
        latencies[dispatch.function].push_back({task, dispatch.finish - dispatch.dispatch});
    }
  }
  TimesByName phases;
  const trace::CategoryId phase = trace.find_category(trace::category::kSchedulerPhase);
  for (const trace::TrackId thread : chip.schedulers) {
    const trace::RowRange rows = trace.slices_of(thread);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row)
      if (phase != trace::CategoryId::kNone && trace.slices().category[row] == phase)
        phases[trace.slices().name[row]].push_back({row, trace.slices().duration[row]});
  }
  return {.name = std::move(name),
          .makespan = 1e6 * frequency.to_seconds(times.window.length()),
          .unit = frequency.known() ? "us" : "kticks",
          .functions = sampled(trace, std::move(kernels), frequency),
          .latencies = sampled(trace, std::move(latencies), frequency),
          .phases = sampled(trace, std::move(phases), frequency)};
}

void add_samples(Findings& findings, const RunSamples& samples) {
  Section& section = findings::add_section(findings, std::string(kSection), "Recorded times");
  section.data_only = true;
  section.metrics.push_back(
      {.id = "makespan", .label = samples.name, .value = samples.makespan, .unit = samples.unit, .n = 1});
  add_series(section, "function", samples.functions);
  add_series(section, "latency", samples.latencies);
  add_series(section, "phase", samples.phases);
}

Result<std::optional<RunSamples>> samples_in(const Findings& findings) {
  const Section* section = findings::find_section(findings, kSection);
  if (section == nullptr) return std::optional<RunSamples>();
  const findings::Metric* makespan = findings::find_metric(*section, "makespan");
  if (makespan == nullptr || !makespan->value)
    return base::fail(base::ErrorCode::kMalformed, "the recorded times of the findings have no makespan");
  RunSamples samples{.name = makespan->label, .makespan = *makespan->value, .unit = makespan->unit};
  for (const Series& series : section->series) {
    const std::size_t slash = series.id.find('/');
    const std::string kind = series.id.substr(0, slash);
    const findings::Metric* total = findings::find_metric(*section, series.id);
    const bool finite = std::all_of(series.values.begin(), series.values.end(),
                                    [](double value) { return std::isfinite(value); });
    std::vector<SampledTimes>* place = kind == "function"  ? &samples.functions
                                       : kind == "latency" ? &samples.latencies
                                       : kind == "phase"   ? &samples.phases
                                                           : nullptr;
    if (slash == std::string::npos || total == nullptr || !total->value || !finite || place == nullptr)
      return base::fail(base::ErrorCode::kMalformed, "the recorded times '{}' of the findings make no sense",
                        series.id);
    place->push_back({series.id.substr(slash + 1), total->n, *total->value, series.values});
  }
  return std::optional(std::move(samples));
}

}  // namespace accelscope::analysis::chip
