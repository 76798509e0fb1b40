#include "memory/timing.h"

#include <algorithm>

namespace accelscope::memory {

base::Picoseconds finish_all(Timing& memory, std::span<const Request> requests) {
  base::Picoseconds end = memory.now();
  for (const Request& request : requests) memory.submit(request);
  while (const auto done = memory.next(base::Picoseconds::max())) end = std::max(end, done->time);
  return end;
}

}  // namespace accelscope::memory
