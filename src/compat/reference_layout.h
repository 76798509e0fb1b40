// A run of a chip as the Chrome trace that the reference's converter writes: its processes, threads, names,
// arguments, arrows and counters, for people whose scripts read them.
//
// Differences are deliberate, and listed in docs/formats.md ("The reference's layout") and in the test. One
// thread writes one output; nothing is kept.
//
//   ACCELSCOPE_CHECK(write_reference_layout(trace, out, {.overhead = true}));
#pragma once

#include "base/output.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::compat {

struct ReferenceLayoutOptions {
  bool overhead = false;  // adds the counters of idle cores and ready tasks, which need dependencies
};

// An error when the trace is not of a chip, or when counters are asked for that nothing can be said about.
base::Status write_reference_layout(const trace::Trace& trace, base::Output& out,
                                    const ReferenceLayoutOptions& options = {});

}  // namespace accelscope::compat
