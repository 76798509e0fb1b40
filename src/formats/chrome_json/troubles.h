// Counts what is odd about a file while it is read, and writes it into the Quality table at the end: counting
// must not cost a search per event.
//
// One thread fills it. Owns nothing but the counts.
//
//   Troubles troubles;
//   troubles.note(Trouble::kMissingTime, event.offset);
//   troubles.report(builder.quality(), "trace.json");
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "trace/quality.h"

namespace accelscope::formats::chrome_json {

enum class Trouble : std::uint8_t {
  kCutTail,
  kTrailingComma,
  kNotAnEvent,
  kMissingPhase,
  kMissingTime,
  kTimeOutOfRange,
  kRoundedTime,
  kMissingDuration,
  kEndWithoutBegin,
  kBeginWithoutEnd,
  kMissingId,
  kCounterNotANumber,
  kCounterRounded,
  kFlowOutsideSlices,
  kFlowWithoutPartner,
  kIgnoredFields,
  kIgnoredMetadata,
  kIgnoredSection,
  kCount,  // not a trouble: how many there are
};

class Troubles {
 public:
  void note(Trouble trouble, std::size_t offset) { note(rows_[static_cast<std::size_t>(trouble)], offset); }
  void note_ignored_phase(char phase, std::size_t offset) {
    note(phases_[static_cast<unsigned char>(phase)], offset);
  }

  void report(trace::QualityTable& quality, const std::string& path) const;

 private:
  struct Row {
    std::uint64_t count = 0;
    std::size_t first_offset = 0;
  };
  static void note(Row& row, std::size_t offset) {
    if (row.count++ == 0) row.first_offset = offset;
  }

  std::array<Row, static_cast<std::size_t>(Trouble::kCount)> rows_;
  std::array<Row, 256> phases_;
};

}  // namespace accelscope::formats::chrome_json
