// The "tasks" of old files: one object per dispatch, times in microseconds.
//
// One thread; the cursor stands at the array, and behind it afterwards. Rows end up in the draft, in file
// order and without a sequence: number_object_rows() gives them one when all are there.
//
//   if (json.key() == "tasks") read_task_objects(json, draft);
#pragma once

#include "base/json_cursor.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

void read_task_objects(base::JsonCursor& json, Draft& draft);

// Puts the rows of every core in the order of their times and numbers them from 1, which is what their
// sequence would have been. A row that is there twice, to the last digit, is kept once; the answer is how
// many were not.
std::uint64_t number_object_rows(std::vector<CoreRows>& cores);

}  // namespace accelscope::formats::chip_swimlane
