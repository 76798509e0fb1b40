#include "isa/words.h"

#include <utility>

#include "base/line_reader.h"
#include "base/number_in.h"

namespace accelscope::isa {
namespace {

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\v\f\r";
  const std::size_t first = line.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kSpaces) - first + 1);
}

}  // namespace

Words read_words(std::string file, std::string_view text) {
  Words read{{}, {}, Diagnostics(std::move(file))};
  constexpr std::size_t kBytesPerLine = 11;
  read.words.reserve(text.size() / kBytesPerLine + 1);
  read.lines.reserve(text.size() / kBytesPerLine + 1);
  base::LineReader lines(text);
  while (lines.next()) {
    const std::string_view word = trimmed(lines.line());
    if (word.empty()) continue;
    constexpr std::size_t kLongest = 10;
    const bool starts = word.starts_with("0x") || word.starts_with("0X");
    const auto value =
        starts && word.size() <= kLongest ? base::number_in<std::uint32_t>(word.substr(2), 16) : std::nullopt;
    if (!value) {
      const auto column = static_cast<std::uint64_t>(word.data() - lines.line().data()) + 1;
      read.diagnostics.error(Rule::kSyntax, {lines.number(), column, lines.line()},
                             "expected one word a line, 0x and up to eight hexadecimal digits");
      continue;
    }
    read.words.push_back(*value);
    read.lines.push_back(static_cast<std::uint32_t>(lines.number()));
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
