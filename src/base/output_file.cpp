#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace accelscope::base {
namespace {

constexpr int kMaxNameAttempts = 100;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A name beside the target that no other process has, also not one with the same number in another container.
// The target's own name is not part of it: that may be as long as names can be.
std::string temporary_name(const std::string& path) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number = static_cast<std::uint64_t>(getpid());
  return fmt::format("{}/.accelscope-{:016x}.partial", folder_of(path), number);
}

// These lead to something that is open already: what a link of /proc shows is not a name to be replaced.
bool names_descriptor(std::string_view path) {
  return path.starts_with("/proc/") || path.starts_with("/dev/fd/") || path == "/dev/stdout" ||
         path == "/dev/stderr";
}

// Follows symbolic links, so that the file they lead to is replaced and not the link, also when it does not
// exist yet. A circle of links is left to stat(), which knows its name.
std::string without_links(std::string path) {
  for (int depth = 0; depth < 40 && !names_descriptor(path); ++depth) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = readlink(path.c_str(), buffer.data(), buffer.size());
    if (length <= 0) break;
    const std::string target(buffer.data(), static_cast<std::size_t>(length));
    path = target.front() == '/' ? target : fmt::format("{}/{}", folder_of(path), target);
  }
  return path;
}

tl::unexpected<Error> write_failed(const std::string& path, std::string_view what, int reason) {
  return fail_at(Location::of_file(path), ErrorCode::kWriteFailed, "{}: {}", what, std::strerror(reason));
}

tl::unexpected<Error> cannot_create(const std::string& path, int reason) {
  return write_failed(path, "cannot be created", reason);
}

// An unnamed file gets its name through /proc, which a bare chroot lacks.
FileDescriptor open_unnamed(const std::string& path) {
  if (access("/proc/self/fd", X_OK) != 0) return {};
  return FileDescriptor(::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
}

struct NamedFile {
  FileDescriptor file;
  std::string name;
};

Result<NamedFile> open_temporary(const std::string& path) {
  int reason = 0;
  for (int attempt = 0; attempt < kMaxNameAttempts; ++attempt) {
    std::string name = temporary_name(path);
    FileDescriptor file(::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
    if (file.valid()) return NamedFile{std::move(file), std::move(name)};
    reason = errno;
    if (reason != EEXIST) break;
  }
  return cannot_create(path, reason);
}

// File systems on a network tell at close() that a write did not arrive (quota, disk full). Closing a
// duplicate asks them, and keeps the descriptor.
Status check_arrival(const std::string& path, int descriptor) {
  const int duplicate = dup(descriptor);
  if (duplicate >= 0 && ::close(duplicate) != 0 && errno != EINTR)
    return write_failed(path, "cannot be written", errno);
  return {};
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
  if (path.empty()) return fail(ErrorCode::kWriteFailed, "an output file needs a name");
  std::string target = without_links(path);
  if (path == "-" || target == "/dev/stdout")
    return OutputFile(path, "", FileDescriptor(), STDOUT_FILENO, Mode::kInPlace, "");
  struct stat info = {};
  const bool exists = stat(target.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) return cannot_create(path, errno);
  if (exists && S_ISDIR(info.st_mode))
    return fail_at(Location::of_file(path), ErrorCode::kWriteFailed, "is a directory; name a file in it");
  if (exists && (!S_ISREG(info.st_mode) || names_descriptor(target))) {
    FileDescriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid()) return write_failed(path, "cannot be written", errno);
    const int descriptor = file.get();
    return OutputFile(path, std::move(target), std::move(file), descriptor, Mode::kInPlace, "");
  }
  // Renaming would replace a file that its owner made read-only.
  if (exists && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
    return write_failed(path, "cannot be written", errno);

  Mode mode = Mode::kUnnamed;
  NamedFile fresh{open_unnamed(target), ""};
  if (!fresh.file.valid()) {
    mode = Mode::kTemporaryName;
    ACCELSCOPE_TRY(fresh, open_temporary(target));
  }
  // A private file stays private; where the file system has no permissions there is nothing to keep.
  const int descriptor = fresh.file.get();
  if (exists) {
    [[maybe_unused]] const int ignored = fchmod(descriptor, info.st_mode & 0777U);
  }
  return OutputFile(path, std::move(target), std::move(fresh.file), descriptor, mode, std::move(fresh.name));
}

OutputFile::OutputFile(std::string path, std::string target, FileDescriptor file, int descriptor, Mode mode,
                       std::string temporary)
    : path_(std::move(path)),
      target_(std::move(target)),
      file_(std::move(file)),
      mode_(mode),
      temporary_(std::move(temporary)),
      output_(std::make_unique<DescriptorOutput>(descriptor, file_.valid() ? path_ : "standard output")) {}

OutputFile::~OutputFile() {
  if (file_.valid() && mode_ == Mode::kTemporaryName) unlink(temporary_.c_str());
}

Status OutputFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return write_failed(path_, "cannot be written", done < 0 ? errno : ENOSPC);
    offset += static_cast<std::uint64_t>(done);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

Status OutputFile::give_temporary_name() {
  // linkat() cannot replace a file, so the unnamed one passes through a temporary name on its way.
  const std::string descriptor_path = fmt::format("/proc/self/fd/{}", file_.get());
  int reason = 0;
  for (int attempt = 0; attempt < kMaxNameAttempts; ++attempt) {
    temporary_ = temporary_name(target_);
    if (linkat(AT_FDCWD, descriptor_path.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      mode_ = Mode::kTemporaryName;
      return {};
    }
    reason = errno;
    if (reason != EEXIST) break;
  }
  return write_failed(path_, "cannot be named", reason);
}

Status OutputFile::commit() {
  ACCELSCOPE_CHECK(output_->flush());
  if (mode_ == Mode::kInPlace) return {};
  ACCELSCOPE_CHECK(check_arrival(path_, file_.get()));
  if (mode_ == Mode::kUnnamed) ACCELSCOPE_CHECK(give_temporary_name());
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
    return write_failed(path_, "cannot be renamed into place", errno);
  mode_ = Mode::kInPlace;
  return {};
}

Status write_file(const std::string& path, const std::function<void(Output&)>& write) {
  ACCELSCOPE_TRY(OutputFile file, OutputFile::create(path));
  write(file.output());
  return file.commit();
}

Status make_folder(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure)
    return fail_at(Location::of_file(path), ErrorCode::kWriteFailed, "cannot be made: {}", failure.message());
  return {};
}

}  // namespace accelscope::base
