#include "jobs/demo.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/output_file.h"
#include "formats/etdump/sample_dumps.h"
#include "jobs/convert.h"

namespace accelscope::jobs {
namespace {

using base::Result;
using base::Status;

Status write_file(const std::string& path, std::string_view bytes) {
  ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create(path));
  file.output().append(bytes);
  return file.commit();
}

}  // namespace

Result<DemoOutcome> demo(const DemoOptions& options) {
  std::error_code failure;
  std::filesystem::create_directories(options.folder, failure);
  if (failure)
    return base::fail_at(base::Location::of_file(options.folder), base::ErrorCode::kWriteFailed,
                         "cannot be made: {}", failure.message());
  const std::string dump = fmt::format("{}/toy.etdump", options.folder);
  ACCELSCOPE_CHECK(write_file(
      dump, formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast))));
  ACCELSCOPE_TRY(trace::Trace trace, formats::open::open_trace(dump, {}));
  DemoOutcome outcome{std::move(trace), {}};
  for (const OutputFormatInfo& info : output_formats()) {
    const std::string_view ending = info.endings.front();
    const std::string path =
        fmt::format("{}/toy{}{}", options.folder, ending.front() == '.' ? "" : "_", ending);
    ACCELSCOPE_TRY(const ConvertOutcome converted,
                   write_trace(outcome.trace, info.format, {.inputs = {dump}, .output = path}));
    outcome.files.push_back({path, fmt::format("{}: open with {}", info.description, info.viewer)});
  }
  outcome.files.push_back({dump, "the ETDump itself: try `accelscope validate` on it"});
  return outcome;
}

}  // namespace accelscope::jobs
