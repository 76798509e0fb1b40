// What a drain of a core's ring gives: which bytes are new, and what is known about those that are not there.
//
// Plain values; freestanding.
#pragma once

#include "accelscope/perfmon/ownership.h"

namespace accelscope::perfmon {

enum class CoreState : uint8_t {
  kStopped,  // not started, or everything is as it was before
  kRunning,
  kPaused,  // between drain() and confirm() of DrainMode::kRestart
  // Registers changed underneath. Recording of this core is over, and nothing is written to it any more.
  kEnableTaken,
  kGlobalEnableTaken,
  kBaseTaken,
  kLengthTaken,
  kDeviceGone,
  // The pointer left the buffer: the monitor was turned off and restored, as it writes over others' memory.
  kPointerOutside,
  kNotRestored,  // stopped, but a register does not read as it did before the start
};

constexpr const char* text_of(CoreState state) {
  switch (state) {
    case CoreState::kStopped:
      return "stopped";
    case CoreState::kRunning:
      return "running";
    case CoreState::kPaused:
      return "paused";
    case CoreState::kEnableTaken:
      return "somebody else has turned it off";
    case CoreState::kGlobalEnableTaken:
      return "somebody else has disarmed it";
    case CoreState::kBaseTaken:
      return "somebody else has set another buffer";
    case CoreState::kLengthTaken:
      return "somebody else has set another length of the buffer";
    case CoreState::kDeviceGone:
      return "gone: every register reads as ones";
    case CoreState::kPointerOutside:
      return "its write pointer left the buffer";
    case CoreState::kNotRestored:
      return "stopped, but not all registers took back what they were";
  }
  return "no such state";
}

struct Slice {
  uint32_t core = 0;
  uint32_t generation = 0;
  // Bytes [from, from + bytes) of the ring, and on from its begin where that runs over its end.
  uint32_t from = 0;
  uint32_t to = 0;  // where the next slice begins
  uint32_t bytes = 0;
  uint32_t torn_bytes = 0;  // of a word that was never completed, behind the last; only when stopped
  uint64_t first_byte = 0;  // counted since the start of the core, lost ones included
  uint64_t lost_bytes = 0;  // that no slice has, because they were written over or not written
  bool wrapped = false;
  bool overflow = false;  // the buffer was full: from here on bytes get lost
  // Follows right upon the bytes of the slice before, or is the first. If not, a decoder must resynchronise.
  bool continues = false;
  bool final = false;          // nothing comes after it
  bool settled = true;         // the pointer stood still before the last drain
  bool pointer_agrees = true;  // the pointer of a monitor that stands still is where the counter says
  CoreState state = CoreState::kStopped;
  RegistersSeen seen = {};

  // Up to the end of the ring, and behind it at its begin.
  constexpr uint32_t first_piece(uint32_t ring_bytes) const { return wrapped ? ring_bytes - from : bytes; }
  constexpr uint32_t second_piece(uint32_t ring_bytes) const { return bytes - first_piece(ring_bytes); }
};

// What is known once the bytes of a slice were copied.
struct Confirmation {
  uint32_t overwritten_bytes = 0;  // of the front of the slice, which may be newer ones than they should be
  CoreState state = CoreState::kStopped;
};

}  // namespace accelscope::perfmon
