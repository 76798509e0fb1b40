// What must hold in the complete recording of a chip, checked: every record joined, every moment in order,
// every phase accounted for, no consumer before its producer.
//
// A pure function of a read-only trace; the answer owns its texts.
//
//   for (const Invariant& invariant : check_invariants(trace, chip, times))
//     if (invariant.state == InvariantState::kViolated) fmt::print("{}\n", invariant.first_violation);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

enum class InvariantState : std::uint8_t {
  kHolds,
  kViolated,
  kNotRecorded,  // this level, or this set of files, has nothing to check
};

struct Invariant {
  std::string id = {};    // stable: "sequence", "join", ...
  std::string text = {};  // what must hold
  InvariantState state = InvariantState::kNotRecorded;
  std::uint64_t checked = 0;
  std::uint64_t violations = 0;
  std::string first_violation = {};
};

std::string_view name_of(InvariantState state);

std::vector<Invariant> check_invariants(const trace::Trace& trace, const trace::ChipRun& chip,
                                        const TaskTimes& times);

}  // namespace accelscope::analysis::chip
