// What memories of devices have in common that this process reaches by pointers: how words are loaded, stored
// and copied beside a device that works on them. For device_memory.cpp and file_memory.cpp.
//
// `Memory` is the class itself and has `std::byte* pointer_of(Address) const`; it is asked without a virtual
// call, because simulated monitors keep their registers in such words.
//
//   class FileMemory final : public ReachedMemory<FileMemory> { ... };
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/device_memory.h"

namespace accelscope::device {

template <class Memory>
class ReachedMemory : public DeviceMemory {
 public:
  std::uint32_t load32(Address address) override {
    return std::atomic_ref(word<std::uint32_t>(address)).load(std::memory_order_acquire);
  }
  std::uint64_t load64(Address address) override {
    return std::atomic_ref(word<std::uint64_t>(address)).load(std::memory_order_acquire);
  }
  void store32(Address address, std::uint32_t value) override {
    std::atomic_ref(word<std::uint32_t>(address)).store(value, std::memory_order_release);
  }
  void copy_words(Address address, std::span<std::uint32_t> words) override {
    auto* there = &word<std::uint32_t>(address);
    for (std::uint32_t& copy : words) copy = std::atomic_ref(*there++).load(std::memory_order_relaxed);
  }
  // No more than that nothing is read before this. Between a device of another kind and this process stand
  // caches that whoever mapped its memory has to know about.
  void invalidate(Address, std::size_t bytes) override {
    invalidated_.fetch_add(bytes, std::memory_order_acq_rel);
  }
  std::uint64_t invalidated_bytes() const override { return invalidated_.load(std::memory_order_relaxed); }
  void* as_device_sees(Address address) override { return bytes_of(address); }

 private:
  std::byte* bytes_of(Address address) const { return static_cast<const Memory&>(*this).pointer_of(address); }
  template <class T>
  T& word(Address address) const {
    return *reinterpret_cast<T*>(bytes_of(address));
  }

  std::atomic<std::uint64_t> invalidated_ = 0;
};

}  // namespace accelscope::device
