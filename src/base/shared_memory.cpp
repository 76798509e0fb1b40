#include "base/shared_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace accelscope::base {

void SharedMemory::Unmap::operator()(std::byte* bytes) const {
  ::munmap(bytes, size);
}

Result<SharedMemory> SharedMemory::make(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  void* block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return fail(ErrorCode::kTooLarge, "no shared memory for {} bytes: {}", bytes, std::strerror(errno));
  return SharedMemory(static_cast<std::byte*>(block), size);
}

}  // namespace accelscope::base
