#include "base/error.h"

#include <fmt/core.h>

namespace accelscope::base {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kNotReadable:
      return "not readable";
    case ErrorCode::kUnknownFormat:
      return "unknown format";
    case ErrorCode::kTruncated:
      return "truncated";
    case ErrorCode::kMalformed:
      return "malformed";
    case ErrorCode::kTooLarge:
      return "too large";
    case ErrorCode::kWriteFailed:
      return "write failed";
    case ErrorCode::kInterrupted:
      return "interrupted";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "unknown";
}

std::string Location::to_string() const {
  switch (kind) {
    case Kind::kNone:
      return file;
    case Kind::kByte:
      return file.empty() ? fmt::format("byte {}", position) : fmt::format("{}: byte {}", file, position);
    case Kind::kLine:
      return file.empty() ? fmt::format("line {}", position) : fmt::format("{}:{}", file, position);
  }
  return file;
}

std::string Error::to_string() const {
  const std::string place = where.to_string();
  return place.empty() ? message : fmt::format("{}: {}", place, message);
}

}  // namespace accelscope::base
