// A file's bytes as memory, with 64 zero bytes readable past the end (what SIMD parsers need).
//
// Regular files are mapped, so memory grows with what is touched and not with the size; pipes, devices and
// files that do not know their size (/proc) are read whole, up to a limit. A file that shrinks while it is
// mapped raises SIGBUS, as with every mapping: inputs are not to be changed while read. The object owns the
// bytes; views into them live as long as it does. Reading from several threads is safe.
//
//   ACCELSCOPE_TRY(const MappedFile file, MappedFile::open("model.etdump"));
//   std::string_view head = file.text().substr(0, 8);
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace accelscope::base {

class MappedFile {
 public:
  static constexpr std::size_t kPadding = 64;
  // What is read at most from something that cannot be mapped.
  static constexpr std::size_t kMaxPipeBytes = std::size_t{4} << 30;

  static Result<MappedFile> open(const std::string& path, std::size_t max_pipe_bytes = kMaxPipeBytes);
  // Bytes made in memory (decompressed, decoded), under the name of the file they come from; padded like a
  // mapped file.
  static MappedFile from_memory(std::string name, std::string_view bytes);
  // Puts bytes into [place, place + room) and says how many; 0 is the end.
  using Fill = std::function<Result<std::size_t>(char* place, std::size_t room)>;
  // Bytes that come piece by piece, such as those of a decompressor: at most `max_bytes`, without a second
  // copy.
  static Result<MappedFile> read_all(const std::string& name, std::size_t max_bytes, const Fill& fill);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  const std::string& path() const { return path_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {reinterpret_cast<const std::byte*>(data_), size_}; }

 private:
  MappedFile(std::string path, const char* data, std::size_t size, std::size_t mapped_bytes)
      : path_(std::move(path)), data_(data), size_(size), mapped_bytes_(mapped_bytes) {}

  static Result<MappedFile> map_regular(const std::string& path, int descriptor, std::size_t size);
  static Result<MappedFile> read_stream(const std::string& path, int descriptor, std::size_t max_bytes);
  bool grow();

  std::string path_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace accelscope::base
