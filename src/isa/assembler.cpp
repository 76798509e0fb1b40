#include "isa/assembler.h"

#include <utility>

#include "isa/listing_reader.h"

namespace accelscope::isa {

Assembly assemble(std::string file, std::string_view text, Dialect dialect) {
  Assembly made{{}, Diagnostics(std::move(file))};
  // A line of compiled code has about 25 bytes; growing a vector to a larger size costs one copy.
  constexpr std::size_t kBytesPerLine = 32;
  made.words.reserve(text.size() / kBytesPerLine);
  ListingReader reader(text, made.diagnostics);
  ListingLine line;
  while (reader.next(line)) {
    if (line.kind == ListingLine::Kind::kWord) {
      made.words.push_back(line.word);
    } else if (line.kind == ListingLine::Kind::kInstruction) {
      if (const auto word = encode(line, dialect, made.diagnostics)) made.words.push_back(*word);
    }
  }
  return made;
}

}  // namespace accelscope::isa
