// The names of the files in a run directory, as this program and all generations of the kit write them:
// "<model stem>_<experiment>_t<threads>", for one of several rounds "_r<round>", and an ending that tells
// what it is.
//
// A pure function of a name; the parts point into it.
//
//   const auto artifact = parse_artifact_name("toy_on_t4_r2_exec_all_runs_timeline.csv");
//   // kTimelineAll, subject "toy_on", 4 threads, round 2
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace accelscope::experiments {

enum class ArtifactKind : std::uint8_t {
  kEtdump,
  kTimelineAll,
  kTimelineRun0,
  kOpsStats,
  kKernelLog,
  kKernelsCsv,
  kLatencyLog,
};
// "ETDump", "timeline", ...: for messages.
std::string_view artifact_kind_name(ArtifactKind kind);

struct Artifact {
  ArtifactKind kind = ArtifactKind::kEtdump;
  std::string_view subject = {};  // "<model stem>_<experiment>", or "" for a bare name such as "kernels.csv"
  std::optional<std::int64_t> threads = {};
  std::optional<std::int64_t> round = {};
  bool legacy = false;  // a name that a newer one has replaced: CSV files without "_exec", bare names
  bool xtrace = false;  // recorded while another profiler watched
};

// Nothing for a file that is no such artifact: reports, statistics, single runs other than the first.
std::optional<Artifact> parse_artifact_name(std::string_view file_name);

}  // namespace accelscope::experiments
