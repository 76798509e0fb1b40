#include "formats/open/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/join.h"
#include "formats/open/gzip.h"
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

Result<MappedFile> open_unpacked(const std::string& path) {
  ACCELSCOPE_TRY(MappedFile file, MappedFile::open(path));
  if (!looks_like_gzip(file.text())) return file;
  return gunzip(file);
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
  return base::fail_at(where, ErrorCode::kUnknownFormat, "is not a trace that can be read; known formats:{}",
                       known_formats());
}

// "model.etrecord" beside "model.etdump", or "model.etdump.etrecord".
std::optional<std::string> sibling_etrecord(const std::string& path) {
  std::filesystem::path replaced(path);
  replaced.replace_extension(".etrecord");
  for (const std::string& candidate : {replaced.string(), path + ".etrecord"}) {
    std::error_code ignored;
    if (candidate != path && std::filesystem::is_regular_file(candidate, ignored)) return candidate;
  }
  return std::nullopt;
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

void note_unrelated_clocks(trace::TraceBuilder& builder) {
  builder.quality().add(
      {.id = "open.unrelated_clocks",
       .severity = trace::Severity::kInfo,
       .sentence =
           "The inputs have clocks of their own: each is drawn from its own zero, and times of different "
           "inputs cannot be compared."});
}

}  // namespace

Result<Trace> open_trace(const std::string& path, const OpenOptions& options) {
  ACCELSCOPE_TRY(const MappedFile file, open_unpacked(path));
  const Reader* reader = reader_for(file.text());
  if (reader == nullptr) return unknown_format(file);
  ACCELSCOPE_TRY(Trace trace, reader->read(file, options.read));
  if (!takes_etrecord(*reader)) return trace;
  return add_names(std::move(trace), path, options);
}

Result<Trace> open_traces(std::span<const std::string> paths, const OpenOptions& options) {
  OpenOptions with_record = options;
  std::vector<std::string> traces;
  for (const std::string& path : paths) {
    if (paths.size() == 1 || !is_etrecord(path)) {
      traces.push_back(path);
    } else if (with_record.etrecord.empty()) {
      with_record.etrecord = path;
    } else {
      return base::fail_at(Location::of_file(path), ErrorCode::kUsage,
                           "is a second ETRecord; only one can be used at a time");
    }
  }
  if (traces.empty()) return base::fail(ErrorCode::kUsage, "no trace among the inputs");
  if (traces.size() == 1) return open_trace(traces.front(), with_record);
  trace::TraceBuilder builder;
  const std::vector<std::string> labels = labels_of(traces);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    ACCELSCOPE_TRY(const Trace part, open_trace(traces[i], with_record));
    builder.append(part, labels[i]);
  }
  note_unrelated_clocks(builder);
  return std::move(builder).finish();
}

}  // namespace accelscope::formats::open
