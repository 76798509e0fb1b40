// How long a pass takes: the calculation, the external memory and the link to the host of every stage, one
// behind the other and overlapped, and which of them the pass waits for.
//
// Within a stage the calculation and the external memory overlap; over stages the link does, with a number of
// buffers between (memory/streaming.h). Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(auto times, stage_times(work, placement, footprint.kv, machine));
//   const PassSpeed decode = speed_of(std::move(times), machine, PassKind::kSteady);
//   decode.overlapped     // picoseconds from one token to the next
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fit/machine.h"
#include "fit/pass_work.h"
#include "fit/placement.h"
#include "memory/streaming.h"

namespace accelscope::fit {

enum class Resource : std::uint8_t { kCompute, kMemory, kLink };
std::string_view name_of(Resource resource);

struct StageTime {
  std::uint32_t stage = 0;  // of the work's stages
  base::Picoseconds compute{};
  base::Picoseconds memory{};
  base::Picoseconds link{};     // the transfer, with its latency
  base::Picoseconds waiting{};  // for the link, nothing hides it: rows of an embedding at the host
  base::Bytes memory_bytes{};
  base::Bytes link_bytes{};
  bool streamed = false;

  base::Picoseconds busy() const { return std::max(compute, memory); }
  bool operator==(const StageTime&) const = default;
};

// A steady pass is one of many (decode); a first one finds its buffers empty (prefill).
enum class PassKind : std::uint8_t { kSteady, kFirst };

struct PassSpeed {
  std::vector<StageTime> stages;  // in the order of the pass
  base::Picoseconds compute{};    // each by itself
  base::Picoseconds memory{};
  base::Picoseconds link{};
  base::Picoseconds serial{};      // nothing overlaps
  base::Picoseconds overlapped{};  // what the pass takes
  // What it waits for; they sum to `overlapped`.
  base::Picoseconds in_compute{};
  base::Picoseconds in_memory{};
  base::Picoseconds in_link{};
  base::Bytes memory_bytes{};
  base::Bytes link_bytes{};

  Resource bound() const;  // the largest of the three
};

// The times of the stages, from which everything else follows. An error where they do not fit 63 bits.
// `all_kv`: keys and values at the end of the pass, of which the placement swaps a part.
base::Result<std::vector<StageTime>> stage_times(const PassWork& work, const Placement& placement,
                                                 base::Bytes all_kv, const Machine& machine);

PassSpeed speed_of(std::vector<StageTime> stages, const Machine& machine, PassKind kind);

// From the end of a pass to the end of the next, with so many buffers; for times of any length.
memory::Streaming stream_stages(const std::vector<StageTime>& stages, std::uint32_t buffers);

}  // namespace accelscope::fit
