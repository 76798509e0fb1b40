// Whose a core's performance monitor is, told from its registers.
//
// Reads only. Who finds a monitor that is not free leaves it alone: two programs that write the same
// registers lose both recordings. Pure functions of what was read; freestanding.
//
//   const RegistersSeen seen = read_registers(chip.registers, bus, core);
//   if (owner_of(chip, seen) != Owner::kNobody) ...
#pragma once

#include "accelscope/perfmon/chip.h"

namespace accelscope::perfmon {

// One look at all registers that can be read. They are read one after the other while the hardware goes on;
// the counters come last, the pointer behind the count, so that it never tells of less.
struct RegistersSeen {
  uint32_t enable = 0;
  uint32_t global_enable = 0;
  uint32_t length = 0;
  uint32_t glitch_filter = 0;
  uint32_t base_low = 0;
  uint32_t base_high = 0;
  uint32_t samples = 0;
  uint32_t samples_written = 0;
  uint32_t write_pointer = 0;

  constexpr uint64_t base() const { return uint64_t{base_high} << 32U | base_low; }
  // Nobody answers on the bus: no single register is proof, as counters may be anything.
  constexpr bool device_gone() const {
    return enable == kNoDevice && global_enable == kNoDevice && length == kNoDevice && base_low == kNoDevice;
  }
};

template <class Bus>
RegistersSeen read_registers(const RegisterTable& table, Bus& bus, uint32_t core) {
  const auto read = [&](Register which) { return bus.read_reg(core, table.offset(which)); };
  RegistersSeen seen;
  seen.enable = read(Register::kEnable);
  seen.global_enable = read(Register::kGlobalEnable);
  seen.length = read(Register::kBufferLength);
  seen.glitch_filter = read(Register::kGlitchFilter);
  seen.base_low = read(Register::kBaseLow);
  seen.base_high = read(Register::kBaseHigh);
  seen.samples = read(Register::kSamples);
  seen.samples_written = read(Register::kSamplesWritten);
  seen.write_pointer = read(Register::kWritePointer);
  return seen;
}

enum class Owner : uint8_t {
  kNobody,
  kFirmware,       // armed as firmware does it, not enabled: nobody reads what it would write
  kDriverChannel,  // enabled: a channel of the driver is registered, and launches turn it on
  kSomebody,       // another buffer is set up in it
  kDeviceGone,
};

// `known_base`: an address that is no stranger's, such as what a killed run has left; 0 for none.
constexpr Owner owner_of(const PerfmonChip& chip, const RegistersSeen& seen, uint64_t known_base = 0) {
  if (seen.device_gone()) return Owner::kDeviceGone;
  if ((seen.enable & chip.registers.enable_bit) != 0) return Owner::kDriverChannel;
  const bool armed = (seen.global_enable & chip.registers.enable_bit) != 0;
  if (seen.length == chip.firmware_length) return armed ? Owner::kFirmware : Owner::kNobody;
  if (known_base != 0 && seen.base() == known_base) return Owner::kNobody;
  return armed || seen.base() != 0 ? Owner::kSomebody : Owner::kNobody;
}

constexpr const char* text_of(Owner owner) {
  switch (owner) {
    case Owner::kNobody:
      return "free";
    case Owner::kFirmware:
      return "armed by firmware";
    case Owner::kDriverChannel:
      return "enabled for a channel of the driver";
    case Owner::kSomebody:
      return "set up for a buffer of somebody else";
    case Owner::kDeviceGone:
      return "gone: every register reads as ones";
  }
  return "no such owner";
}

}  // namespace accelscope::perfmon
