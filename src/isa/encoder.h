// From operands to the instruction word, in two dialects.
//
// The strict dialect puts every operand where the hardware looks for it, and refuses what cannot be executed.
// The reference dialect writes bit for bit what the reference assembler writes, its mistakes included; what
// crashes that one is an error. A line that means something else in the other dialect gets a warning. Pure
// functions but for the diagnostics they add to.
//
//   if (const auto word = encode(line, Dialect::kStrict, diagnostics)) words.push_back(*word);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isa/diagnostics.h"
#include "isa/instruction.h"
#include "isa/listing_reader.h"

namespace accelscope::isa {

enum class Dialect : std::uint8_t { kStrict, kReference };

// "strict", "reference".
std::string_view name_of(Dialect dialect);
std::optional<Dialect> dialect_named(std::string_view name);

// Where a dialect puts an operand; kNone where it drops it.
constexpr Field field_of(const Operand& operand, Dialect dialect) {
  return dialect == Dialect::kStrict ? operand.meant() : operand.encoded;
}

// The largest number that an operand takes in a dialect; that of the last register for registers.
std::uint32_t largest_of(const Operand& operand, Dialect dialect);

using OperandValues = std::array<std::uint32_t, kMostOperands>;

// The word of an instruction whose values fit.
std::uint32_t encode(const Instruction& instruction, const OperandValues& values, Dialect dialect);

// The word of a line that is an instruction; nothing where an error was reported.
std::optional<std::uint32_t> encode(const ListingLine& line, Dialect dialect, Diagnostics& diagnostics);

}  // namespace accelscope::isa
