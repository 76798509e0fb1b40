// What a reader noticed, counted while it runs and turned into Quality rows once at the end: a row per kind,
// however many events it concerns.
//
// One thread fills one object. It owns its counts only.
//
//   remarks.note(Remark::kAbortedRun, offset);
//   remarks.write_to(builder.quality(), path, Remarks::Offsets::kOfFile);
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "trace/quality.h"

namespace accelscope::formats::etdump {

enum class Remark : std::uint8_t {
  kAbortedRun,
  kEmptyRun,
  kSplitBlock,
  kSteppedRun,
  kOrphanDelegate,
  kEndBeforeStart,
  kWrapped,
  kUnwrapped,
  kBeyond63Bits,
  kNegativeSelf,
  kEstimated,
  kForeignClock,
  kNotATime,
  kBundledIndex,
  kAllocation,
  kUnknownAllocator,
  kDebugValue,
  kShortenedTensor,
  kEventWithoutContent,
  kNotUtf8,
  kMisaligned,
  kCount,
};

class Remarks {
 public:
  // `offset` is a byte of the file, or of the dump decoded from a log.
  void note(Remark remark, std::uint64_t offset, std::uint64_t count = 1);
  std::uint64_t count(Remark remark) const { return entries_[static_cast<std::size_t>(remark)].count; }

  enum class Offsets : std::uint8_t { kOfFile, kOfDecodedDump };
  void write_to(trace::QualityTable& quality, const std::string& path, Offsets offsets) const;

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::uint64_t first_offset = 0;
  };
  std::array<Entry, static_cast<std::size_t>(Remark::kCount)> entries_;
};

}  // namespace accelscope::formats::etdump
