// What would make the link stop holding a model up: more buffers, more bandwidth, a larger batch, a longer
// prompt. Every answer is the smallest number that does, found with the exact recurrence.
//
// Pure functions, safe from any thread.
//
//   const LinkStudy study = study_link(model, machine, fit);
//   if (study.bandwidth_to_hide) ...
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "fit/fit.h"

namespace accelscope::fit {

// Bytes a second; searches for a bandwidth that is enough end here.
inline constexpr std::uint64_t kMostBandwidth = std::uint64_t{1} << 50U;

struct LinkStudy {
  std::uint32_t buffers_for_bound = 1;  // more do not make a token faster
  base::Picoseconds bound{};            // how fast it then is
  // With as many buffers as help, or as the machine has; nothing where no number is enough.
  std::optional<std::uint32_t> buffers_to_hide = std::nullopt;
  std::optional<base::BytesPerSecond> bandwidth_to_hide = std::nullopt;
};

// For a fit in which something comes over the link in every decode pass.
LinkStudy study_link(const Machine& machine, const Fit& fit);

// The smallest batch, and the smallest prompt, at which the accelerator is busy for as long as memory and
// link are, each by itself: weights are then read and sent for enough tokens. What lies where stays as it is.
// Nothing where no number up to a million is enough.
std::optional<std::uint64_t> break_even_batch(const boards::Model& model, const Machine& machine,
                                              const Fit& fit);
std::optional<std::uint64_t> break_even_prompt(const boards::Model& model, const Machine& machine,
                                               const Fit& fit);

}  // namespace accelscope::fit
