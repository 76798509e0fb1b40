// The arguments of tasks that a recording holds, as a tensor dump: a manifest, and bytes for its binary.
//
// The file is walked twice, because the record of a tensor may come before or after its bytes: first to see
// what there is, then to put the bytes where they belong, as they come. So a dump may be larger than memory.
// Each call is independent of others.
//
//   const auto put = [&](std::uint64_t offset, std::string_view bytes) { return binary.write_at(offset,
//   bytes); }; ACCELSCOPE_TRY(const TensorDump dump, read_recorded_tensors(file, put));
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/tensor_dump/manifest.h"
#include "trace/quality.h"

namespace accelscope::formats::chip_run {

struct TensorDump {
  tensor_dump::Manifest manifest = {};
  std::uint64_t binary_bytes = 0;
  trace::QualityTable quality = {};  // of the recording, and of what is missing
};

// Takes bytes that belong at an offset of the binary. Every byte of it comes, in any order.
using PutBytes = std::function<base::Status(std::uint64_t offset, std::string_view bytes)>;

base::Result<TensorDump> read_recorded_tensors(const base::MappedFile& file, const PutBytes& put,
                                               const RecordingProgress& progress = {});

}  // namespace accelscope::formats::chip_run
