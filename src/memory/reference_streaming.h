// The reference's capacity models as they are, for comparison with published figures. streaming_memory.h is
// what a user wants otherwise.
//
// What is kept of them: times of the host link are whole nanoseconds, rounded down, so links beyond 64 GB/s
// cost nothing; `host-stream` and `weight-stream` bring a line of 64 bytes over the link, one at a time, and
// then read the memory besides; a layer or region that is swapped in counts as there before it is, so only
// its first reader waits, and several come at once as if each had a link of its own; whatever was never read
// comes over the link once, even if everything would fit; eviction is first in, first out; writes cost no
// link time, make nothing resident and are never brought back; what is larger than the memory is admitted
// all the same, and stays until something else is read. `layer-swap` looks at the given capacity only, the
// others at the manifest's first. `host-stream` asks for any region at or above the activation ceiling,
// `weight-stream` for regions of weights.
//
// One thread uses one memory, which owns all it needs.
//
//   ACCELSCOPE_TRY(const StreamedMemory memory,
//                  make_reference_streaming({.mode = MemoryMode::kAuto}, std::move(manifest)));
#pragma once

#include "base/result.h"
#include "memory/streamed_memory.h"

namespace accelscope::memory {

struct ReferenceStreamingOptions {
  MemoryMode mode = MemoryMode::kAuto;
  base::Bytes capacity{512LL << 20};
  base::BytesPerSecond host_bandwidth{60'000'000};
};

// Over the reference's own simple memory of one channel, or over another one.
base::Result<StreamedMemory> make_reference_streaming(const ReferenceStreamingOptions& options,
                                                      boards::WeightManifest manifest,
                                                      std::unique_ptr<Timing> inner = nullptr);

// floor(bytes * 10^9 / bandwidth) nanoseconds; nothing where that does not fit.
std::optional<base::Picoseconds> reference_transfer_time(base::Bytes bytes, base::BytesPerSecond bandwidth);

}  // namespace accelscope::memory
