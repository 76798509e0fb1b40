// The registers of a core's performance monitor: which there are, and where a chip has them.
//
// The monitor writes what the pipes of its core do, as words, into a buffer in the device's memory. Nothing
// here is known from a data sheet; docs/perfmon-device.md says where each line comes from. Another chip, or
// silicon that differs, is another table. Constant data; freestanding.
//
//   bus.read_reg(core, kDefaultRegisters.offset(Register::kSamplesWritten))
#pragma once

#include <cstdint>

namespace accelscope::perfmon {

using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

enum class Register : uint8_t {
  kEnable,          // perf_mon_en; the hardware that launches tasks writes it, too
  kGlobalEnable,    // perf_mon_global_en: words are made while both are on
  kBufferLength,    // buf_len
  kGlitchFilter,    // changes of a pipe that are shorter, in cycles, are not told
  kBaseLow,         // base_addr_l
  kBaseHigh,        // base_addr_h
  kWritePointer,    // wptr_o; writable while kEnable is off
  kSamples,         // samp_crt: words made
  kSamplesClear,    // samp_crt_clr: writing 1 clears kSamples
  kSamplesWritten,  // samp_wrt: what was written of them; writing 0 clears it
};
inline constexpr uint32_t kRegisters = 10;

constexpr const char* name_of(Register which) {
  constexpr const char* kNames[kRegisters] = {
      "perf_mon_en", "perf_mon_global_en", "buf_len",      "glitch_filter", "base_addr_l", "base_addr_h",
      "wptr_o",      "samp_crt",           "samp_crt_clr", "samp_wrt"};
  return kNames[static_cast<uint32_t>(which)];
}

struct RegisterPlace {
  uint32_t offset = 0;  // from the base of the core
  uint32_t bits = 0;    // that can be written
};

struct RegisterTable {
  RegisterPlace places[kRegisters] = {};  // by Register
  uint32_t enable_bit = 0x1;              // of kEnable and kGlobalEnable
  uint32_t enable_constant = 0;           // bits of kEnable that always read as ones

  constexpr uint32_t offset(Register which) const { return places[static_cast<uint32_t>(which)].offset; }
  constexpr uint32_t bits(Register which) const { return places[static_cast<uint32_t>(which)].bits; }
};

// Offsets as published for chips of the a5 kind. kEnable reads 0x4 when off and 0x5 when on.
inline constexpr RegisterTable kDefaultRegisters{.places = {{0x00C4, 0x1},
                                                            {0xB000, 0x1},
                                                            {0xB004, 0xFFFFFFFF},
                                                            {0xB008, 0xF},
                                                            {0xB00C, 0xFFFFFFFF},
                                                            {0xB010, 0xFFFF},
                                                            {0xB01C, 0xFFFFFFFF},
                                                            {0xB020, 0},
                                                            {0xB024, 0x1},
                                                            {0xB028, 0xFFFFFFFF}},
                                                 .enable_bit = 0x1,
                                                 .enable_constant = 0x4};

// What a register reads as when there is no device behind it.
inline constexpr uint32_t kNoDevice = 0xFFFFFFFF;

}  // namespace accelscope::perfmon
