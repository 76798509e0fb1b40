#include "isa/memory_access.h"

#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

constexpr std::uint64_t kFewExperts = 32;
constexpr std::uint64_t kManyExperts = 128;

bool is_write_out(std::uint32_t opcode) {
  return find_instruction(opcode)->latency == Latency::kWriteOut;
}

// Rows of vectors that a product or a write-out goes over.
std::uint64_t rows_of(std::uint32_t word, const Machine& machine) {
  switch (opcode_of_word(word)) {
    case opcode("M_MM"):
    case opcode("M_TMM"):
    case opcode("M_MM_WO"):
      return machine.blen;
    case opcode("M_BMM"):
    case opcode("M_BTMM"):
      return machine.mlen;
    case opcode("M_BMM_WO"):
      return machine.broadcast * machine.mlen;
    case opcode("M_BMV_WO"):
      return machine.broadcast;
    case opcode("H_PREFETCH_V"):
      return machine.vector_prefetch_rows;
    case opcode("H_STORE_V"):
      return machine.vector_writeback_rows;
    case opcode("V_TOPK"): {
      const std::uint64_t experts = bits_of(Field::kRs3).of(word) == 0 ? kFewExperts : kManyExperts;
      return (experts + machine.vlen - 1) / machine.vlen;
    }
    default:
      return 1;
  }
}

void shape_matrix(std::uint32_t word, const Machine& machine, MemoryAccess& access) {
  switch (opcode_of_word(word)) {
    case opcode("M_MM"):
    case opcode("M_TMM"):
      access.unit = machine.mlen * machine.blen;
      return;
    case opcode("M_MV"):
      access.form = MemoryAccess::Form::kInFirstOfTile;
      access.unit = machine.blen;
      return;
    case opcode("H_PREFETCH_M"):
      access.unit = machine.mlen * machine.mlen;
      access.pieces = machine.matrix_prefetch_rows / machine.mlen;
      access.writes = access.prefetch = true;
      return;
    case opcode("M_TMV"):
      access.unit = machine.mlen * machine.mlen;
      return;
    default:  // heads
      access.form = MemoryAccess::Form::kInFirstOfTile;
      access.unit = machine.hlen;
      return;
  }
}

void shape_vector(std::uint32_t word, const RegisterState& state, const Machine& machine,
                  const Instruction& instruction, MemoryAccess& access) {
  const std::uint32_t opcode_here = opcode_of_word(word);
  access.pieces = rows_of(word, machine);
  access.unit = machine.vlen;
  access.prefetch = opcode_here == opcode("H_PREFETCH_V");
  // The first operand is what is written, in all that write rows.
  access.writes = access.operand == 1 && (instruction.writes & places::kVectorMemory) != 0;
  if (!is_write_out(opcode_here)) return;
  access.address = access.address + FlowValue::constant(bits_of(Field::kImmediate18).of(word));
  if (opcode_here == opcode("M_MM_WO")) {
    access.unit = machine.blen;
    const std::uint32_t step = bits_of(Field::kRs1).of(word);
    if (step == 0) return;
    const FlowValue& rows = state.gp(step);
    // Where the step is not certain, neither are the rows.
    if (rows.is_constant())
      access.step = rows.base;
    else
      access.address = {};
  } else if (opcode_here == opcode("M_MV_WO")) {
    access.unit = machine.blen;
  }
}

}  // namespace

void find_accesses(std::uint32_t word, const RegisterState& state, const Machine& machine,
                   MemoryAccesses& accesses) {
  accesses.clear();
  const Instruction* const instruction = instruction_of_word(word);
  if (instruction == nullptr) return;
  constexpr Places kOnChip = places::kMatrixMemory | places::kVectorMemory;
  if (((instruction->reads | instruction->writes) & kOnChip) == 0) return;
  for (std::uint8_t i = 0; i < instruction->operand_count; ++i) {
    const Operand& operand = instruction->operands[i];
    const bool matrix = operand.meaning == Meaning::kMatrixAddress;
    if (!matrix && operand.meaning != Meaning::kVectorAddress) continue;
    MemoryAccess access;
    access.matrix = matrix;
    access.operand = static_cast<std::uint8_t>(i + 1);
    access.register_ = static_cast<std::uint8_t>(bits_of(operand.decoded).of(word));
    access.address = state.gp(access.register_);
    // Some add a second register to the address of the matrix.
    if (matrix && instruction->operands[0].meaning == Meaning::kAddend)
      access.address = access.address + state.gp(bits_of(Field::kRd).of(word));
    if (matrix)
      shape_matrix(word, machine, access);
    else
      shape_vector(word, state, machine, *instruction, access);
    accesses.add(access);
  }
}

}  // namespace accelscope::isa
