// What scheduler threads and orchestrators recorded: one object per phase or call, in arrays per thread. All
// generations, by the keys that are there: cycles, microseconds, or nanoseconds of the host.
//
// One thread; the cursor stands at the array or object, and behind it afterwards. Rows end up in the draft.
//
//   if (json.key() == "aicpu_scheduler_phases") read_scheduler_phases(json, draft);
#pragma once

#include <string_view>

#include "base/json_cursor.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

void read_scheduler_phases(base::JsonCursor& json, Draft& draft);
void read_orchestrator_phases(base::JsonCursor& json, Draft& draft);
void read_host_orchestrator_phases(base::JsonCursor& json, Draft& draft);
void read_uploads(base::JsonCursor& json, Draft& draft);
void read_orchestrator_totals(base::JsonCursor& json, Draft& draft);

// Whether a phase of this name is known: others are kept, and counted.
bool is_scheduler_phase(std::string_view name);
bool is_orchestrator_phase(std::string_view name);

}  // namespace accelscope::formats::chip_swimlane
