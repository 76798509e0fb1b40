// Files of instruction words: one a line, `0x` and eight hexadecimal digits, as the reference assembler
// writes them. Its emulator reads them apart by any blanks, with `0x` or without, and so does this.
//
// Owns what it returns. Pure functions, safe from any thread.
//
//   const Words read = read_words("a.mem", file.text());
//   write_words(output, read.words);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "isa/diagnostics.h"

namespace accelscope::isa {

struct Words {
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> lines;  // from 1, of each word
  Diagnostics diagnostics;
};

// One to eight digits, large or small, are taken; what follows a mistake in its line is not.
Words read_words(std::string file, std::string_view text);

void write_words(base::Output& out, std::span<const std::uint32_t> words);

// Eight digits, large.
void append_hexadecimal(base::Output& out, std::uint32_t word);

}  // namespace accelscope::isa
