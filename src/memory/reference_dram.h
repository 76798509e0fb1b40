// The reference's memory as it is, quirks included: a controller that ticks every clock, and a wrapper that
// ticks it only while reads are outstanding. For comparison with published figures; the presets
// reference-hbm2 and reference-hbm2-patched. Everything else is run by event_dram.h, which never ticks.
//
// What is kept of it: a line of 64 bytes is four bursts of 16; all bursts pass one lock in order, and one
// that a full queue refuses is tried again every clock while the others wait; queues take one entry more than
// their size; writes are done as soon as they are taken, and drain only while reads tick the clock; there is
// no refresh.
//
// One thread uses one memory, which owns all it needs.
//
//   ACCELSCOPE_TRY(const std::unique_ptr<Timing> memory, make_reference_dram(preset, 8));
//   finish_all(*memory, {{.address = 0}});       // 18.000 ns
#pragma once

#include <memory>

#include "base/result.h"
#include "memory/dram_preset.h"
#include "memory/timing.h"

namespace accelscope::memory {

// Channels: a power of two from 1 to 1024.
base::Result<std::unique_ptr<Timing>> make_reference_dram(const DramPreset& preset, std::uint32_t channels);

}  // namespace accelscope::memory
