// Keeps the last records of a run in the host's memory, and saves them when somebody asks: a flight recorder.
//
// It is the sink of a collector. Each buffer's records are copied and its buffer goes back to the device at
// once, so that no producer ever writes into what the host may read; when there is more than is to be kept,
// the oldest buffers go first. What went is counted as overwritten, per producer, so that every save adds up.
//
// take() belongs to the collector. Any other thread may call save() at any time and as often as it likes; two
// saves at once do not disturb each other. A save holds the lock only while it notes what is kept, and writes
// without it: the collector never waits for a disk. Meanwhile what it notes stays in memory, so each save
// that is under way may take as much again as is kept. A save has what producers had handed over, not the
// buffer that each one is filling. In a signal handler, set a flag, and save in a thread that looks at it.
//
//   FlightRecorder flight({.bytes = Bytes{64 << 20}, .ticks = Ticks{5 * kTicksPerSecond}});
//   Collector::make(memory, pools, options, flight.sink());
//   ...
//   const FlightSave saved = flight.save(take_into_a_file);
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.h"
#include "capture/collector_report.h"
#include "capture/take_records.h"

namespace accelscope::capture {

struct FlightLimits {
  base::Bytes bytes{std::int64_t{64} << 20U};  // at most; the newest buffer is kept in any case
  // Of the device's clock: what is older than this, against the newest record of all, goes. Records without
  // times are as old as they were when they arrived. 0: any age.
  base::Ticks ticks{0};
};

// What a save wrote. For each producer that had handed something over, produced is up to its newest record,
// and produced = collected + dropped: overwritten, or lost before they came here, or not written.
struct FlightSave {
  std::vector<LaneReport> lanes;
  std::optional<base::Error> error;
};

class FlightRecorder {
 public:
  explicit FlightRecorder(const FlightLimits& limits) : limits_(limits) {}

  base::Status take(const recorder::BufferHeader& header, std::span<const std::byte> records);
  // take() as a function; the recorder must outlive it.
  TakeRecords sink();

  // Hands over what is kept, oldest first.
  FlightSave save(const TakeRecords& take) const;

  base::Bytes kept_bytes() const;

 private:
  struct Kept {
    recorder::BufferHeader header = {};
    std::vector<std::byte> records;
    std::uint64_t newest = 0;  // the time of its last record

    std::uint64_t bytes() const { return sizeof(Kept) + records.size(); }
  };
  using LaneKey = std::pair<recorder::RecordKind, std::uint32_t>;
  struct LaneCounts {
    std::uint64_t produced = 0;
    std::uint64_t dropped = 0;  // by the producer, as headers say
    std::uint64_t overwritten = 0;
  };
  struct Snapshot {
    std::vector<std::shared_ptr<const Kept>> kept;
    std::map<LaneKey, LaneCounts> lanes;
  };

  std::shared_ptr<const Kept> copy_of(const recorder::BufferHeader& header,
                                      std::span<const std::byte> records) const;
  bool is_too_much() const;
  Snapshot snapshot() const;

  const FlightLimits limits_;
  mutable std::mutex mutex_;  // guards all that follows
  std::deque<std::shared_ptr<const Kept>> kept_;
  std::map<LaneKey, LaneCounts> lanes_;
  std::uint64_t bytes_ = 0;
  std::uint64_t newest_ = 0;
};

// The report of a run that was recorded like this, when `saved` is all that is left of it.
void settle(CollectorReport& report, const FlightSave& saved);

}  // namespace accelscope::capture
