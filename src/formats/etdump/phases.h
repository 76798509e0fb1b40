// Which runs a block holds. One, as a rule: the runtime opens a block per execution and per loading phase.
// But methods that are executed step by step log into whatever block is open, and files are put together by
// all sorts of programs.
//
// Free functions over staged events; nothing is kept.
//
//   const std::vector<Phase> phases = find_phases(block.events, block_name, step_name);
//   phases[block.events[i].phase].kind
#pragma once

#include <string_view>
#include <vector>

#include "formats/etdump/staged_event.h"
#include "trace/entities.h"

namespace accelscope::formats::etdump {

struct Phase {
  trace::RunKind kind = trace::RunKind::kExecution;
  trace::RunStatus status = trace::RunStatus::kComplete;
  std::uint32_t root = kNoEvent;
  bool stepped = false;
};

// Sets `phase` of every event. Where a method ran in several steps, an event around them is appended, flagged
// as made by us and named `around_steps`. At least one phase comes back.
std::vector<Phase> find_phases(std::vector<StagedEvent>& events, std::string_view block_name,
                               trace::StringId around_steps);

}  // namespace accelscope::formats::etdump
