// How a core's performance monitor is to be started, and why it may not be.
//
// Plain values; freestanding.
#pragma once

#include "accelscope/perfmon/chip.h"

namespace accelscope::perfmon {

enum class DrainMode : uint8_t {
  kReadOnly,  // counters are read, nothing is written during the run
  kRestart,   // off, everything taken, pointer and counters reset, on again: blind from drain to confirm
};

// Who turns perf_mon_en on and off.
enum class EnableOwner : uint8_t {
  kThisProgram,
  kLaunchHardware,  // never written; a channel of the driver, registered by whoever starts us, keeps it on
};

struct StartConfig {
  uint64_t base = 0;        // of the ring, as the monitor addresses memory
  uint32_t ring_bytes = 0;  // whole words
  uint32_t glitch_filter = 0;
  uint32_t generation = 0;  // said in every slice
  DrainMode mode = DrainMode::kReadOnly;
  EnableOwner enable = EnableOwner::kThisProgram;
  const ProgrammingOrder* order = nullptr;  // that of the chip
  bool take_armed = true;                   // start what firmware has armed and nobody reads
  uint64_t known_base = 0;                  // of a ring that a killed run has left in the registers
  // How long words in flight are waited for: until the pointer reads the same so often, at most so many
  // reads.
  uint32_t stable_reads = 8;
  uint32_t most_reads = 1000;
};

enum class Fault : uint8_t {
  kNone,
  kAlreadyStarted,
  kBadLength,        // zero, not whole words, or no room beside what may be in flight
  kBadBase,          // zero, not on a word, or beyond what the registers hold
  kBadGlitchFilter,  // beyond what the register holds
  kNeedsEnable,      // DrainMode::kRestart without the right to perf_mon_en
  kArmedByFirmware,
  kOwnedByDriver,
  kOwnedBySomebody,
  kDeviceGone,
  kPointerOutside,  // the pointer could not be reset and lies beyond the ring
  kNotAccepted,     // a register does not hold what was written
};

constexpr const char* text_of(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "none";
    case Fault::kAlreadyStarted:
      return "it is started already";
    case Fault::kBadLength:
      return "the length of the ring is zero, not a multiple of the word, or too small";
    case Fault::kBadBase:
      return "the address of the ring is zero, not on a word, or too high for the registers";
    case Fault::kBadGlitchFilter:
      return "the glitch filter does not fit its register";
    case Fault::kNeedsEnable:
      return "restarting at every drain needs perf_mon_en, which the launch hardware owns";
    case Fault::kArmedByFirmware:
      return "firmware has armed it";
    case Fault::kOwnedByDriver:
      return "it is enabled for a channel of the driver";
    case Fault::kOwnedBySomebody:
      return "it is set up for a buffer of somebody else";
    case Fault::kDeviceGone:
      return "the device is gone: every register reads as ones";
    case Fault::kPointerOutside:
      return "its write pointer lies beyond the ring and cannot be reset";
    case Fault::kNotAccepted:
      return "a register does not hold what was written to it";
  }
  return "no such fault";
}

// Of the settings alone, before any register is read.
constexpr Fault fault_in(const StartConfig& config, const PerfmonChip& chip) {
  const Behaviour& behaviour = chip.behaviour;
  const uint64_t in_flight = uint64_t{behaviour.unlanded_bytes} + behaviour.uncounted_bytes;
  if (config.ring_bytes == 0 || config.ring_bytes % behaviour.word_bytes != 0 ||
      config.ring_bytes <= in_flight)
    return Fault::kBadLength;
  const uint64_t highest = uint64_t{chip.registers.bits(Register::kBaseHigh)} << 32U | 0xFFFFFFFF;
  if (config.base == 0 || config.base % behaviour.word_bytes != 0 || config.base > highest ||
      highest - config.base < config.ring_bytes - 1)
    return Fault::kBadBase;
  if ((config.glitch_filter & ~chip.registers.bits(Register::kGlitchFilter)) != 0)
    return Fault::kBadGlitchFilter;
  if (config.mode == DrainMode::kRestart && config.enable == EnableOwner::kLaunchHardware)
    return Fault::kNeedsEnable;
  return Fault::kNone;
}

}  // namespace accelscope::perfmon
