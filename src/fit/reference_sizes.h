// Adds up sizes of matrices, and remembers the first that does not fit: for footprint and traffic.
//
// One thread uses one book; it owns nothing but a name.
//
//   SizeBook book;
//   const Count bytes = book.of("the embedding", Count(vocabulary) * hidden, format);
//   ACCELSCOPE_CHECK(book.status());
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "boards/number_format.h"
#include "fit/reference_count.h"

namespace accelscope::fit {

class SizeBook {
 public:
  Count of(std::string_view what, Count elements, const boards::NumberFormat& format) {
    const std::optional<std::int64_t> count = elements.as_int64();
    const std::optional<base::Bytes> bytes =
        count ? boards::bytes_of(static_cast<std::uint64_t>(*count), format) : std::nullopt;
    if (!bytes) note(what);
    return bytes ? static_cast<std::uint64_t>(bytes->value) : 0;
  }
  base::Bytes exact(std::string_view what, Count bytes) {
    const std::optional<std::int64_t> value = bytes.as_int64();
    if (!value) note(what);
    return base::Bytes{value.value_or(0)};
  }
  base::Status status() const {
    if (too_large_)
      return base::fail(base::ErrorCode::kTooLarge, "the bytes of {} do not fit 63 bits", *too_large_);
    return {};
  }

 private:
  void note(std::string_view what) {
    if (!too_large_) too_large_ = what;
  }
  std::optional<std::string_view> too_large_;
};

}  // namespace accelscope::fit
