#include "formats/chip_swimlane/settle.h"

#include <algorithm>
#include <utility>

#include "formats/chip_swimlane/era.h"
#include "formats/chip_swimlane/join.h"
#include "formats/chip_swimlane/object_rows.h"
#include "formats/chip_swimlane/remarks.h"
#include "formats/chip_swimlane/row_order.h"

namespace accelscope::formats::chip_swimlane {
namespace {

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

}  // namespace

base::Result<Capture> settled(Draft draft, const std::string& path) {
  ACCELSCOPE_CHECK(decide_era(draft, path));
  place_cores(draft);
  RowTrouble rows;
  if (draft.capture.era == Era::kRawCycles)
    rows = settle_rows(draft.capture.cores, draft.kept_the_last_only);
  else
    rows.duplicates = number_object_rows(draft.capture.cores);
  const JoinTrouble join = join_streams(draft);
  copy_phase_names(draft);
  decide_level(draft, path);
  add_remarks(draft, rows, join, path);
  StreamCounts& counts = draft.capture.counts;
  counts.rejected_rows =
      rows.duplicates + rows.phantoms + draft.empty_slots.count + draft.impossible_cores.count;
  counts.core_rows_unmatched = join.core_rows_unmatched;
  counts.scheduler_rows_unmatched = join.scheduler_rows_unmatched + join.duplicate_scheduler_rows;
  return std::move(draft.capture);
}

}  // namespace accelscope::formats::chip_swimlane
