#include "emulator/state.h"

#include <algorithm>

#include "base/checked.h"

namespace accelscope::emulator {
namespace {

using base::Checked;

template <class T>
base::Status make_array(LazyArray<T>& array, std::string_view what, Checked size) {
  auto made = size.fits() ? LazyArray<T>::make(*size.value())
                          : base::Result<LazyArray<T>>(base::fail(
                                base::ErrorCode::kTooLarge, "its elements cannot be counted in 64 bits"));
  if (!made) return base::fail(made.error().code, "the {} is too large: {}", what, made.error().message);
  array = *std::move(made);
  return {};
}

base::Status make_vectors(VectorMemory& vectors, const isa::Machine& machine) {
  vectors.row_length = machine.vlen;
  vectors.row_count = machine.vector_rows;
  WrittenRows& written = vectors.written;
  written.elements_a_bit = std::max<std::uint64_t>(1, base::divide_up(machine.vlen, 64));
  written.all = written.bits(0, machine.vlen);
  ACCELSCOPE_CHECK(
      make_array(vectors.elements, "vector memory", Checked(machine.vector_rows) * machine.vlen));
  return make_array(written.rows, "vector memory", machine.vector_rows);
}

base::Status make_matrices(MatrixMemory& matrices, const isa::Machine& machine) {
  matrices.side = machine.mlen;
  matrices.tile_count = machine.matrix_tiles;
  const Checked elements = Checked(machine.matrix_tiles) * machine.mlen * machine.mlen;
  constexpr std::string_view kWhat = "matrix memory";
  ACCELSCOPE_CHECK(make_array(matrices.elements, kWhat, elements));
  ACCELSCOPE_CHECK(make_array(matrices.turned, kWhat, elements));
  ACCELSCOPE_CHECK(make_array(matrices.written, kWhat, machine.matrix_tiles));
  return make_array(matrices.is_turned, kWhat, machine.matrix_tiles);
}

base::Status make_accumulators(Accumulators& accumulators, const isa::Machine& machine) {
  const Checked heads = machine.broadcast;
  ACCELSCOPE_CHECK(
      make_array(accumulators.block.sums, "accumulator of blocks", Checked(machine.blen) * machine.blen));
  ACCELSCOPE_CHECK(
      make_array(accumulators.heads.sums, "accumulator of heads", heads * machine.mlen * machine.mlen));
  ACCELSCOPE_CHECK(make_array(accumulators.head_row.sums, "accumulator of heads", heads * machine.mlen));
  return make_array(accumulators.row.sums, "accumulator of rows", machine.blen);
}

}  // namespace

const float* MatrixMemory::turned_tile(std::uint64_t number) {
  float* out = turned.data() + number * side * side;
  if (is_turned[number]) return out;
  const float* from = tile(number);
  // By squares that fit a few lines of cache in both directions.
  constexpr std::uint64_t kSquare = 16;
  for (std::uint64_t row = 0; row < side; row += kSquare)
    for (std::uint64_t column = 0; column < side; column += kSquare)
      for (std::uint64_t i = row; i < std::min(side, row + kSquare); ++i)
        for (std::uint64_t j = column; j < std::min(side, column + kSquare); ++j)
          out[j * side + i] = from[i * side + j];
  is_turned[number] = true;
  return out;
}

void Accumulator::clear() {
  std::fill_n(sums.data(), sums.size(), 0.0F);
  filled = false;
}

base::Result<State> make_state(const isa::Machine& machine) {
  State state{{}, {}, {}, {}, {}, memory::BackingStore(machine.external_memory)};
  ACCELSCOPE_CHECK(make_vectors(state.vectors, machine));
  ACCELSCOPE_CHECK(make_matrices(state.matrices, machine));
  ACCELSCOPE_CHECK(make_accumulators(state.accumulators, machine));
  return state;
}

}  // namespace accelscope::emulator
