// Instruction words to a listing that assembles to the same words in the same dialect.
//
// A word that no line of the dialect assembles to (no instruction, bits in unused places, a register that is
// not there) becomes `.word 0x...`, with what the hardware makes of it in a comment. Pure functions, safe
// from any thread.
//
//   disassemble(output, words, Dialect::kStrict);
//   text_of(0x00000033, Dialect::kStrict)   // ".word 0x00000033  ; no instruction has opcode 0x33"
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/output.h"
#include "isa/encoder.h"

namespace accelscope::isa {

void disassemble(base::Output& out, std::span<const std::uint32_t> words, Dialect dialect);

// One line, without its end.
std::string text_of(std::uint32_t word, Dialect dialect);

}  // namespace accelscope::isa
