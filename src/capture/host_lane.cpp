#include "capture/host_lane.h"

#include <numeric>

namespace accelscope::capture {

using recorder::kLaneBuffers;
using recorder::LaneLayout;
using Ring = LaneLayout::Ring;

std::uint64_t LaneAccount::all_dropped() const {
  return std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
}

std::optional<std::uint32_t> HostLane::pop_ready() {
  const device::Address ring = lane_ + LaneLayout::kReady;
  if (memory_.load32(ring + Ring::kTailOffset) == ready_head_) return std::nullopt;
  const std::uint32_t buffer =
      memory_.load32(ring + Ring::kSlotsOffset + sizeof(std::uint32_t) * (ready_head_ % kLaneBuffers));
  memory_.store32(ring + Ring::kHeadOffset, ++ready_head_);
  return buffer;
}

bool HostLane::push_free(std::uint32_t buffer) {
  if (free_buffers() == kLaneBuffers) return false;
  const device::Address ring = lane_ + LaneLayout::kFree;
  memory_.store32(ring + Ring::kSlotsOffset + sizeof(std::uint32_t) * (free_tail_ % kLaneBuffers), buffer);
  memory_.store32(ring + Ring::kTailOffset, ++free_tail_);
  return true;
}

std::uint32_t HostLane::free_buffers() {
  return free_tail_ - memory_.load32(lane_ + LaneLayout::kFree + Ring::kHeadOffset);
}

LaneAccount HostLane::account() {
  LaneAccount account;
  // The state first: a producer that has flushed changes nothing afterwards.
  account.state = static_cast<recorder::LaneState>(memory_.load32(lane_ + LaneLayout::kState));
  account.produced = memory_.load64(lane_ + LaneLayout::kProduced);
  for (std::uint32_t reason = 0; reason < recorder::kDropReasons; ++reason)
    account.dropped[reason] = memory_.load64(lane_ + LaneLayout::kDropped + std::uint64_t{8} * reason);
  account.timeouts = memory_.load32(lane_ + LaneLayout::kTimeouts);
  return account;
}

}  // namespace accelscope::capture
