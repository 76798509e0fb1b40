#include "experiments/artifact_names.h"

#include "experiments/text_lines.h"

namespace accelscope::experiments {
namespace {

struct Ending {
  std::string_view text;
  ArtifactKind kind;
  bool legacy = false;
  bool xtrace = false;
};

// The first that fits counts: longer ones come before those they end with.
constexpr Ending kEndings[] = {
    {"_xtrace.etdump", ArtifactKind::kEtdump, false, true},
    {".etdump", ArtifactKind::kEtdump},
    {".etdp", ArtifactKind::kEtdump, true},
    {"_exec_all_runs_timeline.csv", ArtifactKind::kTimelineAll},
    {"_xtrace_all_runs_timeline.csv", ArtifactKind::kTimelineAll, false, true},
    {"_all_runs_timeline.csv", ArtifactKind::kTimelineAll, true},
    {"_exec_run0_timeline.csv", ArtifactKind::kTimelineRun0},
    {"_xtrace_run0_timeline.csv", ArtifactKind::kTimelineRun0, false, true},
    {"_run0_timeline.csv", ArtifactKind::kTimelineRun0, true},
    {"_exec_ops_stats.csv", ArtifactKind::kOpsStats},
    {"_xtrace_ops_stats.csv", ArtifactKind::kOpsStats, false, true},
    {"_ops_stats.csv", ArtifactKind::kOpsStats, true},
    {"_xnntrace.log", ArtifactKind::kKernelLog},
    {"_kernels.csv", ArtifactKind::kKernelsCsv},
    {"_latency.log", ArtifactKind::kLatencyLog},
};

// Takes "_<letter><digits>" off the end of a text.
std::optional<std::int64_t> take_number(std::string_view& text, char letter) {
  const std::size_t digits = text.find_last_not_of("0123456789") + 1;
  if (digits < 2 || digits == text.size() || text[digits - 1] != letter || text[digits - 2] != '_')
    return std::nullopt;
  const auto number = number_in<std::int64_t>(text.substr(digits));
  if (number) text = text.substr(0, digits - 2);
  return number;
}

// CSV files made of "x.etdp" are called "x.etdp_exec_...".
std::string_view without_etdp(std::string_view text) {
  constexpr std::string_view kEnding = ".etdp";
  return text.ends_with(kEnding) ? text.substr(0, text.size() - kEnding.size()) : text;
}

// A round stands only behind a number of threads: an experiment may be called "fast_r2".
void split_subject(std::string_view text, Artifact& artifact) {
  std::string_view without_round = text;
  artifact.round = take_number(without_round, 'r');
  std::string_view without_threads = without_round;
  artifact.threads = take_number(without_threads, 't');
  if (!artifact.threads) {
    artifact.round = std::nullopt;
    without_threads = text;
  }
  artifact.subject = without_threads;
}

}  // namespace

std::string_view artifact_kind_name(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::kEtdump:
      return "ETDump";
    case ArtifactKind::kTimelineAll:
      return "timeline of all runs";
    case ArtifactKind::kTimelineRun0:
      return "timeline of run 0";
    case ArtifactKind::kOpsStats:
      return "operator statistics";
    case ArtifactKind::kKernelLog:
      return "kernel log";
    case ArtifactKind::kKernelsCsv:
      return "kernel table";
    case ArtifactKind::kLatencyLog:
      return "latency log";
  }
  return "file";
}

std::optional<Artifact> parse_artifact_name(std::string_view file_name) {
  for (const Ending& ending : kEndings) {
    // A bare name is an ending without what joins it to a prefix: "kernels.csv".
    const bool bare = ending.text.front() == '_' && file_name == ending.text.substr(1);
    if (!bare && (!file_name.ends_with(ending.text) || file_name.size() == ending.text.size())) continue;
    Artifact artifact{.kind = ending.kind, .legacy = ending.legacy || bare, .xtrace = ending.xtrace};
    if (!bare)
      split_subject(without_etdp(file_name.substr(0, file_name.size() - ending.text.size())), artifact);
    return artifact;
  }
  return std::nullopt;
}

}  // namespace accelscope::experiments
