// ExecuTorch's Inspector, imitated with its faults: the table of events that the profiling kit's CSV files
// are made from.
//
// Runs whose events have the same keys in the same order form a group; a row is one event of a group with its
// values in every run. Of an instruction that a run executes several times only the last survives, backend
// events lose digits because they are divided before they are subtracted, and runs are numbered anew in every
// group. Ticks are taken for nanoseconds (picoseconds where the clock says so). Use analyses, not this, to
// learn something; use this to be compared with the kit.
//
// Made from any Trace; the order of a run's events is their argument `record`, or that of their ends. Texts
// are views into the Trace, which must outlive the table. Pure; safe from any thread.
//
//   InspectorTable table = inspector_table(trace);
//   for (const InspectorEvent& event : table.events) use(event.name, event.duration_ms);
#pragma once

#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace accelscope::compat {

struct InspectorEvent {
  std::string_view block;
  std::string_view name;  // of a backend's event, its identifier
  bool delegated = false;
  std::string_view backend;  // from an ETRecord; else empty
  // One entry per run of the group.
  std::vector<double> start_ns;
  std::vector<double> duration_ms;
};

struct InspectorTable {
  std::vector<InspectorEvent> events;
};

InspectorTable inspector_table(const trace::Trace& trace);

}  // namespace accelscope::compat
