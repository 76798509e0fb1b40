#include "capture/host_lane.h"

namespace accelscope::capture {

using recorder::kLaneBuffers;
using recorder::LaneLayout;
using Ring = LaneLayout::Ring;

std::optional<std::uint32_t> HostLane::pop_ready() {
  const device::Address ring = lane_ + LaneLayout::kReady;
  const std::uint32_t full = memory_.load32(ring + Ring::kTailOffset) - ready_head_;
  damaged_ |= full > kLaneBuffers;
  if (full == 0 || damaged_) return std::nullopt;
  const std::uint32_t buffer =
      memory_.load32(ring + Ring::kSlotsOffset + sizeof(std::uint32_t) * (ready_head_ % kLaneBuffers));
  memory_.store32(ring + Ring::kHeadOffset, ++ready_head_);
  return buffer;
}

bool HostLane::has_ready() const {
  const device::Address ring = lane_ + LaneLayout::kReady;
  return memory_.load32(ring + Ring::kTailOffset) != memory_.load32(ring + Ring::kHeadOffset);
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

bool HostLane::is_free(std::uint32_t buffer) {
  const device::Address slots = lane_ + LaneLayout::kFree + Ring::kSlotsOffset;
  for (std::uint32_t place = free_tail_ - free_buffers(); place != free_tail_; ++place)
    if (memory_.load32(slots + sizeof(std::uint32_t) * (place % kLaneBuffers)) == buffer) return true;
  return false;
}

recorder::LaneState HostLane::state() {
  return static_cast<recorder::LaneState>(memory_.load32(lane_ + LaneLayout::kState));
}

LaneAccount HostLane::account() {
  LaneAccount account;
  // The state first: a producer that has flushed changes nothing afterwards. Of one that has not, produced is
  // at least as new as dropped, so that the difference is never negative.
  account.state = state();
  for (std::uint32_t reason = 0; reason < recorder::kDeviceDropReasons; ++reason)
    account.dropped[reason] = memory_.load64(lane_ + LaneLayout::kDropped + std::uint64_t{8} * reason);
  account.produced = memory_.load64(lane_ + LaneLayout::kProduced);
  account.timeouts = memory_.load32(lane_ + LaneLayout::kTimeouts);
  return account;
}

}  // namespace accelscope::capture
