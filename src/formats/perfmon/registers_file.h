// The registers of a performance monitor as they stood when its buffer was copied, beside the copy:
// "core3.bin" has "core3.bin.regs.json".
//
//   {"wptr": 4096, "samp_wrt": 20480, "samp_crt": 5120, "buf_len": 16384, "base": 281474976710656}
//
// Any of them may be absent, others may be there, numbers are whole. Plain data and pure functions.
//
//   ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(registers_path("core3.bin")));
//   ACCELSCOPE_TRY(const Registers registers, read_registers(file));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"

namespace accelscope::formats::perfmon {

// Values as they were read: which of them count bytes, and which words, is one of the questions.
struct Registers {
  std::optional<std::uint64_t> wptr = std::nullopt;
  std::optional<std::uint64_t> samp_wrt = std::nullopt;
  std::optional<std::uint64_t> samp_crt = std::nullopt;
  std::optional<std::uint64_t> buf_len = std::nullopt;
  std::optional<std::uint64_t> base = std::nullopt;

  bool operator==(const Registers&) const = default;
};

std::string registers_path(const std::string& path_of_bytes);

base::Result<Registers> read_registers(const base::MappedFile& file);
void write_registers(const Registers& registers, base::Output& out);

}  // namespace accelscope::formats::perfmon
