#include "device/device_mapping.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/file_descriptor.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;
using base::Location;

// What offsets and lengths of a mapping must be multiples of.
std::uint64_t page_of(const base::FileDescriptor& file) {
  struct statfs about = {};
  if (::fstatfs(file.get(), &about) == 0 && about.f_type == HUGETLBFS_MAGIC)
    return static_cast<std::uint64_t>(about.f_bsize);
  return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

base::Result<DeviceMapping> DeviceMapping::open(const std::string& path, std::uint64_t offset,
                                                std::uint64_t bytes, std::string_view what) {
  const Location where = Location::of_file(path);
  const base::FileDescriptor file(::open(path.c_str(), O_RDWR | O_SYNC | O_CLOEXEC));
  if (!file.valid())
    return base::fail_at(where, errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kNotReadable,
                         "cannot be opened for reading and writing: {}", std::strerror(errno));
  struct stat about = {};
  if (::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode) &&
      static_cast<std::uint64_t>(about.st_size) < offset + bytes)
    return base::fail_at(where, ErrorCode::kTruncated, "has {} bytes; {} from {:#x} on need {}",
                         about.st_size, what, offset, offset + bytes);
  const std::uint64_t page = page_of(file);
  const std::uint64_t skipped = offset % page;
  const std::uint64_t mapped = (skipped + bytes + page - 1) / page * page;
  void* begin = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(),
                       static_cast<off_t>(offset - skipped));
  if (begin == MAP_FAILED)
    return base::fail_at(where, ErrorCode::kNotReadable, "cannot be mapped: {}", std::strerror(errno));
  return DeviceMapping(static_cast<std::byte*>(begin), mapped, skipped);
}

DeviceMapping::DeviceMapping(DeviceMapping&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)),
      skipped_(std::exchange(other.skipped_, 0)) {}

DeviceMapping::~DeviceMapping() {
  if (begin_ != nullptr) ::munmap(begin_, mapped_);
}

}  // namespace accelscope::device
