// A listing to instruction words.
//
// Owns what it returns; the text is not kept. Pure functions, safe from any thread. The form of listings, the
// dialects and where they differ are in docs/isa.md.
//
//   const Assembly assembled = assemble("a.asm", file.text(), Dialect::kStrict);
//   if (!assembled.diagnostics.ok()) fmt::print(stderr, "{}", assembled.diagnostics.to_string());
//   write_words(output, assembled.words);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/diagnostics.h"
#include "isa/encoder.h"

namespace accelscope::isa {

struct Assembly {
  std::vector<std::uint32_t> words;  // of the lines without an error
  Diagnostics diagnostics;
};

Assembly assemble(std::string file, std::string_view text, Dialect dialect);

}  // namespace accelscope::isa
