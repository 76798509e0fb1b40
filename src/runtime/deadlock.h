// A run that cannot go on because something of the runtime is too small for its graph, in words.
//
// Plain data; a pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/shared_state.h"

namespace accelscope::runtime {

// What a submission needs of its ring, or of the runtime.
enum class Resource : std::uint8_t { kTaskWindow, kHeap, kDependencyPool, kTensorMap };

struct Shortage {
  Resource resource = Resource::kTaskWindow;
  std::uint32_t ring = 0;
  std::uint64_t needed = 0;
  std::uint64_t used = 0;
  std::uint64_t capacity = 0;

  bool can_never_be_met() const { return needed > capacity; }
};

// `task` waits and cannot be submitted; `oldest` are those that keep the ring, first come first.
RunFault deadlock_of(const Graph& graph, std::uint32_t task, const Shortage& shortage,
                     const std::vector<std::uint32_t>& oldest);

}  // namespace accelscope::runtime
