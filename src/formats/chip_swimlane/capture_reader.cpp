#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_cursor.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/chip_swimlane/draft.h"
#include "formats/chip_swimlane/era.h"
#include "formats/chip_swimlane/join.h"
#include "formats/chip_swimlane/metadata.h"
#include "formats/chip_swimlane/object_rows.h"
#include "formats/chip_swimlane/phase_rows.h"
#include "formats/chip_swimlane/remarks.h"
#include "formats/chip_swimlane/row_order.h"
#include "formats/chip_swimlane/stream_ahead.h"
#include "formats/chip_swimlane/stream_rows.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using base::JsonCursor;

using ReadValue = void (*)(JsonCursor&, Draft&);

struct Member {
  std::string_view key;
  ReadValue read;
};

void read_level(JsonCursor& json, Draft& draft) {
  draft.level_key = json.unsigned_integer();
}

void read_version(JsonCursor& json, Draft& draft) {
  draft.version = json.unsigned_integer();
}

void take_or_read_scheduler_rows(JsonCursor& json, Draft& draft) {
  if (!draft.scheduler_ahead->take(json, draft.scheduler)) read_scheduler_rows(json, draft.scheduler);
  draft.capture.counts.scheduler_rows += draft.scheduler.rows;
}

// Everything that a generation has at the top. No other format has one of these, but for "version" and
// "tasks".
constexpr std::array<Member, 14> kMembers{{
    {"chip_swimlane_level", read_level},
    {"l2_swimlane_level", read_level},
    {"l2_perf_level", read_level},
    {"version", read_version},
    {"metadata", read_metadata},
    {"tasks", read_task_objects},
    {"aicore_tasks", read_core_rows},
    {"aicpu_tasks", take_or_read_scheduler_rows},
    {"aicpu_scheduler_phases", read_scheduler_phases},
    {"aicpu_orchestrator", read_orchestrator_totals},
    {"aicpu_orchestrator_phases", read_orchestrator_phases},
    {"host_orchestrator_phases", read_host_orchestrator_phases},
    {"host_device_uploads", read_uploads},
    {"core_to_thread", read_core_to_thread},
}};

const Member* member_of(std::string_view key) {
  const auto* found =
      std::find_if(kMembers.begin(), kMembers.end(), [&](const Member& member) { return member.key == key; });
  return found == kMembers.end() ? nullptr : found;
}

// Keys may come in any order, so nothing is decided before the last one is read.
void read_document(JsonCursor& json, Draft& draft) {
  std::array<bool, kMembers.size()> seen{};
  json.begin_object();
  while (json.next_key()) {
    const Member* member = member_of(json.key());
    if (member == nullptr) {
      json.skip_value();
      continue;
    }
    bool& seen_before = seen[static_cast<std::size_t>(member - kMembers.data())];
    if (seen_before)
      return json.fail_here(ErrorCode::kMalformed, fmt::format("the key \"{}\" is there twice", member->key));
    seen_before = true;
    if (!json.take_null()) member->read(json, draft);
  }
  json.expect_end();
}

// Whether the file speaks of the core: counts it, gives it a type or a thread, or has rows of it.
bool is_spoken_of(const Draft& draft, std::size_t core) {
  const std::vector<std::int32_t>& threads = draft.capture.core_to_thread;
  return (draft.num_cores && core < *draft.num_cores) || core < draft.core_types.size() ||
         (core < threads.size() && threads[core] >= 0) || !draft.capture.cores[core].task.empty();
}

// Every core that the file speaks of gets its place. A number beyond the others makes no cores of those
// between, which would be idle all the time.
void place_cores(Draft& draft) {
  std::vector<CoreRows>& cores = draft.capture.cores;
  std::size_t count = std::max(cores.size(), draft.core_types.size());
  if (draft.num_cores && *draft.num_cores <= kMaxCores)
    count = std::max(count, static_cast<std::size_t>(*draft.num_cores));
  cores.resize(count);
  for (std::size_t core = 0; core < draft.core_types.size(); ++core)
    if (draft.core_types[core] != CoreType::kUnknown) cores[core].type = draft.core_types[core];
  for (std::size_t core = 0; core < cores.size(); ++core) cores[core].exists = is_spoken_of(draft, core);
}

JoinTrouble join_streams(Draft& draft) {
  JoinTrouble trouble;
  Capture& capture = draft.capture;
  if (capture.era != Era::kRawCycles) {
    if (capture.counts.scheduler_rows == 0) return trouble;
    for (const CoreRows& core : capture.cores)
      for (std::size_t row = 0; row < core.start.size(); ++row)
        if (core.dispatch.empty() || (core.dispatch[row] == kNoTime && core.finish[row] == kNoTime))
          ++trouble.core_rows_unmatched;
    return trouble;
  }
  if (capture.counts.scheduler_rows == 0) return trouble;
  trouble = join_rows(capture.cores, std::move(draft.scheduler.cores));
  trouble.scheduler_rows_unmatched += draft.scheduler.impossible_cores.count;
  return trouble;
}

void copy_phase_names(Draft& draft) {
  for (std::size_t id = 1; id < draft.phase_names.size(); ++id)
    draft.capture.phase_kinds.emplace_back(
        draft.phase_names.text(static_cast<base::StringId>(static_cast<std::uint32_t>(id))));
}

// An old file's "tasks": objects with these keys, or none.
bool are_task_objects(JsonCursor& json, bool version_seen) {
  json.begin_array();
  if (!json.next_element()) return json.ok() && version_seen;
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "start_time_us" || json.key() == "core_id") return true;
    json.skip_value();
  }
  return false;
}

}  // namespace

bool looks_like_chip_swimlane(std::string_view bytes) {
  JsonCursor json(bytes, "");
  bool version_seen = false;
  json.begin_object();
  // Every key but these decides, so that no more than the metadata is ever skipped.
  while (json.next_key()) {
    if (member_of(json.key()) == nullptr) return false;
    if (json.key() == "tasks") return are_task_objects(json, version_seen);
    if (json.key() != "version" && json.key() != "metadata" && json.key() != "core_to_thread") return true;
    version_seen |= json.key() == "version";
    json.skip_value();
  }
  return false;
}

base::Result<Capture> read_capture(const base::MappedFile& file) {
  JsonCursor json(file.text(), file.path());
  SchedulerStreamAhead scheduler_ahead(file.text());
  Draft draft;
  draft.scheduler_ahead = &scheduler_ahead;
  read_document(json, draft);
  ACCELSCOPE_CHECK(json.status());
  ACCELSCOPE_CHECK(decide_era(draft, file.path()));
  place_cores(draft);
  RowTrouble rows;
  if (draft.capture.era == Era::kRawCycles)
    rows = settle_rows(draft.capture.cores);
  else
    rows.duplicates = number_object_rows(draft.capture.cores);
  const JoinTrouble join = join_streams(draft);
  copy_phase_names(draft);
  decide_level(draft, file.path());
  add_remarks(draft, rows, join, file.path());
  StreamCounts& counts = draft.capture.counts;
  counts.rejected_rows =
      rows.duplicates + rows.phantoms + draft.empty_slots.count + draft.impossible_cores.count;
  counts.core_rows_unmatched = join.core_rows_unmatched;
  counts.scheduler_rows_unmatched = join.scheduler_rows_unmatched + join.duplicate_scheduler_rows;
  return std::move(draft.capture);
}

}  // namespace accelscope::formats::chip_swimlane
