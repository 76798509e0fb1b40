// Bytes that are on their way over a link, past the memory, and who waits for them. A reader of bytes that
// are under way already rides along; nothing is brought twice at a time.
//
// Used by one thread; owns its entries. O(log n).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "memory/host_link.h"

namespace accelscope::memory {

class StreamsInFlight {
 public:
  struct Stream {
    std::uint64_t end = 0;
    std::uint32_t layer = 0;
    std::vector<std::uint32_t> riders;
  };

  // Adds the rider to everything that covers [from, to), and asks `bring(from, to)` for the transfer of what
  // nothing covers. Returns how many streams the rider now waits for.
  template <class Bring>
  std::uint32_t ride(std::uint64_t from, std::uint64_t to, std::uint32_t layer, std::uint32_t rider,
                     Bring bring) {
    std::uint32_t streams = 0;
    for (; from < to; ++streams) {
      auto behind = by_offset_.upper_bound(from);
      if (behind != by_offset_.begin() && std::prev(behind)->second.end > from) {
        Stream& covering = std::prev(behind)->second;
        covering.riders.push_back(rider);
        from = std::min(to, covering.end);
        continue;
      }
      const std::uint64_t end = behind == by_offset_.end() ? to : std::min(to, behind->first);
      by_offset_.insert({from, Stream{end, layer, {rider}}});
      by_transfer_[bring(from, end)] = from;
      from = end;
    }
    return streams;
  }
  bool has(HostLink::Id transfer) const { return by_transfer_.find(transfer) != by_transfer_.end(); }
  Stream take(HostLink::Id transfer) {
    const auto at = by_transfer_.find(transfer);
    const auto stream = by_offset_.find(at->second);
    Stream taken = std::move(stream->second);
    by_offset_.erase(stream);
    by_transfer_.erase(at);
    return taken;
  }

 private:
  std::map<std::uint64_t, Stream> by_offset_;  // disjoint
  std::map<HostLink::Id, std::uint64_t> by_transfer_;
};

}  // namespace accelscope::memory
