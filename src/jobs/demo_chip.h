// The chip's part of the demonstration: two recordings of a made-up run, before and after a change, each with
// its dependencies and names beside it, as the runtime would leave them; the first one reported on and drawn.
//
// Writes files and prints nothing; the same call writes the same recordings. One thread per folder.
//
//   ACCELSCOPE_TRY(const DemoChip chip, demo_chip({.folder = "demo-output/chip", .version = "0.1.0"}));
//   for (const WrittenFile& file : chip.files) fmt::print("{}\n", file.path);
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "jobs/written_file.h"

namespace accelscope::jobs {

struct DemoChipFolders {
  std::string folder = {};
  std::string version = {};  // of the program, for provenance
};

struct DemoChip {
  std::string before = {};  // the swimlane of the run whose orchestrator is slow for a while
  std::string after = {};   // the orchestrator is fast, and one function slower
  findings::Findings report = {};
  std::vector<WrittenFile> files = {};  // the report first
};

// The folders are made when they are not there.
base::Result<DemoChip> demo_chip(const DemoChipFolders& options);

}  // namespace accelscope::jobs
