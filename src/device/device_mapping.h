// A part of a device file, of a PCI resource or of a file on huge pages, mapped into this process to be read
// and written, past the caches where the file knows of such a thing.
//
// Move-only; unmapped at the end. Threads agree among themselves about the bytes.
//
//   ACCELSCOPE_TRY(const DeviceMapping mapping, DeviceMapping::open(path, 0x1000, 4096, "4 registers"));
//   mapping.data()   // the byte at 0x1000 of the file
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace accelscope::device {

class DeviceMapping {
 public:
  // Nothing lies further, in any file of a device; it also keeps sums of addresses far from their end.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;

  // `what` says in the message about a file that is too short what does not fit into it. The offset and the
  // bytes are kMostBytes at most.
  static base::Result<DeviceMapping> open(const std::string& path, std::uint64_t offset, std::uint64_t bytes,
                                          std::string_view what);

  DeviceMapping(DeviceMapping&& other) noexcept;
  DeviceMapping& operator=(DeviceMapping&&) = delete;
  ~DeviceMapping();

  // Where `offset` of the file is.
  std::byte* data() const { return begin_ + skipped_; }

 private:
  DeviceMapping(std::byte* begin, std::size_t mapped, std::size_t skipped)
      : begin_(begin), mapped_(mapped), skipped_(skipped) {}

  std::byte* begin_;
  std::size_t mapped_;
  std::size_t skipped_;  // a mapping begins with a page
};

}  // namespace accelscope::device
