// What a memory contains, apart from when it is there: a sparse store of bytes. Modelling 128 GiB costs the
// pages that were written; whatever was not is zero.
//
// One thread uses one store; it owns its pages.
//
//   BackingStore store({128LL << 30});
//   ACCELSCOPE_CHECK(store.write(address, bytes));
//   ACCELSCOPE_CHECK(store.read(address, buffer));
#pragma once

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "base/hash.h"
#include "base/result.h"
#include "base/units.h"

namespace accelscope::memory {

class BackingStore {
 public:
  static constexpr std::uint64_t kPageBytes = std::uint64_t{1} << 16U;

  explicit BackingStore(base::Bytes capacity) : capacity_(capacity) {}

  // An error that names the range when it does not lie within the capacity; then nothing was read or written.
  base::Status read(std::uint64_t address, std::span<std::byte> into) const;
  base::Status write(std::uint64_t address, std::span<const std::byte> from);

  // The bytes of a page as they are, for who reads many small ranges; empty where nothing was ever written to
  // it. Valid until the next write.
  std::span<const std::byte> page(std::uint64_t number) const;

  base::Bytes capacity() const { return capacity_; }
  // Of the pages that are there.
  base::Bytes touched() const { return {static_cast<std::int64_t>(pages_.size() * kPageBytes)}; }

 private:
  using Page = std::array<std::byte, kPageBytes>;

  base::Status check(std::uint64_t address, std::uint64_t size) const;

  base::Bytes capacity_;
  tsl::robin_map<std::uint64_t, std::unique_ptr<Page>, base::IntegerHash> pages_;
};

}  // namespace accelscope::memory
