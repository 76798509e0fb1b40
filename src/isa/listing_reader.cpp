#include "isa/listing_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "base/number_in.h"
#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

const char* past_spaces(const char* at, const char* end) {
  while (at != end && is_space(*at)) ++at;
  return at;
}

bool comment_starts(const char* at, const char* end) {
  return *at == ';' || (*at == '/' && end - at > 1 && at[1] == '/');
}

// Of a word: at a space, a comma, or a comment.
const char* end_of_word(const char* at, const char* end) {
  while (at != end && !is_space(*at) && *at != ',' && !comment_starts(at, end)) ++at;
  return at;
}

std::uint32_t column_of(const ListingLine& line, const char* at) {
  return static_cast<std::uint32_t>(
      std::min<std::ptrdiff_t>(at - line.text.data() + 1, std::numeric_limits<std::uint32_t>::max()));
}

// Cut, so that a message stays one: a word can be as long as the file.
std::string quoted(std::string_view word) {
  constexpr std::size_t kMost = 40;
  std::string text(word.substr(0, kMost));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return word.size() > kMost ? text + "..." : text;
}

const char* read_prefix(const char* at, const char* end, RegisterFile& file) {
  file = RegisterFile::kNone;
  if (end - at > 2 && at[0] == 'g' && at[1] == 'p') {
    file = RegisterFile::kInteger;
    return at + 2;
  }
  if (end - at > 1 && (*at == 'f' || *at == 'a')) {
    file = *at == 'f' ? RegisterFile::kFloat : RegisterFile::kAddress;
    return at + 1;
  }
  return at;
}

// Why a word is no operand, for the most likely mistakes.
std::string objection_to(std::string_view word) {
  const std::string text = quoted(word);
  std::string_view digits = word;
  if (word.starts_with('-')) return "`" + text + "`: numbers are never negative";
  if (word.starts_with("0x") || word.starts_with("0X"))
    return "`" + text + "`: numbers are written in decimal, not in hexadecimal";
  while (!digits.empty() && !is_digit(digits.front())) digits.remove_prefix(1);
  const std::string_view letters = word.substr(0, word.size() - digits.size());
  if (letters.empty() && std::all_of(digits.begin(), digits.end(), is_digit))
    return "`" + text + "` is larger than any field";
  if (letters == "GP" || letters == "F" || letters == "A" || letters == "Gp")
    return "`" + text + "`: names of registers are written in small letters";
  return "`" + text + "` is neither a register (gp0 to gp15, f0 to f7, a0 to a15) nor a decimal number";
}

// False when it is none.
bool read_operand(const char* at, const char* end, WrittenOperand& operand) {
  at = read_prefix(at, end, operand.file);
  if (at == end) return false;
  std::uint64_t value = 0;
  for (; at != end; ++at) {
    if (!is_digit(*at)) return false;
    value = value * 10 + static_cast<std::uint64_t>(*at - '0');
    if (value > std::numeric_limits<std::uint32_t>::max()) return false;
  }
  operand.value = static_cast<std::uint32_t>(value);
  return true;
}

}  // namespace

bool ListingReader::next(ListingLine& line) {
  while (lines_.next())
    if (take(line)) return true;
  return false;
}

bool ListingReader::take(ListingLine& line) {
  line.text = lines_.line();
  line.number = lines_.number();
  const char* const end = line.text.data() + line.text.size();
  const char* const at = past_spaces(line.text.data(), end);
  if (at == end) return false;
  line.column = column_of(line, at);
  if (comment_starts(at, end)) {
    if (*at != ';') return false;
    line.kind = ListingLine::Kind::kComment;
    line.comment = {at + 1, static_cast<std::size_t>(end - at - 1)};
    return true;
  }
  const char* const word_end = end_of_word(at, end);
  const std::string_view word(at, static_cast<std::size_t>(word_end - at));
  if (word == ".word") return take_word(line, word_end, end);
  line.kind = ListingLine::Kind::kInstruction;
  line.instruction = find_instruction(word);
  if (line.instruction == nullptr) {
    diagnostics_.error(
        Rule::kSyntax, line.place(line.column), "unknown instruction `{}`{}", quoted(word),
        diagnostics_.errors() < Diagnostics::kMostKept ? suggested_instruction(quoted(word)) : "");
    return false;
  }
  return take_operands(line, word_end, end);
}

bool ListingReader::take_operands(ListingLine& line, const char* at, const char* end) {
  line.operand_count = 0;
  at = past_spaces(at, end);
  if (at == end || comment_starts(at, end)) return true;
  bool good = true;
  while (true) {
    const char* const word_end = end_of_word(at, end);
    WrittenOperand operand;
    operand.column = column_of(line, at);
    if (word_end == at) {
      diagnostics_.error(Rule::kSyntax, line.place(operand.column), "an operand is missing here");
      good = false;
    } else if (!read_operand(at, word_end, operand)) {
      diagnostics_.error(Rule::kSyntax, line.place(operand.column), "{}",
                         objection_to({at, static_cast<std::size_t>(word_end - at)}));
      good = false;
    }
    if (line.operand_count < ListingLine::kMostOperands) line.operands[line.operand_count] = operand;
    ++line.operand_count;
    at = past_spaces(word_end, end);
    if (at == end || comment_starts(at, end)) return good;
    if (*at != ',') {
      diagnostics_.error(Rule::kSyntax, line.place(column_of(line, at)), "expected a comma between operands");
      return false;
    }
    at = past_spaces(at + 1, end);
  }
}

bool ListingReader::take_word(ListingLine& line, const char* at, const char* end) {
  line.kind = ListingLine::Kind::kWord;
  at = past_spaces(at, end);
  const char* const word_end = end_of_word(at, end);
  const std::string_view word(at, static_cast<std::size_t>(word_end - at));
  const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  const auto value =
      hexadecimal ? base::number_in<std::uint32_t>(word.substr(2), 16) : base::number_in<std::uint32_t>(word);
  const char* const rest = past_spaces(word_end, end);
  if (!value || (rest != end && !comment_starts(rest, end))) {
    diagnostics_.error(Rule::kSyntax, line.place(column_of(line, at)),
                       ".word takes one number of 32 bits, such as 0x00000033");
    return false;
  }
  line.word = *value;
  return true;
}

}  // namespace accelscope::isa
