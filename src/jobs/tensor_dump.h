// Tensor dumps: made from a recording, the job behind `accelscope convert --to tensor-dump`, and checked,
// that behind `accelscope validate` of one.
//
// Prints nothing. Both files of a dump appear when they are whole. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const ConvertOutcome written, write_tensor_dump({.inputs = {"run.astrace"}, .output =
//   "args_dump"})); ACCELSCOPE_TRY(const TensorDumpOutcome checked,
//   validate_tensor_dump("args_dump/args_dump.json"));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "formats/tensor_dump/manifest.h"
#include "jobs/convert.h"
#include "trace/quality.h"

namespace accelscope::jobs {

// One recording into a folder, which is made if it is not there.
base::Result<ConvertOutcome> write_tensor_dump(const ConvertOptions& options);

struct TensorDumpOutcome {
  std::string path = {};
  std::uint64_t bytes = 0;  // of the manifest
  std::optional<std::uint64_t> binary_bytes = std::nullopt;
  formats::tensor_dump::Manifest manifest = {};
  trace::QualityTable quality = {};
};

// The manifest that a path names: the file itself, or the one in a folder. Nothing when it is something else.
std::optional<std::string> tensor_manifest_at(const std::string& path);
base::Result<TensorDumpOutcome> validate_tensor_dump(const std::string& manifest_path);

}  // namespace accelscope::jobs
