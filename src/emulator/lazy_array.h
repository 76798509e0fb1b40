// An array of zeros of which only the pages that are touched cost anything: the vector memory of the shipped
// settings has a quarter of a billion elements, and most programs use a few thousand.
//
// Owns its pages; moves, does not copy. One thread writes it at a time.
//
//   ACCELSCOPE_TRY(auto elements, LazyArray<float>::make(rows * length));
//   elements[5] = 1;
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/result.h"

namespace accelscope::emulator {

template <class T>
class LazyArray {
  static_assert(std::is_trivially_copyable_v<T>, "fresh pages are zeros, not objects");

 public:
  LazyArray() = default;
  LazyArray(const LazyArray&) = delete;
  LazyArray& operator=(const LazyArray&) = delete;
  LazyArray(LazyArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LazyArray& operator=(LazyArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~LazyArray() {
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
  }

  static base::Result<LazyArray> make(std::uint64_t size) {
    LazyArray made;
    if (size == 0) return made;
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max() / sizeof(T);
    void* pages = size > kMost ? MAP_FAILED
                               : mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
      return base::fail(base::ErrorCode::kTooLarge, "{} elements of {} bytes are more than can be addressed",
                        size, sizeof(T));
    made.data_ = static_cast<T*>(pages);
    made.size_ = size;
    return made;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  T& operator[](std::uint64_t at) { return data_[at]; }
  const T& operator[](std::uint64_t at) const { return data_[at]; }

 private:
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace accelscope::emulator
