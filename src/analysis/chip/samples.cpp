#include "analysis/chip/samples.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/chip/function_slots.h"
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
constexpr std::string_view kPipePrefix = "pipe/";

struct TimedTask {
  std::uint64_t task = 0;  // the producer's id: the order of submission within a ring
  Ticks duration = {};
};

// The times of one thing: all of them counted and added up, kMostSamples at even distances kept.
class Sampler {
 public:
  explicit Sampler(std::uint64_t expected) : stride_((expected + kMostSamples - 1) / kMostSamples) {}

  // The task's id is only asked for when it is kept.
  template <class IdOf>
  void add(Ticks duration, IdOf&& id_of) {
    if (--until_kept_ == 0) {
      until_kept_ = stride_;
      kept_.push_back({id_of(), duration});
    }
    ++count_;
    total_ += duration;
  }

  SampledTimes in_order(std::string name, base::Frequency frequency) && {
    std::stable_sort(kept_.begin(), kept_.end(),
                     [](const TimedTask& a, const TimedTask& b) { return a.task < b.task; });
    SampledTimes result{
        .name = std::move(name), .count = count_, .total = 1e6 * frequency.to_seconds(total_)};
    for (const TimedTask& task : kept_) result.values.push_back(1e6 * frequency.to_seconds(task.duration));
    return result;
  }

 private:
  std::uint64_t stride_;
  std::uint64_t until_kept_ = 1;
  std::uint64_t count_ = 0;
  Ticks total_ = {};
  std::vector<TimedTask> kept_;
};

// A sampler for every name that slices of these tracks have.
class Samplers {
 public:
  explicit Samplers(const Trace& trace) : trace_(trace), slots_(trace) {}

  void expect(trace::RowRange rows) {
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      const std::uint32_t slot = slots_.of(trace_.slices().name[row]);
      if (slot == expected_.size()) expected_.push_back(0);
      ++expected_[slot];
    }
  }
  void start() {
    for (const std::uint64_t expected : expected_) samplers_.emplace_back(expected);
  }
  template <class IdOf>
  void add(StringId name, Ticks duration, IdOf&& id_of) {
    samplers_[slots_.of(name)].add(duration, id_of);
  }

  // By name, without those that got nothing.
  std::vector<SampledTimes> results(base::Frequency frequency) && {
    std::vector<SampledTimes> result;
    for (std::size_t slot = 0; slot < samplers_.size(); ++slot)
      result.push_back(
          std::move(samplers_[slot]).in_order(std::string(trace_.text(slots_.function(slot))), frequency));
    std::erase_if(result, [](const SampledTimes& sample) { return sample.count == 0; });
    std::sort(result.begin(), result.end(),
              [](const SampledTimes& a, const SampledTimes& b) { return a.name < b.name; });
    return result;
  }

 private:
  const Trace& trace_;
  FunctionSlots slots_;
  std::vector<std::uint64_t> expected_;
  std::vector<Sampler> samplers_;
};

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

std::vector<PipeFigure> pipe_figures(const Trace& trace, const PipeTimes& times) {
  std::vector<PipeFigure> figures;
  for (const FunctionPipes& function : times.functions) {
    if (function.full == 0) continue;
    const PipeUse& use = function.use;
    const auto add = [&](const std::string& what, double share) {
      figures.push_back(
          {fmt::format("{}/{}", trace.text(function.function), what), 100 * share, function.full});
    };
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      if (use.busy(pipe).value > 0)
        add(fmt::format("busy.{}", trace::kPipeNames[pipe]), use.busy_share(pipe));
    for (const std::size_t transfer : {kMte1, kMte2, kMte3, kFixp})
      for (const std::size_t compute : {kVec, kCube})
        if (use.busy(transfer).value > 0 && use.busy(compute).value > 0)
          add(fmt::format("overlap.{}.{}", trace::kPipeNames[transfer], trace::kPipeNames[compute]),
              use.overlap(transfer, compute));
    add("bubbles", use.share(use.bubbles()));
  }
  return figures;
}

RunSamples samples_of(const Trace& trace, const ChipRun& chip, const TaskTimes& times, std::string name) {
  const base::Frequency frequency = trace.clock(chip.clock).frequency;
  Samplers kernels(trace);
  for (const trace::ChipCore& core : chip.cores) kernels.expect(trace.slices_of(core.track));
  Samplers latencies = kernels;
  kernels.start();
  latencies.start();
  for (const trace::ChipCore& core : chip.cores) {
    for (const Dispatch& dispatch : trace::DispatchWalk(trace, core.track)) {
      const auto id_of = [&]() -> std::uint64_t {
        return dispatch.task == trace::TaskId::kNone ? 0 : trace.tasks().external_id[index(dispatch.task)];
      };
      kernels.add(dispatch.function, dispatch.end - dispatch.start, id_of);
      if (is_known(dispatch.dispatch) && is_known(dispatch.finish))
        latencies.add(dispatch.function, dispatch.finish - dispatch.dispatch, id_of);
    }
  }
  Samplers phases(trace);
  for (const trace::TrackId thread : chip.schedulers) phases.expect(trace.slices_of(thread));
  phases.start();
  const trace::CategoryId phase = trace.find_category(trace::category::kSchedulerPhase);
  for (const trace::TrackId thread : chip.schedulers) {
    const trace::RowRange rows = trace.slices_of(thread);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row)
      if (phase != trace::CategoryId::kNone && trace.slices().category[row] == phase)
        phases.add(trace.slices().name[row], trace.slices().duration[row], [&] { return row; });
  }
  return {.name = std::move(name),
          .makespan = 1e6 * frequency.to_seconds(times.window.length()),
          .unit = frequency.known() ? "us" : "kticks",
          .functions = std::move(kernels).results(frequency),
          .latencies = std::move(latencies).results(frequency),
          .phases = std::move(phases).results(frequency)};
}

void add_samples(Findings& findings, const RunSamples& samples) {
  Section& section = findings::add_section(findings, std::string(kSection), "Recorded times");
  section.data_only = true;
  section.metrics.push_back(
      {.id = "makespan", .label = samples.name, .value = samples.makespan, .unit = samples.unit, .n = 1});
  add_series(section, "function", samples.functions);
  add_series(section, "latency", samples.latencies);
  add_series(section, "phase", samples.phases);
  for (const PipeFigure& figure : samples.pipes)
    section.metrics.push_back({.id = std::string(kPipePrefix) + figure.id,
                               .label = figure.id,
                               .value = figure.value,
                               .unit = "%",
                               .n = figure.parts});
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
  for (const findings::Metric& metric : section->metrics) {
    if (!metric.id.starts_with(kPipePrefix)) continue;
    if (!metric.value || !std::isfinite(*metric.value))
      return base::fail(base::ErrorCode::kMalformed, "the figure '{}' of the findings has no value",
                        metric.id);
    samples.pipes.push_back({metric.id.substr(kPipePrefix.size()), *metric.value, metric.n});
  }
  return std::optional(std::move(samples));
}

}  // namespace accelscope::analysis::chip
