// The instruction set: the one list of all instructions. Nothing else in the program lists opcodes or
// mnemonics; what needs one by name asks opcode(), which is checked by the compiler.
//
// Constant data and pure functions, safe from any thread.
//
//   if (const Instruction* found = find_instruction("V_EXP_V")) ...
//   switch (opcode_of_word(word)) {
//     case opcode("C_LOOP_START"): ...     // an unknown name does not compile
//   }
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "isa/instruction.h"

namespace accelscope::isa {

namespace table {

constexpr Operand at(Field field, RegisterFile file, Access access, Meaning meaning) {
  return {file, access, meaning, field, field, false};
}
constexpr Operand read_gp(Field field, Meaning meaning = Meaning::kValue) {
  return at(field, RegisterFile::kInteger, Access::kRead, meaning);
}
constexpr Operand write_gp(Field field) {
  return at(field, RegisterFile::kInteger, Access::kWrite, Meaning::kValue);
}
constexpr Operand read_f(Field field) {
  return at(field, RegisterFile::kFloat, Access::kRead, Meaning::kValue);
}
constexpr Operand write_f(Field field) {
  return at(field, RegisterFile::kFloat, Access::kWrite, Meaning::kValue);
}
// Reductions start from what is in the register.
constexpr Operand update_f(Field field) {
  return at(field, RegisterFile::kFloat, Access::kReadWrite, Meaning::kValue);
}
constexpr Operand number(Field field, Meaning meaning) {
  return at(field, RegisterFile::kNone, Access::kNone, meaning);
}
constexpr Operand misplaced(Field encoded, Field decoded, Meaning meaning) {
  return {RegisterFile::kNone, Access::kNone, meaning, encoded, decoded, false};
}
// The first operand of a product, usually written 0.
constexpr Operand unread() {
  return {RegisterFile::kNone, Access::kNone, Meaning::kUnread, Field::kRd, Field::kNone, true};
}
constexpr Operand zero() {
  return {RegisterFile::kNone, Access::kNone, Meaning::kMustBeZero, Field::kRd, Field::kRd, true};
}
constexpr Operand added_gp() {
  return {RegisterFile::kInteger, Access::kRead, Meaning::kAddend, Field::kRd, Field::kRd, true};
}

constexpr Operand kMask = number(Field::kRs3, Meaning::kMask);
constexpr Operand kAddend = number(Field::kImmediate18, Meaning::kAddend);
constexpr Operand kMisplacedAddend = misplaced(Field::kImmediate22, Field::kImmediate18, Meaning::kAddend);
constexpr Operand kMisplacedMask = misplaced(Field::kImmediate18, Field::kRs3, Meaning::kMask);
constexpr Operand kDroppedMask = misplaced(Field::kNone, Field::kRs3, Meaning::kMask);

struct Memories {
  Places reads = places::kNothing;
  Places writes = places::kNothing;
};

constexpr Instruction row(std::uint8_t opcode, std::string_view mnemonic, Unit unit, Latency latency,
                          std::initializer_list<Operand> operands, Memories memories = {}) {
  Instruction made;
  made.mnemonic = mnemonic;
  made.opcode = opcode;
  made.unit = unit;
  made.latency = latency;
  for (const Operand& operand : operands) {
    made.operands[made.operand_count++] = operand;
    made.misplaced |= operand.decoded != Field::kNone && operand.encoded != operand.decoded;
  }
  made.needed = made.needed_by_reference = made.operand_count;
  made.reads = memories.reads;
  made.writes = memories.writes;
  return made;
}
// The last operand may be left out; `by_reference`: in the reference assembler, too.
constexpr Instruction last_optional(Instruction made, bool by_reference) {
  made.needed = static_cast<std::uint8_t>(made.operand_count - 1);
  if (by_reference) made.needed_by_reference = made.needed;
  return made;
}
constexpr Instruction one_more_ignored(Instruction made) {
  made.ignored = 1;
  return made;
}

constexpr Places kMatrixAndVector = places::kMatrixMemory | places::kVectorMemory;
constexpr Places kMasked = places::kVectorMemory | places::kMaskRegister;
constexpr Places kTransfer = places::kExternalMemory | places::kScaleRegister | places::kStrideRegister;

constexpr Instruction product(std::uint8_t opcode, std::string_view mnemonic, Latency latency, Operand first,
                              Meaning second, Meaning third, Places accumulator) {
  return row(opcode, mnemonic, Unit::kMatrix, latency,
             {first, read_gp(Field::kRs1, second), read_gp(Field::kRs2, third)},
             {static_cast<Places>(kMatrixAndVector | accumulator), accumulator});
}
constexpr Instruction write_out(std::uint8_t opcode, std::string_view mnemonic, Places accumulator,
                                Places row_read) {
  return row(opcode, mnemonic, Unit::kMatrix, Latency::kWriteOut,
             {read_gp(Field::kRd, Meaning::kVectorAddress), kMisplacedAddend},
             {static_cast<Places>(accumulator | row_read),
              static_cast<Places>(places::kVectorMemory | accumulator)});
}
// One row of vectors in and out, with another row or a scalar.
constexpr Instruction elementwise(std::uint8_t opcode, std::string_view mnemonic, Latency latency,
                                  Operand second) {
  return last_optional(row(opcode, mnemonic, Unit::kVector, latency,
                           {read_gp(Field::kRd, Meaning::kVectorAddress),
                            read_gp(Field::kRs1, Meaning::kVectorAddress), second, kMask},
                           {kMasked, places::kVectorMemory}),
                       true);
}
constexpr Instruction of_one_row(std::uint8_t opcode, std::string_view mnemonic, Latency latency) {
  return last_optional(row(opcode, mnemonic, Unit::kVector, latency,
                           {read_gp(Field::kRd, Meaning::kVectorAddress),
                            read_gp(Field::kRs1, Meaning::kVectorAddress), kMisplacedMask},
                           {kMasked, places::kVectorMemory}),
                       false);
}
constexpr Instruction reduction(std::uint8_t opcode, std::string_view mnemonic, Latency latency, Operand mask,
                                bool optional_by_reference) {
  return last_optional(row(opcode, mnemonic, Unit::kVector, latency,
                           {update_f(Field::kRd), read_gp(Field::kRs1, Meaning::kVectorAddress), mask},
                           {kMasked, places::kNothing}),
                       optional_by_reference);
}
constexpr Instruction of_two_floats(std::uint8_t opcode, std::string_view mnemonic) {
  return row(opcode, mnemonic, Unit::kScalar, Latency::kFloatBasic,
             {write_f(Field::kRd), read_f(Field::kRs1), read_f(Field::kRs2)});
}
constexpr Instruction of_one_float(std::uint8_t opcode, std::string_view mnemonic, Latency latency) {
  return row(opcode, mnemonic, Unit::kScalar, latency, {write_f(Field::kRd), read_f(Field::kRs1)});
}
constexpr Instruction of_two_integers(std::uint8_t opcode, std::string_view mnemonic) {
  return row(opcode, mnemonic, Unit::kScalar, Latency::kIntegerBasic,
             {write_gp(Field::kRd), read_gp(Field::kRs1), read_gp(Field::kRs2)});
}
constexpr Instruction scalar_memory(std::uint8_t opcode, std::string_view mnemonic, Latency latency,
                                    Operand value, Meaning address, Memories memories) {
  return row(opcode, mnemonic, Unit::kScalar, latency, {value, read_gp(Field::kRs1, address), kAddend},
             memories);
}
constexpr Instruction transfer(std::uint8_t opcode, std::string_view mnemonic, Latency latency,
                               Meaning on_chip, Memories memories) {
  return one_more_ignored(
      row(opcode, mnemonic, Unit::kMemory, latency,
          {read_gp(Field::kRd, on_chip), read_gp(Field::kRs1, Meaning::kMemoryOffset),
           at(Field::kRs2, RegisterFile::kAddress, Access::kRead, Meaning::kMemoryBase),
           number(Field::kRs3, Meaning::kStrideSwitch), number(Field::kFunct1, Meaning::kPrecision)},
          memories));
}
constexpr Instruction set_register(std::uint8_t opcode, std::string_view mnemonic, Places written) {
  return row(opcode, mnemonic, Unit::kControl, Latency::kControl, {read_gp(Field::kRd)},
             {places::kNothing, written});
}

constexpr Operand kOtherRow = read_gp(Field::kRs2, Meaning::kVectorAddress);
constexpr Operand kScalar = read_f(Field::kRs2);
constexpr Meaning kM = Meaning::kMatrixAddress;
constexpr Meaning kV = Meaning::kVectorAddress;

// clang-format off
inline constexpr auto kInstructions = std::to_array<Instruction>({
    product(0x01, "M_MM", Latency::kMatrixMatrix, unread(), kM, kV, places::kBlockAccumulator),
    // The matrix comes second here.
    product(0x02, "M_TMM", Latency::kMatrixMatrix, unread(), kV, kM, places::kBlockAccumulator),
    product(0x03, "M_BMM", Latency::kMatrixMatrix, zero(), kM, kV, places::kHeadsAccumulator),
    product(0x04, "M_BTMM", Latency::kMatrixMatrix, zero(), kM, kV, places::kHeadsAccumulator),
    write_out(0x05, "M_BMM_WO", places::kHeadsAccumulator, places::kNothing),
    row(0x06, "M_MM_WO", Unit::kMatrix, Latency::kWriteOut,
        {read_gp(Field::kRd, kV), read_gp(Field::kRs1, Meaning::kRowStep), kAddend},
        {places::kVectorMemory | places::kBlockAccumulator, places::kVectorMemory | places::kBlockAccumulator}),
    product(0x07, "M_MV", Latency::kMatrixVector, unread(), kM, kV, places::kRowAccumulator),
    product(0x08, "M_TMV", Latency::kMatrixVector, unread(), kM, kV, places::kRowAccumulator),
    product(0x09, "M_BMV", Latency::kBroadcastVector, added_gp(), kM, kV, places::kHeadRowAccumulator),
    product(0x0A, "M_BTMV", Latency::kBroadcastVector, added_gp(), kM, kV, places::kHeadRowAccumulator),
    write_out(0x0B, "M_MV_WO", places::kRowAccumulator, places::kVectorMemory),
    write_out(0x0C, "M_BMV_WO", places::kHeadRowAccumulator, places::kNothing),

    elementwise(0x0D, "V_ADD_VV", Latency::kVectorAdd, kOtherRow),
    elementwise(0x0E, "V_ADD_VF", Latency::kVectorAdd, kScalar),
    elementwise(0x0F, "V_SUB_VV", Latency::kVectorAdd, kOtherRow),
    one_more_ignored(row(0x10, "V_SUB_VF", Unit::kVector, Latency::kVectorAdd,
        {read_gp(Field::kRd, kV), read_gp(Field::kRs1, kV), kScalar, kMask, number(Field::kFunct1, Meaning::kOrder)},
        {kMasked, places::kVectorMemory})),
    elementwise(0x11, "V_MUL_VV", Latency::kVectorMultiply, kOtherRow),
    elementwise(0x12, "V_MUL_VF", Latency::kVectorMultiply, kScalar),
    of_one_row(0x13, "V_EXP_V", Latency::kVectorExponential),
    of_one_row(0x14, "V_RECI_V", Latency::kVectorReciprocal),
    reduction(0x15, "V_RED_SUM", Latency::kVectorSum, kDroppedMask, true),
    reduction(0x16, "V_RED_MAX", Latency::kVectorMaximum, kMisplacedMask, false),

    of_two_floats(0x17, "S_ADD_FP"),
    of_two_floats(0x18, "S_SUB_FP"),
    of_two_floats(0x19, "S_MAX_FP"),
    of_two_floats(0x1A, "S_MUL_FP"),
    of_one_float(0x1B, "S_EXP_FP", Latency::kFloatExponential),
    of_one_float(0x1C, "S_RECI_FP", Latency::kFloatReciprocal),
    of_one_float(0x1D, "S_SQRT_FP", Latency::kFloatSquareRoot),
    scalar_memory(0x1E, "S_LD_FP", Latency::kFloatMemory, write_f(Field::kRd), Meaning::kFloatAddress, {places::kFloatMemory, places::kNothing}),
    scalar_memory(0x1F, "S_ST_FP", Latency::kFloatMemory, read_f(Field::kRd), Meaning::kFloatAddress, {places::kNothing, places::kFloatMemory}),
    scalar_memory(0x20, "S_MAP_V_FP", Latency::kMapVector, read_gp(Field::kRd, kV), Meaning::kFloatAddress, {places::kFloatMemory, places::kVectorMemory}),

    of_two_integers(0x21, "S_ADD_INT"),
    row(0x22, "S_ADDI_INT", Unit::kScalar, Latency::kIntegerBasic,
        {write_gp(Field::kRd), read_gp(Field::kRs1), number(Field::kImmediate18, Meaning::kValue)}),
    of_two_integers(0x23, "S_SUB_INT"),
    of_two_integers(0x24, "S_MUL_INT"),
    row(0x25, "S_LUI_INT", Unit::kScalar, Latency::kIntegerBasic,
        {write_gp(Field::kRd), number(Field::kImmediate22, Meaning::kValue)}),
    scalar_memory(0x26, "S_LD_INT", Latency::kIntegerBasic, write_gp(Field::kRd), Meaning::kIntegerAddress, {places::kIntegerMemory, places::kNothing}),
    scalar_memory(0x27, "S_ST_INT", Latency::kIntegerBasic, read_gp(Field::kRd), Meaning::kIntegerAddress, {places::kNothing, places::kIntegerMemory}),

    transfer(0x28, "H_PREFETCH_M", Latency::kPrefetchMatrix, kM, {kTransfer, places::kMatrixMemory}),
    transfer(0x29, "H_PREFETCH_V", Latency::kPrefetchVector, kV, {kTransfer, places::kVectorMemory}),
    // Blocks are read, changed and written back.
    transfer(0x2A, "H_STORE_V", Latency::kStoreVector, kV, {kTransfer | places::kVectorMemory, places::kExternalMemory}),

    row(0x2B, "C_SET_ADDR_REG", Unit::kControl, Latency::kControl,
        {at(Field::kRd, RegisterFile::kAddress, Access::kWrite, Meaning::kValue), read_gp(Field::kRs1), read_gp(Field::kRs2)}),
    set_register(0x2C, "C_SET_SCALE_REG", places::kScaleRegister),
    set_register(0x2D, "C_SET_STRIDE_REG", places::kStrideRegister),
    set_register(0x2E, "C_SET_V_MASK_REG", places::kMaskRegister),
    row(0x2F, "C_LOOP_START", Unit::kControl, Latency::kControl,
        {at(Field::kRd, RegisterFile::kInteger, Access::kWrite, Meaning::kLoopCounter), number(Field::kImmediate22, Meaning::kLoopCount)},
        {places::kNothing, places::kLoopStack}),
    row(0x30, "C_LOOP_END", Unit::kControl, Latency::kControl,
        {at(Field::kRd, RegisterFile::kInteger, Access::kReadWrite, Meaning::kLoopCounter)},
        {places::kLoopStack, places::kLoopStack}),
    row(0x32, "V_SHFT_V", Unit::kVector, Latency::kVectorMultiply,
        {read_gp(Field::kRd, kV), read_gp(Field::kRs1, kV), read_gp(Field::kRs2)}, {places::kVectorMemory, places::kVectorMemory}),
    row(0x34, "C_BREAK", Unit::kControl, Latency::kControl, {}, {places::kLoopStack, places::kLoopStack}),
    elementwise(0x35, "V_MAX_VF", Latency::kVectorClamp, kScalar),
    elementwise(0x36, "V_MIN_VF", Latency::kVectorClamp, kScalar),
    last_optional(row(0x37, "V_TOPK", Unit::kVector, Latency::kRouting,
        {read_gp(Field::kRd, Meaning::kFloatAddress), read_gp(Field::kRs1, kV), read_gp(Field::kRs2, Meaning::kIntegerAddress),
         number(Field::kRs3, Meaning::kRouting)},
        {places::kVectorMemory, places::kFloatMemory | places::kIntegerMemory}), true),
});
// clang-format on

inline constexpr std::size_t kOpcodes = 64;

// From opcode to place in the list; its size where the opcode is of no instruction.
inline constexpr auto kPlaceOfOpcode = [] {
  std::array<std::uint8_t, kOpcodes> places{};
  places.fill(static_cast<std::uint8_t>(kInstructions.size()));
  for (std::size_t i = 0; i < kInstructions.size(); ++i)
    places[kInstructions[i].opcode] = static_cast<std::uint8_t>(i);
  return places;
}();

}  // namespace table

// All of them, by opcode.
constexpr std::span<const Instruction> instructions() {
  return table::kInstructions;
}

// nullptr where there is none: 0, 0x31 and 0x33, which the hardware reserves, and all above 0x37.
constexpr const Instruction* find_instruction(std::uint32_t opcode) {
  if (opcode >= table::kOpcodes) return nullptr;
  const std::size_t place = table::kPlaceOfOpcode[opcode];
  return place == table::kInstructions.size() ? nullptr : &table::kInstructions[place];
}
constexpr const Instruction* instruction_of_word(std::uint32_t word) {
  return find_instruction(opcode_of_word(word));
}
// By its name, as it is written in listings; nullptr where there is none.
const Instruction* find_instruction(std::string_view mnemonic);
// "; did you mean `M_MM`?", or "".
std::string suggested_instruction(std::string_view mnemonic);

// The opcode of a name, for programs: an unknown name does not compile.
consteval std::uint8_t opcode(std::string_view mnemonic) {
  for (const Instruction& instruction : table::kInstructions)
    if (instruction.mnemonic == mnemonic) return instruction.opcode;
  throw "no such instruction";
}

}  // namespace accelscope::isa
