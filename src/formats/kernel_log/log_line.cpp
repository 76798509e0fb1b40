#include "formats/kernel_log/log_line.h"

#include <charconv>
#include <cstring>

namespace accelscope::formats::kernel_log {
namespace {

constexpr std::size_t kNotFound = std::string_view::npos;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_word(char c) {
  const char l = lower(c);
  return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// Case does not matter; the ending is in lower case.
bool take_ending(std::string_view& text, std::string_view ending) {
  if (text.size() < ending.size()) return false;
  const std::size_t from = text.size() - ending.size();
  for (std::size_t i = 0; i < ending.size(); ++i)
    if (lower(text[from + i]) != ending[i]) return false;
  text.remove_suffix(ending.size());
  return true;
}

std::size_t find_text(std::string_view text, std::string_view wanted) {
  const void* found = memmem(text.data(), text.size(), wanted.data(), wanted.size());
  return found == nullptr ? kNotFound
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// "Using <word> microkernel " before a quotation mark: the word, or nothing.
std::string_view family_before(std::string_view text) {
  if (!take_ending(text, " microkernel ")) return {};
  std::size_t first = text.size();
  while (first > 0 && is_word(text[first - 1])) --first;
  const std::string_view word = text.substr(first);
  text = text.substr(0, first);
  return take_ending(text, "using ") ? word : std::string_view{};
}

// ". (<function>, <file>:<line>)"
void take_origin(LogLine& line, std::string_view rest) {
  const std::size_t open = rest.find('(');
  const std::size_t close = rest.rfind(')');
  if (open == kNotFound || close == kNotFound || close < open) return;
  const std::string_view origin = rest.substr(open + 1, close - open - 1);
  const std::size_t comma = origin.find(", ");
  if (comma == kNotFound || origin.size() > kMaxNameBytes) return;
  line.function = origin.substr(0, comma);
  line.place = origin.substr(comma + 2);
}

bool parse_registration(std::string_view text, LogLine& line) {
  for (std::size_t quote = text.find('\''); quote != kNotFound; quote = text.find('\'', quote + 1)) {
    const std::string_view family = family_before(text.substr(0, quote));
    if (family.empty()) continue;
    const std::size_t end = text.find('\'', quote + 1);
    if (end == quote + 1) continue;
    line.kind = LineKind::kDamaged;
    if (end == kNotFound || end - quote > kMaxNameBytes || family.size() > kMaxNameBytes) return true;
    line.kind = LineKind::kRegistered;
    line.family = family;
    line.symbol = text.substr(quote + 1, end - quote - 1);
    take_origin(line, text.substr(end + 1));
    return true;
  }
  return false;
}

bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_char(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Up to the parenthesis that closes the one before `text`; kNotFound when there is none.
std::size_t find_closing(std::string_view text) {
  std::size_t depth = 1;
  for (std::size_t i = 0; i < text.size() && i <= kMaxNameBytes; ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return kNotFound;
}

// The microkernel's kind is what follows the name's parenthesis, or without one, the last word.
void split_operator(LogLine& line) {
  const std::size_t close = line.text.rfind(')');
  const std::size_t end = close == kNotFound ? line.text.rfind(' ') : close + 1;
  line.name = line.text.substr(0, end);
  if (end == kNotFound) return;
  line.ukernel = line.text.substr(end);
  while (line.ukernel.starts_with(' ')) line.ukernel.remove_prefix(1);
}

bool parse_operator(std::string_view text, LogLine& line) {
  constexpr std::string_view kRunning = "running operator ";
  const std::size_t at = find_text(text, kRunning);
  if (at == kNotFound) return false;
  const bool skipped = text.substr(0, at).ends_with("skip ");
  text.remove_prefix(at + kRunning.size());
  if (!take_number(text, line.index) || !take_char(text, ':')) return false;
  line.kind = LineKind::kDamaged;
  if (!take_number(text, line.sub_index) || !take_char(text, ' ') || !take_char(text, '(')) return true;
  const std::size_t close = find_closing(text);
  if (close == kNotFound || close == 0) return true;
  line.text = text.substr(0, close);
  line.kind = skipped ? LineKind::kSkipped : LineKind::kInvoked;
  split_operator(line);
  return true;
}

}  // namespace

LogLine parse_log_line(std::string_view line) {
  LogLine parsed;
  if (!parse_registration(line, parsed)) parse_operator(line, parsed);
  return parsed;
}

}  // namespace accelscope::formats::kernel_log
