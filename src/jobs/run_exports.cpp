#include "jobs/run_exports.h"

#include <fmt/core.h>

#include "accelscope/dfx_flags.h"
#include "formats/chip_run/recording_reader.h"
#include "jobs/convert.h"
#include "jobs/tensor_dump.h"

namespace accelscope::jobs {
namespace {

using base::Result;
using base::Status;

// "bgemm:m=64" would do on Linux, but not elsewhere.
std::string in_a_file_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 64)) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    name += plain ? c : '_';
  }
  return name.empty() ? "graph" : name;
}

class Exports {
 public:
  explicit Exports(const RunFiles& run)
      : run_(run), recording_(fmt::format("{}/{}", run.folder, kRecordingName)) {}

  Result<std::vector<WrittenFile>> write() && {
    add(recording_, "the recording: `accelscope report` explains it, `accelscope convert` draws it");
    ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(recording_));
    ACCELSCOPE_TRY(const trace::Trace trace, formats::chip_run::read_recording(
                                                 file, {}, formats::chip_run::RecordedParts::kWithoutPipes));
    if ((run_.dfx_flags & kDfxCoreTiming) != 0) {
      const OutputFormat format = run_.raw ? OutputFormat::kChipSwimlane : OutputFormat::kChipSwimlaneObjects;
      ACCELSCOPE_CHECK(write(trace, format, "chip_swimlane_records.json", "the swimlane"));
    }
    if ((run_.dfx_flags & kDfxDependencyCapture) != 0) {
      ACCELSCOPE_CHECK(write(trace, OutputFormat::kDeps, "deps.json", "who waited for whom"));
    }
    ACCELSCOPE_CHECK(write(trace, OutputFormat::kNameMap,
                           fmt::format("name_map_{}.json", in_a_file_name(run_.graph)),
                           "names of functions"));
    if ((run_.dfx_flags & kDfxDumpTensor) != 0) {
      const std::string folder = run_.folder + "/args_dump";
      ACCELSCOPE_TRY(const ConvertOutcome written,
                     write_tensor_dump({.inputs = {recording_}, .output = folder}));
      add(folder, "the tensors: manifest and bytes");
    }
    return std::move(files_);
  }

 private:
  void add(std::string path, std::string what) { files_.push_back({std::move(path), std::move(what)}); }

  Status write(const trace::Trace& trace, OutputFormat format, std::string_view name, std::string what) {
    const std::string path = fmt::format("{}/{}", run_.folder, name);
    ACCELSCOPE_TRY(const ConvertOutcome written,
                   write_trace(trace, format, {.inputs = {recording_}, .output = path}));
    add(path, std::move(what));
    return {};
  }

  const RunFiles& run_;
  std::string recording_;
  std::vector<WrittenFile> files_;
};

}  // namespace

Result<std::vector<WrittenFile>> write_run_files(const RunFiles& run) {
  return Exports(run).write();
}

}  // namespace accelscope::jobs
