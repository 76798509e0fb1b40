// Steps through the tokens of an indexed window, checking JSON's grammar on the way.
//
// A step has three ends: done; needs more (the window ends inside the value: load a larger one and begin the
// value again); bad (problem() says where and why). Strings come decoded; a decoded view is good until the
// next string. One thread uses one walker; the window must stay loaded while it is walked.
//
//   JsonWalker walker;
//   walker.enter(windows.current());
//   while (!walker.exhausted()) if (walker.skip_value() != Step::kDone) ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/chrome_json/window.h"

namespace accelscope::formats::chrome_json {

enum class Step : std::uint8_t { kDone, kNeedsMore, kBad };

struct Problem {
  std::size_t offset = 0;  // in the document
  std::string reason;
};

class JsonWalker {
 public:
  static constexpr std::uint32_t kMaxDepth = 1024;

  void enter(const Window& window) {
    window_ = window;
    at_ = 0;
  }

  // The current token is number at() of the window.
  std::uint32_t at() const { return at_; }
  void move_to(std::uint32_t token) { at_ = token; }
  void advance() { ++at_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(window_.positions.size()); }
  bool exhausted() const { return at_ >= count(); }
  char peek() const { return first_char(at_); }

  const Window& window() const { return window_; }
  char first_char(std::uint32_t token) const { return window_.text[window_.positions[token]]; }
  std::size_t offset_of(std::uint32_t token) const { return window_.offset + window_.positions[token]; }

  // The bytes of a string or scalar, quotation marks included.
  std::string_view token_text(std::uint32_t token) const {
    // Behind the last position the index holds the size.
    const std::uint32_t* const position = window_.positions.data() + token;
    std::uint32_t end = position[1];
    while (is_whitespace(window_.text[end - 1])) --end;
    return {window_.text + position[0], end - position[0]};
  }
  // Between the quotation marks, escapes as they are.
  std::string_view raw_string(std::uint32_t token) const { return unquoted(token_text(token)); }
  static std::string_view unquoted(std::string_view quoted) { return {quoted.data() + 1, quoted.size() - 2}; }
  // Decodes escapes. False, with a problem, when one makes no sense.
  bool decode_string(std::uint32_t token, std::string_view& text) {
    text = raw_string(token);
    if (!window_.has_backslash || text.find('\\') == std::string_view::npos) return true;
    return unescape(token, text);
  }

  // Checks that this token is a key with a colon behind it.
  Step check_key_at(std::uint32_t token) {
    at_ = token;
    return check_key();
  }
  // Steps over the current value, whatever it is.
  Step skip_value();
  // The tokens [first, end) without the spaces between them. Good until the next call.
  std::string_view minified(std::uint32_t first, std::uint32_t end);

  Step fail_at_token(std::uint32_t token, std::string reason) {
    return fail_at_offset(offset_of(token), std::move(reason));
  }
  Step fail_at_offset(std::size_t offset, std::string reason) {
    problem_ = {offset, std::move(reason)};
    return Step::kBad;
  }
  const Problem& problem() const { return problem_; }

 private:
  static constexpr bool is_whitespace(char c) {
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
  }

  bool unescape(std::uint32_t token, std::string_view& text);
  Step check_scalar();
  Step check_key();

  Window window_;
  std::uint32_t at_ = 0;
  std::string decoded_;
  std::string minified_;
  Problem problem_;
};

}  // namespace accelscope::formats::chrome_json
