// A block of memory that this process shares with processes that it forks: what one writes, the others see,
// at the same address, and it outlives whoever wrote it.
//
// Zeros, aligned to a page, and not there before it is touched. Freed by its owner; a process that was forked
// has it until it ends. Not copied; the block itself is for whoever its contents allow.
//
//   ACCELSCOPE_TRY(const SharedMemory block, SharedMemory::make(4096));
//   new (block.data()) BlackBox();
#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"

namespace accelscope::base {

class SharedMemory {
 public:
  SharedMemory() = default;
  static Result<SharedMemory> make(std::size_t bytes);

  std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return bytes_.get_deleter().size; }

 private:
  struct Unmap {
    std::size_t size;
    void operator()(std::byte* bytes) const;
  };
  explicit SharedMemory(std::byte* bytes, std::size_t size) : bytes_(bytes, Unmap{size}) {}

  std::unique_ptr<std::byte, Unmap> bytes_;
};

}  // namespace accelscope::base
