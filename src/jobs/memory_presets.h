// The jobs behind `accelscope memory list` and `show`: the DRAM presets of the program, and every parameter
// of one with its source, as findings.
//
// Pure functions; independent calls may run in parallel.
//
//   const findings::Findings all = *memory_presets("0.1.0");
//   ACCELSCOPE_TRY(const findings::Findings one, memory_preset("hbm2", "0.1.0"));
#pragma once

#include <string>

#include "base/result.h"
#include "findings/findings.h"

namespace accelscope::jobs {

base::Result<findings::Findings> memory_presets(const std::string& version);
base::Result<findings::Findings> memory_preset(const std::string& name_or_path, const std::string& version);
// The preset as a file, to change and use as one's own.
base::Result<std::string> memory_preset_file(const std::string& name_or_path);

}  // namespace accelscope::jobs
