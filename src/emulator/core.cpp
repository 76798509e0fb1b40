#include "emulator/core.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "emulator/core_faults.h"
#include "emulator/core_scalar.h"

namespace accelscope::emulator {
namespace {

using isa::opcode;

constexpr std::size_t kBf16s = 65'536;

// Of clamped numbers: exact to a double, then rounded as the hardware's two steps do.
std::vector<float> exponentials_of_bf16() {
  const auto exponential = [](float value) {
    return rounded_to_bf16(static_cast<float>(std::exp(static_cast<double>(value))));
  };
  constexpr float kMost = 88;
  constexpr float kSmallest = 0x1p-10F;  // nearer to 0 the result is 1
  const float most = exponential(kMost);
  const float least = exponential(-kMost);
  std::vector<float> made(kBf16s, 1.0F);
  for (std::size_t bits = 0; bits < kBf16s; ++bits) {
    const float value = base::float_of_bfloat16(static_cast<std::uint16_t>(bits));
    if (std::fabs(value) < kSmallest) continue;
    if (std::fabs(value) > kMost)
      made[bits] = value > 0 ? most : least;
    else
      made[bits] = exponential(value);
  }
  return made;
}

base::Status check(const isa::Machine& machine) {
  const auto positive = {machine.mlen, machine.vlen, machine.blen, machine.hlen, machine.broadcast};
  for (const std::uint64_t dimension : positive)
    if (dimension == 0 || dimension > isa::kLargestDimension)
      return base::fail(base::ErrorCode::kUsage,
                        "{}: MLEN, VLEN, BLEN, HLEN and BROADCAST_AMOUNT must be from 1 to {}", machine.name,
                        isa::kLargestDimension);
  if (machine.mlen % machine.blen != 0)
    return base::fail(base::ErrorCode::kUsage, "{}: MLEN ({}) must be a multiple of BLEN ({})", machine.name,
                      machine.mlen, machine.blen);
  if (machine.matrix_prefetch_rows % machine.mlen != 0)
    return base::fail(base::ErrorCode::kUsage,
                      "{}: the rows of a prefetch of matrices ({}) must be whole tiles of MLEN ({})",
                      machine.name, machine.matrix_prefetch_rows, machine.mlen);
  if (machine.formats.vector_sram.in_blocks() || machine.formats.matrix_sram.in_blocks())
    return base::fail(base::ErrorCode::kUsage,
                      "{}: memories on the chip keep elements that stand for themselves, not blocks",
                      machine.name);
  return {};
}

std::string_view mnemonic_of(const Operation& operation) {
  const isa::Instruction* instruction = isa::find_instruction(operation.opcode);
  return instruction == nullptr ? "no instruction" : instruction->mnemonic;
}

}  // namespace

base::Result<Core::Codecs> Core::make_codecs(const isa::Machine& machine) {
  const boards::SettingsPrecision& formats = machine.formats;
  ACCELSCOPE_CHECK(RowCodec::make(formats.matrix_sram));
  ACCELSCOPE_TRY(RowCodec vector_memory, RowCodec::make(formats.vector_sram));
  ACCELSCOPE_TRY(RowCodec matrix_weights, RowCodec::make(formats.matrix_weights));
  ACCELSCOPE_TRY(RowCodec matrix_kv, RowCodec::make(formats.matrix_kv));
  ACCELSCOPE_TRY(RowCodec vector_activations, RowCodec::make(formats.vector_activations));
  ACCELSCOPE_TRY(RowCodec vector_kv, RowCodec::make(formats.vector_kv));
  return Codecs{std::move(vector_memory), std::move(matrix_weights), std::move(matrix_kv),
                std::move(vector_activations), std::move(vector_kv)};
}

base::Result<Core> Core::make(const isa::Machine& machine, Rules rules) {
  ACCELSCOPE_CHECK(check(machine));
  ACCELSCOPE_TRY(Codecs codecs, make_codecs(machine));
  ACCELSCOPE_TRY(State state, make_state(machine));
  return Core(machine, rules, std::move(state), std::move(codecs));
}

Core::Core(const isa::Machine& machine, Rules rules, State state, Codecs codecs)
    : machine_(&machine),
      rules_(rules),
      state_(std::move(state)),
      kernels_(&best_kernels()),
      codecs_(std::move(codecs)),
      vlen_(machine.vlen),
      mlen_(machine.mlen),
      blen_(machine.blen),
      tile_(machine.mlen * machine.mlen),
      exponentials_(std::make_shared<const Exponentials>(exponentials_of_bf16())) {
  puts_off_ = machine.blen == PendingBlocks::kSide;
  const boards::ElementType& kept = machine.formats.vector_sram.element;
  if (kept == boards::kBf16)
    rounding_ = Rounding::kBf16;
  else
    rounds_by_codec_ = kept != boards::ElementType::floating(true, 8, 23);
}

Fault Core::carry_out(const Operation& operation) {
  if (carry_out_scalar(operation)) return {};
  if (operation.strays && strict())
    return fault("bits are set that {} does not look at: the word means something else than it says",
                 mnemonic_of(operation));
  switch (operation.unit) {
    case isa::Unit::kMatrix:
      return carry_out_matrix(operation);
    case isa::Unit::kVector:
      return carry_out_vector(operation);
    case isa::Unit::kMemory:
      return carry_out_transfer(operation);
    case isa::Unit::kScalar:
      return operation.opcode == opcode("S_MAP_V_FP") ? map_floats(operation) : scalar_fault(operation);
    case isa::Unit::kControl:
      break;
  }
  return unknown(operation);
}

Fault Core::carry_out_soon(const Operation& operation) {
  const bool exact = !operation.strays || !strict();
  if (puts_off_ && exact) switch (operation.opcode) {
      case opcode("M_MM"):
        return put_off_product(operation, false);
      case opcode("M_TMM"):
        return put_off_product(operation, true);
      case opcode("M_MM_WO"):
        return put_off_writing(operation);
      default:
        break;
    }
  settle();
  return carry_out(operation);
}

Fault no_float_register(unsigned number) {
  return fault("there is no register f{}: they end with f{}", number, kFloatRegisters - 1);
}

Fault unknown(const Operation& operation) {
  const isa::Instruction* instruction = isa::find_instruction(operation.opcode);
  if (instruction == nullptr) return fault("the word is no instruction");
  return fault("{} is carried out by who runs the program", instruction->mnemonic);
}

// Why carry_out_scalar() did nothing.
Fault Core::scalar_fault(const Operation& operation) const {
  const isa::Instruction* instruction = isa::find_instruction(operation.opcode);
  if (instruction == nullptr) return unknown(operation);
  for (const isa::Operand& operand : instruction->operands) {
    if (operand.file != isa::RegisterFile::kFloat) continue;
    const unsigned number = operand.decoded == isa::Field::kRd    ? operation.rd
                            : operand.decoded == isa::Field::kRs1 ? operation.rs1
                                                                  : operation.rs2;
    if (number >= kFloatRegisters) return no_float_register(number);
  }
  switch (operation.opcode) {
    case opcode("S_LD_FP"):
    case opcode("S_ST_FP"):
      return scalar_memory_fault(operation, true);
    case opcode("S_LD_INT"):
    case opcode("S_ST_INT"):
      ACCELSCOPE_STOP_AT(scalar_memory_fault(operation, false));
      break;
    default:
      break;
  }
  return fault("{} writes gp0, which is 0 by the instruction set's documents", instruction->mnemonic);
}

Fault Core::scalar_memory_fault(const Operation& operation, bool floats) const {
  const std::string_view memory = floats ? "float" : "integer";
  const Address address = address_in(operation.rs1, operation.immediate);
  if (address.value >= kScalarWords)
    return fault("{} address {} lies behind the end of the memory of {} words", memory, address.text(),
                 kScalarWords);
  const bool loads = operation.opcode == opcode("S_LD_FP") || operation.opcode == opcode("S_LD_INT");
  const bool written =
      floats ? state_.scalars.float_written[address.value] : state_.scalars.integer_written[address.value];
  if (loads && !written) return fault("{} address {} is read, but was never written", memory, address.text());
  if (floats) return fault("S_LD_FP writes f0, which is 0 by the instruction set's documents");
  return {};
}

Fault Core::map_floats(const Operation& operation) {
  const Address to = address_in(operation.rd);
  const Address from = address_in(operation.rs1, operation.immediate);
  const std::uint64_t count = machine_->vlen;
  std::uint64_t row = 0;
  ACCELSCOPE_STOP_AT(find_rows(to, 1, row));
  if (from.value + count > kScalarWords)
    return fault("{} words from float address {} on reach behind the end of the memory of {}", count,
                 from.text(), kScalarWords);
  const auto* written = state_.scalars.float_written.begin() + from.value;
  const auto* unwritten = std::find(written, written + count, false);
  if (strict() && unwritten != written + count)
    return fault("float address {} is read, but was never written (from {} on)",
                 from.value + static_cast<std::uint64_t>(unwritten - written), from.text());
  store_row(state_.scalars.floats.data() + from.value, row, 0, count);
  return {};
}

std::string Core::Address::text() const {
  if (added_gp >= 0) return fmt::format("{} (gp{} + gp{})", value, gp, added_gp);
  if (addend != 0) return fmt::format("{} (gp{} + {})", value, gp, addend);
  return fmt::format("{} in gp{}", value, gp);
}

Fault Core::row_fault(const Address& address, std::uint64_t count) const {
  if (vlen_.rest(address.value) != 0)
    return fault("vector address {} is not a multiple of VLEN ({})", address.text(), machine_->vlen);
  const std::uint64_t rows = state_.vectors.row_count;
  if (count == 1 || vlen_.quotient(address.value) >= rows)
    return fault("vector address {} lies behind the end of the vector memory ({} rows of {})", address.text(),
                 rows, machine_->vlen);
  return fault("{} rows from vector address {} on reach behind the end of the vector memory ({} rows of {})",
               count, address.text(), rows, machine_->vlen);
}

Fault Core::unwritten_fault(const Address& address, std::uint64_t row, std::uint64_t bits) const {
  const WrittenRows& written = state_.vectors.written;
  const std::uint64_t missing = bits & ~written.rows[row];
  if (written.rows[row] == 0)
    return fault(
        "vector row {} (elements from {} on) is read, but was never written; its address comes from {}", row,
        row * machine_->vlen, address.text());
  const std::uint64_t element =
      static_cast<std::uint64_t>(std::countr_zero(missing)) * written.elements_a_bit;
  return fault(
      "element {} of vector row {} (elements from {} on) is read, but was never written; its address "
      "comes from {}",
      element, row, row * machine_->vlen, address.text());
}

void Core::round_row(float* values, std::uint64_t count) {
  if (rounds_by_codec_)
    codecs_.vector_memory.round({values, count});
  else
    kernels_->round[static_cast<std::size_t>(rounding_)](values, values, count);
}

void Core::store_row(const float* values, std::uint64_t row, std::uint64_t first, std::uint64_t count) {
  float* to = state_.vectors.row(row) + first;
  std::copy_n(values, count, to);
  round_row(to, count);
  WrittenRows& written = state_.vectors.written;
  written.rows[row] |= written.bits(first, count);
}

}  // namespace accelscope::emulator
