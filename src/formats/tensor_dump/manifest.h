// args_dump.json, the manifest of a tensor dump: which arguments of which tasks were looked at, and where in
// args.bin their bytes are (docs/formats.md, "Tensor dumps").
//
// Plain data; each call is independent of others. Bytes are never looked at here: a dump may be larger than
// memory.
//
//   ACCELSCOPE_TRY(const Manifest manifest, read_manifest(file));
//   const trace::QualityTable faults = check(manifest, file.path(), size_of_binary);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accelscope/recorder/tensor_types.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::formats::tensor_dump {

inline constexpr std::string_view kManifestName = "args_dump.json";
inline constexpr std::string_view kBinaryName = "args.bin";
inline constexpr std::string_view kLogicalOrder = "logical_contiguous";
inline constexpr std::string_view kLittleEndian = "little_endian";
// Which arguments have bytes: all of them, or only those that were marked.
inline constexpr int kLevelAll = 2;
inline constexpr int kLevelMarked = 3;

struct Argument {
  std::uint64_t task = 0;
  std::vector<std::int64_t> functions = {};  // that the task runs
  std::uint32_t index = 0;
  recorder::TensorRole role = recorder::TensorRole::kIn;
  recorder::TensorStage stage = recorder::TensorStage::kBefore;
  bool is_scalar = false;
  std::string data_type = {};  // "FLOAT32"
  std::string value = {};      // of a scalar, as JSON
  // How it lay in memory; strides and the offset in elements.
  bool is_contiguous = true;
  std::vector<std::uint64_t> shape = {};
  std::vector<std::uint64_t> strides = {};
  std::uint64_t start_offset = 0;
  std::uint64_t elements = 1;
  std::uint64_t bin_offset = 0;
  std::uint64_t bin_size = 0;
  bool truncated = false;    // the binary has less than all of it
  bool overwritten = false;  // by newer ones, before it was saved
  std::uint64_t place = 0;   // in the file it was read from

  bool operator==(const Argument&) const = default;
};

// What the manifest says of all arguments together.
struct Counts {
  std::uint64_t total = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t input = 0;
  std::uint64_t output = 0;
  std::uint64_t inout = 0;
  std::uint64_t truncated = 0;

  bool operator==(const Counts&) const = default;
};

// What arguments are together: for people who look into a dump.
struct Contents {
  Counts counts = {};
  std::uint64_t tasks = 0;    // to which they belong
  std::uint64_t scalars = 0;  // the others are tensors
  std::uint64_t bytes = 0;    // in the binary

  bool operator==(const Contents&) const = default;
};

struct Manifest {
  std::string run_dir = {};
  std::string order = std::string(kLogicalOrder);
  std::string byte_order = std::string(kLittleEndian);
  int level = kLevelAll;
  Counts counts = {};  // as the file has them; the writer counts by itself
  std::uint64_t dropped_records = 0;
  std::uint64_t dropped_overwrite = 0;
  std::string binary = std::string(kBinaryName);  // beside the manifest
  std::vector<Argument> arguments = {};
};

Counts counts_of(const std::vector<Argument>& arguments);
Contents contents_of(const std::vector<Argument>& arguments);
// By task, then stage, then index: the order of a manifest.
bool comes_before(const Argument& a, const Argument& b);

void write_manifest(const Manifest& manifest, base::Output& out);

bool looks_like_manifest(std::string_view bytes);
base::Result<Manifest> read_manifest(const base::MappedFile& file);

// What does not fit together. `binary_bytes`: how long the binary is; nothing when there is none.
trace::QualityTable check(const Manifest& manifest, const std::string& path,
                          std::optional<std::uint64_t> binary_bytes);

}  // namespace accelscope::formats::tensor_dump
