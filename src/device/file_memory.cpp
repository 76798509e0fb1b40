#include "device/file_memory.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/file_descriptor.h"
#include "device/device_barrier.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;
using base::Location;

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kWordBytes = 4;
// More than any device has; also keeps sums of addresses far from their end.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;
constexpr std::uint64_t kHighestAddress = std::uint64_t{1} << 62U;

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

class FileMemory final : public DeviceMemory {
 public:
  FileMemory(const FileMemoryOptions& options, std::byte* mapping, std::size_t mapped_bytes,
             std::size_t skipped)
      : options_(options),
        mapping_(mapping),
        mapped_bytes_(mapped_bytes),
        skipped_(skipped),
        next_(options.address) {}
  ~FileMemory() override { ::munmap(mapping_, mapped_bytes_); }

  base::Result<Address> allocate(std::size_t bytes) override {
    const std::uint64_t begin = rounded_up(next_, kAlignment);
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

  std::uint32_t load32(Address address) override {
    return std::atomic_ref(word<std::uint32_t>(address)).load(std::memory_order_acquire);
  }
  std::uint64_t load64(Address address) override {
    return std::atomic_ref(word<std::uint64_t>(address)).load(std::memory_order_acquire);
  }
  void store32(Address address, std::uint32_t value) override {
    std::atomic_ref(word<std::uint32_t>(address)).store(value, std::memory_order_release);
  }
  std::span<const std::byte> read(Address address, std::size_t bytes, std::vector<std::byte>&) override {
    return {pointer_of(address), bytes};
  }
  void copy_words(Address address, std::span<std::uint32_t> words) override {
    auto* there = &word<std::uint32_t>(address);
    for (std::uint32_t& copy : words) copy = std::atomic_ref(*there++).load(std::memory_order_relaxed);
  }
  // Whether a cache stands between is for whoever made the file to know: device files are mapped without
  // (O_SYNC), and the caches of a PC see what devices write. What remains is that nothing is read before
  // this.
  void invalidate(Address, std::size_t bytes) override {
    device_barrier();
    invalidated_.fetch_add(bytes, std::memory_order_acq_rel);
  }
  std::uint64_t invalidated_bytes() const override { return invalidated_.load(std::memory_order_relaxed); }
  void* as_device_sees(Address address) override { return pointer_of(address); }

 private:
  struct Block {
    Address address = Address::kNowhere;
    std::size_t bytes = 0;
  };

  std::byte* pointer_of(Address address) const {
    return mapping_ + skipped_ + (static_cast<std::uint64_t>(address) - options_.address);
  }
  template <class T>
  T& word(Address address) const {
    return *reinterpret_cast<T*>(pointer_of(address));
  }

  const FileMemoryOptions options_;
  std::byte* const mapping_;
  const std::size_t mapped_bytes_;
  const std::size_t skipped_;  // from the begin of the mapping to `options_.offset`
  std::uint64_t next_;
  std::uint64_t allocated_ = 0;
  std::vector<Block> blocks_ = {};
  std::atomic<std::uint64_t> invalidated_ = 0;
};

base::Status check(const FileMemoryOptions& options) {
  if (options.path.empty())
    return base::fail(ErrorCode::kUsage, "no memory was named: a device writes only where it is told to");
  if (options.offset % kWordBytes != 0 || options.offset > kMostBytes)
    return base::fail(ErrorCode::kUsage, "memory at {:#x} of a file is not on a word or beyond every device",
                      options.offset);
  if (options.address == 0 || options.address % kWordBytes != 0 || options.address > kHighestAddress)
    return base::fail(ErrorCode::kUsage,
                      "the address {:#x} of the memory is zero, not on a word, or too high", options.address);
  if (options.bytes == 0 || options.bytes > kMostBytes)
    return base::fail(ErrorCode::kUsage, "memory of {} bytes is none, or more than any device has",
                      options.bytes);
  return {};
}

// What offsets and lengths of a mapping must be multiples of.
std::uint64_t page_of(const base::FileDescriptor& file) {
  struct statfs about = {};
  if (::fstatfs(file.get(), &about) == 0 && about.f_type == HUGETLBFS_MAGIC)
    return static_cast<std::uint64_t>(about.f_bsize);
  return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t file_memory_bytes(std::uint64_t address, std::uint64_t blocks, std::uint64_t bytes_of_each) {
  if (blocks == 0) return 0;
  const std::uint64_t skipped = (kAlignment - address % kAlignment) % kAlignment;
  return skipped + (blocks - 1) * rounded_up(bytes_of_each, kAlignment) + bytes_of_each;
}

base::Result<std::unique_ptr<DeviceMemory>> file_memory(const FileMemoryOptions& options) {
  ACCELSCOPE_CHECK(check(options));
  const Location where = Location::of_file(options.path);
  const base::FileDescriptor file(::open(options.path.c_str(), O_RDWR | O_SYNC | O_CLOEXEC));
  if (!file.valid())
    return base::fail_at(where, errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kNotReadable,
                         "cannot be opened for reading and writing: {}", std::strerror(errno));
  struct stat about = {};
  if (::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode) &&
      static_cast<std::uint64_t>(about.st_size) < options.offset + options.bytes)
    return base::fail_at(where, ErrorCode::kTruncated, "has {} bytes; {} from {:#x} on need {}",
                         about.st_size, options.bytes, options.offset, options.offset + options.bytes);
  const std::uint64_t page = page_of(file);
  const std::uint64_t skipped = options.offset % page;
  const std::uint64_t mapped = rounded_up(skipped + options.bytes, page);
  void* mapping = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(),
                         static_cast<off_t>(options.offset - skipped));
  if (mapping == MAP_FAILED)
    return base::fail_at(where, ErrorCode::kNotReadable, "cannot be mapped: {}", std::strerror(errno));
  return std::make_unique<FileMemory>(options, static_cast<std::byte*>(mapping), mapped, skipped);
}

}  // namespace accelscope::device
