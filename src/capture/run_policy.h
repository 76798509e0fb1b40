// What happens when the host falls behind, chosen per run. Plain data; pure functions.
//
//   if (const std::optional<RunPolicy> policy = run_policy("drop")) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "accelscope/recorder/lane.h"

namespace accelscope::capture {

enum class RunPolicy : std::uint8_t {
  kBlock,      // every producer pauses at its next change of buffers, and the pause is on record
  kDrop,       // records are dropped, and counted by reason
  kOverwrite,  // a flight recorder: the host keeps the last records only, producers never wait
};

constexpr std::string_view name_of(RunPolicy policy) {
  constexpr std::string_view kNames[] = {"block", "drop", "overwrite"};
  return kNames[static_cast<std::size_t>(policy)];
}

constexpr std::optional<RunPolicy> run_policy(std::string_view name) {
  for (const RunPolicy policy : {RunPolicy::kBlock, RunPolicy::kDrop, RunPolicy::kOverwrite})
    if (name == name_of(policy)) return policy;
  return std::nullopt;
}

// What producers have to do for it.
constexpr recorder::Policy device_policy(RunPolicy policy) {
  return policy == RunPolicy::kBlock ? recorder::Policy::kBlock : recorder::Policy::kDrop;
}

}  // namespace accelscope::capture
