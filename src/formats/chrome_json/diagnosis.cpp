#include "formats/chrome_json/diagnosis.h"

#include <fmt/core.h>

#include "base/utf8.h"

namespace accelscope::formats::chrome_json {
namespace {

// Walks text from outside strings and tells where strings begin and which bytes are inside one, as the index
// pass sees it: for that a backslash escapes a quotation mark outside strings, too.
struct StringTracker {
  bool inside = false;
  bool escaped = false;
  std::size_t begin = 0;

  void step(char c, std::size_t offset) {
    if (escaped) {
      escaped = false;
    } else if (c == '\\') {
      escaped = true;
    } else if (c == '"') {
      inside = !inside;
      if (inside) begin = offset;
    }
  }
};

std::size_t sequence_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

std::size_t first_invalid_utf8(std::string_view document, std::size_t from) {
  while (from < document.size()) {
    const std::string_view sequence = document.substr(from, sequence_length(document[from]));
    if (!base::is_valid_utf8(sequence)) return from;
    from += sequence.size();
  }
  return document.size();
}

// Where the string around `offset` begins; `offset` itself when it is outside strings.
std::size_t string_around(std::string_view document, std::size_t from, std::size_t offset) {
  StringTracker strings;
  for (std::size_t i = from; i < offset; ++i) strings.step(document[i], i);
  return strings.inside ? strings.begin : offset;
}

Damage control_character(std::string_view document, std::size_t from) {
  StringTracker strings;
  std::size_t i = from;
  for (; i < document.size(); ++i) {
    strings.step(document[i], i);
    if (strings.inside && static_cast<unsigned char>(document[i]) < 0x20) break;
  }
  return {{i, "a control character inside a string; JSON wants it escaped"}, strings.begin};
}

}  // namespace

Damage diagnose(IndexOutcome outcome, std::string_view document, std::size_t from) {
  if (outcome == IndexOutcome::kControlCharacter) return control_character(document, from);
  if (outcome == IndexOutcome::kInvalidUtf8) {
    const std::size_t offset = first_invalid_utf8(document, from);
    return {{offset, "this byte is not UTF-8, and JSON must be"}, string_around(document, from, offset)};
  }
  if (outcome == IndexOutcome::kNoMemory)
    return {{from, "not enough memory to index the value that begins here"}, from};
  const std::size_t begin = string_around(document, from, document.size());
  return {{document.size(), fmt::format("the file ends inside the string that begins at byte {}", begin)},
          begin};
}

Problem diagnose_end(std::string_view document, std::size_t from, std::string_view what) {
  const char last = document.empty() ? ' ' : document.back();
  const bool in_number = (last >= '0' && last <= '9') || last == '.' || last == '-';
  return {document.size(), fmt::format("the file ends {}inside the {} that begins at byte {}",
                                       in_number ? "in the middle of a number, " : "", what, from)};
}

}  // namespace accelscope::formats::chrome_json
