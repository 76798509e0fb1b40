// Random traffic on a DRAM, every command of which is looked at.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "memory/command_checker.h"
#include "memory/event_dram.h"
#include "memory/random_traffic.h"

namespace accelscope::memory {

// Commands are checked as they come, so that the log stays small.
inline CommandChecker checked(const DramPreset& preset, DramOptions options, std::uint64_t requests,
                              std::span<const DramConstraint> obeyed, Jumps jumps = Jumps::kMany) {
  std::vector<IssuedCommand> log;
  options.log = &log;
  options.channels = 2;
  const auto memory = *make_event_dram(preset, options, obeyed);
  CommandChecker checker(preset, constraints_of(preset));
  RandomTraffic traffic(1, memory->capacity(), preset.burst_bytes(), jumps);
  constexpr std::uint64_t kPart = 10'000;
  for (std::uint64_t done = 0; done < requests; done += kPart) {
    drive(*memory, traffic, std::min(kPart, requests - done), 300);
    for (const IssuedCommand& command : log) checker.add(command);
    log.clear();
  }
  return checker;
}

}  // namespace accelscope::memory
