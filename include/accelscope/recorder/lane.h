// What one producer and the host share: two queues of buffers and the producer's account.
//
// Memory ordering, who writes what:
//   free      host pushes empty buffers, producer pops
//   ready     producer pushes full buffers, host pops; what is in a buffer was written before its push
//   produced, dropped, timeouts, state: producer only, stored with release when it hands a buffer over, drops
//   a record or ends, so that a host that has seen the buffer also sees the account up to it. Produced is
//   stored before dropped and loaded behind it: an account read in between never says more dropped than
//   produced
// A buffer is in exactly one place: a ring, the writer, or the host. The host gives a lane at most
// kLaneBuffers of them, so that no push can fail. Freestanding but for <atomic>.
#pragma once

#include <cstddef>

#include "accelscope/recorder/records.h"
#include "accelscope/recorder/spsc_ring.h"

namespace accelscope::recorder {

inline constexpr uint32_t kLaneBuffers = 8;

// What a producer does when the host has no empty buffer for it.
enum class Policy : uint32_t {
  kBlock,  // waits, and says how long; after the time limit it drops until there is a buffer again
  kDrop,   // counts the record and goes on
};

// Why a record is not in the recording. The first three are a producer's, in its lane; the others a host's.
enum class DropReason : uint32_t {
  kNoBuffer,     // the host had no empty buffer
  kTimeLimit,    // nor was there one when the wait for it ended
  kStopped,      // the host had stopped
  kSinkFailed,   // collected, but it could not be written
  kOverwritten,  // by newer ones: a flight recorder keeps the last ones only
};
inline constexpr uint32_t kDropReasons = 5;
inline constexpr uint32_t kDeviceDropReasons = 3;

constexpr const char* text_of(DropReason reason) {
  switch (reason) {
    case DropReason::kNoBuffer:
      return "no empty buffer";
    case DropReason::kTimeLimit:
      return "time limit of a wait";
    case DropReason::kStopped:
      return "host had stopped";
    case DropReason::kSinkFailed:
      return "could not be written";
    case DropReason::kOverwritten:
      return "overwritten by newer ones";
  }
  return "no such reason";
}

enum class LaneState : uint32_t { kUnused, kRecording, kFlushed };

template <template <class> class Atomic = std::atomic>
struct Lane {
  SpscRing<uint32_t, kLaneBuffers, Atomic> free;
  SpscRing<uint32_t, kLaneBuffers, Atomic> ready;
  alignas(64) Atomic<uint64_t> produced = 0;  // dropped ones included
  Atomic<uint64_t> dropped[kDeviceDropReasons] = {};
  Atomic<uint32_t> timeouts = 0;  // waits that ended by their limit
  Atomic<LaneState> state = LaneState::kUnused;
};

// Where things are, for a host that reaches them only by copying.
struct LaneLayout {
  using Ring = SpscRing<uint32_t, kLaneBuffers>;
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kReady = sizeof(Ring);
  static constexpr uint32_t kProduced = 2 * sizeof(Ring);
  static constexpr uint32_t kDropped = kProduced + 8;
  static constexpr uint32_t kTimeouts = kDropped + 8 * kDeviceDropReasons;
  static constexpr uint32_t kState = kTimeouts + 4;
};
static_assert(sizeof(LaneLayout::Ring) == 192 && sizeof(Lane<>) == 448);
static_assert(offsetof(Lane<>, ready) == LaneLayout::kReady);
static_assert(offsetof(Lane<>, produced) == LaneLayout::kProduced);
static_assert(offsetof(Lane<>, dropped) == LaneLayout::kDropped);
static_assert(offsetof(Lane<>, timeouts) == LaneLayout::kTimeouts);
static_assert(offsetof(Lane<>, state) == LaneLayout::kState);

// Shared by all lanes of a run: how one producer's shortage stops all of them, so that the recording shows
// one gap in every lane instead of a lane that is mysteriously slow.
//   contended   a producer found no buffer; set by producers, cleared by the host once `frozen` is set
//   frozen      producers wait at their next change of buffers; set and cleared by the host
//   stopped     nobody waits any more: the host is gone or the run is over; set by the host
template <template <class> class Atomic = std::atomic>
struct Gate {
  alignas(64) Atomic<uint32_t> contended = 0;
  Atomic<uint32_t> frozen = 0;
  Atomic<uint32_t> stopped = 0;
};
static_assert(offsetof(Gate<>, frozen) == 4 && offsetof(Gate<>, stopped) == 8);

}  // namespace accelscope::recorder
