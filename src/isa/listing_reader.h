// A listing line by line: the text of a program taken apart into mnemonics and operands, and checked as far
// as its spelling goes. What the operands must be is the encoder's matter (encoder.h).
//
//   S_ADDI_INT gp1, gp0, 128   ; a comment, or // one
//   .word 0x00000033           ; a word that no instruction can be written for
//
// Nothing is allocated per line: comments and lines are views of the text, which must outlive the reader.
// Listings of any size can be read from a mapped file. One thread uses one reader.
//
//   ListingReader reader(file.text(), diagnostics);
//   ListingLine line;
//   while (reader.next(line)) use(line);
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/line_reader.h"
#include "isa/diagnostics.h"
#include "isa/instruction.h"

namespace accelscope::isa {

struct WrittenOperand {
  RegisterFile file = RegisterFile::kNone;
  std::uint32_t value = 0;   // number of the register, or the number itself
  std::uint32_t column = 0;  // from 1
};

struct ListingLine {
  enum class Kind : std::uint8_t { kInstruction, kWord, kComment };
  // One more than any instruction takes; further ones are only counted.
  static constexpr std::size_t kMostOperands = isa::kMostOperands + 1;

  Kind kind = Kind::kComment;
  const Instruction* instruction = nullptr;
  std::uint32_t operand_count = 0;
  std::array<WrittenOperand, kMostOperands> operands;
  std::uint32_t word = 0;    // of kWord
  std::uint32_t column = 0;  // of the mnemonic
  std::uint64_t number = 0;  // of the line, from 1
  std::string_view text;     // the whole line
  // What follows the ';' of a line that is nothing but a comment. Comments of "//" are skipped, as the
  // reference's profilers skip them.
  std::string_view comment;

  Place place(std::uint32_t at) const { return {number, at, text}; }
};

class ListingReader {
 public:
  ListingReader(std::string_view text, Diagnostics& diagnostics) : lines_(text), diagnostics_(diagnostics) {}

  // The next instruction, word or comment; false at the end. Lines that make no sense are reported and
  // skipped.
  bool next(ListingLine& line);
  // Lines read so far, blank ones included.
  std::uint64_t lines() const { return lines_.number(); }

 private:
  bool take(ListingLine& line);
  bool take_operands(ListingLine& line, const char* at, const char* end);
  bool take_word(ListingLine& line, const char* at, const char* end);

  base::LineReader lines_;
  Diagnostics& diagnostics_;
};

}  // namespace accelscope::isa
