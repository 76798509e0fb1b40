// Memory that a device can write and this process can map: a part of a file, such as a device file, /dev/mem,
// or a file of huge pages, whose address as the device sees it is known.
//
// Addresses are those of the device, so that what allocate() returns is what a register wants. Blocks lie one
// behind the other from the first address on, each on 64 bytes; what is released is not given out again. Only
// what was allocated is written, by allocate(), which fills it with zeros; the rest is not touched.
//
// Any thread may load, store and copy; allocate and release are for one thread at a time. The object owns the
// mapping, and a device that still writes there writes on after it is gone.
//
//   ACCELSCOPE_TRY(const auto memory, file_memory({.path = "/dev/mem", .offset = 0x8000'0000,
//                                                  .address = 0x8000'0000, .bytes = 65536}));
//   ACCELSCOPE_TRY(const Address ring, memory->allocate(65536));
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "device/device_memory.h"

namespace accelscope::device {

struct FileMemoryOptions {
  std::string path = {};
  std::uint64_t offset = 0;   // of the memory in the file
  std::uint64_t address = 0;  // of that place, as the device sees it
  std::uint64_t bytes = 0;    // that are mapped from there
};

// How many bytes so many blocks of this size need from an address on.
std::uint64_t file_memory_bytes(std::uint64_t address, std::uint64_t blocks, std::uint64_t bytes_of_each);

base::Result<std::unique_ptr<DeviceMemory>> file_memory(const FileMemoryOptions& options);

}  // namespace accelscope::device
