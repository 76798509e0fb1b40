#include "formats/chrome_json/window.h"

#include <algorithm>
#include <limits>

namespace accelscope::formats::chrome_json {
namespace {

constexpr std::string_view kWhitespace = " \t\r\n";

// True when another object follows the brace at `brace`, as between two events.
bool ends_an_event(std::string_view text, std::size_t brace) {
  const std::size_t comma = text.find_first_not_of(kWhitespace, brace + 1);
  if (comma == std::string_view::npos || text[comma] != ',') return false;
  const std::size_t next = text.find_first_not_of(kWhitespace, comma + 1);
  return next != std::string_view::npos && text[next] == '{';
}

// A place to end a window: behind the last brace that looks like the end of an event, else behind the last
// brace. Both may be inside a string, which the index then tells. 0 when there is no brace.
std::size_t find_cut(std::string_view text) {
  constexpr std::size_t kSearchedBytes = std::size_t{64} * 1024;
  const std::size_t search_from = text.size() > kSearchedBytes ? text.size() - kSearchedBytes : 0;
  const std::string_view tail = text.substr(search_from);
  for (std::size_t brace = tail.rfind('}'); brace != std::string_view::npos && brace > 0;
       brace = tail.rfind('}', brace - 1))
    if (ends_an_event(tail, brace)) return search_from + brace + 1;
  const std::size_t last = text.rfind('}');
  return last == std::string_view::npos ? 0 : last + 1;
}

}  // namespace

IndexOutcome IndexedWindows::load_at_least(std::size_t offset, std::size_t bytes) {
  for (;; bytes *= 2) {
    const std::string_view rest = document_.substr(offset);
    const bool is_last = rest.size() <= bytes;
    const std::size_t size = is_last ? rest.size() : find_cut(rest.substr(0, bytes));
    if (!is_last && size == 0) continue;
    if (size > std::numeric_limits<std::uint32_t>::max()) {
      window_ = {.text = rest.data(), .offset = offset};
      return IndexOutcome::kNoMemory;
    }
    const IndexOutcome outcome = index_.build(rest.data(), static_cast<std::uint32_t>(size));
    if (outcome == IndexOutcome::kEndsInsideString && !is_last) continue;
    requested_bytes_ = bytes;
    const std::string_view text = rest.substr(0, size);
    window_ = {text.data(),
               offset,
               static_cast<std::uint32_t>(size),
               index_.positions(),
               text.find('\\') != std::string_view::npos,
               is_last};
    return outcome;
  }
}

}  // namespace accelscope::formats::chrome_json
