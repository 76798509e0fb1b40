// Whatever the bytes, each line that begins with a large letter has a label, and nothing else has.
#include <cstdint>
#include <string_view>

#include "base/line_reader.h"
#include "emulator/stage_profile.h"
#include "require.h"

namespace {

bool begins_with_large_letter(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != std::string_view::npos && line[first] >= 'A' && line[first] <= 'Z';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t instructions = 0;
  accelscope::base::LineReader lines(text);
  while (lines.next()) instructions += begins_with_large_letter(lines.line()) ? 1 : 0;
  require(accelscope::emulator::stage_labels(text).size() == instructions, "every instruction has a label");
  return 0;
}
