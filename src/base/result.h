// Result<T>: a value or an Error. No exception crosses a folder; a library that throws is wrapped where it is
// called.
//
// Results are plain values: whoever holds one owns what is in it, and threads share one only as they would
// share any value.
//
//   Result<Header> read_header(std::string_view bytes) {
//     if (bytes.size() < 8) return fail(ErrorCode::kTruncated, "needs 8 bytes, has {}", bytes.size());
//     ACCELSCOPE_TRY(const auto size, read_size(bytes));  // an error of read_size is returned
//     return Header{size};
//   }
#pragma once

#include <fmt/core.h>

#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

namespace accelscope::base {

template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

template <class... Args>
tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> text, Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(text, std::forward<Args>(args)...), {}});
}

template <class... Args>
tl::unexpected<Error> fail_at(Location where, ErrorCode code, fmt::format_string<Args...> text,
                              Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(text, std::forward<Args>(args)...), std::move(where)});
}

}  // namespace accelscope::base

#define ACCELSCOPE_CONCAT_INNER(a, b) a##b
#define ACCELSCOPE_CONCAT(a, b) ACCELSCOPE_CONCAT_INNER(a, b)

// Declares `variable` from the value of `expression`, or returns its error from the calling function.
#define ACCELSCOPE_TRY(variable, ...)                                                       \
  auto ACCELSCOPE_CONCAT(result_of_line_, __LINE__) = (__VA_ARGS__);                        \
  if (!ACCELSCOPE_CONCAT(result_of_line_, __LINE__))                                        \
    return tl::unexpected(std::move(ACCELSCOPE_CONCAT(result_of_line_, __LINE__)).error()); \
  variable = std::move(*ACCELSCOPE_CONCAT(result_of_line_, __LINE__)) /* the caller's semicolon */

// The same for an expression whose value is not needed.
#define ACCELSCOPE_CHECK(...)                               \
  if (auto checked_status = (__VA_ARGS__); !checked_status) \
  return tl::unexpected(std::move(checked_status).error())
