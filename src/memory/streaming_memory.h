// A memory that is too small for its model, with a host link: what streaming and swapping really cost.
//
//   resident       everything is read from the memory
//   weight-stream  weights come over the link straight to whoever reads them, past the memory; everything
//   host-stream    else is read from it. Both names mean the same here
//   layer-swap     layers are in the memory or at the host; reading one that is not there brings it
//   kv-swap        weights are in the memory; keys, values and activations are there or at the host
//   auto           resident, kv-swap or weight-stream, by manifest and capacity
//
// One link is shared by all of it (host_link.h). Whoever reads bytes that are on their way waits until they
// are there. What is swapped in is written to the memory and then read from it; what was changed is read and
// brought back to the host before its place is used; a write to what is not there brings it first, unless it
// overwrites all of it. The next units are brought while the present one is read, as many as the prefetch
// depth says, but never at the cost of one that is needed before. What is larger than the memory's capacity
// passes it by, every time it is read. At the beginning layers are at the host; of keys, values and
// activations as much as fits is in the memory, for nothing has driven it out yet.
//
// One thread uses one memory, which owns all it needs. Everything happens in one event queue with the memory
// that it wraps, whose statistics follow its own and those of the link.
//
//   ACCELSCOPE_TRY(const StreamedMemory memory,
//                  make_streaming_memory({.mode = MemoryMode::kLayerSwap, .capacity = capacity}, manifest,
//                                        std::move(dram)));
#pragma once

#include <optional>

#include "base/result.h"
#include "memory/host_link.h"
#include "memory/residency.h"
#include "memory/streamed_memory.h"

namespace accelscope::memory {

inline constexpr std::uint32_t kDeepestPrefetch = 1U << 16U;

struct StreamingMemoryOptions {
  MemoryMode mode = MemoryMode::kAuto;
  base::Bytes capacity{512LL << 20};
  HostLinkOptions link = {};
  EvictionPolicy policy = EvictionPolicy::kLru;
  std::uint32_t prefetch_depth = 1;                 // units that come while another is read; 0: on demand
  std::optional<base::Bytes> chunk = std::nullopt;  // units of at most this size; nothing: layers, regions
};

base::Result<StreamedMemory> make_streaming_memory(const StreamingMemoryOptions& options,
                                                   boards::WeightManifest manifest,
                                                   std::unique_ptr<Timing> inner);

}  // namespace accelscope::memory
