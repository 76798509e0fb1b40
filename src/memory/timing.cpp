#include "memory/timing.h"

#include <algorithm>

namespace accelscope::memory {

void count(Traffic& traffic, const Request& request, base::Bytes moved) {
  const bool write = request.access == Access::kWrite;
  ++(write ? traffic.writes : traffic.reads);
  (write ? traffic.bytes_written : traffic.bytes_read) += request.size;
  traffic.bytes_moved += moved;
}

base::Picoseconds finish_all(Timing& memory, std::span<const Request> requests) {
  base::Picoseconds end = memory.now();
  for (const Request& request : requests) memory.submit(request);
  while (const auto done = memory.next(base::Picoseconds::max())) end = std::max(end, done->time);
  return end;
}

}  // namespace accelscope::memory
