// The first passes of a study of streaming as a trace: lanes of the host link, the external memory, the
// calculations, and the passes themselves.
//
// A pure function, safe from any thread; the trace owns what it holds. Times are picoseconds.
//
//   ACCELSCOPE_TRY(const trace::Trace trace, stream_trace(model, machine, study));
#pragma once

#include "base/result.h"
#include "fit/stream_study.h"
#include "trace/trace.h"

namespace accelscope::fit {

base::Result<trace::Trace> stream_trace(const boards::Model& model, const Machine& machine,
                                        const StreamStudy& study);

}  // namespace accelscope::fit
