// The board's part of the demonstration: a program made to order, profiled on two boards without running it;
// what a model needs and gives on one of them; and a layer of a decoder, run on two boards under three memory
// models, and drawn.
//
// Writes files and prints nothing; the same call writes the same program. One thread per folder.
//
//   ACCELSCOPE_TRY(const DemoBoard board, demo_board({.folder = "demo-output/board", .version = "0.1.0"}));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "jobs/written_file.h"

namespace accelscope::jobs {

struct DemoBoardOptions {
  std::string folder = {};
  std::string version = {};  // of the program, for provenance
};

struct DemoBoard {
  std::string program = {};  // the listing
  findings::Findings profile = {};
  findings::Findings fit = {};
  std::string layer = {};  // the folder of the program that was run, with its images
  findings::Findings emulation = {};
  std::vector<WrittenFile> files = {};
};

// The folder is made when it is not there.
base::Result<DemoBoard> demo_board(const DemoBoardOptions& options);

}  // namespace accelscope::jobs
