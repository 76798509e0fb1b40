// Transfers between external memory and the memories on the chip.
#include <algorithm>
#include <cmath>

#include "emulator/core.h"
#include "emulator/core_faults.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using isa::opcode;

// Bytes of a range that lie within the memory.
std::uint64_t bytes_within(const memory::BackingStore& memory, std::uint64_t address, std::uint64_t size) {
  const auto capacity = static_cast<std::uint64_t>(std::max<std::int64_t>(0, memory.capacity().value));
  return address >= capacity ? 0 : std::min(size, capacity - address);
}

// What lies behind the end of the memory reads as zero.
void read_bytes(const memory::BackingStore& memory, std::uint64_t address, std::span<std::byte> into) {
  const std::size_t within = bytes_within(memory, address, into.size());
  std::fill(into.begin() + static_cast<std::ptrdiff_t>(within), into.end(), std::byte{});
  if (!memory.read(address, into.first(within))) std::fill(into.begin(), into.end(), std::byte{});
}

bool lies_within(const memory::BackingStore& memory, std::uint64_t address, std::uint64_t size) {
  return bytes_within(memory, address, size) == size;
}

// The rows of a transfer lie in few pages of the store: the last one is kept at hand.
class PagedReader {
 public:
  explicit PagedReader(const memory::BackingStore& memory) : memory_(memory) {}

  // Valid until the next call.
  std::span<const std::byte> read(std::uint64_t address, std::uint64_t size) {
    constexpr std::uint64_t kPage = memory::BackingStore::kPageBytes;
    const std::uint64_t number = address / kPage;
    if (number != number_ || page_.empty()) {
      number_ = number;
      page_ = memory_.page(number);
    }
    const std::uint64_t offset = address % kPage;
    // A page may go on behind the end of the memory; nothing but zeros is there.
    if (offset + size <= page_.size()) return page_.subspan(offset, size);
    bytes_.resize(size);
    read_bytes(memory_, address, bytes_);
    return bytes_;
  }

 private:
  const memory::BackingStore& memory_;
  std::uint64_t number_ = 0;
  std::span<const std::byte> page_;
  std::vector<std::byte> bytes_;
};

class RowReader {
 public:
  RowReader(const memory::BackingStore& memory, const TransferPlan& plan, const RowCodec& codec)
      : elements_(memory), scales_(memory), plan_(plan), codec_(codec) {}

  void read(std::uint64_t row, float* values) {
    std::span<const std::byte> scales;
    if (plan_.scale_bytes > 0) scales = scales_.read(plan_.scale_address(row), plan_.scale_bytes_read(row));
    codec_.decode(elements_.read(plan_.element_address(row), plan_.row_bytes), scales,
                  {values, plan_.row_elements});
  }

 private:
  PagedReader elements_;
  PagedReader scales_;
  const TransferPlan& plan_;
  const RowCodec& codec_;
};

// The common case: scales lie in whole steps of their size, of which a block is a multiple.
bool scales_keep_to_blocks(const TransferPlan& plan) {
  if (plan.scale_bytes == 0) return true;
  if (kBlockBytes % plan.scale_bytes != 0 || plan.scales_base % plan.scale_bytes != 0) return false;
  return std::fmod(plan.scale_step, static_cast<float>(plan.scale_bytes)) == 0;
}

}  // namespace

Fault Core::carry_out_transfer(const Operation& operation) {
  switch (operation.opcode) {
    case opcode("H_PREFETCH_M"):
      return prefetch_matrix(operation);
    case opcode("H_PREFETCH_V"):
      return prefetch_vectors(operation);
    case opcode("H_STORE_V"):
      return store_vectors(operation);
    default:
      return unknown(operation);
  }
}

const RowCodec& Core::codec_of(const Operation& operation, const TransferPlan& plan) const {
  if (plan.matrix) return operation.funct1 == 0 ? codecs_.matrix_weights : codecs_.matrix_kv;
  return operation.funct1 == 0 ? codecs_.vector_activations : codecs_.vector_kv;
}

// strict: what the hardware does not do as it is asked.
Fault Core::transfer_fault(const Operation& operation, const TransferPlan& plan) const {
  if (operation.rs3 > 1)
    return fault("the stride switch is {}: only 1 takes the stride register, all else means 0",
                 operation.rs3);
  const boards::NumberFormat& format = *plan.format;
  if (operation.rs3 == 0 && plan.row_bytes != plan.row_step)
    return fault("without the stride register rows lie {} bytes apart, but a row in {} has {}", plan.row_step,
                 name_of(format), plan.row_bytes);
  if (format.in_blocks()) {
    if (plan.row_elements % format.block != 0)
      return fault("a row of {} elements is no whole number of blocks of {}: the rest has no scale",
                   plan.row_elements, format.block);
    const std::uint64_t block_bits = std::uint64_t{format.block} * format.element.bits();
    const std::uint64_t offset = gp(operation.rs1);
    if (offset * 8 % block_bits != 0)
      return fault("offset {} in gp{} lies within a block of {} elements: its scale would be another block's",
                   offset, operation.rs1, format.block);
    if (plan.rows > 1 && plan.row_step * 8 % block_bits != 0)
      return fault(
          "rows {} bytes apart begin within blocks of {} elements: their scales would be other blocks'",
          plan.row_step, format.block);
  }
  if (scales_keep_to_blocks(plan)) return {};
  for (std::uint64_t row = 0; row < plan.rows; ++row)
    if (plan.scale_bytes_read(row) < plan.scale_bytes)
      return fault(
          "the {} bytes of scales of row {}, at address {:#x}, cross a block of 64 bytes: those behind "
          "it are never read",
          plan.scale_bytes, row, plan.scale_address(row));
  return {};
}

Fault Core::range_fault(const TransferPlan& plan) const {
  if (plan.rows == 0) return {};
  // Addresses go up from row to row: where the first and the last fit, all do.
  const std::uint64_t last = plan.rows - 1;
  if (plan.element_address(0) <= plan.element_address(last) &&
      plan.scale_address(0) <= plan.scale_address(last) &&
      lies_within(state_.external, plan.element_address(last), plan.row_bytes) &&
      lies_within(state_.external, plan.scale_address(last), plan.scale_bytes))
    return {};
  const auto capacity = state_.external.capacity().value;
  const auto check = [&](std::uint64_t row, std::string_view what, std::uint64_t address,
                         std::uint64_t size) {
    if (lies_within(state_.external, address, size)) return Fault();
    return fault(
        "the {} of row {}, {} bytes at address {:#x}, lie behind the end of external memory ({} bytes)", what,
        row, size, address, capacity);
  };
  for (std::uint64_t row = 0; row < plan.rows; ++row) {
    ACCELSCOPE_STOP_AT(check(row, "elements", plan.element_address(row), plan.row_bytes));
    ACCELSCOPE_STOP_AT(check(row, "scales", plan.scale_address(row), plan.scale_bytes));
  }
  return {};
}

Fault Core::prefetch_matrix(const Operation& operation) {
  const TransferPlan plan = plan_transfer(operation, state_.registers, *machine_);
  const Address to = address_in(operation.rd);
  const std::uint64_t tiles = plan.rows / machine_->mlen;
  const std::uint64_t first = tile_.quotient(to.value);
  MatrixMemory& matrices = state_.matrices;
  if (tile_.rest(to.value) != 0)
    return fault("matrix address {} is not the beginning of a tile ({} x {} elements)", to.text(),
                 machine_->mlen, machine_->mlen);
  if (first + tiles > matrices.tile_count)
    return fault(
        "{} tiles from matrix address {} on reach behind the end of the matrix memory ({} tiles of {} x "
        "{})",
        tiles, to.text(), matrices.tile_count, machine_->mlen, machine_->mlen);
  if (strict()) {
    ACCELSCOPE_STOP_AT(transfer_fault(operation, plan));
    ACCELSCOPE_STOP_AT(range_fault(plan));
  }
  RowReader reader(state_.external, plan, codec_of(operation, plan));
  float* row = matrices.tile(first);
  for (std::uint64_t i = 0; i < plan.rows; ++i, row += machine_->mlen) reader.read(i, row);
  for (std::uint64_t tile = first; tile < first + tiles; ++tile) matrices.set_written(tile);
  return {};
}

Fault Core::prefetch_vectors(const Operation& operation) {
  const TransferPlan plan = plan_transfer(operation, state_.registers, *machine_);
  const Address to = address_in(operation.rd);
  if (strict() || vlen_.rest(to.value) != 0) {
    std::uint64_t row = 0;
    ACCELSCOPE_STOP_AT(find_rows(to, machine_->vector_prefetch_rows, row));
    ACCELSCOPE_STOP_AT(transfer_fault(operation, plan));
    ACCELSCOPE_STOP_AT(range_fault(plan));
  }
  RowReader reader(state_.external, plan, codec_of(operation, plan));
  const std::uint64_t first = vlen_.quotient(to.value);
  for (std::uint64_t i = 0; i < plan.rows; ++i) {
    float* row = state_.vectors.row(first + i);
    reader.read(i, row);
    round_row(row, machine_->vlen);
    state_.vectors.written.rows[first + i] = state_.vectors.written.all;
  }
  return {};
}

Fault Core::store_vectors(const Operation& operation) {
  const TransferPlan plan = plan_transfer(operation, state_.registers, *machine_);
  const Address from = address_in(operation.rd);
  const std::uint64_t first = vlen_.quotient(from.value);
  if (strict() || vlen_.rest(from.value) != 0) {
    std::uint64_t row = 0;
    ACCELSCOPE_STOP_AT(find_rows(from, machine_->vector_writeback_rows, row));
    ACCELSCOPE_STOP_AT(transfer_fault(operation, plan));
    for (std::uint64_t i = 0; i < plan.rows; ++i)
      ACCELSCOPE_STOP_AT(check_written(from, first + i, state_.vectors.written.all));
  }
  ACCELSCOPE_STOP_AT(range_fault(plan));
  const RowCodec& codec = codec_of(operation, plan);
  bytes_.resize(std::max<std::size_t>(bytes_.size(), plan.row_bytes + plan.scale_bytes));
  const std::span<std::byte> elements(bytes_.data(), plan.row_bytes);
  const std::span<std::byte> scales(bytes_.data() + plan.row_bytes, plan.scale_bytes);
  for (std::uint64_t i = 0; i < plan.rows; ++i) {
    codec.encode({state_.vectors.row(first + i), machine_->vlen}, elements, scales);
    const base::Status stored = state_.external.write(plan.element_address(i), elements);
    if (!stored) return Fault(stored.error().message);
    const base::Status scaled = state_.external.write(plan.scale_address(i), scales);
    if (!scaled) return Fault(scaled.error().message);
  }
  return {};
}

}  // namespace accelscope::emulator
