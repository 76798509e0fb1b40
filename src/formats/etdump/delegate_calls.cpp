#include "formats/etdump/delegate_calls.h"

#include <algorithm>

#include "formats/etdump/unwrap.h"

namespace accelscope::formats::etdump {

using trace::Interval;
using trace::SliceFlag;
using trace::SliceId;

void DelegateCalls::place(std::span<StagedEvent> events, std::uint32_t call,
                          std::span<const std::uint32_t> reported, bool counter_overflowed) {
  const Interval call_interval{events[call].start, events[call].end()};
  Backend& backend = events[call].backend;
  // QNN lists the parts of an event after it, and only the first says the unit.
  ValueUnit unit_of_group = ValueUnit::kNotSaid;
  for (const std::uint32_t position : reported) {
    StagedEvent& event = events[position];
    event.parent = call;
    if (backend == Backend::kUnknown) backend = event.backend;
    if (event.backend == Backend::kQnn) unit_of_group = event.unit;
    const bool on_host_clock = call_interval.contains({event.start, event.end()}) ||
                               (counter_overflowed && move_into_call(event, call_interval));
    if (on_host_clock) continue;
    event.placement = Placement::kForeign;
    if (event.unit == ValueUnit::kNotSaid && event.raw_start == 0) event.unit = unit_of_group;
  }
  for (const std::uint32_t position : reported)
    if (events[position].backend == Backend::kUnknown) events[position].backend = backend;
  nest_scopes(events, reported);
}

void DelegateCalls::nest_scopes(std::span<StagedEvent> events, std::span<const std::uint32_t> reported) {
  const bool computed_times = std::any_of(reported.begin(), reported.end(), [&](std::uint32_t position) {
    return trace::has_flag(events[position].flags, SliceFlag::kEstimated);
  });
  if (computed_times) return;
  nester_.clear();
  for (const std::uint32_t position : reported) {
    const StagedEvent& event = events[position];
    if (event.placement != Placement::kHost || event.duration.value == 0) continue;
    nester_.add(SliceId{position}, {event.start, event.end()},
                [&](SliceId child, SliceId parent) { events[index(child)].parent = index(parent); });
  }
}

}  // namespace accelscope::formats::etdump
