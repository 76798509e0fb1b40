// A cursor that walks JSON text once, from front to back, without an index and without a tree.
//
// For files of which most is columns of integers: what is read is parsed where it stands (integers exactly,
// never through a double), what is not wanted is skipped, and memory does not grow with the file. The caller
// says what it expects next; the first thing that is otherwise sets the error, with its byte offset, and from
// then on every call does nothing and answers false, 0 or "". So loops need no checks, and status() is asked
// once at the end.
//
// The text must be followed by 64 readable bytes, as a MappedFile's is. Strings are views of the text where
// they have no escapes, else of a buffer that the next string with escapes overwrites. One thread uses one
// cursor; it owns nothing but that buffer.
//
//   JsonCursor json(file.text(), file.path());
//   json.begin_object();
//   while (json.next_key()) {
//     if (json.key() == "rows") {
//       json.begin_array();
//       while (json.next_element()) rows.push_back(json.unsigned_integer());
//     } else {
//       json.skip_value();
//     }
//   }
//   json.expect_end();
//   ACCELSCOPE_CHECK(json.status());
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace accelscope::base {

enum class JsonKind : std::uint8_t { kObject, kArray, kString, kNumber, kTrue, kFalse, kNull, kNothing };

class JsonCursor {
 public:
  // `offset_in_file`: of the text, for messages, when it is only a part (a line) of the file.
  JsonCursor(std::string_view text, std::string path, std::uint64_t offset_in_file = 0);

  // What stands next. kNothing at the end, after an error, and for what is no JSON.
  JsonKind kind();

  void begin_object();
  // Moves to the next member and reads its key; false behind the last one, when the object is left.
  bool next_key();
  std::string_view key() const { return key_; }

  void begin_array();
  // True when another element follows; false behind the last one, when the array is left.
  bool next_element();

  std::uint64_t unsigned_integer();
  // A whole array of integers that are not negative, which is how tables are written: how many there were.
  // More than `values` has room for is an error. Afterwards fail_here() points at the row.
  std::size_t unsigned_row(std::span<std::uint64_t> values);
  std::int64_t integer();
  double number();
  // Decimals as an integer of the last of `decimals` places: 12.3456 with 3 is 12345, further digits are cut.
  // An exponent, or a value that does not fit, is an error.
  std::int64_t scaled_decimal(int decimals);
  bool boolean();
  // True, and moved past it, when the value is null.
  bool take_null();
  std::string_view string();
  // The value's text as it stands in the file.
  std::string_view raw_value();
  void skip_value();
  // Moves behind a value that another cursor over the same text has read up to this offset.
  void skip_value_to(std::uint64_t offset_behind_it);

  // An error when anything but blanks follows.
  void expect_end();
  // Sets an error of the caller's own at the place of the last value, or of the key if that came last. The
  // first error stays.
  void fail_here(ErrorCode code, std::string message);

  bool ok() const { return ok_; }
  std::uint64_t offset() const;
  // Of the last value that was read.
  std::uint64_t value_offset() const {
    return base_offset_ + static_cast<std::uint64_t>(value_start_ - begin_);
  }
  // The error, or nothing.
  Status status() const;

 private:
  void skip_blanks();
  void fail_at_cursor(ErrorCode code, std::string message);
  // Moves past `expected`, or fails.
  bool take(char expected, std::string_view what);
  bool read_string(std::string_view& result, std::string& buffer);
  bool skip_string(bool& has_escapes);
  bool separator(char closing);
  std::string_view number_token();
  std::size_t plain_row(std::span<std::uint64_t> values);

  static constexpr int kMaxDepth = 512;

  std::string path_;
  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* value_start_ = nullptr;
  std::uint64_t base_offset_ = 0;
  bool fresh_ = false;  // an object or array was just begun: no comma comes before its first member
  bool ok_ = true;
  int depth_ = 0;
  std::string_view key_;
  std::string key_buffer_;
  std::string string_buffer_;
  Error error_;
};

}  // namespace accelscope::base
