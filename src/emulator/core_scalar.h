// The instructions that a program carries out most, in line with the loop that runs it: scalar ones and those
// that set registers. Include it where Core::carry_out_scalar() is called; core.h declares it.
//
//   if (!core.carry_out_scalar(operation))
//     if (const Fault fault = core.carry_out(operation); fault.found()) ...
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/half_float.h"
#include "emulator/core.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {

// What is no number is always the same one, as that of rows.
inline float rounded_to_bf16(float value) {
  return value != value ? base::float_of_bfloat16(0x7FC0)
                        : base::float_of_bfloat16(base::bfloat16_bits(value));
}

inline bool Core::set_gp(std::uint8_t number, std::uint32_t value) {
  if (number == 0 && strict()) return false;
  state_.registers.gp[number] = value;
  return true;
}

// A result in f0 is dropped.
template <class Calculate>
inline bool Core::set_f(const Operation& operation, bool of_two, const Calculate& calculate) {
  const unsigned numbers = operation.rd | operation.rs1 | (of_two ? operation.rs2 : 0U);
  if (numbers >= kFloatRegisters) return false;
  auto& f = state_.registers.f;
  if (operation.rd != 0)
    f[operation.rd] = rounded_to_bf16(calculate(f[operation.rs1], f[operation.rs2 % kFloatRegisters]));
  return true;
}

inline bool Core::load_float(const Operation& operation) {
  const std::uint32_t place = gp(operation.rs1) + operation.immediate;
  if (place >= kScalarWords || operation.rd >= kFloatRegisters) return false;
  if (strict() && (operation.rd == 0 || !state_.scalars.float_written[place])) return false;
  state_.registers.f[operation.rd] = state_.scalars.floats[place];
  return true;
}

inline bool Core::store_float(const Operation& operation) {
  const std::uint32_t place = gp(operation.rs1) + operation.immediate;
  if (place >= kScalarWords || operation.rd >= kFloatRegisters) return false;
  state_.scalars.floats[place] = state_.registers.f[operation.rd];
  state_.scalars.float_written[place] = true;
  return true;
}

inline bool Core::load_integer(const Operation& operation) {
  const std::uint32_t place = gp(operation.rs1) + operation.immediate;
  if (place >= kScalarWords || (strict() && !state_.scalars.integer_written[place])) return false;
  return set_gp(operation.rd, state_.scalars.integers[place]);
}

inline bool Core::store_integer(const Operation& operation) {
  const std::uint32_t place = gp(operation.rs1) + operation.immediate;
  if (place >= kScalarWords) return false;
  state_.scalars.integers[place] = gp(operation.rd);
  state_.scalars.integer_written[place] = true;
  return true;
}

inline bool Core::carry_out_scalar(const Operation& operation) {
  using isa::opcode;
  if (operation.strays && strict()) return false;
  Registers& registers = state_.registers;
  const std::uint32_t a = gp(operation.rs1);
  const std::uint32_t b = gp(operation.rs2);
  switch (operation.opcode) {
    case opcode("S_ADD_INT"):
      return set_gp(operation.rd, a + b);
    case opcode("S_ADDI_INT"):
      return set_gp(operation.rd, a + operation.immediate);
    case opcode("S_SUB_INT"):
      return set_gp(operation.rd, a - b);
    case opcode("S_MUL_INT"):
      return set_gp(operation.rd, a * b);
    case opcode("S_LUI_INT"):
      return set_gp(operation.rd, operation.immediate << 12U);
    case opcode("S_LD_INT"):
      return load_integer(operation);
    case opcode("S_ST_INT"):
      return store_integer(operation);
    case opcode("S_ADD_FP"):
      return set_f(operation, true, [](float x, float y) { return x + y; });
    case opcode("S_SUB_FP"):
      return set_f(operation, true, [](float x, float y) { return x - y; });
    case opcode("S_MAX_FP"):
      return set_f(operation, true, [](float x, float y) { return x > y || x != x ? x : y; });
    case opcode("S_MUL_FP"):
      return set_f(operation, true, [](float x, float y) { return x * y; });
    case opcode("S_EXP_FP"):
      return set_f(operation, false,
                   [&](float x, float) { return (*exponentials_)[std::bit_cast<std::uint32_t>(x) >> 16U]; });
    case opcode("S_RECI_FP"):
      return set_f(operation, false, [](float x, float) { return 1 / x; });
    case opcode("S_SQRT_FP"):
      return set_f(operation, false, [](float x, float) { return std::sqrt(x); });
    case opcode("S_LD_FP"):
      return load_float(operation);
    case opcode("S_ST_FP"):
      return store_float(operation);
    case opcode("C_SET_ADDR_REG"):
      registers.a[operation.rd] = (std::uint64_t{a} << 32U) | b;
      return true;
    case opcode("C_SET_SCALE_REG"):
      registers.scale = gp(operation.rd);
      return true;
    case opcode("C_SET_STRIDE_REG"):
      registers.stride = gp(operation.rd);
      return true;
    case opcode("C_SET_V_MASK_REG"):
      registers.mask = gp(operation.rd);
      return true;
    default:
      return false;
  }
}

}  // namespace accelscope::emulator
