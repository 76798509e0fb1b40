#include "formats/open/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "formats/capture/container_reader.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/join.h"
#include "formats/gzip/gzip.h"
#include "formats/tensor_dump/manifest.h"
#include "trace/clock.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::open {
namespace {

using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;
using trace::Trace;

// The formats whose events an ETRecord can name.
bool takes_etrecord(const Reader& reader) {
  return reader.name == "etdump" || reader.name == "etdump-uart";
}

bool takes_chip_files(const Reader& reader) {
  return reader.name == "chip-swimlane";
}

Result<MappedFile> open_unpacked(const std::string& path) {
  ACCELSCOPE_TRY(MappedFile file, MappedFile::open(path));
  if (!gzip::looks_like_gzip(file.text())) return file;
  return gzip::gunzip(file);
}

std::string known_formats() {
  std::string names;
  for (const Reader& reader : readers())
    names += fmt::format("\n  {:<14} {}", reader.name, reader.description);
  return names;
}

tl::unexpected<base::Error> unknown_format(const MappedFile& file) {
  const Location where = Location::of_file(file.path());
  const std::string_view bytes = file.text();
  if (bytes.empty()) return base::fail_at(where, ErrorCode::kTruncated, "is empty (0 bytes)");
  if (etrecord::looks_like_etrecord(bytes))
    return base::fail_at(where, ErrorCode::kUnknownFormat,
                         "is an ETRecord: it holds names, not times; give it together with its ETDump");
  if (const auto kind = chip_run::sibling_kind(bytes))
    return base::fail_at(where, ErrorCode::kUnknownFormat,
                         "belongs to the run of a chip: it holds {}, not times; give it together with its "
                         "chip_swimlane_records.json",
                         chip_run::sibling_info(*kind).holds);
  if (tensor_dump::looks_like_manifest(bytes))
    return base::fail_at(
        where, ErrorCode::kUnknownFormat,
        "is the manifest of a tensor dump: it holds bytes of arguments, not times; accelscope validate "
        "checks it");
  return base::fail_at(where, ErrorCode::kUnknownFormat, "is not a trace that can be read; known formats:{}",
                       known_formats());
}

Result<Trace> join_etrecord(const Trace& trace, const std::string& path) {
  ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(path));
  ACCELSCOPE_TRY(const etrecord::EtRecord record, etrecord::read(file));
  return etrecord::join(trace, record);
}

Result<Trace> add_names(Trace trace, const std::string& path, const OpenOptions& options) {
  if (!options.etrecord.empty()) return join_etrecord(trace, options.etrecord);
  if (!options.find_siblings) return trace;
  const std::optional<std::string> sibling = sibling_etrecord(path);
  if (!sibling) return trace;
  Result<Trace> joined = join_etrecord(trace, *sibling);
  if (joined)
    return with_quality(
        *std::move(joined),
        {.id = "open.sibling_etrecord",
         .severity = trace::Severity::kInfo,
         .sentence = "Names come from the ETRecord that lies beside the ETDump under the same name.",
         .first_place = Location::of_file(*sibling)});
  // Nobody asked for this file, so a bad one is no reason to fail.
  return with_quality(std::move(trace),
                      {.id = "open.bad_sibling_etrecord",
                       .severity = trace::Severity::kWarning,
                       .sentence = fmt::format("An ETRecord lies beside the ETDump but cannot be used: {}",
                                               joined.error().message),
                       .first_place = Location::of_file(*sibling)});
}

// What tells two inputs apart: their file names, or their whole paths when the names are equal.
std::vector<std::string> labels_of(const std::vector<std::string>& paths) {
  std::vector<std::string> labels;
  labels.reserve(paths.size());
  for (const std::string& path : paths) labels.push_back(std::filesystem::path(path).filename().string());
  std::vector<std::string> sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  return distinct ? labels : paths;
}

bool is_etrecord(const std::string& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  return file && etrecord::looks_like_etrecord(file->text());
}

// Only the head is unpacked: this is asked of every input.
bool is_chip_swimlane(const std::string& path) {
  constexpr std::size_t kHeadBytes = std::size_t{64} << 10U;
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) return false;
  if (!gzip::looks_like_gzip(file->text())) return chip_swimlane::looks_like_chip_swimlane(file->text());
  return chip_swimlane::looks_like_chip_swimlane(gzip::unpacked_head(*file, kHeadBytes));
}

Result<Trace> read_chip_run(const MappedFile& file, const std::string& path, const OpenOptions& options) {
  const chip_run::SiblingSearch search = options.find_siblings
                                             ? chip_run::search_siblings(path, options.chip_files)
                                             : chip_run::SiblingSearch{.given = options.chip_files};
  return chip_run::read_run_and_siblings(file, search);
}

// The clock that an input's first slices are timed by, and when they begin.
struct Beginning {
  trace::ClockId clock = trace::ClockId::kNone;
  trace::Ticks first = trace::Ticks::max();
};

Beginning beginning_of(const Trace& part, trace::TraceBuilder& builder,
                       trace::TraceBuilder::Offsets offsets) {
  Beginning beginning;
  trace::ClockId clock_in_part = trace::ClockId::kNone;
  for (std::uint32_t id = 0; id < part.tracks().size(); ++id) {
    const trace::RowRange rows = part.slices_of(trace::TrackId{id});
    if (rows.empty()) continue;
    if (clock_in_part == trace::ClockId::kNone) {
      clock_in_part = part.tracks()[id].clock;
      beginning.clock = builder.track(trace::TrackId{offsets.tracks + id}).clock;
    }
    if (part.tracks()[id].clock == clock_in_part)
      beginning.first = std::min(beginning.first, part.slices().start[rows.first]);
  }
  return beginning;
}

// Nothing relates the clocks of two recordings. To be seen together they are laid over each other where their
// first slices begin; the uncertainty says that this is no measurement.
void align_at_first_slices(trace::TraceBuilder& builder, const Beginning& reference, const Beginning& other) {
  if (reference.clock == trace::ClockId::kNone || other.clock == trace::ClockId::kNone) return;
  trace::ClockRelation relation = trace::fit_clock_relation(
      other.clock, reference.clock, {{other.first, reference.first, trace::Ticks{0}}},
      builder.clock(other.clock).frequency, builder.clock(reference.clock).frequency);
  relation.uncertainty = trace::Ticks::max();
  builder.add_clock_relation(std::move(relation));
  builder.quality().add({.id = "open.aligned_inputs",
                         .severity = trace::Severity::kInfo,
                         .sentence =
                             "The inputs have clocks of their own: they are drawn as if their first slices "
                             "began together, and times of different inputs cannot be compared."});
}

// Options that the input has no use for, and traces with nothing in them, are said, not passed over.
Trace note_oddities(Trace trace, const Reader& reader, const std::string& path, const OpenOptions& options) {
  if (!takes_etrecord(reader) && (!options.etrecord.empty() || options.read.time_unit))
    trace = with_quality(
        std::move(trace),
        {.id = "open.unused_option",
         .severity = trace::Severity::kWarning,
         .sentence = "--etrecord and --time-unit are for ETDumps; this input has no use for them.",
         .first_place = Location::of_file(path)});
  if (!takes_chip_files(reader))
    for (std::size_t kind = 0; kind < chip_run::kSiblingKinds; ++kind)
      if (!options.chip_files[kind].empty())
        trace = with_quality(
            std::move(trace),
            {.id = "open.unused_option",
             .severity = trace::Severity::kWarning,
             .sentence = fmt::format("{} is for chip swimlanes; this input has no use for it.",
                                     chip_run::sibling_info(static_cast<chip_run::SiblingKind>(kind)).option),
             .first_place = Location::of_file(path)});
  if (trace.slices().size() == 0 && trace.instants().size() == 0)
    trace =
        with_quality(std::move(trace), {.id = "open.no_slices",
                                        .severity = trace::Severity::kWarning,
                                        .sentence = "The input holds no slices: there is nothing to draw.",
                                        .first_place = Location::of_file(path)});
  return trace;
}

}  // namespace

std::optional<std::string> sibling_etrecord(const std::string& path) {
  std::filesystem::path replaced(path);
  replaced.replace_extension(".etrecord");
  for (const std::string& candidate : {replaced.string(), path + ".etrecord"}) {
    std::error_code ignored;
    if (candidate != path && std::filesystem::is_regular_file(candidate, ignored)) return candidate;
  }
  return std::nullopt;
}

Result<Trace> open_trace(const std::string& path, const OpenOptions& options) {
  ACCELSCOPE_TRY(const MappedFile file, open_unpacked(path));
  const Reader* reader = reader_for(file.text());
  if (reader == nullptr) return unknown_format(file);
  ACCELSCOPE_TRY(Trace trace, takes_chip_files(*reader) ? read_chip_run(file, path, options)
                                                        : reader->read(file, options.read));
  trace = note_oddities(std::move(trace), *reader, path, options);
  if (!takes_etrecord(*reader)) return trace;
  return add_names(std::move(trace), path, options);
}

namespace {

bool is_chip_recording(const std::string& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  return file && capture::looks_like_capture(file->text()) && chip_run::is_recording(*file);
}

// The one among several files of the same kind that a directory holds.
Result<std::optional<std::string>> only_one(std::vector<std::string> files, const std::string& directory,
                                            std::string_view kind) {
  if (files.empty()) return std::optional<std::string>();
  if (files.size() == 1) return std::optional(std::move(files.front()));
  std::sort(files.begin(), files.end());
  for (std::string& path : files) path = std::filesystem::path(path).filename().string();
  return base::fail_at(Location::of_file(directory), ErrorCode::kUsage,
                       "holds {} {}: {}; give one of them instead of the directory", files.size(), kind,
                       fmt::join(files, ", "));
}

}  // namespace

Result<std::optional<std::string>> run_in(const std::string& directory) {
  namespace fs = std::filesystem;
  std::vector<std::string> recordings;
  std::vector<std::string> swimlanes;
  std::error_code error;
  for (auto entry = fs::directory_iterator(directory, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string path = entry->path().string();
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    if (path.ends_with(".astrace") && is_chip_recording(path)) recordings.push_back(path);
    if ((path.ends_with(".json") || path.ends_with(".json.gz")) && is_chip_swimlane(path))
      swimlanes.push_back(path);
  }
  if (!recordings.empty()) return only_one(std::move(recordings), directory, "recordings");
  std::error_code ignored;
  const fs::path first_round = fs::path(directory) / "round-1";
  if (swimlanes.empty() && fs::is_directory(first_round, ignored))
    return base::fail_at(Location::of_file(directory), ErrorCode::kUsage,
                         "holds the rounds of a run, each in a directory of its own: give one, such as {}",
                         first_round.string());
  return only_one(std::move(swimlanes), directory, "chip swimlanes");
}

base::Status enter_run_directories(std::vector<std::string>& paths) {
  for (std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) continue;
    ACCELSCOPE_TRY(std::optional<std::string> run, run_in(path));
    if (run) path = *std::move(run);
  }
  return {};
}

std::vector<std::string> sibling_files(const std::string& path, const OpenOptions& options) {
  std::vector<std::string> files;
  if (!options.find_siblings) return files;
  if (const auto record = sibling_etrecord(path)) files.push_back(*record);
  if (is_chip_swimlane(path))
    for (const std::string& found : chip_run::search_siblings(path, options.chip_files).found)
      if (!found.empty()) files.push_back(found);
  return files;
}

base::Status take_siblings(std::vector<std::string>& paths, OpenOptions& options) {
  if (paths.size() < 2) return {};
  const bool any_swimlane = std::any_of(paths.begin(), paths.end(), is_chip_swimlane);
  std::vector<std::string> traces;
  for (const std::string& path : paths) {
    std::string* place = nullptr;
    std::string_view holds = "ETRecord";
    if (is_etrecord(path)) {
      place = &options.etrecord;
    } else if (const auto kind = any_swimlane ? chip_run::sibling_kind_of_file(path) : std::nullopt) {
      place = &chip_run::path_of(options.chip_files, *kind);
      holds = chip_run::sibling_info(*kind).format;
    }
    if (place == nullptr) {
      traces.push_back(path);
    } else if (place->empty()) {
      *place = path;
    } else {
      return base::fail_at(Location::of_file(path), ErrorCode::kUsage,
                           "is a second {}; only one can be used at a time", holds);
    }
  }
  paths = std::move(traces);
  return {};
}

Result<Trace> open_traces(std::span<const std::string> paths, const OpenOptions& options) {
  OpenOptions with_record = options;
  std::vector<std::string> traces(paths.begin(), paths.end());
  ACCELSCOPE_CHECK(enter_run_directories(traces));
  ACCELSCOPE_CHECK(take_siblings(traces, with_record));
  if (traces.empty()) return base::fail(ErrorCode::kUsage, "no trace among the inputs");
  if (traces.size() == 1) return open_trace(traces.front(), with_record);
  trace::TraceBuilder builder;
  const std::vector<std::string> labels = labels_of(traces);
  Beginning reference;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    ACCELSCOPE_TRY(const Trace part, open_trace(traces[i], with_record));
    const Beginning beginning = beginning_of(part, builder, builder.append(part, labels[i]));
    if (i == 0)
      reference = beginning;
    else
      align_at_first_slices(builder, reference, beginning);
  }
  return std::move(builder).finish();
}

}  // namespace accelscope::formats::open
