// What a collector says when it has stopped: the account of every producer, what went wrong, and all of it in
// sentences that are rows of a Quality table.
//
// For a producer that flushed in time and whose buffers were all what they had to be, produced = collected +
// dropped. Where it does not hold, missing() is how many records there are no reasons for, and a remark says
// so. Plain data and pure functions.
//
//   const CollectorReport report = collector->stop();
//   for (const trace::QualityRow& remark : report.remarks) trace.quality.add(remark);
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accelscope/recorder/lane.h"
#include "base/error.h"
#include "trace/quality.h"

namespace accelscope::capture {

// The account of one producer.
struct LaneReport {
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  std::uint32_t producer = 0;
  recorder::LaneState state = recorder::LaneState::kUnused;
  // As the producer says: complete once it has flushed, else up to its last change of buffers. Dropped ones
  // are included.
  std::uint64_t produced = 0;
  std::uint64_t collected = 0;  // and handed to the sink, which took them
  std::array<std::uint64_t, recorder::kDropReasons> dropped = {};
  std::uint64_t timeouts = 0;         // waits of the producer that ended by their limit
  std::uint64_t buffers = 0;          // that were collected
  std::uint64_t refused_buffers = 0;  // that were not what they had to be
  std::uint64_t pauses = 0;
  std::uint64_t paused_ticks = 0;
  std::uint64_t clock_backwards = 0;
  std::uint64_t times_short = 0;  // it had fewer buffers than its low watermark, and there was none to give
  std::uint32_t most_in_flight = 0;      // of its buffers were full, and not yet empty again, at once
  std::uint32_t unfinished_records = 0;  // at most, in a buffer that it took and did not hand over

  // Nothing more is to come: it has flushed, or never begun.
  bool flushed() const { return state != recorder::LaneState::kRecording; }
  std::uint64_t all_dropped() const;
  // Produced, and neither collected nor dropped for a reason.
  std::uint64_t missing() const;
  bool adds_up() const { return produced == collected + all_dropped(); }
};

// The time limits of a collector; each that fires is in the report.
struct CollectorLimits {
  std::chrono::milliseconds flush{1000};   // stop() waits so long for producers to flush
  std::chrono::milliseconds drain{10000};  // and then so long for the sink to take what has arrived
  std::chrono::milliseconds freeze{1000};  // all producers are held up at most so long at a time
};

struct CollectorReport {
  std::vector<LaneReport> lanes = {};
  // The first thing that failed: the sink, or a thread of the collector.
  std::optional<base::Error> error = {};
  bool sink_failed = false;
  bool collector_died = false;
  bool manager_died = false;
  bool flush_limit_fired = false;
  bool drain_limit_fired = false;
  std::uint64_t freezes = 0;
  std::uint64_t freeze_limits_fired = 0;
  std::chrono::nanoseconds frozen{0};  // in sum
  std::vector<trace::QualityRow> remarks = {};

  bool adds_up() const;
};

// "Producer 7 (core task)"
std::string name_of(const LaneReport& lane);

// Everything of a report that is worth a sentence.
std::vector<trace::QualityRow> remarks_on(const CollectorReport& report, const CollectorLimits& limits);

}  // namespace accelscope::capture
