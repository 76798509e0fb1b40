// What a recording says besides its records: how it was made, first in the file, and the account of every
// producer, last (docs/formats.md, "Recordings").
//
// Both are tables with named columns, so that later versions can add to them. Plain data and, for reading, a
// collector of tables; one thread.
//
//   RecordingTables tables;
//   if (!tables.take(chunk.payload)) ...
//   use(tables.facts().clock);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accelscope/recorder/lane.h"
#include "accelscope/recorder/records.h"
#include "base/mapped_file.h"
#include "base/units.h"
#include "formats/capture/container_writer.h"
#include "formats/capture/rows_chunk.h"

namespace accelscope::formats::capture {

enum class CoreType : std::uint8_t { kCube, kVector, kUnknown };

// What the runtime's rings hold at most; 0 where it is not known.
struct RingCapacities {
  std::array<std::uint64_t, 4> task_window = {};
  std::array<std::uint64_t, 4> heap = {};
  std::array<std::uint64_t, 4> dep_pool = {};
  std::uint64_t tensormap = 0;

  bool operator==(const RingCapacities&) const = default;
};

struct RecordingFacts {
  std::uint64_t dfx_flags = 0;                         // implied ones included
  base::Frequency clock = base::Frequency::unknown();  // of the device's counter
  std::uint64_t generation = 0;                        // of the run
  std::vector<CoreType> cores = {};                    // position is the producer number of core lanes
  std::uint32_t scheduler_threads = 0;
  std::uint32_t orchestrators = 0;
  std::vector<std::pair<std::uint32_t, std::string>> functions = {};  // id, name
  std::vector<std::string> phases = {};  // name of each phase number, of schedulers and orchestrators
  std::string policy = {};               // "block", "drop", "overwrite"
  std::vector<std::pair<std::string, std::string>> more = {};  // free facts for the report

  std::vector<std::string> pmu_counters = {};  // names of the first of ten, as far as they are used
  std::int32_t pmu_event_type = 0;
  // How the words of the cores' performance monitors are to be read: by the name of their layout
  // (formats/perfmon/layout.h), "" for biu_perf, and how many ticks pass in so many cycles of a core.
  std::string perfmon_layout = {};
  std::uint32_t perfmon_ticks = 1;
  std::uint32_t perfmon_cycles = 1;
  // What of them was asked for: "states", "marks", or "" for both; of tasks of which functions, "A,B", or ""
  // for all; and of which cores, by number, empty for all.
  std::string perfmon_words = {};
  std::string perfmon_functions = {};
  std::vector<bool> perfmon_cores = {};
  std::vector<std::string> scope_sites = {};  // "file.cpp:77" of each site number
  RingCapacities rings = {};

  bool operator==(const RecordingFacts&) const = default;
};

// The account of one producer of one kind of record.
struct LaneTotals {
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  std::uint32_t producer = 0;
  std::uint64_t produced = 0;  // dropped ones included
  std::uint64_t collected = 0;
  std::array<std::uint64_t, recorder::kDropReasons> dropped = {};  // by recorder::DropReason
  std::uint64_t timeouts = 0;
  std::uint64_t refused_buffers = 0;
  std::uint64_t paused_ticks = 0;
  bool flushed = false;

  std::uint64_t all_dropped() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : dropped) sum += count;
    return sum;
  }
  bool operator==(const LaneTotals&) const = default;
};

// What the collector noticed that neither records nor accounts tell; a row of the Quality table.
struct RecordingRemark {
  std::string id = {};
  std::uint8_t severity = 0;  // a trace::Severity
  std::string sentence = {};
  std::uint64_t count = 1;

  bool operator==(const RecordingRemark&) const = default;
};

// The accounts at the end of a file, before anything else is read: what to expect, not to trust. Empty where
// the file has no end.
std::vector<LaneTotals> lanes_at_end(const base::MappedFile& file);

void write_facts(const RecordingFacts& facts, ContainerWriter& writer);
void write_lanes(std::span<const LaneTotals> lanes, ContainerWriter& writer);
void write_remarks(std::span<const RecordingRemark> remarks, ContainerWriter& writer);

class RecordingTables {
 public:
  // False when this is no payload of rows, or a known column is malformed.
  bool take(std::string_view payload);

  const RecordingFacts& facts() const { return facts_; }
  // Empty in a file that ended early.
  const std::vector<LaneTotals>& lanes() const { return lanes_; }
  const std::vector<RecordingRemark>& remarks() const { return remarks_; }
  // Tables and columns that are of a newer version.
  std::uint64_t unknown() const { return unknown_; }

 private:
  template <class Row, class Put>
  bool read(std::string_view table, Put&& put);

  RowsDecoder decoder_;
  bool known_table_ = false;
  RecordingFacts facts_;
  std::vector<LaneTotals> lanes_;
  std::vector<RecordingRemark> remarks_;
  std::uint64_t unknown_ = 0;
};

}  // namespace accelscope::formats::capture
