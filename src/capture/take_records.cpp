#include "capture/take_records.h"

#include <exception>

namespace accelscope::capture {

base::Status call_sink(const TakeRecords& take, const recorder::BufferHeader& header,
                       std::span<const std::byte> records) {
  try {
    return take(header, records);
  } catch (...) {
    return tl::unexpected(error_of_exception("the sink"));
  }
}

base::Error error_of_exception(const char* who) {
  try {
    throw;
  } catch (const std::exception& exception) {
    return {base::ErrorCode::kInternal, fmt::format("{}: {}", who, exception.what()), {}};
  } catch (...) {
    return {base::ErrorCode::kInternal, fmt::format("{}: an unknown exception", who), {}};
  }
}

}  // namespace accelscope::capture
