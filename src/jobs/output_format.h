// The formats that can be written, their names on the command line, and the file endings that stand for them.
//
// Constant data and pure functions; safe from any thread.
//
//   output_format_for_path("trace.pftrace") == OutputFormat::kPerfetto
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace accelscope::jobs {

enum class OutputFormat : unsigned char {
  kPerfetto,
  kChrome,
  kTimelineCsv,
  kOpsCsv,
  kFolded,
  kSpeedscope,
  kAstrace,
  kChipSwimlane,
  kChipSwimlaneObjects,
  kDeps,
  kNameMap,
  kTensorDump
};

// What a format can be made of.
enum class OutputSource : unsigned char {
  kAnyTrace,
  kChipRun,    // a trace of a chip's run
  kRecording,  // one recording itself; the output is a folder
};

struct OutputFormatInfo {
  OutputFormat format;
  std::string_view name;                  // what --to takes
  std::vector<std::string_view> endings;  // may be none
  std::string_view description;
  std::string_view viewer;  // what opens it
  OutputSource source = OutputSource::kAnyTrace;
};

std::span<const OutputFormatInfo> output_formats();
const OutputFormatInfo& info_of(OutputFormat format);
std::optional<OutputFormat> output_format_named(std::string_view name);
// By the longest ending that fits; a trailing ".gz" does not count.
std::optional<OutputFormat> output_format_for_path(std::string_view path);

}  // namespace accelscope::jobs
