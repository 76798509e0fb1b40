// Which memories of the emulated machine are written to files after a run, and what of them.
//
//   --dump-vram rows.bin            all of it
//   --dump-vram rows.bin:0-256      elements 0 to 255
//   --dump-hbm out.bin:4096+512     512 bytes from 4096 on
//
// Pure functions but for the writing; a file appears under its name only when it is whole.
//
//   ACCELSCOPE_TRY(const DumpWish wish, parse_dump(DumpedMemory::kVectors, "rows.bin:0-256"));
//   ACCELSCOPE_CHECK(check_dump(wish, machine));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "emulator/state.h"
#include "isa/machine.h"

namespace accelscope::jobs {

// In elements, those of external memory in bytes; of vector and matrix memory whole rows.
enum class DumpedMemory : std::uint8_t { kVectors, kMatrices, kFloats, kIntegers, kExternal };

struct DumpedRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;  // above zero

  bool operator==(const DumpedRange&) const = default;
};

struct DumpWish {
  DumpedMemory memory = DumpedMemory::kVectors;
  std::string file = {};
  std::optional<DumpedRange> range = std::nullopt;  // nothing: all of it

  bool operator==(const DumpWish&) const = default;
};

// "FILE", "FILE:FIRST-END" (END is not part of it) or "FILE:FIRST+COUNT".
base::Result<DumpWish> parse_dump(DumpedMemory memory, std::string_view text);

// Whether the machine has what is asked for, before anything is run.
base::Status check_dump(const DumpWish& wish, const isa::Machine& machine);

// "vector memory, elements 0 to 255".
std::string describe(const DumpWish& wish);

base::Status write_dump(const DumpWish& wish, const emulator::State& state, const isa::Machine& machine);

}  // namespace accelscope::jobs
