// The memory of a graph's buffers: those that exist from the beginning, and the heaps from which tasks get
// theirs.
//
// Where a buffer is, the orchestrator writes when its task is submitted; whoever got the task from a queue
// or a register reads it. Heaps are not touched before they are used, so that a large one costs nothing.
// Buffers that exist from the beginning are shared with processes that are forked: whoever made the memory
// finds in them what a chip in a process of its own computed.
//
//   ACCELSCOPE_TRY(BufferMemory memory, BufferMemory::make(graph, heap_bytes));
//   fill(graph.buffers[3], memory.bytes_of(3));
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/shared_memory.h"
#include "runtime/graph.h"
#include "runtime/run_plan.h"

namespace accelscope::runtime {

inline constexpr std::uint64_t kHeapAlignment = 64;

constexpr std::uint64_t heap_bytes_of(const Buffer& buffer) {
  const std::uint64_t bytes = buffer.elements * facts_of(buffer.type).bytes;
  return (bytes + kHeapAlignment - 1) / kHeapAlignment * kHeapAlignment;
}

class BufferMemory {
 public:
  // A heap for each ring that is said to need one.
  static base::Result<BufferMemory> make(const Graph& graph, const std::array<std::uint64_t, kRings>& heaps);

  std::byte* address(std::uint32_t buffer) const { return addresses_[buffer]; }
  // The orchestrator: the buffer lies in the heap of a ring, at this offset, and holds zeros.
  void place(std::uint32_t buffer, std::uint32_t ring, std::uint64_t offset, std::uint64_t bytes, bool clear);
  // Of a buffer that exists from the beginning; nothing for others.
  std::span<std::byte> bytes_of(std::uint32_t buffer);
  std::span<const std::byte> bytes_of(std::uint32_t buffer) const;

 private:
  struct Release {
    void operator()(std::byte* block) const { ::operator delete[](block, std::align_val_t{kHeapAlignment}); }
  };
  using Block = std::unique_ptr<std::byte[], Release>;
  static base::Result<Block> allocate(std::uint64_t bytes);

  std::vector<std::byte*> addresses_;
  std::vector<std::uint64_t> offsets_;  // in `lasting_`; one more than buffers
  base::SharedMemory lasting_;
  std::array<Block, kRings> heaps_;
};

}  // namespace accelscope::runtime
