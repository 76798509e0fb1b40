#include "isa/generator_parts.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "isa/instruction.h"

namespace accelscope::isa {
namespace {

using base::ErrorCode;
using namespace registers;  // NOLINT(google-build-using-namespace): names of this file's own header

constexpr std::uint64_t kLargestAddress = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kExternalBlock = 64;

void set_tensor(ProgramBuilder& build, const ExternalTensor& tensor) {
  build.set(kValue, tensor.base);
  build.line("C_SET_ADDR_REG a0, gp0, gp{}", kValue);
  build.set(kValue, tensor.rows * tensor.columns);
  build.line("C_SET_SCALE_REG gp{}", kValue);
  build.set(kValue, tensor.columns);
  build.line("C_SET_STRIDE_REG gp{}", kValue);
}

void transfer(ProgramBuilder& build, const Layout& layout, const ExternalTensor& tensor,
              std::uint32_t on_chip, std::string_view mnemonic, TransferKind kind) {
  set_tensor(build, tensor);
  build.set(kTarget, on_chip);
  build.set(kOffset, 0);
  build.loop(kColumnLoop, tensor.columns / layout.mlen, [&] {
    build.add(kOffsetCursor, kOffset, 0);
    build.loop(kRowLoop, tensor.rows / layout.blen, [&] {
      build.line("{} gp{}, gp{}, a0, 1, {}", mnemonic, kTarget, kOffsetCursor, static_cast<unsigned>(kind));
      build.add(kTarget, kTarget, layout.blen * layout.mlen);
      build.add(kOffsetCursor, kOffsetCursor, layout.blen * tensor.columns);
    });
    build.add(kOffset, kOffset, layout.mlen);
  });
}

void prefetch_tiles(ProgramBuilder& build, const Layout& layout, const Product& p,
                    std::uint32_t column_tile) {
  build.tensor(p.weights_name);
  set_tensor(build, p.weights);
  for (std::uint32_t k = 0; k < p.in / layout.mlen; ++k) {
    const std::uint32_t tile_row = p.transposed ? column_tile : k;
    const std::uint32_t tile_column = p.transposed ? k : column_tile;
    build.set(kTarget, k * layout.mlen * layout.mlen);
    build.set(kOffset,
              tile_row * layout.mlen * p.weights.columns + p.first_column + tile_column * layout.mlen);
    build.line("H_PREFETCH_M gp{}, gp{}, a0, 1, {}", kTarget, kOffset, p.kv ? 1 : 0);
  }
}

// One tile of columns by `rows` rows: kOutputColumn holds where the results begin, and is moved on by a
// tile's columns.
void multiply_rows(ProgramBuilder& build, const Layout& layout, const Product& p, std::uint32_t first_input,
                   std::uint32_t rows) {
  const std::uint32_t block_step = layout.blen * layout.mlen;
  build.loop(kColumnLoop, layout.mlen / layout.blen, [&] {
    build.set(kInputRow, first_input);
    build.add(kOutputRow, kOutputColumn, 0);
    build.loop(kRowLoop, rows / layout.blen, [&] {
      build.add(kMatrixCursor, kMatrixColumn, 0);
      build.add(kInputCursor, kInputRow, 0);
      build.loop(kInnerLoop, p.in / layout.mlen, [&] {
        // The transposed product names its operands the other way round.
        if (p.transposed)
          build.line("M_TMM 0, gp{}, gp{}", kInputCursor, kMatrixCursor);
        else
          build.line("M_MM 0, gp{}, gp{}", kMatrixCursor, kInputCursor);
        build.add(kMatrixCursor, kMatrixCursor, layout.mlen * layout.mlen);
        build.add(kInputCursor, kInputCursor, p.rows * layout.mlen);
      });
      build.line("M_MM_WO gp{}, gp0, 0", kOutputRow);
      build.add(kInputRow, kInputRow, block_step);
      build.add(kOutputRow, kOutputRow, block_step);
    });
    build.add(kMatrixColumn, kMatrixColumn, block_step);
    build.add(kOutputColumn, kOutputColumn, layout.blen);
  });
}

void multiply_tiles(ProgramBuilder& build, const Layout& layout, const Product& p, std::uint32_t column_tile,
                    std::uint32_t row_tile) {
  const std::uint32_t first_row = row_tile * layout.mlen * layout.mlen;
  build.tensor(p.output_name);
  build.set(kMatrixColumn, 0);
  build.set(kOutputColumn, p.output + column_tile * p.rows * layout.mlen + first_row);
  multiply_rows(build, layout, p, p.input + first_row, layout.mlen);
}

ProgramTensor listed(const Wanted& wanted, TensorPlace place, std::uint64_t address) {
  return {.name = std::string(wanted.name),
          .rows = wanted.rows,
          .columns = wanted.columns,
          .place = place,
          .address = static_cast<std::uint32_t>(address),
          .role = wanted.role,
          .content = wanted.content,
          .kind = wanted.kind};
}

}  // namespace

ExternalTensor Layout::external(const Wanted& wanted) {
  external_end = (external_end + kExternalBlock - 1) / kExternalBlock * kExternalBlock;
  return external_next(wanted);
}

ExternalTensor Layout::external_next(const Wanted& wanted) {
  const ProgramTensor& placed = tensors.emplace_back(listed(wanted, TensorPlace::kExternal, external_end));
  external_end += placed.elements() + placed.elements() / kElementsPerScale;
  return {placed.address, wanted.rows, wanted.columns};
}

std::uint32_t Layout::vector(const Wanted& wanted) {
  const ProgramTensor& placed = tensors.emplace_back(listed(wanted, TensorPlace::kVector, vector_end));
  vector_end += placed.elements();
  return placed.address;
}

base::Status Layout::check() const {
  if (mlen == 0 || blen == 0 || mlen % blen != 0 || mlen % kElementsPerScale != 0)
    return base::fail(ErrorCode::kUsage, "mlen ({}) must be a multiple of blen ({}) and of {}", mlen, blen,
                      kElementsPerScale);
  if (external_end > kLargestAddress || vector_end > kLargestAddress)
    return base::fail(ErrorCode::kTooLarge, "the tensors need addresses beyond 32 bits");
  return {};
}

base::Status Layout::check_side(std::string_view name, std::uint32_t size) const {
  if (size == 0 || mlen == 0 || size % mlen != 0)
    return base::fail(ErrorCode::kUsage, "{} ({}) must be a multiple of mlen ({})", name, size, mlen);
  return {};
}

GeneratedProgram finish(ProgramBuilder& build, Layout&& layout, std::vector<ProgramScalar> scalars) {
  return {.listing = build.take(),
          .tensors = std::move(layout.tensors),
          .scalars = std::move(scalars),
          .mlen = layout.mlen,
          .blen = layout.blen,
          .matrix_tiles = layout.matrix_tiles,
          .vector_elements = layout.vector_end,
          .external_bytes = layout.external_end};
}

base::Status check_tiles(std::uint64_t tiles) {
  if (tiles > kMostTiles)
    return base::fail(ErrorCode::kTooLarge, "{} products of tiles make too long a listing; at most {}", tiles,
                      kMostTiles);
  return {};
}

base::Status check_loop(std::uint64_t rounds) {
  constexpr std::uint32_t kMostRounds = bits_of(Field::kImmediate22).largest();
  if (rounds > kMostRounds)
    return base::fail(ErrorCode::kTooLarge, "{} pieces of rows are more than a loop can count ({})", rounds,
                      kMostRounds);
  return {};
}

void fetch(ProgramBuilder& build, const Layout& layout, const ExternalTensor& tensor, std::uint32_t to,
           std::string_view name) {
  build.tensor(name);
  transfer(build, layout, tensor, to, "H_PREFETCH_V", TransferKind::kActivations);
}

void store(ProgramBuilder& build, const Layout& layout, const ExternalTensor& tensor, std::uint32_t from,
           std::string_view name, TransferKind kind) {
  build.tensor(name);
  transfer(build, layout, tensor, from, "H_STORE_V", kind);
}

void multiply(ProgramBuilder& build, Layout& layout, const Product& product) {
  layout.matrix_tiles = std::max<std::uint64_t>(layout.matrix_tiles, product.in / layout.mlen);
  for (std::uint32_t column = 0; column < product.out / layout.mlen; ++column)
    for (std::uint32_t row = 0; row < product.rows / layout.mlen; ++row) {
      build.section(fmt::format("{}{}columns {}, rows {}", product.section,
                                product.section.empty() ? "" : ", ", column, row));
      prefetch_tiles(build, layout, product, column);
      multiply_tiles(build, layout, product, column, row);
    }
}

void multiply_in_loops(ProgramBuilder& build, Layout& layout, const Product& p) {
  layout.matrix_tiles = std::max<std::uint64_t>(layout.matrix_tiles, p.in / layout.mlen);
  const std::uint32_t tile_row_step = layout.mlen * p.weights.columns;
  const std::uint32_t inner_step = p.transposed ? layout.mlen : tile_row_step;
  const std::uint32_t column_step = p.transposed ? tile_row_step : layout.mlen;
  build.section(p.section);
  set_tensor(build, p.weights);
  build.set(kOffset, p.first_column);
  build.set(kOutputColumn, p.output);
  build.loop(kTileLoop, p.out / layout.mlen, [&] {
    build.tensor(p.weights_name);
    build.set(kTarget, 0);
    build.add(kOffsetCursor, kOffset, 0);
    build.loop(kInnerLoop, p.in / layout.mlen, [&] {
      build.line("H_PREFETCH_M gp{}, gp{}, a0, 1, {}", kTarget, kOffsetCursor, p.kv ? 1 : 0);
      build.add(kTarget, kTarget, layout.mlen * layout.mlen);
      build.add(kOffsetCursor, kOffsetCursor, inner_step);
    });
    build.tensor(p.output_name);
    build.set(kMatrixColumn, 0);
    multiply_rows(build, layout, p, p.input, p.rows);
    build.add(kOffset, kOffset, column_step);
    // Its columns of the first row are behind it.
    build.add(kOutputColumn, kOutputColumn, (p.rows - 1) * layout.mlen);
  });
}

void for_each_row(ProgramBuilder& build, const Layout& layout, const RowLoop& loop,
                  const std::function<void()>& body) {
  const bool two = loop.second != loop.first;
  build.set(kInputRow, loop.first);
  if (two) build.set(kOutputRow, loop.second);
  build.loop(kRowLoop, loop.rows, [&] {
    body();
    build.add(kInputRow, kInputRow, layout.mlen);
    if (two) build.add(kOutputRow, kOutputRow, layout.mlen);
  });
}

void for_each_piece(ProgramBuilder& build, const Layout& layout, std::uint32_t rows, std::uint32_t columns,
                    const std::function<void()>& body) {
  build.add(kInputCursor, kInputRow, 0);
  build.loop(kInnerLoop, columns / layout.mlen, [&] {
    body();
    build.add(kInputCursor, kInputCursor, rows * layout.mlen);
  });
}

}  // namespace accelscope::isa
