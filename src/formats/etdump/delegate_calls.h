// Places the events that a backend reported inside one DELEGATE_CALL.
//
// An event within the call's times is on the host's clock and becomes its child; any other is on a clock of
// its own and is only owned by the call. Backends that nest their scopes (Vulkan, VGF) get them nested; those
// that lay computed times end to end (XNNPACK) do not, and an event of no length is nobody's child but the
// call's, because a neighbour's bounds would swallow it by accident. One thread per object; it keeps only
// scratch memory.
//
//   calls.place(events, call, reported, unwrapper.overflowed());
#pragma once

#include <span>
#include <vector>

#include "formats/etdump/staged_event.h"
#include "trace/nesting.h"

namespace accelscope::formats::etdump {

class DelegateCalls {
 public:
  // `reported` are positions in `events`, in the order of the log.
  void place(std::span<StagedEvent> events, std::uint32_t call, std::span<const std::uint32_t> reported,
             bool counter_overflowed);

 private:
  void nest_scopes(std::span<StagedEvent> events, std::span<const std::uint32_t> reported);

  trace::CompletionNester nester_;
};

}  // namespace accelscope::formats::etdump
