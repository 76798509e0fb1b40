// A text line by line, without a list of its lines: for logs of any size.
//
// Lines come without their ends, LF or CRLF; a line end at the end of the text begins no further line. They
// are views of the text, which must outlive the reader. One thread uses one reader.
//
//   LineReader lines(file.text());
//   while (lines.next()) use(lines.number(), lines.line());
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace accelscope::base {

class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  bool next() {
    if (next_ == text_.size()) return false;
    offset_ = next_;
    ++number_;
    const std::string_view rest = text_.substr(offset_);
    const void* found = std::memchr(rest.data(), '\n', rest.size());
    ends_ = found != nullptr;
    const auto size =
        ends_ ? static_cast<std::size_t>(static_cast<const char*>(found) - rest.data()) : rest.size();
    next_ = offset_ + size + (ends_ ? 1 : 0);
    line_ = rest.substr(0, size);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    return true;
  }

  std::string_view line() const { return line_; }
  // From 1.
  std::uint64_t number() const { return number_; }
  // Of the line's first byte, from the start of the text.
  std::uint64_t offset() const { return offset_; }
  // False for a last line without a line end, which may be cut.
  bool ends() const { return ends_; }

 private:
  std::string_view text_;
  std::string_view line_;
  std::size_t offset_ = 0;
  std::size_t next_ = 0;
  std::uint64_t number_ = 0;
  bool ends_ = false;
};

}  // namespace accelscope::base
