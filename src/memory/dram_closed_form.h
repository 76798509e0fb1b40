// A DRAM by formulas: what a load can get of the peak at most, what an idle memory answers, and from both how
// long a transfer takes. No queues, no state: for estimates, sweeps and as a check of the simulated one.
//
//   data bus      one burst a max(nBL, nCCD_S) in a pseudo channel; in one bank group one a nCCD_L
//   random        the least of nBL / (nFAW/4), the row-command bus, and the banks' nRC
//   refresh       1 - (nRFC + nRP) / nREFI
//   unloaded      CL + BL + 1; with the row closed RCD more; with another one open RP more
//   transfer      t0 + bytes / bandwidth, one after the other
//
// Pure functions, safe from any thread. The memory is used by one thread and owns all it needs.
//
//   closed_form_efficiency(hbm2, TrafficShape::kRandom, MapKind::kMop4ClXor, RefreshKind::kNone)   // 0.333
#pragma once

#include <memory>

#include "base/result.h"
#include "memory/dram_options.h"
#include "memory/dram_preset.h"
#include "memory/timing.h"

namespace accelscope::memory {

enum class TrafficShape : std::uint8_t { kSequential, kRandom };
enum class RowState : std::uint8_t { kHit, kClosed, kConflict };

// Of the peak, 0 to 1.
double closed_form_efficiency(const DramPreset& preset, TrafficShape shape, MapKind map, RefreshKind refresh);
double refresh_factor(const DramPreset& preset, RefreshKind refresh);
base::Picoseconds unloaded_read(const DramPreset& preset, RowState row);

// Requests are served one after the other by each channel that they touch: at the rate of a stream when they
// have several bursts there or continue the one before, else at that of random bursts.
base::Result<std::unique_ptr<Timing>> make_closed_form_dram(const DramPreset& preset,
                                                            const DramOptions& options);

}  // namespace accelscope::memory
