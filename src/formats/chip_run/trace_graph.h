// What a trace of a chip's run holds of the files beside a swimlane: the dependencies with the functions of
// the tasks, and the names of the functions.
//
// Together with capture_of() this gives a run's files again. Functions that nothing numbers get the same
// numbers in all three. Reads the trace only; safe from any thread. The answers own what they hold.
//
//   ACCELSCOPE_TRY(const deps::Dependencies graph, dependencies_of(trace));
//   deps::write_dependencies(graph, out);
#pragma once

#include "base/result.h"
#include "formats/deps/deps.h"
#include "formats/name_map/name_map.h"
#include "trace/trace.h"

namespace accelscope::formats::chip_run {

// Whether the trace has what dependencies_of() gives, and names_of().
bool has_dependencies(const trace::Trace& trace);
bool has_names(const trace::Trace& trace);

// An error when the trace is not the run of one chip, or its dependencies were not recorded. What the answer
// has no place for is in its Quality.
base::Result<deps::Dependencies> dependencies_of(const trace::Trace& trace);

// An error when the trace is not the run of one chip, or no function has a name.
base::Result<name_map::NameMap> names_of(const trace::Trace& trace);

}  // namespace accelscope::formats::chip_run
