// The job behind `accelscope isa gen --images`: a program made to order as a folder of files that the
// emulator runs: listing and words, images of the memories, manifest, settings, and what to expect.
//
// docs/emulator-programs.md has the files. Prints nothing. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const ProgramFiles made, write_program_files({.program = "ffn:rows=64", .folder =
//   "ffn"}));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "emulator/program_inputs.h"

namespace accelscope::jobs {

struct ProgramFilesOptions {
  std::string program = {};  // "linear:rows=128"; isa/generators.h has what there is
  std::string folder = {};   // made where it is not there
  emulator::InputOptions inputs = {};
};

// Names of the files, within the folder.
struct ProgramFiles {
  std::vector<std::string> names;
};

base::Result<ProgramFiles> write_program_files(const ProgramFilesOptions& options);

// What stands on the command line beside the name of a program, as numbers in text; "" for what does not.
struct ProgramWords {
  std::string program = {};  // "linear" or "linear:rows=128"
  std::string model = {};    // a model, whose layer `decoder-layer` is
  std::string shape = {};    // "128x64x256"
  std::string rows = {};
  std::string mlen = {};
  std::string blen = {};
};

// All of it as "name:parameter=value,...". Nothing may be said twice.
base::Result<std::string> program_text(const ProgramWords& words);

}  // namespace accelscope::jobs
