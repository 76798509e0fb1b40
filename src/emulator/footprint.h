// What an instruction needs and what it changes, as far as others may have to wait for it: registers,
// accumulators, parts of the memories on the chip, and the part of the hardware that carries it out.
//
// Worked out once for each instruction of a program; only addresses are looked up while it runs. Immutable
// once made, safe from any thread.
//
//   const Footprint footprint = footprint_of(word, machine, CostTable::kRtl);
//   const PieceRange rows = range_of(footprint.ranges[0], registers, machine);
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulator/costs.h"
#include "emulator/state.h"
#include "isa/machine.h"

namespace accelscope::emulator {

// Everything that is one thing to wait for, as a set: registers, accumulators, memories of scalars.
using HeldPlaces = std::uint64_t;
namespace held {
inline constexpr std::size_t kInteger = 0;   // gp0 to gp15
inline constexpr std::size_t kFloat = 16;    // f0 to f15, as many as can be encoded
inline constexpr std::size_t kAddress = 32;  // a0 to a15
inline constexpr std::size_t kScale = 48;
inline constexpr std::size_t kStride = 49;
inline constexpr std::size_t kMask = 50;
inline constexpr std::size_t kFloatMemory = 51;
inline constexpr std::size_t kIntegerMemory = 52;
inline constexpr std::size_t kBlockAccumulator = 53;
inline constexpr std::size_t kHeadsAccumulator = 54;
inline constexpr std::size_t kHeadRowAccumulator = 55;
inline constexpr std::size_t kRowAccumulator = 56;
inline constexpr std::size_t kCount = 57;

constexpr HeldPlaces bit(std::size_t place) {
  return HeldPlaces{1} << place;
}
inline constexpr HeldPlaces kAccumulators =
    bit(kBlockAccumulator) | bit(kHeadsAccumulator) | bit(kHeadRowAccumulator) | bit(kRowAccumulator);
}  // namespace held

// What takes one operation at a time, or one every few cycles.
enum class Resource : std::uint8_t {
  kNone,
  kMatrix,        // products; also write-outs where the table does not tell them apart
  kWriteOut,      // write-outs of `rtl`
  kVector,        // rows of vectors
  kFloat,         // scalar arithmetic of floats
  kScalarMemory,  // loads and stores of scalars, and the row that is made of them
  kInteger,       // integers and control
  kPort           // to external memory
};
inline constexpr std::size_t kResources = 8;

// Rows of the vector memory or tiles of the matrix memory.
struct PieceRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t step = 1;

  std::uint64_t end() const { return count == 0 ? first : first + (count - 1) * step + 1; }
};
bool overlap(const PieceRange& a, const PieceRange& b);

struct RangeUse {
  bool matrix = false;  // else vectors
  bool writes = false;
  std::uint8_t gp = 0;        // the address
  std::uint8_t added_gp = 0;  // 0: nothing is added
  std::uint8_t step_gp = 0;   // rows from one to the next; 0: one
  std::uint32_t addend = 0;
  std::uint64_t pieces = 0;
};
PieceRange range_of(const RangeUse& use, const Registers& registers, const isa::Machine& machine);

struct Footprint {
  HeldPlaces reads = 0;
  HeldPlaces writes = 0;
  Resource resource = Resource::kNone;
  bool elementwise = false;       // a pipeline of rows that end in order
  bool reduction = false;         // a row into a scalar
  bool broadcasts = false;        // a scalar into a row
  bool enters_waiting = false;    // is issued although what it writes out is not finished
  bool uses_vector_port = false;  // a transfer of vectors
  std::uint8_t range_count = 0;
  std::array<RangeUse, 3> ranges;

  std::span<const RangeUse> used() const { return {ranges.data(), range_count}; }
};

// Nothing for words that are no instructions, and for those that are carried out as nothing.
Footprint footprint_of(std::uint32_t word, const isa::Machine& machine, CostTable table);

}  // namespace accelscope::emulator
