// What is written beside the recording of a run: files that other tools read.
//
// Reads the recording once. Prints nothing.
//
//   ACCELSCOPE_TRY(const auto files, write_run_files({.folder = "out", .dfx_flags = flags, .graph = "moe"}));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jobs/written_file.h"

namespace accelscope::jobs {

inline constexpr std::string_view kRecordingName = "run.astrace";

struct RunFiles {
  std::string folder = {};  // with the recording in it
  std::uint64_t dfx_flags = 0;
  std::string graph = {};  // its name
  bool raw = false;        // the swimlane as chips write it today
};

// The recording first. Files that are there already are replaced: they are of this recording.
base::Result<std::vector<WrittenFile>> write_run_files(const RunFiles& run);

}  // namespace accelscope::jobs
