#include "formats/strace_log/strace_log.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/line_reader.h"
#include "base/number_in.h"
#include "base/utf8.h"

namespace accelscope::formats::strace_log {
namespace {

using base::number_in;

constexpr std::string_view kSpanMarker = "[STRACE] v=";
constexpr std::string_view kAnchorMarker = "[CLOCK_ANCHOR] v=";
constexpr std::string_view kBlanks = " \t";

std::size_t find_in(std::string_view text, std::string_view wanted, std::size_t from) {
  const void* found = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

struct Pair {
  std::string_view key;
  std::string_view value;
};

bool is_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-';
}

// Takes "key=value" from the front; nothing at the end, and where other text begins.
std::optional<Pair> take_pair(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  std::size_t key_size = 0;
  while (key_size < word.size() && is_key_char(word[key_size])) ++key_size;
  if (key_size == 0 || key_size == word.size() || word[key_size] != '=') return std::nullopt;
  text.remove_prefix(word.size());
  return Pair{word.substr(0, key_size), word.substr(key_size + 1)};
}

template <class Number>
bool set(Number& place, std::string_view text) {
  const auto number = number_in<Number>(text);
  if (number) place = *number;
  return number.has_value();
}

struct ParsedSpan {
  Span span;
  bool has_name = false;
  bool has_start = false;
  bool has_duration = false;
};

// False for a value that is not what its key promises.
bool add_pair(const Pair& pair, ParsedSpan& parsed) {
  Span& span = parsed.span;
  if (pair.key == "pid") return set(span.process, pair.value);
  if (pair.key == "tid") return set(span.thread, pair.value);
  if (pair.key == "inv") return set(span.invocation, pair.value);
  if (pair.key == "depth") return set(span.depth, pair.value);
  if (pair.key == "ts") return parsed.has_start = set(span.start_ns, pair.value);
  if (pair.key == "dur")
    return parsed.has_duration = set(span.duration_ns, pair.value) && span.duration_ns >= 0;
  if (pair.key == "hid") {
    span.callable = base::replace_invalid_utf8(pair.value);
  } else if (pair.key == "name") {
    span.name = base::replace_invalid_utf8(pair.value);
    parsed.has_name = !span.name.empty();
  } else if (pair.key == "clk" && pair.value == "dev") {
    span.on_device = true;
  } else {
    span.more.emplace_back(pair.key, base::replace_invalid_utf8(pair.value));
  }
  return true;
}

std::optional<Span> parse_span(std::string_view text) {
  ParsedSpan parsed;
  while (const auto pair = take_pair(text))
    if (!add_pair(*pair, parsed)) return std::nullopt;
  std::int64_t end = 0;
  if (!parsed.has_name || !parsed.has_start || !parsed.has_duration ||
      __builtin_add_overflow(parsed.span.start_ns, parsed.span.duration_ns, &end))
    return std::nullopt;
  return std::move(parsed.span);
}

std::optional<WallAnchor> parse_anchor(std::string_view text) {
  WallAnchor anchor;
  bool has_monotonic = false;
  bool has_wall = false;
  bool good = true;
  while (const auto pair = take_pair(text)) {
    if (pair->key == "pid") good = good && set(anchor.process, pair->value);
    if (pair->key == "mono_ns") has_monotonic = set(anchor.monotonic_ns, pair->value);
    if (pair->key == "wall_ns") has_wall = set(anchor.wall_ns, pair->value);
  }
  if (!good || !has_monotonic || !has_wall) return std::nullopt;
  return anchor;
}

class Reader {
 public:
  explicit Reader(const base::MappedFile& file) : path_(file.path()), lines_(file.text()) {}

  base::Result<StraceLog> read() && {
    while (lines_.next()) read_line(lines_.line());
    return std::move(result_);
  }

 private:
  // Two processes that write to one log may leave two markers on one line.
  void read_line(std::string_view line) {
    std::size_t span = find_in(line, kSpanMarker, 0);
    std::size_t anchor = find_in(line, kAnchorMarker, 0);
    while (span != std::string_view::npos || anchor != std::string_view::npos) {
      const bool is_span = span < anchor;
      const std::size_t start = is_span ? span + kSpanMarker.size() : anchor + kAnchorMarker.size();
      (is_span ? span : anchor) = find_in(line, is_span ? kSpanMarker : kAnchorMarker, start);
      std::string_view text = line.substr(start, std::min({span, anchor, line.size()}) - start);
      const std::string_view version = text.substr(0, text.find_first_of(kBlanks));
      check_version(version);
      text.remove_prefix(version.size());
      if (is_span) {
        add(parse_span(text), result_.spans);
      } else {
        add(parse_anchor(text), result_.anchors);
      }
    }
  }

  template <class Item>
  void add(std::optional<Item> item, std::vector<Item>& items) {
    if (item) {
      items.push_back(std::move(*item));
    } else {
      note("strace_log.damaged_line", "Markers in the log are cut or garbled; they are left out.");
    }
  }

  void check_version(std::string_view version) {
    if (version != "1")
      note("strace_log.other_version",
           "Markers in the log are not of version 1; they were read as if they were.");
  }

  void note(std::string id, std::string sentence) {
    result_.quality.add({.id = std::move(id),
                         .severity = trace::Severity::kWarning,
                         .sentence = std::move(sentence),
                         .first_place = base::Location::line(path_, lines_.number())});
  }

  std::string path_;
  base::LineReader lines_;
  StraceLog result_;
};

}  // namespace

bool looks_like_strace_log(std::string_view bytes) {
  constexpr std::size_t kSearched = std::size_t{64} << 10U;
  const std::string_view head = bytes.substr(0, kSearched);
  // A JSON document may quote a log.
  const std::size_t first = head.find_first_not_of(" \t\r\n[");
  if (first == std::string_view::npos || head[first] == '{') return false;
  return head.find('\0') == std::string_view::npos && find_in(head, kSpanMarker, 0) != std::string_view::npos;
}

base::Result<StraceLog> read_strace_log(const base::MappedFile& file) {
  return Reader(file).read();
}

}  // namespace accelscope::formats::strace_log
