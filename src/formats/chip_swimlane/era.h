// Which generation wrote a file, and what it recorded: decided by the fields that are there, because one key,
// "version", has meant two things. The rule is in docs/formats.md, "Chip swimlane".
//
// Pure functions of what was read, but for the Quality rows that they add; one thread.
//
//   ACCELSCOPE_CHECK(decide_era(draft, path));
//   decide_level(draft);
#pragma once

#include <string>

#include "base/result.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

// Sets era, stated level and frequency. An error when rows of two generations are mixed, or there are none.
base::Status decide_era(Draft& draft, const std::string& path);
// Sets the level by what is there, when all rows are where they belong.
void decide_level(Draft& draft, const std::string& path);

}  // namespace accelscope::formats::chip_swimlane
