#include "formats/chrome_json/reader.h"

namespace accelscope::formats::chrome_json {
namespace {

constexpr std::string_view kLeadingSpace = " \t\r\n";

// The end of the string whose opening quotation mark is at `begin`: the position of its closing one.
std::size_t string_end(std::string_view text, std::size_t begin) {
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i;
}

// True when a key of this name occurs inside `wanted_depth` brackets.
bool has_key_at_depth(std::string_view text, int wanted_depth, std::string_view key) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t end = string_end(text, i);
    if (end >= text.size()) return false;
    const std::size_t next = text.find_first_not_of(kLeadingSpace, end + 1);
    const bool is_key = next != std::string_view::npos && text[next] == ':';
    if (is_key && depth == wanted_depth && text.substr(i + 1, end - i - 1) == key) return true;
    i = end;
  }
  return false;
}

}  // namespace

bool looks_like_chrome_json(std::string_view bytes) {
  constexpr std::size_t kHeadBytes = std::size_t{64} * 1024;
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::string_view head = bytes.substr(0, kHeadBytes);
  if (head.starts_with(kMark)) head.remove_prefix(kMark.size());
  head.remove_prefix(std::min(head.find_first_not_of(kLeadingSpace), head.size()));
  if (head.starts_with('{')) return has_key_at_depth(head, 1, "traceEvents");
  if (!head.starts_with('[')) return false;
  const std::size_t first = head.find_first_not_of(kLeadingSpace, 1);
  const bool is_empty_list = first != std::string_view::npos && head[first] == ']';
  return is_empty_list || has_key_at_depth(head, 2, "ph");
}

}  // namespace accelscope::formats::chrome_json
