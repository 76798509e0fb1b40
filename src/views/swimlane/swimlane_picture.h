// The picture of a chip's run (trace/chip_run.h), made from the recording, which has every dispatch once.
//
// From top to bottom: orchestrators (submissions), the host, graphs (from preparation to the last node's
// end), scheduler threads with their phases, the scheduler view (a bar per dispatch from dispatch to finish),
// the worker view (a bar from receive to end, with `setup` and `kernel` inside, named after the function;
// tasks that need no core are on tracks of their own), ready queues, and the rest as it was recorded. What
// was not recorded is not drawn; cores that ran nothing have an empty track. Bars that overlap get lanes.
// Arrows are those of arrows.h.
//
// The picture is several times as large as the recording, so it is made in parts (views/picture.h). It refers
// to the trace, which must outlive it, and owns the rest.
//
//   if (trace::is_chip_run(trace)) {
//     ACCELSCOPE_TRY(const Picture picture, swimlane_picture(trace));
//     ACCELSCOPE_TRY(const QualityTable notes, perfetto::write(picture, out));
//   }
#pragma once

#include "base/result.h"
#include "views/picture.h"

namespace accelscope::views {

struct SwimlaneOptions {
  std::uint32_t rows_per_part = 8192;  // of the recording; more where there are very many tracks
};

base::Result<Picture> swimlane_picture(const trace::Trace& trace, const SwimlaneOptions& options = {});

}  // namespace accelscope::views
