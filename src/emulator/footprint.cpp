#include "emulator/footprint.h"

#include <algorithm>

#include "isa/instruction_set.h"
#include "isa/memory_access.h"

namespace accelscope::emulator {
namespace {

using isa::Field;
using isa::Meaning;
using isa::opcode;
using isa::Places;

std::uint8_t register_field(std::uint32_t word, Field which) {
  return static_cast<std::uint8_t>(isa::bits_of(which).of(word));
}

HeldPlaces held_by(Places places) {
  constexpr std::array<std::pair<Places, std::size_t>, 9> kSame{
      {{isa::places::kFloatMemory, held::kFloatMemory},
       {isa::places::kIntegerMemory, held::kIntegerMemory},
       {isa::places::kBlockAccumulator, held::kBlockAccumulator},
       {isa::places::kHeadsAccumulator, held::kHeadsAccumulator},
       {isa::places::kHeadRowAccumulator, held::kHeadRowAccumulator},
       {isa::places::kRowAccumulator, held::kRowAccumulator},
       {isa::places::kScaleRegister, held::kScale},
       {isa::places::kStrideRegister, held::kStride},
       {isa::places::kMaskRegister, held::kMask}}};
  HeldPlaces held = 0;
  for (const auto& [place, number] : kSame)
    if ((places & place) != 0) held |= held::bit(number);
  return held;
}

HeldPlaces held_by(const isa::Operand& operand, std::uint32_t word) {
  const std::size_t number = register_field(word, operand.decoded);
  switch (operand.file) {
    case isa::RegisterFile::kInteger:
      return held::bit(held::kInteger + number);
    case isa::RegisterFile::kFloat:
      return held::bit(held::kFloat + number);
    case isa::RegisterFile::kAddress:
      return held::bit(held::kAddress + number);
    case isa::RegisterFile::kNone:
      break;
  }
  return 0;
}

void add_registers(const isa::Instruction& instruction, std::uint32_t word, Footprint& made) {
  using isa::Access;
  for (std::size_t i = 0; i < instruction.operand_count; ++i) {
    const isa::Operand& operand = instruction.operands[i];
    if (operand.decoded == Field::kNone) continue;
    const HeldPlaces held = held_by(operand, word);
    if (operand.access != Access::kWrite) made.reads |= held;
    if (operand.access == Access::kWrite || operand.access == Access::kReadWrite) made.writes |= held;
  }
  made.reads |= held_by(instruction.reads);
  made.writes |= held_by(instruction.writes);
  // Special registers are looked at only where a switch says so.
  if (instruction.unit == isa::Unit::kVector && register_field(word, Field::kRs3) == 0)
    made.reads &= ~held::bit(held::kMask);
  if (instruction.unit == isa::Unit::kMemory && register_field(word, Field::kRs3) != 1)
    made.reads &= ~held::bit(held::kStride);
  // It reads for as long as it takes: what is written meanwhile would be seen.
  if (instruction.opcode == opcode("S_MAP_V_FP")) made.writes |= held::bit(held::kFloatMemory);
}

void add_ranges(const isa::Instruction& instruction, std::uint32_t word, const isa::Machine& machine,
                Footprint& made) {
  isa::MemoryAccesses accesses;
  isa::find_accesses(word, {}, machine, accesses);
  for (const isa::MemoryAccess& access : accesses.all()) {
    if (made.range_count == made.ranges.size()) break;
    RangeUse& use = made.ranges[made.range_count++];
    use.matrix = access.matrix;
    use.writes = access.writes;
    use.gp = register_field(word, instruction.operands[access.operand - 1U].decoded);
    use.pieces = access.pieces;
    if (access.matrix && instruction.operands[0].meaning == Meaning::kAddend)
      use.added_gp = register_field(word, Field::kRd);
    if (instruction.latency == isa::Latency::kWriteOut)
      use.addend = isa::bits_of(Field::kImmediate18).of(word);
    if (instruction.opcode == opcode("M_MM_WO")) use.step_gp = register_field(word, Field::kRs1);
  }
}

Resource resource_of(const isa::Instruction& instruction, CostTable table) {
  switch (instruction.unit) {
    case isa::Unit::kMatrix:
      return instruction.latency == isa::Latency::kWriteOut && table == CostTable::kRtl ? Resource::kWriteOut
                                                                                        : Resource::kMatrix;
    case isa::Unit::kVector:
      return Resource::kVector;
    case isa::Unit::kControl:
      return Resource::kInteger;
    case isa::Unit::kMemory:
      return Resource::kPort;
    case isa::Unit::kScalar:
      break;
  }
  constexpr Places kMemories = isa::places::kFloatMemory | isa::places::kIntegerMemory;
  if (((instruction.reads | instruction.writes) & kMemories) != 0) return Resource::kScalarMemory;
  return instruction.latency == isa::Latency::kIntegerBasic ? Resource::kInteger : Resource::kFloat;
}

bool reads_float(const isa::Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.begin() + instruction.operand_count,
                     [](const isa::Operand& operand) {
                       return operand.file == isa::RegisterFile::kFloat &&
                              operand.access == isa::Access::kRead;
                     });
}

}  // namespace

bool overlap(const PieceRange& a, const PieceRange& b) {
  if (a.count == 0 || b.count == 0 || a.first >= b.end() || b.first >= a.end()) return false;
  if (a.step == 1 && b.step == 1) return true;
  // Few rows lie apart: those of one block.
  const PieceRange& apart = a.step == 1 ? b : a;
  const PieceRange& other = a.step == 1 ? a : b;
  for (std::uint64_t i = 0; i < apart.count; ++i) {
    const std::uint64_t piece = apart.first + i * apart.step;
    if (piece < other.first || piece >= other.end()) continue;
    if (other.step == 0 || (piece - other.first) % other.step == 0) return true;
  }
  return false;
}

PieceRange range_of(const RangeUse& use, const Registers& registers, const isa::Machine& machine) {
  std::uint64_t address = std::uint64_t{registers.gp[use.gp]} + use.addend;
  if (use.added_gp != 0) address += registers.gp[use.added_gp];
  const std::uint64_t piece = use.matrix ? machine.mlen * machine.mlen : machine.vlen;
  return {address / piece, use.pieces, use.step_gp == 0 ? 1 : registers.gp[use.step_gp]};
}

Footprint footprint_of(std::uint32_t word, const isa::Machine& machine, CostTable table) {
  Footprint made;
  const isa::Instruction* const instruction = isa::instruction_of_word(word);
  if (instruction == nullptr || isa::cost_variant_of(word) == isa::CostVariant::kIntoZero) return made;
  add_registers(*instruction, word, made);
  add_ranges(*instruction, word, machine, made);
  made.resource = resource_of(*instruction, table);
  if (table != CostTable::kRtl) return made;
  const bool vector = instruction->unit == isa::Unit::kVector;
  made.reduction = vector && (instruction->latency == isa::Latency::kVectorSum ||
                              instruction->latency == isa::Latency::kVectorMaximum);
  made.elementwise = vector && !made.reduction && instruction->latency != isa::Latency::kRouting;
  made.broadcasts = vector && reads_float(*instruction);
  made.enters_waiting = made.resource == Resource::kWriteOut;
  made.uses_vector_port =
      instruction->unit == isa::Unit::kMemory && instruction->opcode != opcode("H_PREFETCH_M");
  return made;
}

}  // namespace accelscope::emulator
