// A model that does not fit its board's memory, pass after pass (token after token): which layers come over
// the host link and when, what of that calculations hide, and what would hide all of it.
//
// Calculations are those of speed.h; what stays is decided by a policy (memory/residency.h), or by pins that
// are spread evenly; what comes is written to buffers in the external memory and read from there, or, if it
// is asked for or too large for the memory, goes straight to the chip. Pure functions, safe from any thread;
// they own what they return.
//
//   ACCELSCOPE_TRY(const StreamStudy study, study_streaming(model, machine, workload, {}));
//   study.chosen.pass      // picoseconds from one token to the next
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fit/footprint.h"
#include "fit/machine.h"
#include "fit/pass_work.h"
#include "fit/placement.h"
#include "fit/speed.h"
#include "memory/residency.h"
#include "memory/stream_schedule.h"

namespace accelscope::fit {

struct StreamQuestion {
  memory::EvictionPolicy policy = memory::EvictionPolicy::kPin;
  std::uint32_t prefetch_depth = 1;  // layers that come while another calculates; buffers are one more
  std::optional<std::uint64_t> layers_pinned = std::nullopt;  // of kPin; nothing: as many as fit
  bool direct = false;             // of kPin: what comes goes straight to the chip, past the memory
  std::uint32_t passes_shown = 3;  // in the timeline
};
inline constexpr std::uint32_t kDeepestStream = 63;

// A way of streaming, in the steady state. Of policies whose passes differ, the mean of many.
struct StreamWay {
  memory::EvictionPolicy policy = memory::EvictionPolicy::kPin;
  std::uint32_t buffers = 2;
  double staying = 0;                           // layers and output that need not come, a pass
  base::Bytes buffer_bytes{};                   // so many of the largest that come
  base::Bytes link_bytes{};                     // a pass
  base::Picoseconds pass{};                     // from the end of one to the end of the next
  base::Picoseconds busy{};                     // calculation and external memory
  base::Picoseconds link{};                     // transfers
  std::vector<bool> comes = {};                 // of each stage, in the last pass
  std::vector<memory::LayerTimes> stages = {};  // likewise

  base::Picoseconds exposed() const { return std::max(base::Picoseconds{}, pass - busy); }
  base::Picoseconds hidden() const { return std::max(base::Picoseconds{}, link - exposed()); }
};

struct StreamStudy {
  Workload workload = {};
  Weights weights = {};
  Footprint footprint = {};
  memory::Regime regime = memory::Regime::kResident;
  PassWork work = {};
  Placement placement = {};
  bool direct = false;                     // asked for, or because the buffers do not fit the memory
  base::Bytes room{};                      // of the memory, for layers and buffers
  std::uint64_t stages_that_may_come = 0;  // layers and output
  std::vector<std::string> names = {};     // of the stages of a pass: "layer 3"
  std::vector<StageTime> here = {};        // of each stage, when it is in the memory
  std::vector<StageTime> came = {};        // and when it came over the link
  StreamWay chosen = {};
  std::vector<StreamWay> by_depth = {};  // with room for the buffers taken from what stays
  std::vector<StreamWay> by_policy = {};
  // What stays being as chosen: more buffers than so many are of no use, and the pass with them.
  std::uint32_t buffers_for_bound = 1;
  base::Picoseconds bound{};
  base::Bytes buffer_for_bound{};
  // The slowest link with which nobody waits; nothing where none is fast enough.
  std::optional<base::BytesPerSecond> bandwidth_to_hide = std::nullopt;
  // The first passes, from the beginning.
  std::vector<memory::PlannedAccess> accesses = {};
  std::vector<memory::LayerTimes> times = {};
};

base::Result<StreamStudy> study_streaming(const boards::Model& model, const Machine& machine,
                                          const Workload& workload, const StreamQuestion& question);

}  // namespace accelscope::fit
