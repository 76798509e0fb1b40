// What a recording says of its own making: how many records each recorder made, kept and lost, and when it
// stopped the chip. Only recordings have it; files of JSON do not.
//
// Plain data, and one function that puts it into a trace; one thread.
//
//   add_recorder_account(account, tracks, builder);
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

// Who waited for the recorder.
struct PausedProducer {
  enum class Kind : std::uint8_t { kCore, kScheduler, kOrchestrator };
  Kind kind = Kind::kCore;
  std::uint32_t number = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> pauses = {};  // from and to, apart and in order
};

struct RecorderAccount {
  // The records of one kind, of all producers.
  struct Row {
    std::string records = {};
    std::string drop_reason = {};
    std::uint64_t produced = 0;
    std::uint64_t collected = 0;
    std::uint64_t dropped = 0;
  };
  std::vector<Row> rows = {};
  std::vector<PausedProducer> paused = {};
  std::vector<std::pair<std::string, std::string>> facts = {};
};

// Tracks by number, kNone for those that are not there.
struct ProducerTracks {
  const std::vector<trace::TrackId>& cores;
  const std::vector<trace::TrackId>& schedulers;
  const std::vector<trace::TrackId>& orchestrators;
};

void add_recorder_account(const RecorderAccount& account, const ProducerTracks& tracks, trace::ClockId clock,
                          trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
