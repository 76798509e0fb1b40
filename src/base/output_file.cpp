#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace accelscope::base {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A name beside the target that no other process uses.
std::string temporary_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return fmt::format("{}/.{}.{}.partial", folder_of(path), name, getpid());
}

tl::unexpected<Error> cannot_create(const std::string& path, int reason) {
  return fail_at(Location::of_file(path), ErrorCode::kWriteFailed, "cannot be created: {}",
                 std::strerror(reason));
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
  if (path == "-") return OutputFile(path, FileDescriptor(), STDOUT_FILENO, Mode::kInPlace, "");
  struct stat info = {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    if (S_ISDIR(info.st_mode))
      return fail_at(Location::of_file(path), ErrorCode::kWriteFailed, "is a directory; name a file in it");
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid()) return cannot_create(path, errno);
    const int descriptor = file.get();
    return OutputFile(path, std::move(file), descriptor, Mode::kInPlace, "");
  }
  FileDescriptor unnamed(::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (unnamed.valid()) {
    const int descriptor = unnamed.get();
    return OutputFile(path, std::move(unnamed), descriptor, Mode::kUnnamed, temporary_name(path));
  }
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return cannot_create(path, errno);
  const std::string temporary = temporary_name(path);
  FileDescriptor named(::open(temporary.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666));
  if (!named.valid()) return cannot_create(path, errno);
  const int descriptor = named.get();
  return OutputFile(path, std::move(named), descriptor, Mode::kTemporaryName, temporary);
}

OutputFile::OutputFile(std::string path, FileDescriptor file, int descriptor, Mode mode,
                       std::string temporary)
    : path_(std::move(path)),
      file_(std::move(file)),
      mode_(mode),
      temporary_(std::move(temporary)),
      output_(std::make_unique<DescriptorOutput>(descriptor, path_)) {}

OutputFile::~OutputFile() {
  if (file_.valid() && mode_ == Mode::kTemporaryName) unlink(temporary_.c_str());
}

Status OutputFile::give_temporary_name() {
  // linkat() cannot replace a file, so the unnamed one passes through a temporary name on its way.
  unlink(temporary_.c_str());
  const std::string descriptor_path = fmt::format("/proc/self/fd/{}", file_.get());
  if (linkat(AT_FDCWD, descriptor_path.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0)
    return fail_at(Location::of_file(path_), ErrorCode::kWriteFailed, "cannot be named: {}",
                   std::strerror(errno));
  mode_ = Mode::kTemporaryName;
  return {};
}

Status OutputFile::commit() {
  ACCELSCOPE_CHECK(output_->flush());
  if (mode_ == Mode::kInPlace) return {};
  if (mode_ == Mode::kUnnamed) ACCELSCOPE_CHECK(give_temporary_name());
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    return fail_at(Location::of_file(path_), ErrorCode::kWriteFailed, "cannot be renamed into place: {}",
                   std::strerror(errno));
  mode_ = Mode::kInPlace;
  return {};
}

}  // namespace accelscope::base
