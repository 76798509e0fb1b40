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
    for (std::uint32_t row = first_of(slice); row < stages.size() && stages.slice[row] == slice; ++row)
      if (stages.stage[row] == dispatch_) return trace_.slices().start[index(slice)] + stages.offset[row];
    return trace::kUnknownTime;
  }

 private:
  // Stages are ordered by slice.
  std::uint32_t first_of(trace::SliceId slice) const {
    const trace::StageTable& stages = trace_.stages();
    std::uint32_t from = 0;
    for (std::uint32_t count = stages.size(); count > 0;) {
      const std::uint32_t half = count / 2;
      if (stages.slice[from + half] < slice) {
        from += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return from;
  }

  const trace::Trace& trace_;
  trace::StringId dispatch_;
};

}  // namespace accelscope::analysis::chip
