// XNNPACK's "<type> (<layout>, <data types>) <microkernel> #<n>", taken apart.
#include <algorithm>
#include <charconv>

#include "analysis/data_types.h"
#include "analysis/name_grammar.h"

namespace accelscope::analysis {
namespace {

// "NHWC", "NCHW2NHWC", "BF16_F32": capitals, digits, underscores.
bool is_tag(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::uint32_t take_number(std::string_view& text) {
  const std::size_t hash = text.rfind('#');
  if (hash == std::string_view::npos || hash + 1 == text.size()) return 0;
  if (hash > 0 && text[hash - 1] != ' ') return 0;
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data() + hash + 1, end, number);
  if (error != std::errc() || last != end) return 0;
  text = trimmed(text.substr(0, hash));
  return number;
}

bool add_tag(XnnpackName& parts, std::string_view tag) {
  if (!is_tag(tag)) return false;
  if (is_data_type(tag)) {
    parts.tags.push_back(tag);
    return true;
  }
  const std::size_t bar = tag.find('_');
  if (bar != std::string_view::npos)
    return add_tag(parts, tag.substr(0, bar)) && add_tag(parts, tag.substr(bar + 1));
  if (!parts.layout.empty()) return false;
  parts.layout = tag;
  return true;
}

bool add_tags(XnnpackName& parts, std::string_view list) {
  while (true) {
    const std::size_t comma = list.find(',');
    if (!add_tag(parts, trimmed(list.substr(0, comma)))) return false;
    if (comma == std::string_view::npos) return true;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

XnnpackName split_xnnpack_name(std::string_view name) {
  XnnpackName parts;
  std::string_view rest = trimmed(name);
  parts.number = take_number(rest);
  parts.type = rest;
  const std::size_t open = rest.find('(');
  const std::size_t close = open == std::string_view::npos ? open : rest.find(')', open);
  if (close == std::string_view::npos) return parts;
  XnnpackName complete = parts;
  if (!add_tags(complete, rest.substr(open + 1, close - open - 1))) return parts;
  complete.type = trimmed(rest.substr(0, open));
  complete.ukernel = trimmed(rest.substr(close + 1));
  complete.has_parenthesis = true;
  return complete;
}

}  // namespace accelscope::analysis
