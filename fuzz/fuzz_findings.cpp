// Whatever the bytes, the reader of findings answers with a document or an error that names the file; a
// document reads back as it was written, and every renderer can show it.
#include <cstdint>
#include <string>
#include <string_view>

#include "findings/findings_json.h"
#include "report/markdown.h"
#include "report/plain_text.h"
#include "report/text.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace findings = accelscope::findings;
namespace report = accelscope::report;

constexpr std::string_view kName = "fuzzed-input";

base::Result<findings::Findings> read(std::string_view bytes) {
  return findings::read_json(base::MappedFile::from_memory(std::string(kName), bytes));
}

void check_round_trip(const findings::Findings& document) {
  base::MemoryOutput first;
  findings::write_json(document, first);
  const auto again = read(first.bytes());
  require(again.has_value(), "what was written can be read");
  base::MemoryOutput second;
  findings::write_json(*again, second);
  require(first.bytes() == second.bytes(), "a document reads back as it was written");
}

void check_renderers(const findings::Findings& document) {
  base::MemoryOutput markdown;
  report::write_markdown(document, markdown);
  base::MemoryOutput text;
  const report::TextOptions options;
  report::write_text(document, options, text);
  for (std::string_view rest = text.bytes(); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    require(report::display_width(line) <= options.width, "no line is too wide");
    rest.remove_prefix(line.size() + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = read({reinterpret_cast<const char*>(data), size});
  if (!document) {
    require(!document.error().message.empty(), "an error has a message");
    require(document.error().where.file == kName, "an error names the file");
    return 0;
  }
  check_round_trip(*document);
  check_renderers(*document);
  return 0;
}
