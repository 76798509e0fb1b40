#include "device/file_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "device/device_barrier.h"
#include "device/device_mapping.h"
#include "device/reached_memory.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;
using base::Location;

constexpr std::uint64_t kFileAlignment = 64;
constexpr std::uint64_t kWordBytes = 4;
constexpr std::uint64_t kHighestAddress = std::uint64_t{1} << 62U;

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

class FileMemory final : public ReachedMemory<FileMemory> {
 public:
  FileMemory(const FileMemoryOptions& options, DeviceMapping mapping)
      : options_(options), mapping_(std::move(mapping)), next_(options.address) {}

  base::Result<Address> allocate(std::size_t bytes) override {
    const std::uint64_t begin = rounded_up(next_, kFileAlignment);
    const std::uint64_t end = options_.address + options_.bytes;
    if (begin > end || bytes > end - begin)
      return base::fail_at(Location::of_file(options_.path), ErrorCode::kTooLarge,
                           "has no room for {} bytes more: {} of {} are taken", bytes,
                           next_ - options_.address, options_.bytes);
    const auto address = static_cast<Address>(begin);
    next_ = begin + bytes;
    allocated_ += bytes;
    blocks_.push_back({address, bytes});
    std::memset(pointer_of(address), 0, bytes);
    device_barrier();  // before the device is told of it
    return address;
  }

  void release(Address address) override {
    const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const Block& block) { return block.address == address; });
    if (found == blocks_.end()) return;
    allocated_ -= found->bytes;
    blocks_.erase(found);
  }

  std::uint64_t allocated_bytes() const override { return allocated_; }

  std::span<const std::byte> read(Address address, std::size_t bytes, std::vector<std::byte>&) override {
    return {pointer_of(address), bytes};
  }
  // Whether a cache stands between is for whoever made the file to know: device files are mapped without
  // (O_SYNC), and the caches of a PC see what devices write. What remains is that nothing is read before
  // this.
  void invalidate(Address address, std::size_t bytes) override {
    device_barrier();
    ReachedMemory::invalidate(address, bytes);
  }
  std::byte* pointer_of(Address address) const {
    return mapping_.data() + (static_cast<std::uint64_t>(address) - options_.address);
  }

 private:
  struct Block {
    Address address = Address::kNowhere;
    std::size_t bytes = 0;
  };

  const FileMemoryOptions options_;
  const DeviceMapping mapping_;
  std::uint64_t next_;
  std::uint64_t allocated_ = 0;
  std::vector<Block> blocks_ = {};
};

base::Status check(const FileMemoryOptions& options) {
  if (options.path.empty())
    return base::fail(ErrorCode::kUsage, "no memory was named: a device writes only where it is told to");
  if (options.offset % kWordBytes != 0 || options.offset > DeviceMapping::kMostBytes)
    return base::fail(ErrorCode::kUsage, "memory at {:#x} of a file is not on a word or beyond every device",
                      options.offset);
  if (options.address == 0 || options.address % kWordBytes != 0 || options.address > kHighestAddress)
    return base::fail(ErrorCode::kUsage,
                      "the address {:#x} of the memory is zero, not on a word, or too high", options.address);
  if (options.bytes == 0 || options.bytes > DeviceMapping::kMostBytes)
    return base::fail(ErrorCode::kUsage, "memory of {} bytes is none, or more than any device has",
                      options.bytes);
  return {};
}

}  // namespace

std::uint64_t file_memory_bytes(std::uint64_t address, std::uint64_t blocks, std::uint64_t bytes_of_each) {
  if (blocks == 0) return 0;
  const std::uint64_t skipped = (kFileAlignment - address % kFileAlignment) % kFileAlignment;
  return skipped + (blocks - 1) * rounded_up(bytes_of_each, kFileAlignment) + bytes_of_each;
}

base::Result<std::unique_ptr<DeviceMemory>> file_memory(const FileMemoryOptions& options) {
  ACCELSCOPE_CHECK(check(options));
  ACCELSCOPE_TRY(DeviceMapping mapping, DeviceMapping::open(options.path, options.offset, options.bytes,
                                                            fmt::format("{} bytes", options.bytes)));
  return std::make_unique<FileMemory>(options, std::move(mapping));
}

}  // namespace accelscope::device
