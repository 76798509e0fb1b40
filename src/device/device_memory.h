// How the host reaches the memory of a device: mapped into its own address space, or only by copying.
//
// The device may work on its memory at the same time. Single words are loaded and stored so that what the
// device wrote before a word is seen after the word (acquire and release). Blocks are read when nobody
// changes them: who owns a block is what the words say. Only copy_words() may run while the device writes.
//
// The memory may be shared with processes that are forked after it was allocated: a simulated device runs in
// one, works on its copy of the object, and neither allocates nor releases.
//
// Any thread may load, store and read; allocate and release are for one thread at a time. The object
// owns the memory.
//
//   const std::unique_ptr<DeviceMemory> memory = mapped_memory();
//   ACCELSCOPE_TRY(const Address block, memory->allocate(4096));
//   memory->store32(block, 1);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"

namespace accelscope::device {

enum class Address : std::uint64_t { kNowhere = 0 };

constexpr Address operator+(Address address, std::uint64_t bytes) {
  return static_cast<Address>(static_cast<std::uint64_t>(address) + bytes);
}

class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  virtual ~DeviceMemory() = default;

  // Zeros, aligned to 64 bytes, every page touched: a device must not meet a page fault.
  virtual base::Result<Address> allocate(std::size_t bytes) = 0;
  virtual void release(Address block) = 0;
  virtual std::uint64_t allocated_bytes() const = 0;

  virtual std::uint32_t load32(Address address) = 0;
  virtual std::uint64_t load64(Address address) = 0;
  virtual void store32(Address address, std::uint32_t value) = 0;
  // The bytes themselves where they are mapped, else a copy in `copy`.
  virtual std::span<const std::byte> read(Address address, std::size_t bytes,
                                          std::vector<std::byte>& copy) = 0;

  // Words of a block that the device may change meanwhile: each is an old or a new one, never a mixture, and
  // which of them is found out afterwards. The address is a multiple of four.
  virtual void copy_words(Address address, std::span<std::uint32_t> words) = 0;
  // What a cache of the host holds of these bytes is not to be used any more. Called before words are copied
  // that hardware wrote past the caches; counted, so that a test can tell that it was.
  virtual void invalidate(Address address, std::size_t bytes) = 0;
  virtual std::uint64_t invalidated_bytes() const = 0;

  // What a simulated device uses; no real device that copies has this.
  virtual void* as_device_sees(Address address) = 0;
};

enum class Sharing : std::uint8_t { kThisProcess, kForkedOnes };

std::unique_ptr<DeviceMemory> mapped_memory(Sharing sharing = Sharing::kThisProcess);
std::unique_ptr<DeviceMemory> copied_memory(Sharing sharing = Sharing::kThisProcess);

}  // namespace accelscope::device
