// The jobs behind `accelscope isa asm`, `isa disasm` and `isa gen`: a listing to words, words to a listing,
// and a listing made to order.
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

// `program` is "linear:rows=128"; isa/generators.h has what there is.
base::Status generate_file(const std::string& program, const std::string& output);

}  // namespace accelscope::jobs
