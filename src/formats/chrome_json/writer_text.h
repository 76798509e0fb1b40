// Pieces of JSON for the writer: texts that are known to need no escapes, exact microseconds, typed values.
//
// One thread uses one EventText; the trace and the output must outlive it.
//
//   EventText text(trace, out);
//   text.begin_event();  text.put(R"("ph":"X","ts":)");  text.put_microseconds(1500);     // 1.5
//   text.end_event();
#pragma once

#include <charconv>
#include <concepts>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "trace/trace.h"

namespace accelscope::formats::chrome_json {

class EventText {
 public:
  // `at_start`: whether no event was written before.
  EventText(const trace::Trace& trace, base::Output& out, bool at_start = true)
      : trace_(trace),
        out_(out),
        kinds_(trace.strings().size(), TextKind::kUnknown),
        first_event_(at_start) {}

  // Events are lines, with commas between them.
  void begin_event() {
    put(first_event_ ? std::string_view("\n{") : std::string_view(",\n{"));
    first_event_ = false;
  }
  void end_event() { put("}"); }

  void put(std::string_view text) {
    std::memcpy(out_.reserve(text.size() + 1), text.data(), text.size());
    out_.advance(text.size());
  }
  template <std::integral T>
  void put_integer(T number) {
    constexpr std::size_t kRoom = 24;
    char* const place = out_.reserve(kRoom);
    out_.advance(static_cast<std::size_t>(std::to_chars(place, place + kRoom, number).ptr - place));
  }
  // Up to three decimals.
  void put_microseconds(std::int64_t nanoseconds);
  void put_quoted(trace::StringId id) {
    const TextKind kind = kinds_[index(id)];
    if (kind != TextKind::kPlain) return put_quoted_slowly(id);
    const std::string_view text = trace_.text(id);
    char* const place = out_.reserve(text.size() + 2);
    place[0] = '"';
    std::memcpy(place + 1, text.data(), text.size());
    place[text.size() + 1] = '"';
    out_.advance(text.size() + 2);
  }
  void put_value(const trace::Value& value);
  // ,"args":{...}; nothing when there are none.
  void put_arguments(trace::ArgId first, trace::ArgId left_out = trace::ArgId::kNone);

  base::Output& output() { return out_; }

 private:
  enum class TextKind : std::uint8_t { kUnknown, kPlain, kEscaped };

  void put_quoted_slowly(trace::StringId id);
  void put_double(double number);
  void put_hexadecimal(std::string_view bytes);

  const trace::Trace& trace_;
  base::Output& out_;
  std::vector<TextKind> kinds_;  // by string
  bool first_event_;
};

}  // namespace accelscope::formats::chrome_json
