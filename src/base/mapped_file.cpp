#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/file_descriptor.h"

namespace accelscope::base {
namespace {

std::size_t round_up_to_page(std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (size + page - 1) / page * page;
}

// Zeroed memory of at least `size` bytes, or nullptr.
char* map_anonymous(std::size_t size) {
  void* place =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<char*>(place);
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path, std::size_t max_pipe_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    const int reason = errno;
    const ErrorCode code =
        reason == ENOENT || reason == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kNotReadable;
    return fail_at(Location::of_file(path), code, "cannot be opened: {}", std::strerror(reason));
  }
  struct stat info = {};
  if (fstat(file.get(), &info) != 0)
    return fail_at(Location::of_file(path), ErrorCode::kNotReadable, "cannot be examined: {}",
                   std::strerror(errno));
  if (S_ISDIR(info.st_mode))
    return fail_at(Location::of_file(path), ErrorCode::kNotReadable, "is a directory, not a file");
  if (S_ISREG(info.st_mode) && info.st_size > 0)
    return map_regular(path, file.get(), static_cast<std::size_t>(info.st_size));
  return read_stream(path, file.get(), max_pipe_bytes);
}

Result<MappedFile> MappedFile::map_regular(const std::string& path, int descriptor, std::size_t size) {
  // Anonymous zero pages are laid out first and the file over them: when the file ends on a page border, the
  // padding is a page of its own instead of a fault.
  const std::size_t mapped_bytes = round_up_to_page(size + kPadding);
  char* place = map_anonymous(mapped_bytes);
  if (place == nullptr)
    return fail_at(Location::of_file(path), ErrorCode::kTooLarge, "{} bytes cannot be mapped: {}", size,
                   std::strerror(errno));
  MappedFile file(path, place, size, mapped_bytes);
  if (mmap(place, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED)
    return fail_at(Location::of_file(path), ErrorCode::kNotReadable, "cannot be mapped: {}",
                   std::strerror(errno));
  return file;
}

// Doubles the memory. The new part is zero, as the padding must be.
bool MappedFile::grow() {
  void* place = mremap(const_cast<char*>(data_), mapped_bytes_, mapped_bytes_ * 2, MREMAP_MAYMOVE);
  if (place == MAP_FAILED) return false;
  data_ = static_cast<const char*>(place);
  mapped_bytes_ *= 2;
  return true;
}

Result<MappedFile> MappedFile::read_stream(const std::string& path, int descriptor, std::size_t max_bytes) {
  const auto read_some = [&](char* place, std::size_t room) -> Result<std::size_t> {
    while (true) {
      const ssize_t got = ::read(descriptor, place, room);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR)
        return fail_at(Location::of_file(path), ErrorCode::kNotReadable, "cannot be read: {}",
                       std::strerror(errno));
    }
  };
  return read_all(path, max_bytes, read_some);
}

Result<MappedFile> MappedFile::read_all(const std::string& name, std::size_t max_bytes, const Fill& fill) {
  const auto no_memory = [&] {
    return fail_at(Location::of_file(name), ErrorCode::kTooLarge, "no memory to read this stream into");
  };
  constexpr std::size_t kFirstBytes = std::size_t{256} * 1024;
  char* place = map_anonymous(kFirstBytes);
  if (place == nullptr) return no_memory();
  MappedFile file(name, place, 0, kFirstBytes);
  while (true) {
    if (file.mapped_bytes_ - file.size_ <= kPadding && !file.grow()) return no_memory();
    // One byte more than is allowed tells a stream that is too long from one that just fits.
    const std::size_t room = std::min(file.mapped_bytes_ - kPadding, max_bytes + 1) - file.size_;
    ACCELSCOPE_TRY(const std::size_t got, fill(const_cast<char*>(file.data_) + file.size_, room));
    if (got == 0) return file;
    file.size_ += got;
    if (file.size_ > max_bytes)
      return fail_at(Location::of_file(name), ErrorCode::kTooLarge,
                     "more than {} bytes come from this stream; save it to a file first", max_bytes);
  }
}

MappedFile MappedFile::from_memory(std::string name, std::string_view bytes) {
  const std::size_t mapped_bytes = round_up_to_page(bytes.size() + kPadding);
  char* place = map_anonymous(mapped_bytes);
  if (place == nullptr) throw std::bad_alloc();
  std::copy(bytes.begin(), bytes.end(), place);
  return {std::move(name), place, bytes.size(), mapped_bytes};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<char*>(data_), mapped_bytes_);
}

}  // namespace accelscope::base
