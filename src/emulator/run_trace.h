// The log of a run as a trace: the program and its sections, a lane for each unit, the memory's channels and
// the host link.
//
// A pure function, safe from any thread; the trace owns what it holds. Times are picoseconds. A slice is
// called by its mnemonic and says which instruction of the listing it is, its line, its section and how many
// instructions it stands for.
//
//   ACCELSCOPE_TRY(const trace::Trace trace, run_trace(program, done, {.machine = "v80"}));
#pragma once

#include <string>

#include "base/result.h"
#include "emulator/emulation.h"
#include "isa/program.h"
#include "trace/trace.h"

namespace accelscope::emulator {

struct RunTraceFacts {
  std::string machine = {};
  std::string memory = {};                       // in words
  std::string timing = {};                       // "serial, reference costs"
  isa::Dialect dialect = isa::Dialect::kStrict;  // in which instructions are written
};

base::Result<trace::Trace> run_trace(const isa::Program& program, const Emulation& done,
                                     const RunTraceFacts& facts);

}  // namespace accelscope::emulator
