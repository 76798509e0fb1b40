#include "analysis/chip/functions.h"

#include <algorithm>

#include "analysis/chip/function_slots.h"

namespace accelscope::analysis::chip {
namespace {

using trace::Dispatch;
using trace::is_known;

struct Samples {
  std::uint64_t count = 0;
  std::vector<std::string_view> engines;
  TickSample exec;
  TickSample latency;
  TickSample head;
  TickSample tail;
  TickSum propagation;
  TickSum local_setup;
  TickSum idle_head;

  void add(const Dispatch& d, std::string_view engine) {
    ++count;
    add_engine(engine);
    exec.add(d.end - d.start);
    if (is_known(d.dispatch)) head.add(d.start - d.dispatch);
    if (is_known(d.finish)) tail.add(d.finish - d.end);
    if (is_known(d.dispatch) && is_known(d.finish)) latency.add(d.finish - d.dispatch);
    if (is_known(d.dispatch) && is_known(d.receive)) propagation.add(d.receive - d.dispatch);
    if (is_known(d.receive)) local_setup.add(d.start - d.receive);
  }
  void add_engine(std::string_view engine) {
    const auto place = std::lower_bound(engines.begin(), engines.end(), engine);
    if (place == engines.end() || *place != engine) engines.insert(place, engine);
  }
};

FunctionTime time_of(const Samples& samples) {
  return {.count = samples.count,
          .engines = samples.engines,
          .exec = samples.exec.stats(),
          .latency = samples.latency.stats(),
          .head = samples.head.stats(),
          .tail = samples.tail.stats(),
          .propagation = samples.propagation,
          .local_setup = samples.local_setup,
          .idle_head = samples.idle_head};
}

FunctionTime total_of(const std::vector<Samples>& functions) {
  FunctionTime total;
  const auto over_all = [&](TickSample Samples::*member) {
    std::vector<const TickSample*> samples;
    samples.reserve(functions.size());
    for (const Samples& function : functions) samples.push_back(&(function.*member));
    return stats_of_all(samples);
  };
  total.exec = over_all(&Samples::exec);
  total.latency = over_all(&Samples::latency);
  total.head = over_all(&Samples::head);
  total.tail = over_all(&Samples::tail);
  Samples engines;
  for (const Samples& function : functions) {
    total.count += function.count;
    total.propagation.add(function.propagation);
    total.local_setup.add(function.local_setup);
    total.idle_head.add(function.idle_head);
    for (const std::string_view engine : function.engines) engines.add_engine(engine);
  }
  total.engines = engines.engines;
  total.exec_share = total.exec.total > Ticks{0} ? 1 : 0;
  return total;
}

bool is_early(const trace::Trace& trace, trace::TaskId task) {
  return task != trace::TaskId::kNone &&
         has_flag(trace.tasks().flags[index(task)], trace::TaskFlag::kEarlyDispatch);
}

}  // namespace

FunctionTimes function_times(const trace::Trace& trace, const trace::ChipRun& chip) {
  FunctionSlots slots(trace);
  std::vector<Samples> samples;
  for (const trace::ChipCore& core : chip.cores) {
    Ticks free_from = Ticks::min();
    for (const Dispatch& dispatch : trace::DispatchWalk(trace, core.track)) {
      const std::uint32_t slot = slots.of(dispatch.function);
      if (slot == samples.size()) samples.emplace_back();
      samples[slot].add(dispatch, core.engine);
      if (is_known(dispatch.dispatch) && !is_early(trace, dispatch.task)) {
        const Ticks idle_from = std::max(dispatch.dispatch, free_from);
        samples[slot].idle_head.add(std::max(dispatch.start - idle_from, Ticks{0}));
      }
      free_from = std::max(free_from, dispatch.end);
    }
  }
  FunctionTimes result;
  result.total = total_of(samples);
  const auto all = static_cast<double>(result.total.exec.total.value);
  for (std::size_t slot = 0; slot < samples.size(); ++slot) {
    FunctionTime& time = result.functions.emplace_back(time_of(samples[slot]));
    time.function = slots.function(slot);
    time.exec_share = all > 0 ? static_cast<double>(time.exec.total.value) / all : 0;
  }
  std::sort(result.functions.begin(), result.functions.end(),
            [&](const FunctionTime& a, const FunctionTime& b) {
              if (a.exec.total != b.exec.total) return a.exec.total > b.exec.total;
              return trace.text(a.function) < trace.text(b.function);
            });
  return result;
}

}  // namespace accelscope::analysis::chip
