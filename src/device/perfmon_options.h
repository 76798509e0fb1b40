// What a model of performance monitors is to be like. Every open question about the hardware is a field, so
// that both answers can be tried; docs/perfmon-device.md lists them.
//
// Plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "accelscope/perfmon/chip.h"
#include "base/units.h"
#include "device/chip.h"
#include "formats/perfmon/encoder.h"

namespace accelscope::device {

// When a word shows in the counters: when it is on its way to memory, or when it is there.
enum class CountedWhen : std::uint8_t { kIssued, kLanded };
// What the base register wants.
enum class BaseAddress : std::uint8_t { kVirtual, kPhysical };
// Whose translations of addresses hold: the monitor writes through a stream of its own, or as its core does.
enum class MemoryStream : std::uint8_t { kOfTheCore, kItsOwn };
// What the pointer shows when the last word of a ring was written: the begin, or the end until the next word.
enum class PointerWrap : std::uint8_t { kAtOnce, kWithTheNextWord };

struct PerfmonModelOptions {
  std::uint32_t cores = 1;
  perfmon::PerfmonChip chip = perfmon::kA5Perfmon;  // also units, ring or linear, what buf_len means
  formats::perfmon::EncoderOptions words = {};      // also the ratio of clocks

  // Registers.
  std::vector<std::uint32_t> armed_cores = {};     // by firmware
  std::uint64_t firmware_base = 0x0004'0000'0000;  // of every core
  bool launch_owns_enable = true;                  // kickstart() overwrites perf_mon_en
  bool software_can_enable = true;                 // writes to perf_mon_en count
  bool zero_clears_samples_written = true;         // else writes to samp_wrt are lost
  PointerWrap pointer_wrap = PointerWrap::kAtOnce;
  bool wraps_only_when_equal = false;  // a pointer beyond the end goes on instead of beginning again

  // Memory.
  BaseAddress base_address = BaseAddress::kVirtual;
  std::uint64_t physical_offset = 0x0100'0000'0000;  // of physical addresses from virtual ones
  MemoryStream stream = MemoryStream::kOfTheCore;
  bool faults_are_counted = true;  // counters go on for words that no memory took

  // Words in flight.
  CountedWhen counted_when = CountedWhen::kLanded;
  base::Cycles dma_delay{0};
  std::uint32_t most_in_flight = 0;  // words; when there would be more, the oldest lands at once; 0: no limit
  // Words that land with each read of a register, for a reader that polls while nobody drives the core. Then
  // reads are for the thread that drives the core.
  std::uint32_t landing_per_read = 0;

  // What an idle core does: its scalar unit is busy for a moment, again and again. 0: nothing.
  base::Cycles noise_period{0};
  base::Cycles noise_length{1};
};

// Those that firmware arms on a chip of 36 clusters: all three cores of clusters 0, 9, 17, 18, 27 and 35.
std::vector<std::uint32_t> cores_armed_by_firmware(const Chip& chip);

}  // namespace accelscope::device
