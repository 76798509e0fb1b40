#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "base/human.h"
#include "cli/failure.h"
#include "cli/open_arguments.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "jobs/convert.h"
#include "report/trust_box.h"

namespace accelscope::cli {
namespace {

using base::Result;

Result<std::int64_t> parse_stretch(const std::string& text) {
  std::int64_t factor = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, factor);
  constexpr std::int64_t kMostPicosecondsNeed = 1'000'000;
  if (problem != std::errc() || stopped != end || factor < 1 || factor > kMostPicosecondsNeed)
    return base::fail(base::ErrorCode::kUsage, "--stretch takes a whole number from 1 to {}, not '{}'",
                      kMostPicosecondsNeed, text);
  return factor;
}

Result<jobs::ConvertOptions> convert_options(const Arguments& arguments) {
  jobs::ConvertOptions options;
  options.inputs = arguments.positionals;
  options.output = arguments.value("--output").value_or("");
  if (const auto name = arguments.value("--to")) options.format = jobs::output_format_named(*name);
  if (const auto factor = arguments.value("--stretch")) {
    ACCELSCOPE_TRY(options.stretch, parse_stretch(*factor));
  }
  options.model_id = arguments.value("--model-id").value_or("");
  if (arguments.value("--layout") == "reference") options.layout = jobs::Layout::kReference;
  options.overhead = arguments.flag("--overhead");
  ACCELSCOPE_TRY(options.open, open_options(arguments));
  return options;
}

bool is_binary(std::optional<jobs::OutputFormat> format) {
  return format == jobs::OutputFormat::kPerfetto || format == jobs::OutputFormat::kAstrace;
}

int run_convert(const Arguments& arguments) {
  const Result<jobs::ConvertOptions> options = convert_options(arguments);
  if (!options) return report_failure(options.error());
  if (options->output == "-" && isatty(STDOUT_FILENO) == 1 && is_binary(options->format))
    return report_failure(
        {base::ErrorCode::kUsage, "a binary format is not for the terminal; use -o FILE or a pipe", {}});
  const Result<jobs::ConvertOutcome> outcome = jobs::convert(*options);
  if (!outcome) return report_failure(outcome.error());
  if (!arguments.flag("--quiet")) {
    // The file may be standard output, so what is said about it goes to standard error.
    const jobs::OutputFormatInfo& format = jobs::info_of(outcome->format);
    fmt::print(stderr, "{}", report::trust_box(outcome->quality, style_for(stderr)));
    const bool is_dump = outcome->format == jobs::OutputFormat::kTensorDump;
    fmt::print(stderr, "{}: {} {}, {} of {}; open with {}\n", options->output,
               base::format_count(is_dump ? outcome->arguments : outcome->slices),
               is_dump ? "arguments" : "slices",
               base::format_size(base::Bytes{static_cast<std::int64_t>(outcome->bytes_written)}),
               format.description, format.viewer);
  }
  return kExitOk;
}

}  // namespace

Command convert_command() {
  std::vector<OptionSpec> options{
      {.name = "--output",
       .short_name = "-o",
       .value = "OUT",
       .help =
           "the file to write; - is standard output; an ending .gz packs it; of a tensor dump, the folder",
       .required = true},
      {.name = "--to",
       .short_name = "",
       .value = "FORMAT",
       .help = "the format to write; by default OUT's ending tells"},
      {.name = "--stretch",
       .short_name = "",
       .value = "N",
       .help = "multiply times by N before they become nanoseconds: 1000 shows picoseconds in viewers that "
               "stop at nanoseconds"},
      {.name = "--model-id",
       .short_name = "",
       .value = "TEXT",
       .help = "model_id column of the CSV formats; by default the input's name without its ending"},
      {.name = "--layout",
       .short_name = "",
       .value = "LAYOUT",
       .help = "reference: Chrome JSON with the processes, threads, names and arguments of the reference's "
               "converter of chip swimlanes",
       .choices = {"accelscope", "reference"}},
      {.name = "--overhead",
       .short_name = "",
       .value = "",
       .help = "with --layout reference: add its counters of idle cores and ready tasks; needs dependencies"},
      {.name = "--quiet", .short_name = "-q", .value = "", .help = "print nothing but errors"},
  };
  for (const jobs::OutputFormatInfo& info : jobs::output_formats()) options[1].choices.push_back(info.name);
  for (OptionSpec& option : open_option_specs()) options.push_back(std::move(option));
  return {.name = "convert",
          .summary =
              "a trace into Perfetto, Chrome JSON, CSV, folded stacks, speedscope, chip swimlanes, or saved "
              "whole",
          .description =
              "Reads traces, whose formats are recognised by content, and writes one file in another format. "
              "Several "
              "inputs become one trace, each with a process of its own; an ETRecord among them lends its "
              "names to the ETDumps.",
          .examples = {"accelscope convert model.etdump -o model.pftrace",
                       "accelscope convert on.etdump off.etdump -o both.pftrace",
                       "accelscope convert run_dir/ -o run.astrace",
                       "accelscope convert run.astrace --to chip-swimlane -o chip_swimlane_records.json",
                       "accelscope convert run.astrace --to tensor-dump -o args_dump",
                       "accelscope convert trace.json.gz --to folded -o - | flamegraph.pl > flame.svg"},
          .positionals = {{.name = "IN",
                           .help = "a trace: ETDump, UART log with ETDumps, timeline or ops-stats CSV, "
                                   "Chrome JSON, .astrace; gzip is unpacked",
                           .at_most = kManyInputs}},
          .options = std::move(options),
          .run = run_convert};
}

}  // namespace accelscope::cli
