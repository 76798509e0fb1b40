// The job behind `accelscope memory stream`: a model that does not fit a board, and what it costs that its
// layers come over the host link, as findings and as a trace (docs/streaming.md).
//
// Prints nothing; writes only the trace, where it is told to. Safe from any thread.
//
//   ACCELSCOPE_TRY(const MemoryStreamJob done,
//                  memory_stream({.board = "nexys_video", .model = "llama-3.2-1b"}));
#pragma once

#include <string>

#include "base/result.h"
#include "findings/findings.h"
#include "fit/machine.h"
#include "fit/stream_study.h"

namespace accelscope::jobs {

struct MemoryStreamOptions {
  std::string board = {};     // a name or a file
  std::string model = {};     // a name or a file
  std::string settings = {};  // a file; "" for the shipped ones
  std::uint64_t context = 2048;
  std::uint64_t batch = 1;
  accelscope::fit::StreamQuestion question = {};
  accelscope::fit::Overrides overrides = {};  // buffers follow from the question
  std::string output = {};                    // of the trace; "" for none
  std::string version = {};                   // of the program, for provenance
};

struct MemoryStreamJob {
  findings::Findings findings;
  std::string written_to;  // "" where nothing was
};

base::Result<MemoryStreamJob> memory_stream(const MemoryStreamOptions& options);

}  // namespace accelscope::jobs
