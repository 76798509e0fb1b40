// What went wrong, where, and in words a user can act on.
//
// Errors are values: every function that can fail returns a Result<T> (result.h). An Error names the file and
// the byte offset or the line at which the input stopped making sense, because "bad input" without a place is
// not a message. Plain data; safe to copy between threads.
//
//   Error error{ErrorCode::kTruncated, "the string at this offset runs past the end of the file",
//               Location::byte("a.etdump", 312)};
//   fmt::print(stderr, "{}\n", error.to_string());
//   // a.etdump: byte 312: the string at this offset runs past the end of the file
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace accelscope::base {

enum class ErrorCode : std::uint8_t {
  kUsage,        // the call itself is wrong: an option, a combination of options
  kNotFound,     // no such file
  kNotReadable,  // there, but it cannot be read: permissions, a directory, an I/O error
  kUnknownFormat,
  kTruncated,  // the input ends before what it announces
  kMalformed,  // the input contradicts its format
  kTooLarge,   // beyond a stated limit
  kWriteFailed,
  kInterrupted,
  kInternal,  // a broken promise of our own
};

std::string_view error_code_name(ErrorCode code);

struct Location {
  enum class Kind : std::uint8_t { kNone, kByte, kLine };

  std::string file;
  Kind kind = Kind::kNone;
  std::uint64_t position = 0;  // byte offset from 0, or line number from 1

  static Location of_file(std::string file) { return {std::move(file), Kind::kNone, 0}; }
  static Location byte(std::string file, std::uint64_t offset) {
    return {std::move(file), Kind::kByte, offset};
  }
  static Location line(std::string file, std::uint64_t number) {
    return {std::move(file), Kind::kLine, number};
  }

  bool operator==(const Location&) const = default;

  // "a.csv:12", "a.etdump: byte 312", "a.json", or "" when nothing is known.
  std::string to_string() const;
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  Location where;

  // "<where>: <message>", one line, no trailing newline.
  std::string to_string() const;
};

}  // namespace accelscope::base
