// Which buffers a run needs: one pool for each kind of record that its flags ask for, and none for others.
//
// Pure functions, safe from any thread; nothing is kept.
//
//   const std::vector<PoolSpec> pools = pools_for(dfx_flags_of_level(3), {.cores = 24, .orchestrators = 1});
//   const std::uint64_t bytes = bytes_of(pools);   // of device memory
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capture/buffer_pools.h"
#include "capture/record_traits.h"

namespace accelscope::capture {

// How many there are of each that can produce records; their numbers are 0, 1, 2, ...
struct ProducerCounts {
  std::uint32_t cores = 0;
  std::uint32_t scheduler_threads = 0;
  std::uint32_t orchestrators = 0;
};

// Other buffers than those of the table.
struct KindBuffers {
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  BufferSize buffers = {};
};

// Features that the flags imply are included. `kinds` is a table to which a runtime may have added its own.
std::vector<PoolSpec> pools_for(std::uint64_t dfx_flags, const ProducerCounts& producers,
                                std::span<const KindBuffers> sizes = {},
                                std::span<const RecordKindFacts> kinds = record_kinds());

// What a collector allocates for them.
std::uint64_t bytes_of(std::span<const PoolSpec> pools);

}  // namespace accelscope::capture
