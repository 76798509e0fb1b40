// The two tables of integers of today's files: what cores recorded and what schedulers recorded about them.
// Nearly all of a large file is these rows.
//
// One thread; the cursor stands at the array, and behind it afterwards. Rows end up in the draft or stream.
//
//   if (json.key() == "aicore_tasks") read_core_rows(json, draft);
#pragma once

#include "base/json_cursor.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

// [core, task, sequence, start, end] and, in newer files, the ticks from receive to start.
void read_core_rows(base::JsonCursor& json, Draft& draft);
// [core, sequence, dispatch, finish]
void read_scheduler_rows(base::JsonCursor& json, SchedulerStream& stream);

}  // namespace accelscope::formats::chip_swimlane
