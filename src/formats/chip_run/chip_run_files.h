// The files of one run of a chip: which of them lie beside a swimlane, and what they hold together as one
// Trace (docs/trace-model.md, "A run of a chip").
//
// Siblings are recognised by what they hold, not by their names. Reading keeps nothing but its answer; each
// call is independent of others.
//
//   ACCELSCOPE_TRY(const trace::Trace trace, read_run_and_siblings(file, search_siblings(path, {})));
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/chip_run/recorded_pipes.h"
#include "formats/chip_run/recorder_account.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/deps/deps.h"
#include "formats/host_phases/host_phases.h"
#include "formats/name_map/name_map.h"
#include "formats/pmu_csv/pmu_csv.h"
#include "formats/scope_stats/scope_stats.h"
#include "formats/strace_log/strace_log.h"
#include "trace/trace.h"

namespace accelscope::formats::chip_run {

enum class SiblingKind : std::uint8_t { kDeps, kNames, kPmu, kScopeStats, kHostPhases, kLog };
inline constexpr std::size_t kSiblingKinds = 6;

struct SiblingInfo {
  std::string_view format;  // "deps", as sources and messages have it
  std::string_view holds;   // "dependencies"
  std::string_view option;  // "--deps"
  bool holds_times;         // whether it is a trace by itself
};
const SiblingInfo& sibling_info(SiblingKind kind);

// Which kind of sibling these first bytes are of, if any.
std::optional<SiblingKind> sibling_kind(std::string_view head);
// The same for a regular file, unpacked if it is gzip. Nothing for what cannot be read.
std::optional<SiblingKind> sibling_kind_of_file(const std::string& path);

// What a user names by hand; "" stands for: not given.
using SiblingPaths = std::array<std::string, kSiblingKinds>;
inline std::string& path_of(SiblingPaths& paths, SiblingKind kind) {
  return paths[static_cast<std::size_t>(kind)];
}
inline const std::string& path_of(const SiblingPaths& paths, SiblingKind kind) {
  return paths[static_cast<std::size_t>(kind)];
}

struct SiblingSearch {
  SiblingPaths given = {};
  SiblingPaths found = {};           // beside the swimlane; "" where one was given
  trace::QualityTable quality = {};  // two files that claim one place, too many files to look at
};

// Looks at the files with plausible endings in the swimlane's folder and in scope_stats/ below it.
SiblingSearch search_siblings(const std::string& swimlane_path, const SiblingPaths& given);

// Everything that was read beside the swimlane itself.
struct Siblings {
  std::optional<deps::Dependencies> deps = std::nullopt;
  std::optional<name_map::NameMap> names = std::nullopt;
  std::optional<pmu_csv::PmuTable> pmu = std::nullopt;
  std::optional<scope_stats::ScopeStats> scope_stats = std::nullopt;
  std::optional<host_phases::HostPhases> host_phases = std::nullopt;
  std::optional<strace_log::StraceLog> log = std::nullopt;
  std::optional<RecorderAccount> recorder = std::nullopt;  // of a recording only
  std::optional<PipeRecording> pipes = std::nullopt;       // of a recording only
  std::vector<trace::SourceFile> sources = {};
  trace::QualityTable quality = {};  // of the search, and of files found that cannot be read
};

// A file that was given must be what it was given as, and readable; one that was found and cannot be read is
// named in Quality.
base::Result<Siblings> read_siblings(const SiblingSearch& search);

// Takes the capture, whose rows are given up core by core while the trace grows.
base::Result<trace::Trace> make_chip_trace(chip_swimlane::Capture capture, const Siblings& siblings,
                                           const trace::SourceFile& source);

// The swimlane in `file`, with its siblings.
base::Result<trace::Trace> read_run(const base::MappedFile& file, const Siblings& siblings);
// The same with what a search found, which another thread reads meanwhile.
base::Result<trace::Trace> read_run_and_siblings(const base::MappedFile& file, const SiblingSearch& search);

}  // namespace accelscope::formats::chip_run
