// Times of files, which may be anything, as times of a trace.
//
// Pure; safe from any thread.
//
//   builder.add_slice({.start = Ticks{start}, .duration = duration_between(start, end)});
#pragma once

#include <cstdint>

#include "base/units.h"
#include "trace/tables.h"

namespace accelscope::formats::chip_run {

// Negative where the end is before the start or beyond 64 bits from it: the builder corrects and counts that.
constexpr base::Ticks duration_between(std::int64_t start, std::int64_t end) {
  std::int64_t duration = 0;
  return base::Ticks{__builtin_sub_overflow(end, start, &duration) ? -1 : duration};
}

// What a slice is marked with whose end made no sense.
constexpr trace::SliceFlag flag_of_end(bool unknown) {
  return unknown ? trace::SliceFlag::kEndUnknown : trace::SliceFlag::kNone;
}

}  // namespace accelscope::formats::chip_run
