#include "isa/words.h"

#include <optional>
#include <utility>

#include "base/line_reader.h"
#include "base/number_in.h"

namespace accelscope::isa {
namespace {

constexpr std::string_view kBlanks = " \t\v\f\r";

// What stands between spaces; the rest of the line is left in `line`.
std::string_view next_word(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  line.remove_prefix(first);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<std::uint32_t> value_of(std::string_view word) {
  constexpr std::size_t kMostDigits = 8;
  if (word.starts_with("0x") || word.starts_with("0X")) word.remove_prefix(2);
  if (word.size() > kMostDigits) return std::nullopt;
  return base::number_in<std::uint32_t>(word, 16);
}

}  // namespace

Words read_words(std::string file, std::string_view text) {
  Words read{{}, {}, Diagnostics(std::move(file))};
  constexpr std::size_t kBytesPerLine = 11;
  read.words.reserve(text.size() / kBytesPerLine + 1);
  read.lines.reserve(text.size() / kBytesPerLine + 1);
  base::LineReader lines(text);
  while (lines.next()) {
    std::string_view rest = lines.line();
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      const std::optional<std::uint32_t> value = value_of(word);
      if (!value) {
        const auto column = static_cast<std::uint64_t>(word.data() - lines.line().data()) + 1;
        read.diagnostics.error(Rule::kSyntax, {lines.number(), column, lines.line()},
                               "expected words of up to eight hexadecimal digits, with 0x or without");
        break;
      }
      read.words.push_back(*value);
      read.lines.push_back(static_cast<std::uint32_t>(lines.number()));
    }
  }
  return read;
}

void append_hexadecimal(base::Output& out, std::uint32_t word) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  char* place = out.reserve(8);
  for (unsigned i = 0; i < 8; ++i) place[i] = kDigits[(word >> (28 - 4 * i)) & 0xFU];
  out.advance(8);
}

void write_words(base::Output& out, std::span<const std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    out.append("0x");
    append_hexadecimal(out, word);
    out.append('\n');
  }
}

}  // namespace accelscope::isa
