#include "emulator/rtl_costs.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using isa::opcode;

std::uint32_t cycles(std::uint64_t count) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

// Takes nothing else until it is done.
Cost whole(std::uint64_t count) {
  return {cycles(count), cycles(count)};
}

// Takes another one in the next cycle.
Cost pipelined(std::uint64_t latency) {
  return {cycles(latency), 1};
}

// Its result is there a cycle before it takes the next.
Cost of_float_unit(std::uint64_t ready) {
  return {cycles(ready), cycles(ready + 1)};
}

// Levels of a tree that adds or compares a row and what was in the register.
std::uint64_t tree_levels(std::uint64_t row) {
  return static_cast<std::uint64_t>(std::bit_width(row));  // ceil(log2(row + 1))
}

bool has_integer_weights(const isa::Machine& machine) {
  const boards::NumberFormat& weights = machine.formats.matrix_weights;
  return weights.in_blocks() && weights.element.kind == boards::ElementType::Kind::kInteger;
}

Cost matrix_cost(std::uint32_t op, const isa::Machine& machine) {
  const std::uint64_t blen = machine.blen;
  const bool integers = has_integer_weights(machine);
  // The turned forms were not measured by themselves.
  switch (op) {
    case opcode("M_MM"):
    case opcode("M_TMM"):
      return whole(integers ? 2 * blen + 8 : blen + 4);
    case opcode("M_MM_WO"):
      return whole(integers ? blen + 2 : 2 * blen + 13);
    case opcode("M_MV"):
    case opcode("M_TMV"):
      return whole(machine.mlen + 4);
    case opcode("M_MV_WO"):
      return whole(4);
    // Not measured from here on. All heads side by side; one pass of M_MM for each block of the result, the
    // passes behind each other, so that filling the array costs its four cycles once.
    case opcode("M_BMM"):
    case opcode("M_BTMM"): {
      const std::uint64_t blocks = (machine.mlen + blen - 1) / blen;
      return whole(blocks * blocks * blen + 4);
    }
    case opcode("M_BMV"):
    case opcode("M_BTMV"):
      return whole(machine.mlen + 4);
    // Whole rows need not be read before they are written: one a cycle, behind what M_MM_WO and M_MV_WO pay
    // besides their rows.
    case opcode("M_BMM_WO"):
      return whole(machine.broadcast * machine.mlen + 13);
    case opcode("M_BMV_WO"):
      return whole(machine.broadcast + 3);
    default:
      return {};
  }
}

Cost vector_cost(std::uint32_t word, const isa::Machine& machine) {
  const std::uint64_t levels = tree_levels(machine.vlen);
  switch (isa::opcode_of_word(word)) {
    case opcode("V_ADD_VV"):
    case opcode("V_SUB_VV"):
      return pipelined(12);
    case opcode("V_ADD_VF"):
    case opcode("V_SUB_VF"):
      return pipelined(13);
    case opcode("V_MUL_VV"):
      return pipelined(10);
    case opcode("V_MUL_VF"):
      return pipelined(11);
    case opcode("V_EXP_V"):
      return pipelined(21);
    case opcode("V_RECI_V"):
      return pipelined(11);
    case opcode("V_RED_SUM"):
      return whole(5 + 7 * levels);
    case opcode("V_RED_MAX"):
      return whole(5 + 2 * levels);
    // Not measured: the hardware has no shift yet, and what its description says of it is one cycle.
    case opcode("V_SHFT_V"):
      return pipelined(1);
    // Not measured: a comparison with a scalar takes the way of an addition.
    case opcode("V_MAX_VF"):
    case opcode("V_MIN_VF"):
      return pipelined(13);
    // Not measured: a search for the largest in all rows, as often as experts are chosen.
    case opcode("V_TOPK"): {
      const bool many = isa::cost_variant_of(word) == isa::CostVariant::kManyExperts;
      const std::uint64_t rows = ((many ? 128U : 32U) + machine.vlen - 1) / machine.vlen;
      return whole((many ? 8U : 4U) * rows * (5 + 2 * levels));
    }
    default:
      return {};
  }
}

Cost scalar_cost(std::uint32_t op, const isa::Machine& machine) {
  switch (op) {
    case opcode("S_ADD_FP"):
    case opcode("S_SUB_FP"):
    case opcode("S_RECI_FP"):
      return of_float_unit(9);
    case opcode("S_MUL_FP"):
      return of_float_unit(7);
    case opcode("S_EXP_FP"):
      return of_float_unit(19);
    case opcode("S_SQRT_FP"):
      return of_float_unit(5);
    // Not measured: the hardware has no such unit yet, and its description says ten cycles.
    case opcode("S_MAX_FP"):
      return whole(10);
    case opcode("S_MAP_V_FP"):
      return of_float_unit(machine.vlen + 3);
    default:
      return whole(1);
  }
}

}  // namespace

Cost rtl_cost_of(std::uint32_t word, const isa::Machine& machine) {
  const isa::Instruction* const instruction = isa::instruction_of_word(word);
  if (instruction == nullptr) return {};
  // What writes f0 does nothing, but it is issued.
  if (isa::cost_variant_of(word) == isa::CostVariant::kIntoZero) return whole(1);
  switch (instruction->unit) {
    case isa::Unit::kMatrix:
      return matrix_cost(instruction->opcode, machine);
    case isa::Unit::kVector:
      return vector_cost(word, machine);
    case isa::Unit::kScalar:
      return scalar_cost(instruction->opcode, machine);
    case isa::Unit::kControl:
      return whole(1);
    case isa::Unit::kMemory:
      break;
  }
  return {};
}

bool is_measured_in_rtl(std::uint32_t op) {
  switch (op) {
    case opcode("M_TMM"):
    case opcode("M_TMV"):
    case opcode("M_BMM"):
    case opcode("M_BTMM"):
    case opcode("M_BMM_WO"):
    case opcode("M_BMV"):
    case opcode("M_BTMV"):
    case opcode("M_BMV_WO"):
    case opcode("V_SHFT_V"):
    case opcode("V_MAX_VF"):
    case opcode("V_MIN_VF"):
    case opcode("V_TOPK"):
    case opcode("S_MAX_FP"):
      return false;
    default:
      return true;
  }
}

}  // namespace accelscope::emulator
