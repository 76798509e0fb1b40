// What was odd about a capture, as rows of its Quality table.
//
// One thread; reads the draft and adds to its capture's quality.
//
//   add_remarks(draft, trouble_of_rows, trouble_of_join, path);
#pragma once

#include <string>

#include "formats/chip_swimlane/draft.h"
#include "formats/chip_swimlane/join.h"
#include "formats/chip_swimlane/row_order.h"

namespace accelscope::formats::chip_swimlane {

void add_remarks(Draft& draft, const RowTrouble& rows, const JoinTrouble& join, const std::string& path);

}  // namespace accelscope::formats::chip_swimlane
