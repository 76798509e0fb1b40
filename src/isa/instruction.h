// What one instruction of the accelerator is: plain data, from which assembler, disassembler, profiler and
// everything else that knows instructions are driven. The instructions themselves are in instruction_set.h.
//
// An instruction is a word of 32 bits. An operand has two places in it: where the reference assembler puts
// it, and where the hardware's decoder looks for it. For most they are the same; where they differ, a program
// means something else than it says (docs/isa.md). Constant data, safe from any thread.
//
//   const Instruction* instruction = find_instruction("M_BMM_WO");
//   instruction->operands[1].encoded   // Field::kImmediate22: what the reference assembler writes
//   instruction->operands[1].decoded   // Field::kImmediate18: what the hardware reads
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accelscope::isa {

// The part of the accelerator that carries an instruction out.
enum class Unit : std::uint8_t { kMatrix, kVector, kScalar, kControl, kMemory };
inline constexpr std::size_t kUnits = 5;
std::string_view name_of(Unit unit);

// A place in the instruction word.
enum class Field : std::uint8_t { kNone, kRd, kRs1, kRs2, kRs3, kFunct1, kImmediate22, kImmediate18 };

struct Bits {
  std::uint8_t lowest = 0;
  std::uint8_t count = 0;

  constexpr std::uint32_t largest() const { return (std::uint32_t{1} << count) - 1; }
  constexpr std::uint32_t of(std::uint32_t word) const { return (word >> lowest) & largest(); }
  constexpr std::uint32_t place(std::uint32_t value) const { return value << lowest; }
};

inline constexpr Bits kOpcodeBits{0, 6};

constexpr Bits bits_of(Field field) {
  constexpr std::array<Bits, 8> kBits{
      {{0, 0}, {6, 4}, {10, 4}, {14, 4}, {18, 4}, {22, 4}, {10, 22}, {14, 18}}};
  return kBits[static_cast<std::size_t>(field)];
}

constexpr std::uint32_t opcode_of_word(std::uint32_t word) {
  return kOpcodeBits.of(word);
}

// The registers an operand can name; kNone is a plain number.
enum class RegisterFile : std::uint8_t { kNone, kInteger, kFloat, kAddress };
// "gp", "f", "a", or "".
std::string_view prefix_of(RegisterFile file);
// How many there are; 0 for kNone.
std::uint32_t registers_in(RegisterFile file);

enum class Access : std::uint8_t { kNone, kRead, kWrite, kReadWrite };

// What the value of an operand is for.
enum class Meaning : std::uint8_t {
  kValue,           // a number or register that is calculated with
  kMatrixAddress,   // element address in the matrix memory
  kVectorAddress,   // element address in the vector memory
  kFloatAddress,    // in the scalar memory of floats
  kIntegerAddress,  // in the scalar memory of integers
  kMemoryOffset,    // bytes from the base
  kMemoryBase,      // address register
  kRowStep,         // rows between the rows of a write-out
  kAddend,          // added to the address register before it
  kMask,            // 0: the whole row; else slices by the mask register
  kStrideSwitch,    // 1: the stride register; else rows lie behind each other
  kPrecision,       // 0: weights or activations; else KV
  kOrder,           // 0: vector - scalar; else scalar - vector
  kRouting,         // V_TOPK: 0 is 4 of 32, 1 is 8 of 128
  kLoopCounter,
  kLoopCount,
  kUnread,     // the hardware does not look at it
  kMustBeZero  // anything else stops the hardware while it decodes
};

// Memories and special registers, as a set.
using Places = std::uint16_t;
namespace places {
inline constexpr Places kNothing = 0;
inline constexpr Places kMatrixMemory = 1U << 0U;
inline constexpr Places kVectorMemory = 1U << 1U;
inline constexpr Places kFloatMemory = 1U << 2U;
inline constexpr Places kIntegerMemory = 1U << 3U;
inline constexpr Places kExternalMemory = 1U << 4U;
inline constexpr Places kBlockAccumulator = 1U << 5U;    // BLEN x BLEN
inline constexpr Places kHeadsAccumulator = 1U << 6U;    // BROADCAST x MLEN x MLEN
inline constexpr Places kHeadRowAccumulator = 1U << 7U;  // BROADCAST x MLEN
inline constexpr Places kRowAccumulator = 1U << 8U;      // BLEN
inline constexpr Places kScaleRegister = 1U << 9U;
inline constexpr Places kStrideRegister = 1U << 10U;
inline constexpr Places kMaskRegister = 1U << 11U;  // read where the mask operand is not 0
inline constexpr Places kLoopStack = 1U << 12U;
}  // namespace places

// Which entry of a table of latencies an instruction costs. Two instructions share one only where both the
// emulator and the reference profiler charge them alike.
enum class Latency : std::uint8_t {
  kMatrixMatrix,     // overhead + MLEN
  kMatrixVector,     // MLEN; the reference profiler adds the overhead
  kBroadcastVector,  // overhead + 1; the reference profiler says overhead + MLEN
  kWriteOut,         // 1
  kVectorAdd,
  kVectorMultiply,
  kVectorExponential,
  kVectorReciprocal,
  kVectorSum,      // nothing when it writes f0
  kVectorMaximum,  // nothing when it writes f0
  kVectorClamp,    // as a maximum; the reference profiler says 1
  kRouting,        // a maximum for every expert; the reference profiler says 1
  kFloatBasic,     // this and the next three: nothing when they write f0
  kFloatExponential,
  kFloatReciprocal,
  kFloatSquareRoot,
  kFloatMemory,  // 1
  kMapVector,    // 2 VLEN; the reference profiler says VLEN
  kIntegerBasic,
  kPrefetchMatrix,
  kPrefetchVector,
  kStoreVector,
  kControl  // 1
};

struct Operand {
  RegisterFile file = RegisterFile::kNone;
  Access access = Access::kNone;
  Meaning meaning = Meaning::kValue;
  Field encoded = Field::kNone;  // by the reference assembler; kNone: it drops the operand
  Field decoded = Field::kNone;  // by the hardware; kNone: it does not look
  bool either = false;           // may be written as an integer register or as a plain number

  // Where an assembler puts it that wants it to be executed.
  constexpr Field meant() const { return decoded == Field::kNone ? encoded : decoded; }
};

inline constexpr std::size_t kMostOperands = 5;

struct Instruction {
  std::string_view mnemonic;
  std::uint8_t opcode = 0;
  Unit unit = Unit::kControl;
  Latency latency = Latency::kControl;
  std::uint8_t operand_count = 0;
  std::uint8_t needed = 0;               // operands that must be written; what is left out is 0
  std::uint8_t needed_by_reference = 0;  // without as many the reference assembler crashes
  std::uint8_t ignored = 0;              // operands more that may be written, to no effect
  bool misplaced = false;                // the reference assembler puts an operand where nobody looks for it
  std::array<Operand, kMostOperands> operands;
  Places reads = places::kNothing;
  Places writes = places::kNothing;
};

}  // namespace accelscope::isa
