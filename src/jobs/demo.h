// The job behind `accelscope demo`: two small recordings made by our own ETDump writer, compared and reported
// on, and the faster one converted into everything we can write; the run of a chip, reported on and drawn;
// a task graph that runs on a simulated chip now, recorded, reported on and drawn; and a program and a model
// on boards, without running them.
//
// Prints nothing; needs no hardware and no input. Files go into one folder, which is made when it is not
// there.
//
//   ACCELSCOPE_TRY(const DemoOutcome outcome, demo({.folder = "demo-output", .version = "0.1.0"}));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "jobs/demo_board.h"
#include "jobs/demo_chip.h"
#include "jobs/demo_run.h"
#include "jobs/run_graph.h"
#include "jobs/written_file.h"
#include "trace/trace.h"

namespace accelscope::jobs {

struct DemoOptions {
  std::string folder = {};
  std::string version = {};  // of the program, for provenance
};

// The graph that runs, in full view of the recorder.
struct DemoGraph {
  RunGraphOutcome run = {};
  findings::Findings report = {};
  std::vector<WrittenFile> files = {};  // the report first
};

struct DemoOutcome {
  trace::Trace trace;  // of the faster recording, as read back
  DemoRun run = {};
  findings::Findings report = {};
  std::vector<WrittenFile> files = {};  // the report first
  DemoChip chip = {};
  DemoGraph graph = {};
  DemoBoard board = {};
};

base::Result<DemoOutcome> demo(const DemoOptions& options);

}  // namespace accelscope::jobs
