// The moment at which one part was handed to its core, looked up for single slices; dispatches_of()
// (trace/chip_run.h) is for whole cores.
//
// Borrows the trace. Cheap to make.
//
//   const DispatchTimes dispatch(trace);
//   if (is_known(dispatch.of(slice))) ...
#pragma once

#include "trace/chip_run.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {

class DispatchTimes {
 public:
  explicit DispatchTimes(const trace::Trace& trace)
      : trace_(trace), dispatch_(trace.strings().find(trace::stage::kDispatch)) {}

  trace::Ticks of(trace::SliceId slice) const {
    const trace::StageTable& stages = trace_.stages();
    const trace::RowRange rows = trace_.stages_of(slice);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row)
      if (stages.stage[row] == dispatch_) return trace_.slices().start[index(slice)] + stages.offset[row];
    return trace::kUnknownTime;
  }

 private:
  const trace::Trace& trace_;
  trace::StringId dispatch_;
};

}  // namespace accelscope::analysis::chip
