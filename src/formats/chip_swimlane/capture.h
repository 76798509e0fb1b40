// What a chip swimlane file holds, as plain rows: what every core, scheduler thread and orchestrator did.
//
// Read from every generation of these files (docs/formats.md) and brought into one shape: times are ticks of
// the device's counter, or nanoseconds where the file counted microseconds. What a generation did not record
// is empty or kNoTime. Rows of a core are in the order of their sequence, each key once, and its AICPU row is
// joined to it; what was rejected or did not join is counted in `quality` and `counts`.
//
// Plain data; owned by whoever holds it. One thread fills it.
//
//   ACCELSCOPE_TRY(const Capture capture, read_capture(file));
//   for (const CoreRows& core : capture.cores) use(core.start, core.end);
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "base/units.h"
#include "trace/quality.h"

namespace accelscope::formats::chip_swimlane {

inline constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int32_t kNoFunction = -1;
// Chips have about a hundred cores. A number beyond this is damage, and must not cost memory.
inline constexpr std::uint64_t kMaxCores = 65'536;

enum class CoreType : std::uint8_t { kCube, kVector, kUnknown };

// The rows of one core, one column per attribute, all of the same length (or empty where it says so).
struct CoreRows {
  CoreType type = CoreType::kUnknown;
  bool exists = true;  // false for a number between others that the file never speaks of
  std::vector<std::uint64_t> task = {};
  std::vector<std::uint32_t> sequence = {};  // number of the dispatch on this core, increasing
  std::vector<std::int64_t> start = {};
  std::vector<std::int64_t> end = {};
  std::vector<std::int64_t> receive = {};   // empty when the file has 5 columns or none at all
  std::vector<std::int64_t> dispatch = {};  // empty at level 1; kNoTime where no AICPU row joined
  std::vector<std::int64_t> finish = {};    // likewise
  std::vector<std::int32_t> function = {};  // only files of objects know it
  // 1 where the file's end is before its start: `end` is the start then. Empty when there is no such row.
  std::vector<std::uint8_t> end_unknown = {};
};

struct PhaseRow {
  std::uint32_t kind = 0;  // position in Capture::phase_kinds
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool end_unknown = false;  // it was before the start, and is the start now
  std::uint64_t loop = 0;
  std::uint64_t tasks_processed = 0;
  std::optional<std::uint64_t> pop_hits = std::nullopt;
  std::optional<std::uint64_t> pop_misses = std::nullopt;
  std::optional<std::uint64_t> task = std::nullopt;
  // Depth of the ready queues AIC, AIV, MIX; nothing in files that do not have it.
  std::optional<std::array<std::int64_t, 3>> queues_at_start = std::nullopt;
  std::optional<std::array<std::int64_t, 3>> queues_at_end = std::nullopt;
};

struct SubmitRow {
  std::uint64_t submit_index = 0;
  std::uint64_t task = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::uint32_t phase = 0;   // position in Capture::phase_kinds: "submit", or "orch_alloc" in old files
  bool end_unknown = false;  // it was before the start, and is the start now
};

struct UploadRow {
  std::string phase = {};
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t bytes = 0;
};

// One reading of both clocks.
struct ClockAnchor {
  enum class Position : std::uint8_t { kBefore, kAfter };  // host orchestration, device execution
  Position position = Position::kBefore;
  std::int64_t host_before_ns = 0;
  std::int64_t host_after_ns = 0;
  std::int64_t device_cycles = 0;
  std::int64_t round_trip_ns = 0;
  std::int64_t raw_device_timestamp = 0;
  bool usable = true;      // false when the file says that it failed
  std::string error = {};  // why not
};

struct ClockAnchors {
  std::string device_unit = {};      // "syscnt_cycles"
  std::string raw_device_unit = {};  // "syscnt_cycles" or "device_uptime_us"
  std::string provider = {};
  std::vector<ClockAnchor> samples = {};
};

struct HostCapture {
  std::string status = {};
  std::uint64_t expected = 0;
  std::uint64_t recorded = 0;
  std::uint64_t pool = 0;  // records of the pool that submits share with other phases
  std::uint64_t dropped = 0;
  std::string error = {};
};

// An edge that an old file lists with its producer.
struct FanoutEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

// The totals of an old file's "aicpu_orchestrator", as they stand there.
struct OrchestratorTotals {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::uint64_t submits = 0;
  std::vector<std::pair<std::string, std::int64_t>> phases = {};  // name and nanoseconds
};

// Which generation wrote the file, by the fields that are there.
enum class Era : std::uint8_t {
  kObjectsByVersion0,  // "version" 0..2: one below the level
  kObjectsByVersion1,  // "version" 1..4: the level
  kObjectsByLevel,     // "l2_perf_level"
  kRawCycles,          // rows of integers and metadata
};

// How many rows the file had, before anything was rejected.
struct StreamCounts {
  std::uint64_t core_rows = 0;
  std::uint64_t scheduler_rows = 0;  // of aicpu_tasks
  std::uint64_t phases = 0;
  std::uint64_t submits = 0;
  std::uint64_t rejected_rows = 0;        // core rows: phantoms, duplicates, empty slots, impossible cores
  std::uint64_t core_rows_unmatched = 0;  // without a scheduler row, at level 2 and above
  std::uint64_t scheduler_rows_unmatched = 0;  // without a core row
};

struct Capture {
  Era era = Era::kRawCycles;
  int level = 0;  // 1..4 as of today, by what is there; `stated_level` is what the file says
  int stated_level = 0;
  base::Frequency frequency = base::Frequency::unknown();
  std::vector<CoreRows> cores = {};               // by core number
  std::vector<std::int32_t> core_to_thread = {};  // -1: none; empty when not recorded
  std::vector<std::string> phase_kinds = {};
  std::vector<std::vector<PhaseRow>> scheduler_threads = {};    // in file order within a thread
  std::vector<std::vector<SubmitRow>> orchestrators = {};       // on the device's clock
  std::vector<std::vector<SubmitRow>> host_orchestrators = {};  // in host nanoseconds
  std::string orchestrator_source = {};                         // "host", or "" on the device
  std::vector<UploadRow> uploads = {};
  std::optional<ClockAnchors> clock_anchors = std::nullopt;
  std::optional<HostCapture> host_capture = std::nullopt;
  std::int64_t host_quantization_ns = 0;
  std::vector<FanoutEdge> fanout = {};
  std::optional<OrchestratorTotals> orchestrator_totals = std::nullopt;
  StreamCounts counts = {};
  trace::QualityTable quality = {};
};

// Recognised by its first bytes: a JSON object with a level or version key and rows of tasks.
bool looks_like_chip_swimlane(std::string_view bytes);

base::Result<Capture> read_capture(const base::MappedFile& file);

}  // namespace accelscope::formats::chip_swimlane
