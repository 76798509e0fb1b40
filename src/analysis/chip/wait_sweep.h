// Says why idle cores of one engine waited: walks through time once, with the number of parts that were not
// submitted, submitted, and ready at every moment.
//
// One owner, one thread; the sweep reads the moments it was given and writes to the sink only.
//
//   EngineParts parts;  parts.submit.push_back(...);  parts.sort();
//   sweep_waits(parts, waiting, [&](const WaitPiece& piece) { add(piece); });
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/chip/core_time.h"
#include "analysis/chip/ready_queues.h"

namespace accelscope::analysis::chip {

// The moments of all parts of one engine, each kind sorted on its own: counting those that have passed is all
// that is needed. Parts whose readiness is known have a submit, a ready and a dispatch; of the others it is
// only known that something held them up from unknown_from (their submission, or the beginning of time) to
// unknown_to (their dispatch).
struct EngineParts {
  std::vector<Ticks> submit = {};
  std::vector<Ticks> ready = {};
  std::vector<Ticks> dispatch = {};
  std::vector<Ticks> unknown_from = {};
  std::vector<Ticks> unknown_to = {};
  std::vector<QueueStep> depth = {};  // stands in for what is ready where that is not known
  bool use_depth = false;

  void sort();
};

// A core that was idle, with nothing handed to it.
struct Waiting {
  std::uint32_t core = 0;
  Ticks from = {};
  Ticks to = {};
  Ticks next_ready = trace::kUnknownTime;  // when the part it runs next became ready
};

struct WaitPiece {
  std::uint32_t core = 0;
  Ticks from = {};
  Ticks to = {};
  CoreClass why = CoreClass::kUnknown;
};

// Cuts every wait into pieces. `waiting` may be in any order in which cores keep theirs; the waits of one
// core do not overlap.
void sweep_waits(const EngineParts& parts, std::vector<Waiting> waiting,
                 const std::function<void(const WaitPiece&)>& sink);

}  // namespace accelscope::analysis::chip
