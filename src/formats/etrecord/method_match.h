// Which method of an ETRecord did a run of a Trace execute? The trace has no names, only instructions.
//
// Internal to this folder. Pure; safe from any thread.
//
//   const MethodMatch match = best_method(record, events_of_run);
//   if (match.method != nullptr) ...
#pragma once

#include <span>

#include "formats/etrecord/trace_events.h"

namespace accelscope::formats::etrecord {

struct MethodMatch {
  const Method* method = nullptr;  // null when nothing matches or several match equally well
  bool ambiguous = false;
  std::uint64_t hits = 0;  // events that agree with it
};

MethodMatch best_method(const EtRecord& record, std::span<const TraceEvent> events);

}  // namespace accelscope::formats::etrecord
