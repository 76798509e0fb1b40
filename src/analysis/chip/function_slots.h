// Numbers the functions of a run from 0, in the order they are met, so that figures per function lie in one
// vector.
//
// One owner, one thread.
//
//   FunctionSlots slots(trace);
//   const std::uint32_t slot = slots.of(dispatch.function);
//   if (slot == figures.size()) figures.emplace_back();
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace accelscope::analysis::chip {

class FunctionSlots {
 public:
  explicit FunctionSlots(const trace::Trace& trace) : slot_(trace.strings().size(), kNone) {}

  std::uint32_t of(trace::StringId function) {
    std::uint32_t& slot = slot_[static_cast<std::size_t>(function)];
    if (slot == kNone) {
      slot = static_cast<std::uint32_t>(functions_.size());
      functions_.push_back(function);
    }
    return slot;
  }
  trace::StringId function(std::size_t slot) const { return functions_[slot]; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> slot_;  // per text of the trace
  std::vector<trace::StringId> functions_;
};

}  // namespace accelscope::analysis::chip
