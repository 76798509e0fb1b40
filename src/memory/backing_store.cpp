#include "memory/backing_store.h"

#include <algorithm>

namespace accelscope::memory {
namespace {

// Calls `part` for every stretch of a range that lies in one page: page, offset in it, offset in the range,
// size.
template <class Part>
void for_each_page(std::uint64_t address, std::size_t size, Part&& part) {
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t page = (address + done) / BackingStore::kPageBytes;
    const std::uint64_t offset = (address + done) % BackingStore::kPageBytes;
    const std::size_t here =
        std::min(size - done, static_cast<std::size_t>(BackingStore::kPageBytes - offset));
    part(page, static_cast<std::size_t>(offset), done, here);
    done += here;
  }
}

}  // namespace

base::Status BackingStore::check(std::uint64_t address, std::uint64_t size) const {
  const auto capacity = static_cast<std::uint64_t>(std::max<std::int64_t>(0, capacity_.value));
  if (address <= capacity && size <= capacity - address) return {};
  return base::fail(base::ErrorCode::kUsage,
                    "{} bytes at address {:#x} do not lie within the memory's {} bytes", size, address,
                    capacity);
}

base::Status BackingStore::read(std::uint64_t address, std::span<std::byte> into) const {
  ACCELSCOPE_CHECK(check(address, into.size()));
  for_each_page(address, into.size(),
                [&](std::uint64_t page, std::size_t offset, std::size_t done, std::size_t size) {
                  const auto found = pages_.find(page);
                  if (found == pages_.end())
                    std::fill_n(into.begin() + static_cast<std::ptrdiff_t>(done), size, std::byte{});
                  else
                    std::copy_n(found->second->begin() + offset, size,
                                into.begin() + static_cast<std::ptrdiff_t>(done));
                });
  return {};
}

base::Status BackingStore::write(std::uint64_t address, std::span<const std::byte> from) {
  ACCELSCOPE_CHECK(check(address, from.size()));
  for_each_page(
      address, from.size(), [&](std::uint64_t page, std::size_t offset, std::size_t done, std::size_t size) {
        std::unique_ptr<Page>& there = pages_[page];
        if (!there) there = std::make_unique<Page>();
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(done), size, there->begin() + offset);
      });
  return {};
}

std::span<const std::byte> BackingStore::page(std::uint64_t number) const {
  const auto found = pages_.find(number);
  if (found == pages_.end()) return {};
  return *found->second;
}

}  // namespace accelscope::memory
