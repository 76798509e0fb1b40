// The run directory of the demonstration: a small model recorded without SME2 and with it, as `accelscope
// bench` would lay it out, but for the manifest. Everything in it is made up by our own writers.
//
// Writes files and prints nothing; the same call writes the same bytes. One thread per folder.
//
//   ACCELSCOPE_TRY(const DemoRun run, write_demo_run("demo-output/run"));
//   ACCELSCOPE_TRY(const ReportOutcome outcome, report({.input = {.inputs = {run.folder}}}));
#pragma once

#include <string>

#include "base/result.h"

namespace accelscope::jobs {

struct DemoRun {
  std::string folder = {};
  std::string baseline = {};   // the ETDump without SME2
  std::string candidate = {};  // the one with it
};

// The folder is made when it is not there.
base::Result<DemoRun> write_demo_run(const std::string& folder);

}  // namespace accelscope::jobs
