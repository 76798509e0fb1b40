#include "jobs/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/output_file.h"
#include "compat/inspector_csv.h"
#include "compat/reference_layout.h"
#include "formats/capture/trace_chunks.h"
#include "formats/chrome_json/writer.h"
#include "formats/folded/folded_writer.h"
#include "formats/gzip/gzip_output.h"
#include "formats/perfetto/perfetto_writer.h"
#include "formats/speedscope/speedscope_writer.h"
#include "jobs/chip_files.h"
#include "jobs/reference_model.h"
#include "jobs/tensor_dump.h"
#include "trace/chip_run.h"
#include "views/lanes.h"
#include "views/swimlane/swimlane_picture.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using trace::QualityTable;
using trace::Trace;

Result<OutputFormat> choose_format(const ConvertOptions& options) {
  if (options.format) return *options.format;
  if (const auto by_ending = output_format_for_path(options.output)) return *by_ending;
  std::string endings;
  for (const OutputFormatInfo& info : output_formats())
    if (!info.endings.empty())
      endings += fmt::format("\n  {:<14} {}", info.name, fmt::join(info.endings, " "));
  return base::fail_at(base::Location::of_file(options.output), ErrorCode::kUsage,
                       "the ending does not tell the format; use --to, or one of these endings:{}", endings);
}

Status refuse_to_overwrite_input(const ConvertOptions& options) {
  std::vector<std::string> read_files = options.inputs;
  read_files.push_back(options.open.etrecord);
  read_files.insert(read_files.end(), options.open.chip_files.begin(), options.open.chip_files.end());
  for (const std::string& input : options.inputs)
    for (std::string& sibling : formats::open::sibling_files(input, options.open))
      read_files.push_back(std::move(sibling));
  for (const std::string& input : read_files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(input, options.output, ignored))
      return base::fail_at(base::Location::of_file(options.output), ErrorCode::kUsage,
                           "is an input of this conversion and would be overwritten; choose another name");
  }
  return {};
}

bool is_csv(OutputFormat format) {
  return format == OutputFormat::kTimelineCsv || format == OutputFormat::kOpsCsv;
}

bool draws_time(OutputFormat format) {
  return format == OutputFormat::kPerfetto || format == OutputFormat::kChrome ||
         format == OutputFormat::kSpeedscope;
}

// The kit's files take every tick for a nanosecond; where that is not so, the reader of the file must know.
QualityTable csv_notes(const Trace& trace) {
  QualityTable notes;
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const trace::TrackId track{id};
    if (trace.slices_of(track).empty()) continue;
    const base::Frequency& frequency = trace.clock_of(track).frequency;
    if (frequency.is_nanoseconds() || frequency == base::Frequency::hz(1'000'000'000'000)) continue;
    notes.add({.id = "compat.ticks_as_nanoseconds",
               .severity = trace::Severity::kWarning,
               .sentence =
                   "The CSV formats take every tick for a nanosecond; some tracks count otherwise, and their "
                   "times in the file are wrong by that factor.",
               .count = trace.slices_of(track).count});
  }
  return notes;
}

// Sources of names, such as an ETRecord, are no traces.
std::ptrdiff_t traces_among(std::span<const trace::SourceFile> sources) {
  return std::count_if(sources.begin(), sources.end(), [](const trace::SourceFile& source) {
    return formats::open::reader_named(source.format) != nullptr;
  });
}

std::string model_id_of(const ConvertOptions& options) {
  if (!options.model_id.empty() || options.inputs.empty()) return options.model_id;
  return compat::kit_model_id(options.inputs.front());
}

// Writers that know only properly nested slices get them: overlaps are moved to lanes first.
template <class Write>
Result<QualityTable> with_lanes(const Trace& trace, Write&& write) {
  if (!views::needs_lanes(trace)) return write(trace);
  ACCELSCOPE_TRY(const Trace split, views::split_overlaps(trace));
  return write(split);
}

// One chip's run has a picture of its own; runs of several chips in one trace are drawn as they are.
bool is_one_chip(const Trace& trace) {
  if (!trace::is_chip_run(trace)) return false;
  const trace::ChipRun chip = trace::chip_run(trace);
  return std::all_of(chip.cores.begin(), chip.cores.end(), [&](const trace::ChipCore& core) {
    return trace.track(core.track).clock == chip.clock;
  });
}

// Calls write(picture) with what people want to see of the trace.
template <class Write>
Result<QualityTable> with_picture(const Trace& trace, Write&& write) {
  if (is_one_chip(trace)) {
    ACCELSCOPE_TRY(const views::Picture picture, views::swimlane_picture(trace));
    return write(picture);
  }
  return with_lanes(trace, [&](const Trace& nested) { return write(views::picture_of(nested)); });
}

Status check_layout(const ConvertOptions& options, OutputFormat format) {
  if (options.layout == Layout::kAccelscope)
    return options.overhead ? base::fail(ErrorCode::kUsage, "--overhead is for --layout reference")
                            : Status();
  if (format != OutputFormat::kChrome)
    return base::fail(ErrorCode::kUsage, "--layout reference is for Chrome JSON (--to chrome), not for {}",
                      info_of(format).name);
  if (options.stretch != 1)
    return base::fail(ErrorCode::kUsage, "--layout reference keeps times as they are: leave --stretch out");
  return {};
}

Result<QualityTable> write_reference_layout(const Trace& trace, const ConvertOptions& options,
                                            base::Output& out) {
  ACCELSCOPE_CHECK(compat::write_reference_layout(trace, out, {.overhead = options.overhead}));
  return QualityTable{};
}

Result<QualityTable> write_astrace(const Trace& trace, base::Output& out) {
  ACCELSCOPE_CHECK(formats::capture::write(trace, out));
  return QualityTable{};
}

Result<QualityTable> write_to(const Trace& trace, OutputFormat format, const ConvertOptions& options,
                              base::Output& out) {
  switch (format) {
    case OutputFormat::kPerfetto:
      return with_picture(trace, [&](const views::Picture& picture) {
        return formats::perfetto::write(picture, out, {.stretch = options.stretch});
      });
    case OutputFormat::kChrome:
      if (options.layout == Layout::kReference) return write_reference_layout(trace, options, out);
      return with_picture(trace, [&](const views::Picture& picture) {
        return formats::chrome_json::write(picture, out, {.stretch = options.stretch});
      });
    case OutputFormat::kSpeedscope:
      return with_lanes(trace, [&](const Trace& nested) {
        return formats::speedscope::write(nested, out, {.stretch = options.stretch});
      });
    case OutputFormat::kFolded:
      return formats::folded::write(trace, out);
    case OutputFormat::kTimelineCsv:
      compat::write_timeline_csv(out,
                                 compat::timeline_rows(compat::inspector_table(trace), model_id_of(options)));
      return csv_notes(trace);
    case OutputFormat::kOpsCsv:
      compat::write_ops_stats_csv(
          out, compat::ops_stats_rows(compat::inspector_table(trace), model_id_of(options)));
      return csv_notes(trace);
    case OutputFormat::kAstrace:
      return write_astrace(trace, out);
    case OutputFormat::kChipSwimlane:
      return write_chip_swimlane(trace, out);
    case OutputFormat::kChipSwimlaneObjects:
      return write_chip_swimlane_objects(trace, out);
    case OutputFormat::kDeps:
      return write_chip_dependencies(trace, out);
    case OutputFormat::kNameMap:
      return write_chip_names(trace, out);
    case OutputFormat::kTensorDump:
      break;  // not of a trace
  }
  return base::fail(ErrorCode::kInternal, "an output format without a writer");
}

}  // namespace

Result<OutputFormat> check_output(const ConvertOptions& options) {
  ACCELSCOPE_TRY(const OutputFormat format, choose_format(options));
  if (options.stretch != 1 && !draws_time(format))
    return base::fail(ErrorCode::kUsage,
                      "--stretch is for pictures of time: perfetto, chrome and speedscope");
  ACCELSCOPE_CHECK(check_layout(options, format));
  ACCELSCOPE_CHECK(refuse_to_overwrite_input(options));
  return format;
}

Result<ConvertOutcome> write_trace(const Trace& trace, OutputFormat format, const ConvertOptions& options) {
  ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create(options.output));
  ConvertOutcome outcome;
  outcome.format = format;
  outcome.slices = trace.slices().size();
  outcome.quality = trace.quality();
  if (options.output.ends_with(".gz")) {
    formats::gzip::GzipOutput packed(file.output());
    ACCELSCOPE_TRY(const QualityTable notes, write_to(trace, format, options, packed));
    outcome.quality.append(notes);
    ACCELSCOPE_CHECK(packed.finish());
  } else {
    ACCELSCOPE_TRY(const QualityTable notes, write_to(trace, format, options, file.output()));
    outcome.quality.append(notes);
  }
  outcome.bytes_written = file.output().written();
  ACCELSCOPE_CHECK(file.commit());
  return outcome;
}

Result<ConvertOutcome> convert(const ConvertOptions& given) {
  if (given.inputs.empty()) return base::fail(ErrorCode::kUsage, "no input given");
  ConvertOptions options = given;
  ACCELSCOPE_CHECK(formats::open::enter_run_directories(options.inputs));
  ACCELSCOPE_TRY(const OutputFormat format, check_output(options));
  if (format == OutputFormat::kTensorDump) return write_tensor_dump(options);
  ACCELSCOPE_TRY(const Trace trace, formats::open::open_traces(options.inputs, options.open));
  if (options.layout == Layout::kReference) {
    ACCELSCOPE_CHECK(check_one_chip_run(trace));
  }
  if (is_csv(format) && traces_among(trace.sources()) > 1)
    return base::fail(ErrorCode::kUsage,
                      "the CSV formats hold one model: convert each input to a file of its own");
  return write_trace(trace, format, options);
}

}  // namespace accelscope::jobs
