// Any DRAM preset at any fidelity, behind the one interface.
//
// The caller owns what is made; see timing.h for how it is used.
//
//   ACCELSCOPE_TRY(const DramPreset preset, load_dram_preset("hbm2"));
//   ACCELSCOPE_TRY(const std::unique_ptr<Timing> memory, make_dram(preset, {.channels = 8}));
#pragma once

#include <memory>

#include "base/result.h"
#include "memory/dram_options.h"
#include "memory/dram_preset.h"
#include "memory/timing.h"

namespace accelscope::memory {

// A preset of the reference's family is run by its own controller; of the options only the channels count
// then.
base::Result<std::unique_ptr<Timing>> make_dram(const DramPreset& preset, const DramOptions& options,
                                                Fidelity fidelity = Fidelity::kEvent);

}  // namespace accelscope::memory
