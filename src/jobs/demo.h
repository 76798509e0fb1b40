// The job behind `accelscope demo`: a small model trace made by our own ETDump writer, converted into
// everything we can write.
//
// Prints nothing; needs no hardware and no input. Files go into one folder, which is made when it is not
// there.
//
//   ACCELSCOPE_TRY(const DemoOutcome outcome, demo({.folder = "demo-output"}));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::jobs {

struct DemoOptions {
  std::string folder;
};

struct DemoFile {
  std::string path;
  std::string what;  // what it is and what opens it
};

struct DemoOutcome {
  trace::Trace trace;  // of the first file, as read back
  std::vector<DemoFile> files;
};

base::Result<DemoOutcome> demo(const DemoOptions& options);

}  // namespace accelscope::jobs
