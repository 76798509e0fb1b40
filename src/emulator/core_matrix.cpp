// The matrix unit: products into accumulators, and writing those out.
#include <algorithm>

#include "emulator/core.h"
#include "emulator/core_faults.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using isa::opcode;

// 1 / sqrt(16), whatever HLEN is: no instruction sets it.
constexpr float kHeadScale = 0.25F;

}  // namespace

Fault Core::carry_out_matrix(const Operation& operation) {
  const std::uint64_t heads = machine_->broadcast;
  switch (operation.opcode) {
    case opcode("M_MM"):
      return block_product(operation, false);
    case opcode("M_TMM"):
      return block_product(operation, true);
    case opcode("M_BMM"):
      return heads_product(operation, false);
    case opcode("M_BTMM"):
      return heads_product(operation, true);
    case opcode("M_MV"):
      return row_product(operation, false);
    case opcode("M_TMV"):
      return row_product(operation, true);
    case opcode("M_BMV"):
      return fault("M_BMV cannot be carried out: the reference stops at it, for the shapes do not match");
    case opcode("M_BTMV"):
      return head_row_product(operation);
    case opcode("M_MM_WO"):
      return write_out_block(operation);
    case opcode("M_MV_WO"):
      return write_out_row(operation);
    case opcode("M_BMM_WO"):
      return write_out_heads(operation, state_.accumulators.heads, heads * machine_->mlen);
    case opcode("M_BMV_WO"):
      return write_out_heads(operation, state_.accumulators.head_row, heads);
    default:
      return unknown(operation);
  }
}

Fault Core::find_tile(const Address& address, TilePlace& place) const {
  const MatrixMemory& matrices = state_.matrices;
  place = {tile_.quotient(address.value), tile_.rest(address.value)};
  if (place.tile >= matrices.tile_count)
    return fault("matrix address {} lies behind the end of the matrix memory ({} tiles of {} x {})",
                 address.text(), matrices.tile_count, machine_->mlen, machine_->mlen);
  if (strict() && !matrices.written[place.tile])
    return fault("tile {} at matrix address {} is read, but was never written", place.tile, address.text());
  return {};
}

// Rows that are multiplied with tiles, all of each.
Fault Core::find_vectors(const Address& address, std::uint64_t count, std::uint64_t& row) const {
  if (machine_->vlen != machine_->mlen)
    return fault("rows of VLEN ({}) elements cannot be multiplied with tiles of MLEN ({})", machine_->vlen,
                 machine_->mlen);
  ACCELSCOPE_STOP_AT(find_rows(address, count, row));
  if (!strict()) return {};
  const WrittenRows& written = state_.vectors.written;
  const std::uint64_t* const rows = written.rows.data() + row;
  const auto* const missing =
      std::find_if(rows, rows + count, [&](std::uint64_t bits) { return bits != written.all; });
  if (missing == rows + count) return {};
  return unwritten_fault(address, row + static_cast<std::uint64_t>(missing - rows), written.all);
}

// The offset in a tile counts columns in steps of whole rows; what is left of it is the column.
Fault Core::find_block(const Address& address, TilePlace& place) const {
  ACCELSCOPE_STOP_AT(find_tile(address, place));
  if (mlen_.rest(place.rest) != 0)
    return fault(
        "matrix address {} lies {} elements behind its tile's beginning, which is not a multiple of "
        "MLEN ({})",
        address.text(), place.rest, machine_->mlen);
  place.rest = mlen_.quotient(place.rest);
  if (blen_.rest(place.rest) != 0)
    return fault("matrix address {} selects column {}, which is not a multiple of BLEN ({})", address.text(),
                 place.rest, machine_->blen);
  return {};
}

// The rest is the head's first row (or column).
Fault Core::find_head(const Address& address, TilePlace& place) const {
  if (machine_->broadcast * machine_->hlen != machine_->mlen)
    return fault("BROADCAST_AMOUNT ({}) x HLEN ({}) must be MLEN ({}) for products by heads",
                 machine_->broadcast, machine_->hlen, machine_->mlen);
  ACCELSCOPE_STOP_AT(find_tile(address, place));
  if (place.rest >= machine_->mlen)
    return fault(
        "matrix address {} lies {} elements behind its tile's beginning; of a product by heads that "
        "selects the head and must be below MLEN ({})",
        address.text(), place.rest, machine_->mlen);
  if (place.rest % machine_->hlen != 0)
    return fault("matrix address {} selects head offset {}, which is not a multiple of HLEN ({})",
                 address.text(), place.rest, machine_->hlen);
  return {};
}

Fault Core::find_block_operands(const Operation& operation, bool turned, BlockOperands& operands) {
  // The transposed one has its operands the other way round.
  const Address matrix = address_in(turned ? operation.rs2 : operation.rs1);
  const Address vector = address_in(turned ? operation.rs1 : operation.rs2);
  TilePlace place;
  ACCELSCOPE_STOP_AT(find_block(matrix, place));
  ACCELSCOPE_STOP_AT(find_vectors(vector, machine_->blen, operands.row));
  MatrixMemory& matrices = state_.matrices;
  const float* tile = turned ? matrices.turned_tile(place.tile) : matrices.tile(place.tile);
  operands.factors = {state_.vectors.row(operands.row), tile + place.rest};
  return {};
}

// Without operands.
Product Core::block_shape() const {
  return {.rows = machine_->blen,
          .columns = machine_->blen,
          .depth = machine_->mlen,
          .a_row_step = machine_->vlen,
          .b_depth_step = machine_->mlen,
          .c_row_step = machine_->blen};
}

Fault Core::block_product(const Operation& operation, bool turned) {
  BlockOperands operands;
  ACCELSCOPE_STOP_AT(find_block_operands(operation, turned, operands));
  Accumulator& into = state_.accumulators.block;
  Product product = block_shape();
  product.a = operands.factors.a;
  product.b = operands.factors.b;
  product.c = into.sums.data();
  kernels_->multiply(product);
  into.filled = true;
  return {};
}

Fault Core::put_off_product(const Operation& operation, bool turned) {
  BlockOperands operands;
  ACCELSCOPE_STOP_AT(find_block_operands(operation, turned, operands));
  if (!pending_.has_room() || pending_.may_write(operands.row, machine_->blen)) settle();
  pending_.add(operands.factors);
  state_.accumulators.block.filled = true;
  return {};
}

Fault Core::row_product(const Operation& operation, bool turned) {
  const Address matrix = address_in(operation.rs1);
  TilePlace place;
  std::uint64_t row = 0;
  ACCELSCOPE_STOP_AT(find_tile(matrix, place));
  if (turned && place.rest != 0)
    return fault("matrix address {} is not the beginning of a tile ({} x {} elements)", matrix.text(),
                 machine_->mlen, machine_->mlen);
  if (place.rest >= machine_->mlen || blen_.rest(place.rest) != 0)
    return fault(
        "matrix address {} lies {} elements behind its tile's beginning; of M_MV that selects the "
        "column and must be a multiple of BLEN ({}) below MLEN ({})",
        matrix.text(), place.rest, machine_->blen, machine_->mlen);
  ACCELSCOPE_STOP_AT(find_vectors(address_in(operation.rs2), 1, row));
  MatrixMemory& matrices = state_.matrices;
  const float* tile = turned ? matrices.turned_tile(place.tile) : matrices.tile(place.tile);
  Accumulator& into = state_.accumulators.row;
  kernels_->multiply({.rows = 1,
                      .columns = machine_->blen,
                      .depth = machine_->mlen,
                      .a = state_.vectors.row(row),
                      .b = tile + place.rest,
                      .b_depth_step = machine_->mlen,
                      .c = into.sums.data()});
  into.filled = true;
  return {};
}

Fault Core::heads_product(const Operation& operation, bool turned) {
  if (operation.rd != 0) return fault("rd of M_B{}MM must be 0, not {}", turned ? "T" : "", operation.rd);
  TilePlace place;
  std::uint64_t row = 0;
  ACCELSCOPE_STOP_AT(find_head(address_in(operation.rs1), place));
  ACCELSCOPE_STOP_AT(find_vectors(address_in(operation.rs2), machine_->mlen, row));
  const std::uint64_t side = machine_->mlen;
  MatrixMemory& matrices = state_.matrices;
  const float* tile = turned ? matrices.turned_tile(place.tile) : matrices.tile(place.tile);
  Accumulator& into = state_.accumulators.heads;
  constexpr std::uint64_t kAtOnce = 8;
  rows_.resize(std::max<std::size_t>(rows_.size(), kAtOnce * side));
  for (std::uint64_t first = 0; first < side; first += kAtOnce) {
    const std::uint64_t count = std::min(kAtOnce, side - first);
    const float* from = state_.vectors.row(row + first);
    // A power of two: the products are those of the scaled sums.
    std::transform(from, from + count * side, rows_.begin(), [](float value) { return kHeadScale * value; });
    // Heads lie behind each other in a row for the transposed product, element by element for the other.
    for (std::uint64_t head = 0; head < machine_->broadcast; ++head)
      kernels_->multiply({.rows = count,
                          .columns = side,
                          .depth = machine_->hlen,
                          .a = rows_.data() + (turned ? head * machine_->hlen : head),
                          .a_row_step = side,
                          .a_depth_step = turned ? 1 : machine_->broadcast,
                          .b = tile + place.rest * side,
                          .b_depth_step = side,
                          .c = into.sums.data() + (head * side + first) * side,
                          .c_row_step = side});
  }
  into.filled = true;
  return {};
}

Fault Core::head_row_product(const Operation& operation) {
  const std::uint32_t sum = gp(operation.rs1) + gp(operation.rd);
  TilePlace place;
  std::uint64_t row = 0;
  ACCELSCOPE_STOP_AT(find_head({sum, operation.rs1, 0, operation.rd}, place));
  ACCELSCOPE_STOP_AT(find_vectors(address_in(operation.rs2), 1, row));
  const std::uint64_t side = machine_->mlen;
  const float* tile = state_.matrices.turned_tile(place.tile);
  const float* from = state_.vectors.row(row);
  rows_.resize(std::max<std::size_t>(rows_.size(), side));
  std::transform(from, from + side, rows_.begin(), [](float value) { return kHeadScale * value; });
  Accumulator& into = state_.accumulators.head_row;
  for (std::uint64_t head = 0; head < machine_->broadcast; ++head)
    kernels_->multiply({.rows = 1,
                        .columns = side,
                        .depth = machine_->hlen,
                        .a = rows_.data() + head * machine_->hlen,
                        .b = tile + place.rest * side,
                        .b_depth_step = side,
                        .c = into.sums.data() + head * side});
  into.filled = true;
  return {};
}

Fault Core::check_filled(const Accumulator& accumulator) const {
  if (!strict() || accumulator.filled) return {};
  return fault(
      "nothing is there to write out: no product went into this accumulator since it was last empty");
}

Fault Core::find_block_target(const Operation& operation, PendingBlocks::Target& target) const {
  ACCELSCOPE_STOP_AT(check_filled(state_.accumulators.block));
  const Address to = address_in(operation.rd, operation.immediate);
  const std::uint64_t column = mlen_.rest(to.value);
  const std::uint64_t blen = machine_->blen;
  if (machine_->vlen != machine_->mlen)
    return fault("blocks of tiles of MLEN ({}) cannot be written into rows of VLEN ({})", machine_->mlen,
                 machine_->vlen);
  if (blen_.rest(column) != 0)
    return fault("vector address {} selects column {}, which is not a multiple of BLEN ({})", to.text(),
                 column, blen);
  const std::uint64_t step = operation.rs1 == 0 ? 1 : gp(operation.rs1);
  if (strict() && step == 0 && blen > 1)
    return fault("the step in gp{} is 0: the rows of the block would overwrite each other", operation.rs1);
  const std::uint64_t row = mlen_.quotient(to.value);
  if (row + (blen - 1) * step >= state_.vectors.row_count)
    return fault(
        "{} rows from vector address {} on, {} apart, reach behind the end of the vector memory ({} "
        "rows of {})",
        blen, to.text(), step, state_.vectors.row_count, machine_->vlen);
  target = {row, step, column};
  return {};
}

Fault Core::write_out_block(const Operation& operation) {
  PendingBlocks::Target to;
  ACCELSCOPE_STOP_AT(find_block_target(operation, to));
  Accumulator& from = state_.accumulators.block;
  const std::uint64_t blen = machine_->blen;
  for (std::uint64_t i = 0; i < blen; ++i)
    store_row(from.sums.data() + i * blen, to.row + i * to.step, to.column, blen);
  from.clear();
  return {};
}

// Whether elements are written is known at once, what they are later.
Fault Core::put_off_writing(const Operation& operation) {
  if (!pending_.is_open()) {
    settle();
    return write_out_block(operation);
  }
  PendingBlocks::Target to;
  ACCELSCOPE_STOP_AT(find_block_target(operation, to));
  pending_.close(to);
  state_.accumulators.block.filled = false;
  WrittenRows& written = state_.vectors.written;
  const std::uint64_t bits = written.bits(to.column, machine_->blen);
  for (std::uint64_t i = 0; i < machine_->blen; ++i) written.rows[to.row + i * to.step] |= bits;
  return {};
}

void Core::carry_out_pending() {
  pending_.multiply(*kernels_, block_shape(), state_.accumulators.block.sums.data());
  round_row(pending_.sums(), pending_.sum_count());
  pending_.for_closed([&](const PendingBlocks::Target& to, const float* sums) {
    for (std::size_t i = 0; i < PendingBlocks::kSide; ++i)
      std::copy_n(sums + i * PendingBlocks::kRow, PendingBlocks::kSide,
                  state_.vectors.row(to.row + i * to.step) + to.column);
  });
  pending_.clear();
}

Fault Core::write_out_row(const Operation& operation) {
  Accumulator& from = state_.accumulators.row;
  ACCELSCOPE_STOP_AT(check_filled(from));
  const Address to = address_in(operation.rd, operation.immediate);
  const std::uint64_t column = vlen_.rest(to.value);
  const std::uint64_t blen = machine_->blen;
  if (column + blen > machine_->vlen)
    return fault("{} elements from vector address {} on reach behind the end of their row", blen, to.text());
  std::uint64_t row = 0;
  Address beginning = to;
  beginning.value -= column;
  ACCELSCOPE_STOP_AT(find_rows(beginning, 1, row));
  store_row(from.sums.data(), row, column, blen);
  from.clear();
  return {};
}

Fault Core::write_out_heads(const Operation& operation, Accumulator& accumulator, std::uint64_t rows) {
  ACCELSCOPE_STOP_AT(check_filled(accumulator));
  const Address to = address_in(operation.rd, operation.immediate);
  std::uint64_t row = 0;
  if (machine_->vlen != machine_->mlen)
    return fault("rows of tiles of MLEN ({}) cannot be written into rows of VLEN ({})", machine_->mlen,
                 machine_->vlen);
  ACCELSCOPE_STOP_AT(find_rows(to, rows, row));
  for (std::uint64_t i = 0; i < rows; ++i)
    store_row(accumulator.sums.data() + i * machine_->mlen, row + i, 0, machine_->mlen);
  accumulator.clear();
  return {};
}

}  // namespace accelscope::emulator
