#include "formats/chip_swimlane/phase_rows.h"

#include <algorithm>
#include <array>

#include "trace/vocabulary.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using base::JsonCursor;

constexpr std::array<std::string_view, 15> kSchedulerKinds{trace::phase::kComplete,
                                                           trace::phase::kDispatch,
                                                           trace::phase::kResolve,
                                                           trace::phase::kRelease,
                                                           trace::phase::kDummy,
                                                           trace::phase::kEarlyDispatch,
                                                           trace::phase::kAsyncPoll,
                                                           trace::phase::kDrain,
                                                           trace::phase::kDrainPrepare,
                                                           trace::phase::kDrainPublish,
                                                           trace::phase::kIdle,
                                                           trace::phase::kScan,
                                                           "dummy_task",
                                                           "predicated_skip",
                                                           "graph_prepare"};
constexpr std::array<std::string_view, 9> kOrchestratorKinds{
    "orch_sync",   "orch_alloc", "orch_params",   "orch_lookup",   "orch_heap",
    "orch_insert", "orch_fanin", "orch_finalize", "orch_scope_end"};
constexpr std::string_view kSubmit = "submit";
// Far more than any chip's control CPU has.
constexpr std::size_t kMaxThreads = 65'536;

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Times {
  std::int64_t start = kNoTime;
  std::int64_t end = kNoTime;
  bool end_unknown = false;

  bool known() const { return start != kNoTime && end != kNoTime; }
};

std::int64_t read_cycles(JsonCursor& json, Draft& draft) {
  const std::int64_t ticks = read_ticks(json);
  if (!draft.first_cycles) draft.first_cycles = json.value_offset();
  return ticks;
}

std::int64_t read_microseconds(JsonCursor& json, Draft& draft) {
  const std::int64_t nanoseconds = json.scaled_decimal(3);
  if (!draft.first_microseconds) draft.first_microseconds = json.value_offset();
  return nanoseconds;
}

// True when the member was a time.
bool read_time(JsonCursor& json, std::string_view key, Times& times, Draft& draft) {
  if (key == "start_cycles")
    times.start = read_cycles(json, draft);
  else if (key == "end_cycles")
    times.end = read_cycles(json, draft);
  else if (key == "start_time_us")
    times.start = read_microseconds(json, draft);
  else if (key == "end_time_us")
    times.end = read_microseconds(json, draft);
  else if (key == "start_host_ns")
    times.start = read_ticks(json);
  else if (key == "end_host_ns")
    times.end = read_ticks(json);
  else
    return false;
  return true;
}

// A start and an end; an end before the start is counted, marked, and becomes the start.
void settle_times(JsonCursor& json, Times& times, std::uint64_t offset, Oddity& backwards) {
  if (!times.known()) return json.fail_here(ErrorCode::kMalformed, "a start and an end are expected here");
  if (times.end >= times.start) return;
  backwards.note(offset);
  times.end = times.start;
  times.end_unknown = true;
}

std::optional<std::array<std::int64_t, 3>> read_queues(JsonCursor& json) {
  std::array<std::int64_t, 3> depths{};
  std::size_t count = 0;
  json.begin_array();
  while (json.next_element()) {
    const std::int64_t depth = json.integer();
    if (count < depths.size()) depths[count] = depth;
    ++count;
  }
  if (count != depths.size())
    json.fail_here(ErrorCode::kMalformed, "three depths of queues are expected here");
  return depths;
}

// Offset of the object that stands next.
std::uint64_t offset_of_next(JsonCursor& json) {
  json.kind();
  return json.offset();
}

// Reads an object that begins and ends. What else it has, take(key) reads, or says that it does not know the
// key.
template <class Take>
Times read_timed(JsonCursor& json, Draft& draft, Oddity& end_before_start, Take&& take) {
  const std::uint64_t offset = offset_of_next(json);
  Times times;
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (json.take_null() || read_time(json, key, times, draft)) continue;
    if (!take(key)) json.skip_value();
  }
  settle_times(json, times, offset, end_before_start);
  return times;
}

PhaseRow read_phase(JsonCursor& json, Draft& draft) {
  PhaseRow row;
  bool named = false;
  const Times times = read_timed(json, draft, draft.phase_end_before_start, [&](std::string_view key) {
    if (key == "kind" || key == "phase") {
      const std::string_view name = json.string();
      if (!is_scheduler_phase(name)) draft.unknown_kinds.note(json.value_offset());
      row.kind = phase_position(draft, name);
      named = true;
    } else if (key == "loop_iter") {
      row.loop = json.unsigned_integer();
    } else if (key == "tasks_processed") {
      row.tasks_processed = json.unsigned_integer();
    } else if (key == "pop_hit") {
      row.pop_hits = json.unsigned_integer();
    } else if (key == "pop_miss") {
      row.pop_misses = json.unsigned_integer();
    } else if (key == "task_id") {
      row.task = json.unsigned_integer();
    } else if (key == "shared_at_start") {
      row.queues_at_start = read_queues(json);
    } else if (key == "shared_at_end") {
      row.queues_at_end = read_queues(json);
    } else {
      return false;
    }
    return true;
  });
  if (!named) row.kind = phase_position(draft, "");
  row.start = times.start;
  row.end = times.end;
  row.end_unknown = times.end_unknown;
  return row;
}

SubmitRow read_submit(JsonCursor& json, Draft& draft) {
  SubmitRow row;
  bool named = false;
  const Times times = read_timed(json, draft, draft.submit_end_before_start, [&](std::string_view key) {
    if (key == "submit_idx") {
      row.submit_index = json.unsigned_integer();
    } else if (key == "task_id") {
      row.task = json.unsigned_integer();
    } else if (key == "phase" || key == "kind") {
      const std::string_view name = json.string();
      if (!is_orchestrator_phase(name)) draft.unknown_kinds.note(json.value_offset());
      row.phase = phase_position(draft, name);
      named = true;
    } else {
      return false;
    }
    return true;
  });
  if (!named) row.phase = phase_position(draft, kSubmit);
  row.start = times.start;
  row.end = times.end;
  row.end_unknown = times.end_unknown;
  return row;
}

// An array of threads, each an array of objects; how many objects.
template <class Row>
std::uint64_t read_threads(JsonCursor& json, Draft& draft, std::vector<std::vector<Row>>& threads,
                           Row (*read_row)(JsonCursor&, Draft&)) {
  std::uint64_t rows = 0;
  json.begin_array();
  while (json.next_element()) {
    if (threads.size() == kMaxThreads) {
      json.fail_here(ErrorCode::kTooLarge, "more than 65536 threads");
      return rows;
    }
    std::vector<Row>& thread = threads.emplace_back();
    if (json.take_null()) continue;
    json.begin_array();
    while (json.next_element()) thread.push_back(read_row(json, draft));
    rows += thread.size();
  }
  return rows;
}

}  // namespace

bool is_scheduler_phase(std::string_view name) {
  return contains(kSchedulerKinds, name);
}
bool is_orchestrator_phase(std::string_view name) {
  return name == kSubmit || contains(kOrchestratorKinds, name);
}

void read_scheduler_phases(JsonCursor& json, Draft& draft) {
  draft.has_phases = true;
  draft.capture.counts.phases += read_threads(json, draft, draft.capture.scheduler_threads, read_phase);
}

void read_orchestrator_phases(JsonCursor& json, Draft& draft) {
  draft.has_submits = true;
  draft.capture.counts.submits += read_threads(json, draft, draft.capture.orchestrators, read_submit);
}

void read_host_orchestrator_phases(JsonCursor& json, Draft& draft) {
  draft.has_host_submits = true;
  draft.capture.counts.submits += read_threads(json, draft, draft.capture.host_orchestrators, read_submit);
}

void read_uploads(JsonCursor& json, Draft& draft) {
  json.begin_array();
  while (json.next_element()) {
    UploadRow row;
    const Times times = read_timed(json, draft, draft.submit_end_before_start, [&](std::string_view key) {
      if (key == "phase")
        row.phase = json.string();
      else if (key == "detail")
        row.bytes = json.unsigned_integer();
      else
        return false;
      return true;
    });
    row.start_ns = times.start;
    row.end_ns = times.end;
    draft.capture.uploads.push_back(std::move(row));
  }
}

void read_orchestrator_totals(JsonCursor& json, Draft& draft) {
  draft.has_submits = true;
  OrchestratorTotals totals;
  Times times;
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (json.take_null() || read_time(json, key, times, draft)) continue;
    if (key == "submit_count") {
      totals.submits = json.unsigned_integer();
    } else if (key == "phase_us") {
      json.begin_object();
      while (json.next_key()) {
        std::string name(json.key());
        totals.phases.emplace_back(std::move(name), json.scaled_decimal(3));
      }
    } else {
      json.skip_value();
    }
  }
  totals.start = times.start == kNoTime ? 0 : times.start;
  totals.end = times.end == kNoTime ? totals.start : times.end;
  draft.capture.orchestrator_totals = std::move(totals);
}

}  // namespace accelscope::formats::chip_swimlane
