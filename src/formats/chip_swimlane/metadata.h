// What a swimlane file says about the chip and its clocks.
//
// One thread; the cursor stands at the value, and behind it afterwards. What is read ends up in the draft.
//
//   if (json.key() == "metadata") read_metadata(json, draft);
#pragma once

#include <string_view>

#include "base/json_cursor.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

CoreType core_type_of(std::string_view name);

void read_metadata(base::JsonCursor& json, Draft& draft);
// Stands in the metadata, or beside the rows in old files.
void read_core_to_thread(base::JsonCursor& json, Draft& draft);

}  // namespace accelscope::formats::chip_swimlane
