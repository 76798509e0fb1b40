#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/json_cursor.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/chip_swimlane/draft.h"
#include "formats/chip_swimlane/metadata.h"
#include "formats/chip_swimlane/object_rows.h"
#include "formats/chip_swimlane/phase_rows.h"
#include "formats/chip_swimlane/settle.h"
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
  return settled(std::move(draft), file.path());
}

}  // namespace accelscope::formats::chip_swimlane
