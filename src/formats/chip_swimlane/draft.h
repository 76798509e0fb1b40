// A Capture while its file is read: what has been parsed so far, in whatever order the file has it, and what
// was odd about it. Internal to the folder.
//
// Plain data; one thread fills it, read_capture() owns it.
//
//   Draft draft;
//   read_core_rows(json, draft);
//   draft.zero_times.note(json.offset());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_cursor.h"
#include "base/string_interner.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

// Something that happens per row: counted there, said once.
struct Oddity {
  std::uint64_t count = 0;
  std::optional<std::uint64_t> first_offset = std::nullopt;

  void note(std::uint64_t offset) {
    if (count++ == 0) first_offset = offset;
  }
};

// The rows of "aicpu_tasks" of one core, as they stand in the file.
struct SchedulerRows {
  std::vector<std::uint32_t> sequence = {};
  std::vector<std::int64_t> dispatch = {};
  std::vector<std::int64_t> finish = {};
};

// "aicpu_tasks" as a whole.
struct SchedulerStream {
  bool is_there = false;  // with rows or without
  std::vector<SchedulerRows> cores = {};
  std::uint64_t rows = 0;
  Oddity zero_times;
  Oddity impossible_cores;
};

class SchedulerStreamAhead;

struct Draft {
  Capture capture = {};
  SchedulerStream scheduler = {};
  SchedulerStreamAhead* scheduler_ahead = nullptr;  // what another thread reads meanwhile
  base::StringInterner phase_names = {};

  std::optional<std::uint64_t> version = std::nullopt;
  std::optional<std::uint64_t> level_key = std::nullopt;
  std::optional<std::uint64_t> num_cores = std::nullopt;
  std::optional<std::uint64_t> clock_freq_hz = std::nullopt;
  std::vector<CoreType> core_types = {};

  bool kept_the_last_only = false;  // by a flight recorder

  // Which keys are there, with rows or without.
  bool has_objects = false;    // "tasks"
  bool has_core_rows = false;  // "aicore_tasks"
  bool has_phases = false;
  bool has_submits = false;
  bool has_host_submits = false;

  // Where times of each unit stand first.
  std::optional<std::uint64_t> first_cycles = std::nullopt;
  std::optional<std::uint64_t> first_microseconds = std::nullopt;

  Oddity end_before_start;
  Oddity phase_end_before_start;
  Oddity submit_end_before_start;
  Oddity receive_too_early;
  Oddity zero_times;  // of objects
  Oddity empty_slots;
  Oddity impossible_cores;
  Oddity impossible_cores_named;  // by the metadata
  Oddity unknown_kinds;
  Oddity core_type_conflicts;
};

// Position of a phase's name in Capture::phase_kinds.
inline std::uint32_t phase_position(Draft& draft, std::string_view name) {
  return base::index(draft.phase_names.intern(name.empty() ? "unnamed" : name)) - 1;
}

// Puts a value into a column that stays empty as long as every row has `nothing`.
template <class T>
void push_sparse(std::vector<T>& column, std::size_t rows_before, T value, T nothing) {
  if (column.empty() && value == nothing) return;
  if (column.size() < rows_before) column.resize(rows_before, nothing);
  column.push_back(value);
}

// A row of a core that is there; nothing for one that cannot be, which is counted.
template <class Rows>
Rows* rows_of_core(std::vector<Rows>& cores, std::uint64_t core) {
  if (core >= kMaxCores) return nullptr;
  if (core >= cores.size()) cores.resize(core + 1);
  return &cores[core];
}

// A time in ticks: the JSON value must fit 63 bits.
inline std::int64_t read_ticks(base::JsonCursor& json) {
  const std::uint64_t ticks = json.unsigned_integer();
  if (static_cast<std::int64_t>(ticks) < 0)
    json.fail_here(base::ErrorCode::kMalformed, "the time does not fit 63 bits");
  return static_cast<std::int64_t>(ticks);
}

}  // namespace accelscope::formats::chip_swimlane
