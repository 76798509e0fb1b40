// The jobs behind `accelscope isa asm` and `isa disasm`: a listing to words, and words to a listing.
//
// Prints nothing: what was found in the file comes back, and nothing is written where there is one error.
// Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const isa::Diagnostics found, assemble_file({.file = "a.asm", .output = "a.mem"}));
//   if (!found.ok()) fmt::print(stderr, "{}", found.to_string());
#pragma once

#include <string>

#include "base/result.h"
#include "isa/diagnostics.h"
#include "isa/encoder.h"

namespace accelscope::jobs {

struct IsaFileOptions {
  std::string file = {};
  std::string output = "-";  // a file; "-" is standard output
  isa::Dialect dialect = isa::Dialect::kStrict;
};

base::Result<isa::Diagnostics> assemble_file(const IsaFileOptions& options);
base::Result<isa::Diagnostics> disassemble_file(const IsaFileOptions& options);

}  // namespace accelscope::jobs
