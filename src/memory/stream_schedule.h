// When the layers of a model come over a link and calculate, pass after pass, when a policy decides which of
// them stay: the recurrence of streaming.h, with residency.h in front of it.
//
// First what comes is planned, in the order of accesses; then when. A transfer begins when the link is free,
// when fewer than all buffers wait to be calculated with, and when whatever it drives out has been calculated
// with for the last time. Because the plan knows no times, a faster link or a shorter calculation never makes
// anything later. Pure functions, safe from any thread; they own what they return.
//
//   const auto plan = plan_passes(std::move(residency), units, 3);
//   const auto times = schedule_accesses(layers, plan, 2);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "memory/residency.h"
#include "memory/streaming.h"

namespace accelscope::memory {

// A layer when it is there already, and when it comes; transfers with the link's latency.
struct PassLayer {
  base::Picoseconds here{};           // calculation
  base::Picoseconds came{};           // calculation, with what landing in the memory costs besides
  base::Picoseconds transfer{};       // of the layer
  base::Picoseconds transfer_here{};  // of what comes even then: keys and values that are swapped
};

struct PlannedAccess {
  std::uint32_t layer = 0;
  bool comes = false;
  std::vector<std::uint32_t> evicted = {};  // layers

  bool operator==(const PlannedAccess&) const = default;
};

// The same layers come in every pass.
std::vector<PlannedAccess> plan_passes(const std::vector<bool>& comes, std::uint32_t passes);
// A policy decides. `units`: of each layer the unit that it is for the policy; nothing: it is always there.
std::vector<PlannedAccess> plan_passes(Residency residency,
                                       std::span<const std::optional<std::uint32_t>> units,
                                       std::uint32_t passes);

// One for each access, from the beginning on. Buffers: at least 1.
std::vector<LayerTimes> schedule_accesses(std::span<const PassLayer> layers,
                                          std::span<const PlannedAccess> plan, std::uint32_t buffers);

}  // namespace accelscope::memory
