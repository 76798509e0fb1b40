#include "capture/pools_for.h"

#include <numeric>

namespace accelscope::capture {
namespace {

std::uint32_t count_of(ProducedBy produced_by, const ProducerCounts& producers) {
  switch (produced_by) {
    case ProducedBy::kCore:
      return producers.cores;
    case ProducedBy::kSchedulerThread:
      return producers.scheduler_threads;
    case ProducedBy::kOrchestrator:
      return producers.orchestrators;
    case ProducedBy::kHost:
      break;
  }
  return 0;
}

}  // namespace

std::vector<PoolSpec> pools_for(std::uint64_t dfx_flags, const ProducerCounts& producers,
                                std::span<const KindBuffers> sizes, std::span<const RecordKindFacts> kinds) {
  const std::uint64_t flags = with_implied_dfx(dfx_flags);
  std::vector<PoolSpec> pools;
  for (const RecordKindFacts& kind : kinds) {
    const std::uint32_t count = count_of(kind.produced_by, producers);
    if ((flags & kind.flags) == 0 || count == 0) continue;
    BufferSize buffers = kind.buffers;
    for (const KindBuffers& size : sizes)
      if (size.kind == kind.kind) buffers = size.buffers;
    PoolSpec pool{.kind = kind.kind,
                  .record_bytes = kind.record_bytes,
                  .records_per_buffer = buffers.records,
                  .buffers_per_lane = buffers.per_lane,
                  .producers = std::vector<std::uint32_t>(count)};
    std::iota(pool.producers.begin(), pool.producers.end(), 0U);
    pools.push_back(std::move(pool));
  }
  return pools;
}

std::uint64_t bytes_of(std::span<const PoolSpec> pools) {
  std::uint64_t bytes = 0;
  for (const PoolSpec& pool : pools) {
    const std::uint64_t buffer = recorder::buffer_bytes(pool.record_bytes, pool.records_per_buffer);
    bytes += pool.producers.size() * (sizeof(recorder::Lane<>) + pool.buffers_per_lane * buffer);
  }
  return bytes == 0 ? 0 : bytes + sizeof(recorder::Gate<>);
}

}  // namespace accelscope::capture
