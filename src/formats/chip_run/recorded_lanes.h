// The lanes of a recording, buffer by buffer: whether the numbers of their records follow each other, what is
// missing, when producers waited, and whether the accounts at the file's end agree.
//
// One thread fills it.
//
//   RecordedLanes lanes(path);
//   for (const BufferFacts& buffer : decoder.buffers()) lanes.take(decoder.kind(), buffer, offset);
//   RecorderAccount account = lanes.settle(tables, complete, quality);
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/capture/record_codec.h"
#include "formats/capture/recording.h"
#include "formats/chip_run/recorder_account.h"
#include "formats/chip_swimlane/draft.h"
#include "trace/quality.h"

namespace accelscope::formats::chip_run {

class RecordedLanes {
 public:
  explicit RecordedLanes(std::string path) : path_(std::move(path)) {}

  void take(recorder::RecordKind kind, const capture::BufferFacts& buffer, std::uint64_t offset);

  // Of all kinds, known or not.
  std::uint64_t records() const { return records_; }

  // Says in Quality what is wrong with lanes. `rejected` core tasks are in the file, and not in the trace.
  RecorderAccount settle(const capture::RecordingTables& tables, std::uint64_t rejected,
                         trace::QualityTable& quality);

 private:
  using Key = std::pair<recorder::RecordKind, std::uint32_t>;  // kind and producer
  struct Lane {
    std::uint64_t next_record = 0;
    std::uint64_t read = 0;
    std::uint64_t dropped = 0;  // as buffers say
    std::uint64_t skipped = 0;  // numbers that neither a record nor a drop has
    std::uint64_t first_record = 0;
    bool begun = false;
    const capture::LaneTotals* account = nullptr;
  };
  void take_pause(Key key, const capture::BufferFacts& buffer, std::uint64_t offset);
  void add_rows(bool overwrites, std::uint64_t rejected, RecorderAccount& account) const;
  void note_accounts(const capture::RecordingTables& tables, trace::QualityTable& quality);
  void note_numbers(bool overwrites, trace::QualityTable& quality) const;

  std::string path_;
  std::map<Key, Lane> lanes_;
  std::map<std::pair<PausedProducer::Kind, std::uint32_t>, std::vector<std::pair<std::int64_t, std::int64_t>>>
      pauses_;
  std::uint64_t records_ = 0;
  std::uint64_t pauses_count_ = 0;
  chip_swimlane::Oddity backwards_;  // buffers whose numbers were there before
  chip_swimlane::Oddity gaps_;
  chip_swimlane::Oddity impossible_pauses_;
};

}  // namespace accelscope::formats::chip_run
