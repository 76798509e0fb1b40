// The host's end of a producer's lane (accelscope/recorder/lane.h): takes full buffers, gives empty ones.
//
// Reaches the lane through DeviceMemory, mapped or copied. One thread uses one HostLane; the producer works
// on the other end at the same time. The memory must outlive it. Memory ordering, all loads acquire and all
// stores release:
//   take a full buffer   load tail, load slot, then store head: the slot may be used again
//   give an empty one    load head, store slot, then store tail: the producer may have it
// The host writes the head of `ready`, slots and tail of `free`, and nothing else of a lane. state() and
// has_ready() alone are for any thread.
//
//   HostLane lane(memory, address);
//   while (const std::optional<std::uint32_t> buffer = lane.pop_ready()) ...
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "accelscope/recorder/lane.h"
#include "device/device_memory.h"

namespace accelscope::capture {

// What a producer says of itself: complete once it has flushed, else up to its last change of buffers.
struct LaneAccount {
  std::uint64_t produced = 0;  // dropped ones included
  std::array<std::uint64_t, recorder::kDeviceDropReasons> dropped = {};
  std::uint32_t timeouts = 0;
  recorder::LaneState state = recorder::LaneState::kUnused;
};

class HostLane {
 public:
  HostLane(device::DeviceMemory& memory, device::Address lane) : memory_(memory), lane_(lane) {}

  // A queue that claims to hold more than it can is taken for empty, and damaged() from then on.
  std::optional<std::uint32_t> pop_ready();
  bool has_ready() const;
  // False when the lane has as many empty buffers as its queue holds.
  bool push_free(std::uint32_t buffer);
  // Empty buffers that the producer has not taken yet.
  std::uint32_t free_buffers();
  bool is_free(std::uint32_t buffer);
  recorder::LaneState state();
  LaneAccount account();
  bool damaged() const { return damaged_; }

 private:
  device::DeviceMemory& memory_;
  device::Address lane_;
  std::uint32_t ready_head_ = 0;
  std::uint32_t free_tail_ = 0;
  bool damaged_ = false;
};

}  // namespace accelscope::capture
