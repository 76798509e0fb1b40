// One report on several platforms: the same model measured on each, side by side.
//
// Every platform is analysed by itself; nothing is averaged across platforms. A platform without data is
// named with what is missing. Pure function.
//
//   const findings::Findings report = combined_report("toy", {{"mac", mac_input}, {"android",
//   android_input}});
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"

namespace accelscope::analysis {

struct PlatformInput {
  std::string name = {};
  ReportInput input = {};
  std::string missing = {};  // why there is no data; "" when there is
};

findings::Findings combined_report(const std::string& title, const std::vector<PlatformInput>& platforms);

}  // namespace accelscope::analysis
