// The files of one run of a chip: which of them lie beside a swimlane, and what they hold together as one
// Trace (docs/trace-model.md, "A run of a chip").
//
// Siblings are recognised by what they hold, not by their names. Reading keeps nothing but its answer.
//
//   ChipRunFiles files;
//   files.deps = read...;
//   ACCELSCOPE_TRY(const trace::Trace trace, make_chip_trace(std::move(capture), files, file));
#pragma once

#include <optional>
#include <string>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/deps/deps.h"
#include "formats/host_phases/host_phases.h"
#include "formats/name_map/name_map.h"
#include "formats/pmu_csv/pmu_csv.h"
#include "formats/scope_stats/scope_stats.h"
#include "formats/strace_log/strace_log.h"
#include "trace/trace.h"

namespace accelscope::formats::chip_run {

// What a user may name by hand; "" stands for: look beside the swimlane.
struct SiblingPaths {
  std::string deps = {};
  std::string names = {};
  std::string pmu = {};
  std::string scope_stats = {};
  std::string host_phases = {};
  std::string log = {};
};

// Everything that was read beside the swimlane itself.
struct Siblings {
  std::optional<deps::Dependencies> deps = std::nullopt;
  std::optional<name_map::NameMap> names = std::nullopt;
  std::optional<pmu_csv::PmuTable> pmu = std::nullopt;
  std::optional<scope_stats::ScopeStats> scope_stats = std::nullopt;
  std::optional<host_phases::HostPhases> host_phases = std::nullopt;
  std::optional<strace_log::StraceLog> log = std::nullopt;
  std::vector<trace::SourceFile> sources = {};
  trace::QualityTable quality = {};  // of the search: two files that claim one place, one that cannot be read
};

// Paths given by hand must be readable; what is found beside the swimlane is used if it can be, else named in
// Quality.
base::Result<Siblings> find_siblings(const std::string& swimlane_path, const SiblingPaths& given,
                                     bool search);

// Takes the capture, whose rows are given up core by core while the trace grows.
base::Result<trace::Trace> make_chip_trace(chip_swimlane::Capture capture, const Siblings& siblings,
                                           const trace::SourceFile& source);

}  // namespace accelscope::formats::chip_run
