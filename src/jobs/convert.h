// The job behind `accelscope convert`: traces in, one file of another format out.
//
// Prints nothing. The output appears under its name only when it is whole. Independent calls may run in
// parallel.
//
//   const ConvertOptions options{.inputs = {"model.etdump"}, .output = "model.pftrace"};
//   ACCELSCOPE_TRY(const ConvertOutcome outcome, convert(options));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/open/open.h"
#include "jobs/output_format.h"
#include "trace/quality.h"

namespace accelscope::jobs {

// How a picture is laid out: in our own way, or in that of the reference's converter.
enum class Layout : unsigned char { kAccelscope, kReference };

struct ConvertOptions {
  std::vector<std::string> inputs;
  std::string output;                                 // "-" is standard output; of a tensor dump, a folder
  std::optional<OutputFormat> format = std::nullopt;  // by the output's ending when not given
  formats::open::OpenOptions open = {};
  // Times are multiplied by this before they become nanoseconds; for Perfetto, Chrome and speedscope.
  std::int64_t stretch = 1;
  std::string model_id = {};  // for the CSV formats; the input's stem when empty
  Layout layout = Layout::kAccelscope;
  bool overhead = false;  // of the reference's layout: counters of idle cores and ready tasks
};

struct ConvertOutcome {
  OutputFormat format = OutputFormat::kPerfetto;
  std::uint64_t slices = 0;     // of a trace
  std::uint64_t arguments = 0;  // of a tensor dump
  std::uint64_t bytes_written = 0;
  trace::QualityTable quality;  // of the trace, and of what writing it took
};

base::Result<ConvertOutcome> convert(const ConvertOptions& options);

// The format that the output will have; an error when these options cannot be carried out: an ending that
// tells no format, an output that is one of the inputs, options that do not go together.
base::Result<OutputFormat> check_output(const ConvertOptions& options);

// Writes a trace that is in memory already. `output` as in ConvertOptions.
base::Result<ConvertOutcome> write_trace(const trace::Trace& trace, OutputFormat format,
                                         const ConvertOptions& options);

}  // namespace accelscope::jobs
