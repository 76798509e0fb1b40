// Whatever the bytes, the reader of words answers with errors or with words that come back equal when they
// are written, and when they are disassembled and assembled, in both dialects.
#include <cstdint>
#include <string_view>

#include "base/output.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"
#include "isa/words.h"
#include "require.h"

namespace {

namespace isa = accelscope::isa;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const isa::Words read = isa::read_words("fuzzed-input", text);
  (void)read.diagnostics.to_string();
  require(read.words.size() == read.lines.size(), "every word has a line");
  accelscope::base::MemoryOutput written;
  isa::write_words(written, read.words);
  const isa::Words back = isa::read_words("written", written.bytes());
  require(back.diagnostics.ok() && back.words == read.words, "what was written reads back equal");
  for (const isa::Dialect dialect : {isa::Dialect::kStrict, isa::Dialect::kReference}) {
    accelscope::base::MemoryOutput listing;
    isa::disassemble(listing, read.words, dialect);
    const isa::Assembly made = isa::assemble("disassembled", listing.bytes(), dialect);
    require(made.diagnostics.ok() && made.words == read.words, "words come back equal from a listing");
  }
  return 0;
}
