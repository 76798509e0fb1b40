#include "isa/disassembler.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "isa/instruction_set.h"
#include "isa/words.h"

namespace accelscope::isa {
namespace {

// How many operands to write: the last ones are left out where the dialect lets them be and they are 0.
std::size_t written_operands(const Instruction& instruction, const OperandValues& values, Dialect dialect) {
  const std::size_t needed =
      dialect == Dialect::kStrict ? instruction.needed : instruction.needed_by_reference;
  std::size_t count = instruction.operand_count;
  while (count > needed && values[count - 1] == 0) --count;
  return count;
}

OperandValues values_in(std::uint32_t word, const Instruction& instruction, Dialect dialect) {
  OperandValues values{};
  for (std::size_t i = 0; i < instruction.operand_count; ++i)
    values[i] = bits_of(field_of(instruction.operands[i], dialect)).of(word);
  return values;
}

// Whether the assembler takes these values, so that a line can be written at all.
bool can_be_written(const Instruction& instruction, const OperandValues& values, Dialect dialect) {
  for (std::size_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (values[i] > largest_of(operand, dialect)) return false;
    if (dialect == Dialect::kStrict && operand.meaning == Meaning::kLoopCount && values[i] == 0) return false;
  }
  return true;
}

void append_number(base::Output& out, std::uint32_t value) {
  const fmt::format_int text(value);
  out.append(std::string_view(text.data(), text.size()));
}

void append_line(base::Output& out, const Instruction& instruction, const OperandValues& values,
                 std::size_t count) {
  out.append(instruction.mnemonic);
  for (std::size_t i = 0; i < count; ++i) {
    out.append(i == 0 ? std::string_view(" ") : std::string_view(", "));
    out.append(prefix_of(instruction.operands[i].file));
    append_number(out, values[i]);
  }
}

void append_word(base::Output& out, std::uint32_t word, const Instruction* instruction) {
  out.append(".word 0x");
  append_hexadecimal(out, word);
  if (instruction == nullptr) {
    out.append(fmt::format("  ; no instruction has opcode 0x{:02X}", opcode_of_word(word)));
    return;
  }
  const OperandValues values = values_in(word, *instruction, Dialect::kStrict);
  out.append("  ; executed as ");
  append_line(out, *instruction, values, written_operands(*instruction, values, Dialect::kStrict));
}

void append_text(base::Output& out, std::uint32_t word, Dialect dialect) {
  const Instruction* const instruction = instruction_of_word(word);
  if (instruction == nullptr) return append_word(out, word, nullptr);
  const OperandValues values = values_in(word, *instruction, dialect);
  if (!can_be_written(*instruction, values, dialect) || encode(*instruction, values, dialect) != word)
    return append_word(out, word, instruction);
  append_line(out, *instruction, values, written_operands(*instruction, values, dialect));
}

}  // namespace

void disassemble(base::Output& out, std::span<const std::uint32_t> words, Dialect dialect) {
  for (const std::uint32_t word : words) {
    append_text(out, word, dialect);
    out.append('\n');
  }
}

std::string text_of(std::uint32_t word, Dialect dialect) {
  base::MemoryOutput out;
  append_text(out, word, dialect);
  return std::string(out.bytes());
}

}  // namespace accelscope::isa
