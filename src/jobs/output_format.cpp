#include "jobs/output_format.h"

#include <algorithm>

namespace accelscope::jobs {

std::span<const OutputFormatInfo> output_formats() {
  static const std::vector<OutputFormatInfo> kFormats{
      {OutputFormat::kPerfetto,
       "perfetto",
       {".pftrace", ".perfetto-trace", ".perfetto", ".pb"},
       "Perfetto protobuf",
       "https://ui.perfetto.dev"},
      {OutputFormat::kChrome,
       "chrome",
       {".json"},
       "Chrome trace JSON",
       "https://ui.perfetto.dev or chrome://tracing"},
      {OutputFormat::kTimelineCsv,
       "timeline-csv",
       {"timeline.csv", ".csv"},
       "timeline CSV of the profiling kit",
       "a spreadsheet"},
      {OutputFormat::kOpsCsv,
       "ops-csv",
       {"ops_stats.csv", "ops.csv"},
       "operator statistics CSV of the profiling kit",
       "a spreadsheet"},
      {OutputFormat::kFolded,
       "folded",
       {".folded", ".collapsed"},
       "folded stacks",
       "flamegraph.pl or https://www.speedscope.app"},
      {OutputFormat::kSpeedscope,
       "speedscope",
       {".speedscope.json", ".speedscope"},
       "speedscope JSON",
       "https://www.speedscope.app"},
      {OutputFormat::kAstrace,
       "astrace",
       {".astrace"},
       "AccelScope's own file of the whole trace",
       "accelscope"},
      {OutputFormat::kChipSwimlane,
       "chip-swimlane",
       {"chip_swimlane_records.json"},
       "swimlane of a chip's run, in cycles",
       "accelscope, or what reads the runtime's files",
       OutputSource::kChipRun},
      {OutputFormat::kChipSwimlaneObjects,
       "chip-swimlane-objects",
       {},
       "swimlane of a chip's run, as task objects in microseconds",
       "accelscope, or what reads the runtime's old files",
       OutputSource::kChipRun},
      {OutputFormat::kDeps,
       "deps",
       {"deps.json"},
       "dependencies of a chip's run",
       "accelscope, with the swimlane",
       OutputSource::kChipRun},
      {OutputFormat::kNameMap,
       "name-map",
       {"name_map.json"},
       "names of a chip's functions",
       "accelscope, with the swimlane",
       OutputSource::kChipRun},
      {OutputFormat::kTensorDump,
       "tensor-dump",
       {},
       "arguments of a chip's tasks, with their bytes",
       "what reads the runtime's dumps",
       OutputSource::kRecording},
  };
  return kFormats;
}

const OutputFormatInfo& info_of(OutputFormat format) {
  const auto formats = output_formats();
  return *std::find_if(formats.begin(), formats.end(),
                       [&](const OutputFormatInfo& info) { return info.format == format; });
}

std::optional<OutputFormat> output_format_named(std::string_view name) {
  for (const OutputFormatInfo& info : output_formats())
    if (info.name == name) return info.format;
  return std::nullopt;
}

std::optional<OutputFormat> output_format_for_path(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  std::optional<OutputFormat> best;
  std::size_t best_length = 0;
  for (const OutputFormatInfo& info : output_formats())
    for (const std::string_view ending : info.endings)
      if (path.ends_with(ending) && ending.size() > best_length) {
        best = info.format;
        best_length = ending.size();
      }
  return best;
}

}  // namespace accelscope::jobs
