#include "jobs/tensor_dump.h"

#include <filesystem>
#include <system_error>

#include "base/output_file.h"
#include "formats/capture/container_reader.h"
#include "formats/chip_run/recorded_tensors.h"
#include "formats/chip_run/recording_reader.h"

namespace accelscope::jobs {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::OutputFile;
using base::Result;
using base::Status;
using formats::chip_run::TensorDump;

Status check(const ConvertOptions& options, const std::string& binary, const std::string& manifest) {
  if (options.inputs.size() != 1)
    return base::fail(ErrorCode::kUsage, "a tensor dump is made from one recording, not from {}",
                      options.inputs.size());
  if (options.output == "-")
    return base::fail(ErrorCode::kUsage, "a tensor dump is a folder of two files: name one with -o");
  for (const std::string& output : {binary, manifest}) {
    std::error_code ignored;
    if (fs::equivalent(options.inputs.front(), output, ignored))
      return base::fail_at(Location::of_file(output), ErrorCode::kUsage,
                           "is an input of this conversion and would be overwritten; choose another name");
  }
  return {};
}

Result<MappedFile> open_recording(const std::string& path) {
  ACCELSCOPE_TRY(MappedFile file, MappedFile::open(path));
  if (!formats::capture::looks_like_capture(file.text()) || !formats::chip_run::is_recording(file))
    return base::fail_at(
        Location::of_file(path), ErrorCode::kUsage,
        "is not a recording: the bytes of tensors are in recordings only, not in traces made of them");
  return file;
}

// A folder that is made if it is not there, and removed again unless it is kept.
class Folder {
 public:
  Folder() = default;
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!made_.empty()) fs::remove(made_, ignored);  // only when it is empty
  }

  Status make(const std::string& path) {
    std::error_code error;
    if (fs::create_directory(path, error)) made_ = path;
    if (!error && fs::is_directory(path, error)) return {};
    return base::fail_at(Location::of_file(path), ErrorCode::kWriteFailed, "cannot be made a folder: {}",
                         error ? error.message() : "something else is there");
  }
  void keep() { made_.clear(); }

 private:
  std::string made_;
};

// Of a folder, as it is called: also of "." and "dump/".
std::string name_of_folder(const std::string& path) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(path, ignored);
  return whole.filename().string();
}

}  // namespace

Result<ConvertOutcome> write_tensor_dump(const ConvertOptions& options) {
  const std::string manifest_path = options.output + "/" + std::string(formats::tensor_dump::kManifestName);
  const std::string binary_path = options.output + "/" + std::string(formats::tensor_dump::kBinaryName);
  ACCELSCOPE_CHECK(check(options, binary_path, manifest_path));
  ACCELSCOPE_TRY(const MappedFile recording, open_recording(options.inputs.front()));
  Folder folder;
  ACCELSCOPE_CHECK(folder.make(options.output));
  ACCELSCOPE_TRY(OutputFile binary, OutputFile::create(binary_path));
  const auto put = [&](std::uint64_t offset, std::string_view bytes) {
    return binary.write_at(offset, bytes);
  };
  formats::chip_run::RecordingProgress progress;
  if (options.open.read.progress)
    progress = [&](std::uint64_t done) {
      options.open.read.progress(recording.path(), done, recording.size());
    };
  ACCELSCOPE_TRY(TensorDump dump, formats::chip_run::read_recorded_tensors(recording, put, progress));
  if (dump.manifest.arguments.empty())
    return base::fail_at(Location::of_file(recording.path()), ErrorCode::kUsage,
                         "has no arguments of tasks: they are recorded where dump_tensor_enable is on");
  dump.manifest.run_dir = name_of_folder(options.output);
  ACCELSCOPE_TRY(OutputFile manifest, OutputFile::create(manifest_path));
  formats::tensor_dump::write_manifest(dump.manifest, manifest.output());
  // What can fail is done before either file gets its name, and then the bytes come first: a manifest that
  // is new never names what is not there, and only a kill between two names leaves an old one beside them.
  ACCELSCOPE_CHECK(manifest.output().flush());
  ACCELSCOPE_CHECK(binary.commit());
  folder.keep();
  const std::uint64_t manifest_bytes = manifest.output().written();
  ACCELSCOPE_CHECK(manifest.commit());
  return ConvertOutcome{.format = OutputFormat::kTensorDump,
                        .arguments = dump.manifest.arguments.size(),
                        .bytes_written = dump.binary_bytes + manifest_bytes,
                        .quality = std::move(dump.quality)};
}

std::optional<std::string> tensor_manifest_at(const std::string& path) {
  std::error_code ignored;
  const std::string file =
      fs::is_directory(path, ignored) ? path + "/" + std::string(formats::tensor_dump::kManifestName) : path;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  const Result<MappedFile> opened = MappedFile::open(file);
  if (!opened || !formats::tensor_dump::looks_like_manifest(opened->text())) return std::nullopt;
  return file;
}

Result<TensorDumpOutcome> validate_tensor_dump(const std::string& manifest_path) {
  ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(manifest_path));
  TensorDumpOutcome outcome{.path = manifest_path, .bytes = file.size()};
  ACCELSCOPE_TRY(outcome.manifest, formats::tensor_dump::read_manifest(file));
  std::error_code error;
  const fs::path binary = fs::path(manifest_path).parent_path() / outcome.manifest.binary;
  const std::uint64_t binary_bytes = fs::is_regular_file(binary, error) ? fs::file_size(binary, error) : 0;
  if (!error && fs::is_regular_file(binary, error)) outcome.binary_bytes = binary_bytes;
  outcome.quality = formats::tensor_dump::check(outcome.manifest, manifest_path, outcome.binary_bytes);
  return outcome;
}

}  // namespace accelscope::jobs
