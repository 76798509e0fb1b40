#include "emulator/transfer_plan.h"

#include <algorithm>
#include <cmath>

#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

const boards::NumberFormat& format_of(const TransferPlan& plan, bool kv,
                                      const boards::SettingsPrecision& formats) {
  if (plan.matrix) return kv ? formats.matrix_kv : formats.matrix_weights;
  return kv ? formats.vector_kv : formats.vector_activations;
}

std::uint64_t rows_of(const TransferPlan& plan, const isa::Machine& machine) {
  if (plan.matrix) return machine.matrix_prefetch_rows;
  const std::uint64_t wanted = plan.stores ? machine.vector_writeback_rows : machine.vector_prefetch_rows;
  const std::uint64_t first = plan.on_chip / machine.vlen;
  return first >= machine.vector_rows ? 0 : std::min(wanted, machine.vector_rows - first);
}

void append_blocks_of(std::uint64_t address, std::uint64_t bytes, std::vector<std::uint64_t>& addresses) {
  const std::uint64_t first = address & ~(kBlockBytes - 1);
  for (std::uint64_t block = first; block < address + bytes; block += kBlockBytes) addresses.push_back(block);
}

}  // namespace

std::uint64_t TransferPlan::scale_address(std::uint64_t row) const {
  return scales_base + static_cast<std::uint64_t>(std::floor(static_cast<float>(row) * scale_step));
}

std::uint64_t TransferPlan::scale_bytes_read(std::uint64_t row) const {
  return std::min(scale_bytes, kBlockBytes - scale_address(row) % kBlockBytes);
}

TransferPlan plan_transfer(const Operation& operation, const Registers& registers,
                           const isa::Machine& machine) {
  TransferPlan plan;
  plan.matrix = operation.opcode == isa::opcode("H_PREFETCH_M");
  plan.stores = operation.opcode == isa::opcode("H_STORE_V");
  plan.format = &format_of(plan, operation.funct1 != 0, machine.formats);
  plan.on_chip = registers.gp[operation.rd];
  plan.rows = rows_of(plan, machine);
  plan.row_elements = plan.matrix ? machine.mlen : machine.vlen;
  const boards::NumberFormat& format = *plan.format;
  plan.row_bytes = (plan.row_elements * format.element.bits() + 7) / 8;
  const std::uint64_t offset = registers.gp[operation.rs1];
  const std::uint64_t base = registers.a[operation.rs2];
  plan.elements_base = base + offset;
  // Without the stride register rows lie as many bytes apart as they have elements, whatever the format.
  plan.row_step = operation.rs3 == 1 ? registers.stride : plan.row_elements;
  if (!format.in_blocks()) return plan;
  plan.scale_bytes = (plan.row_elements / format.block * format.scale.bits() + 7) / 8;
  const std::uint64_t element_bits = std::uint64_t{format.element.bits()} * format.block;
  plan.scales_base = base + registers.scale + offset * format.scale.bits() / element_bits;
  const float ratio = static_cast<float>(element_bits) / static_cast<float>(format.scale.bits());
  plan.scale_step = static_cast<float>(plan.row_step) / ratio;
  return plan;
}

void append_blocks(const TransferPlan& plan, std::vector<std::uint64_t>& addresses) {
  for (std::uint64_t row = 0; row < plan.rows; ++row) {
    append_blocks_of(plan.element_address(row), plan.row_bytes, addresses);
    if (plan.scale_bytes > 0) append_blocks_of(plan.scale_address(row), 1, addresses);
  }
}

}  // namespace accelscope::emulator
