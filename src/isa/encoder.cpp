#include "isa/encoder.h"

#include <algorithm>
#include <limits>
#include <string>

#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

constexpr std::uint32_t kAnything = std::numeric_limits<std::uint32_t>::max();

bool right_file(const Operand& operand, const WrittenOperand& written) {
  if (written.file == operand.file) return true;
  return operand.either && (written.file == RegisterFile::kNone || written.file == RegisterFile::kInteger);
}

// What the reference assembler takes: it looks at the number only, whatever letters stand before it.
bool fits_reference(const Operand& operand, const WrittenOperand& written) {
  return written.value <= largest_of(operand, Dialect::kReference);
}

bool fits_strict(const Operand& operand, const WrittenOperand& written) {
  return right_file(operand, written) && written.value <= largest_of(operand, Dialect::kStrict) &&
         !(operand.meaning == Meaning::kLoopCount && written.value == 0);
}

std::string as_written(const WrittenOperand& written) {
  return fmt::format("{}{}", prefix_of(written.file), written.value);
}

std::string_view kind_in_words(RegisterFile file) {
  constexpr std::array<std::string_view, 4> kKinds{"a plain number", "an integer register (gp0 to gp15)",
                                                   "a float register (f0 to f7)",
                                                   "an address register (a0 to a15)"};
  return kKinds[static_cast<std::size_t>(file)];
}

std::string_view in_words(Meaning meaning) {
  switch (meaning) {
    case Meaning::kMask:
      return "mask";
    case Meaning::kAddend:
      return "offset";
    case Meaning::kStrideSwitch:
      return "stride switch";
    case Meaning::kPrecision:
      return "precision";
    case Meaning::kOrder:
      return "order";
    case Meaning::kRouting:
      return "choice of experts";
    case Meaning::kLoopCount:
      return "loop count";
    default:
      return "number";
  }
}

std::string objection(const Instruction& instruction, std::size_t index, const WrittenOperand& written,
                      Dialect dialect) {
  const Operand& operand = instruction.operands[index];
  const bool strict = dialect == Dialect::kStrict;
  if (strict && !right_file(operand, written))
    return fmt::format("operand {} of {} is {}, not `{}`", index + 1, instruction.mnemonic,
                       kind_in_words(operand.file), as_written(written));
  const std::uint32_t largest = largest_of(operand, dialect);
  if (written.file != RegisterFile::kNone && written.value > largest && operand.file == written.file)
    return fmt::format("there is no register {0}: {1}0 to {1}{2}", as_written(written),
                       prefix_of(written.file), largest);
  if (strict && operand.meaning == Meaning::kMustBeZero)
    return fmt::format("operand {} of {} must be 0: the hardware stops while it decodes anything else",
                       index + 1, instruction.mnemonic);
  if (written.value > largest)
    return fmt::format("`{}` does not fit: the {} of {} is at most {} ({} bits)", as_written(written),
                       in_words(operand.meaning), instruction.mnemonic, largest,
                       bits_of(field_of(operand, dialect)).count);
  return "a loop count of 0 is none: the hardware stops at it";
}

bool check_count(const ListingLine& line, Dialect dialect, Diagnostics& diagnostics) {
  const Instruction& instruction = *line.instruction;
  const std::uint32_t needed =
      dialect == Dialect::kStrict ? instruction.needed : instruction.needed_by_reference;
  const std::uint32_t most = instruction.operand_count;
  const std::uint32_t count = line.operand_count;
  if (count >= needed && count <= most) return true;
  if (count > most && count <= most + instruction.ignored) {
    if (dialect == Dialect::kStrict)
      diagnostics.warning(Rule::kIgnoredOperand, line.place(line.operands[most].column),
                          "operand {} of {} is ignored", most + 1, instruction.mnemonic);
    return true;
  }
  const std::string range = needed == most ? fmt::format("{}", most) : fmt::format("{} to {}", needed, most);
  if (count < needed && count >= instruction.needed)
    diagnostics.error(Rule::kOperand, line.place(line.column),
                      "the reference assembler crashes on {} with {} operands: it needs {}",
                      instruction.mnemonic, count, range);
  else
    diagnostics.error(Rule::kOperand, line.place(count > most ? line.operands[most].column : line.column),
                      "{} takes {} operand{}, not {}", instruction.mnemonic, range, most == 1 ? "" : "s",
                      count);
  return false;
}

// What the reference assembler takes although it makes no sense, or cannot be executed.
void warn_of_reference(const ListingLine& line, std::size_t index, Diagnostics& diagnostics) {
  const Operand& operand = line.instruction->operands[index];
  const WrittenOperand& written = line.operands[index];
  if (!right_file(operand, written))
    diagnostics.warning(Rule::kRegisterKind, line.place(written.column), "`{}` is executed as {}{}",
                        as_written(written), prefix_of(operand.file), written.value);
  else if (operand.file != RegisterFile::kNone && written.value >= registers_in(operand.file))
    diagnostics.warning(Rule::kRegisterKind, line.place(written.column),
                        "there is no register {}: the hardware stops at it", as_written(written));
  else if (operand.meaning == Meaning::kMustBeZero && written.value != 0)
    diagnostics.warning(Rule::kRegisterKind, line.place(written.column),
                        "anything but 0 here stops the hardware");
  else if (operand.meaning == Meaning::kLoopCount)
    diagnostics.warning(Rule::kRegisterKind, line.place(written.column),
                        "a loop count of 0 stops the hardware");
}

// Reports operands that the reference assembler puts where the hardware does not look for them.
void warn_of_difference(const ListingLine& line, const OperandValues& values, Dialect dialect,
                        Diagnostics& diagnostics) {
  const Instruction& instruction = *line.instruction;
  for (std::size_t i = 0; i < instruction.operand_count; ++i)
    if (values[i] > largest_of(instruction.operands[i], Dialect::kReference)) return;
  const std::uint32_t theirs = encode(instruction, values, Dialect::kReference);
  for (std::size_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.decoded == Field::kNone) continue;
    const std::uint32_t executed = bits_of(operand.decoded).of(theirs);
    if (executed == values[i]) continue;
    const Place place = line.place(line.operands[i].column);
    if (dialect == Dialect::kStrict)
      diagnostics.warning(
          Rule::kMisplacedOperand, place,
          "the reference assembler encodes 0x{:08X} here, which is executed with {} {} and not {}", theirs,
          in_words(operand.meaning), executed, values[i]);
    else
      diagnostics.warning(
          Rule::kMisplacedOperand, place,
          "0x{:08X} is executed with {} {} and not {}: the hardware does not look where it is put", theirs,
          in_words(operand.meaning), executed, values[i]);
  }
}

}  // namespace

std::string_view name_of(Dialect dialect) {
  return dialect == Dialect::kStrict ? "strict" : "reference";
}

std::optional<Dialect> dialect_named(std::string_view name) {
  for (const Dialect dialect : {Dialect::kStrict, Dialect::kReference})
    if (name == name_of(dialect)) return dialect;
  return std::nullopt;
}

std::uint32_t largest_of(const Operand& operand, Dialect dialect) {
  const Field field = field_of(operand, dialect);
  if (field == Field::kNone) return kAnything;
  if (dialect == Dialect::kReference) return bits_of(field).largest();
  if (operand.meaning == Meaning::kMustBeZero) return 0;
  return operand.file == RegisterFile::kNone ? bits_of(field).largest() : registers_in(operand.file) - 1;
}

std::uint32_t encode(const Instruction& instruction, const OperandValues& values, Dialect dialect) {
  std::uint32_t word = instruction.opcode;
  for (std::size_t i = 0; i < instruction.operand_count; ++i) {
    const Field field = field_of(instruction.operands[i], dialect);
    if (field != Field::kNone) word |= bits_of(field).place(values[i]);
  }
  return word;
}

std::optional<std::uint32_t> encode(const ListingLine& line, Dialect dialect, Diagnostics& diagnostics) {
  const Instruction& instruction = *line.instruction;
  if (!check_count(line, dialect, diagnostics)) return std::nullopt;
  const std::size_t count = std::min<std::size_t>(line.operand_count, instruction.operand_count);
  OperandValues values{};
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Operand& operand = instruction.operands[i];
    const WrittenOperand& written = line.operands[i];
    values[i] = written.value;
    const bool strict_fits = fits_strict(operand, written);
    if (dialect == Dialect::kStrict ? strict_fits : fits_reference(operand, written)) {
      if (!strict_fits) warn_of_reference(line, i, diagnostics);
      continue;
    }
    diagnostics.error(Rule::kOperand, line.place(written.column), "{}",
                      objection(instruction, i, written, dialect));
    good = false;
  }
  if (!good) return std::nullopt;
  if (instruction.misplaced) warn_of_difference(line, values, dialect, diagnostics);
  return encode(instruction, values, dialect);
}

}  // namespace accelscope::isa
