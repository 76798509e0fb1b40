// A DRAM at its default fidelity: every channel an event-driven FR-FCFS controller (dram_channel.h) over the
// constraints of a preset.
//
// One thread uses one memory, which owns all it needs but the log of its options.
//
//   ACCELSCOPE_TRY(const std::unique_ptr<Timing> memory, make_event_dram(preset, {.channels = 8}));
//   const base::Picoseconds end = finish_all(*memory, {{.address = 0, .size = {1 << 20}}});
#pragma once

#include <memory>
#include <span>

#include "base/result.h"
#include "memory/dram_constraints.h"
#include "memory/dram_options.h"
#include "memory/dram_preset.h"
#include "memory/timing.h"

namespace accelscope::memory {

// Options that make no sense, or that the preset cannot do, are errors.
base::Status check_options(const DramPreset& preset, const DramOptions& options);

base::Result<std::unique_ptr<Timing>> make_event_dram(const DramPreset& preset, const DramOptions& options);
// With other constraints than those of the preset: tests leave one out to see it missed.
base::Result<std::unique_ptr<Timing>> make_event_dram(const DramPreset& preset, const DramOptions& options,
                                                      std::span<const DramConstraint> constraints);

}  // namespace accelscope::memory
