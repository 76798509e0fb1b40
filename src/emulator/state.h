// Everything that a program can change: registers, memories on the chip, accumulators, external memory.
//
// Elements of the vector memory are kept as floats that were rounded to the memory's format when they were
// written, so reading one costs nothing; those of the matrix memory are never rounded, as in the reference.
// Memories are as large as the settings say and cost what was touched. One thread uses one state, which owns
// all of it.
//
//   ACCELSCOPE_TRY(State state, make_state(machine));
//   state.registers.gp[2]
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"
#include "emulator/lazy_array.h"
#include "isa/machine.h"
#include "memory/backing_store.h"

namespace accelscope::emulator {

inline constexpr std::size_t kIntegerRegisters = 16;
inline constexpr std::size_t kFloatRegisters = 8;
inline constexpr std::size_t kAddressRegisters = 16;
inline constexpr std::size_t kScalarWords = 1024;

struct Registers {
  std::array<std::uint32_t, kIntegerRegisters> gp{};
  std::array<float, kFloatRegisters> f{};  // each a bf16
  std::array<std::uint64_t, kAddressRegisters> a{};
  std::uint32_t scale = 0;
  std::uint32_t stride = 1;
  std::uint32_t mask = 0;
};

// Which elements were ever written: one word a row, one bit for each 64th of it (at least an element).
struct WrittenRows {
  std::uint64_t elements_a_bit = 1;
  std::uint64_t all = 0;  // the word of a row that was written completely
  LazyArray<std::uint64_t> rows;

  // The bits of elements [first, first + count), each of which touches them.
  std::uint64_t bits(std::uint64_t first, std::uint64_t count) const {
    const bool one = elements_a_bit == 1;  // as of all rows up to 64 elements: no division
    const std::uint64_t begin = one ? first : first / elements_a_bit;
    const std::uint64_t end = one ? first + count : (first + count + elements_a_bit - 1) / elements_a_bit;
    const std::uint64_t below_end = end >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
    return begin >= 64 ? 0 : below_end & ~((std::uint64_t{1} << begin) - 1);
  }
};

struct VectorMemory {
  std::uint64_t row_length = 0;  // VLEN
  std::uint64_t row_count = 0;
  LazyArray<float> elements;  // row after row
  WrittenRows written;

  float* row(std::uint64_t number) { return elements.data() + number * row_length; }
  const float* row(std::uint64_t number) const { return elements.data() + number * row_length; }
};

struct MatrixMemory {
  std::uint64_t side = 0;  // MLEN
  std::uint64_t tile_count = 0;
  LazyArray<float> elements;  // tile after tile, each row by row
  LazyArray<float> turned;    // the same tiles column by column, where `is_turned`
  LazyArray<bool> written;    // by tile: transfers fill whole tiles
  LazyArray<bool> is_turned;  // by tile: made when it is first asked for

  float* tile(std::uint64_t number) { return elements.data() + number * side * side; }
  const float* tile(std::uint64_t number) const { return elements.data() + number * side * side; }
  // Whoever changes a tile says so.
  void set_written(std::uint64_t number) {
    written[number] = true;
    is_turned[number] = false;
  }
  const float* turned_tile(std::uint64_t number);
};

struct ScalarMemories {
  std::array<float, kScalarWords> floats{};  // each a bf16
  std::array<std::uint32_t, kScalarWords> integers{};
  std::array<bool, kScalarWords> float_written{};
  std::array<bool, kScalarWords> integer_written{};
};

// Sums of products, until they are written out.
struct Accumulator {
  LazyArray<float> sums;
  bool filled = false;  // since it was last written out

  void clear();
};

struct Accumulators {
  Accumulator block;     // BLEN x BLEN: M_MM, M_TMM
  Accumulator heads;     // BROADCAST x MLEN x MLEN: M_BMM, M_BTMM
  Accumulator head_row;  // BROADCAST x MLEN: M_BMV, M_BTMV
  Accumulator row;       // BLEN: M_MV, M_TMV
};

struct State {
  Registers registers;
  VectorMemory vectors;
  MatrixMemory matrices;
  ScalarMemories scalars;
  Accumulators accumulators;
  memory::BackingStore external;
};

// Fails where the memories of a machine are larger than this machine can address.
base::Result<State> make_state(const isa::Machine& machine);

}  // namespace accelscope::emulator
