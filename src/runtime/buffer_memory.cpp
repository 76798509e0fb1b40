#include "runtime/buffer_memory.h"

#include <cstring>

namespace accelscope::runtime {

base::Result<BufferMemory::Block> BufferMemory::allocate(std::uint64_t bytes) {
  auto* block =
      static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kHeapAlignment}, std::nothrow));
  if (block == nullptr)
    return base::fail(base::ErrorCode::kTooLarge, "there is no memory for {} bytes of buffers", bytes);
  return Block(block);
}

base::Result<BufferMemory> BufferMemory::make(const Graph& graph,
                                              const std::array<std::uint64_t, kRings>& heaps) {
  BufferMemory memory;
  std::uint64_t bytes = 0;
  for (const Buffer& buffer : graph.buffers) {
    memory.offsets_.push_back(bytes);
    if (buffer.made_by == kNoTask) bytes += heap_bytes_of(buffer);
  }
  memory.offsets_.push_back(bytes);
  ACCELSCOPE_TRY(memory.lasting_, base::SharedMemory::make(bytes));
  memory.addresses_.resize(graph.buffers.size(), nullptr);
  for (std::size_t i = 0; i < graph.buffers.size(); ++i)
    if (graph.buffers[i].made_by == kNoTask)
      memory.addresses_[i] = memory.lasting_.data() + memory.offsets_[i];
  for (std::size_t ring = 0; ring < kRings; ++ring)
    if (heaps[ring] > 0) {
      ACCELSCOPE_TRY(memory.heaps_[ring], allocate(heaps[ring]));
    }
  return memory;
}

void BufferMemory::place(std::uint32_t buffer, std::uint32_t ring, std::uint64_t offset, std::uint64_t bytes,
                         bool clear) {
  std::byte* address = heaps_[ring].get() + offset;
  if (clear) std::memset(address, 0, bytes);
  addresses_[buffer] = address;
}

std::span<std::byte> BufferMemory::bytes_of(std::uint32_t buffer) {
  return {lasting_.data() + offsets_[buffer], offsets_[buffer + 1] - offsets_[buffer]};
}

std::span<const std::byte> BufferMemory::bytes_of(std::uint32_t buffer) const {
  return {lasting_.data() + offsets_[buffer], offsets_[buffer + 1] - offsets_[buffer]};
}

}  // namespace accelscope::runtime
