#include "jobs/demo.h"

#include <fmt/format.h>

#include "accelscope/dfx_flags.h"
#include "device/pmu_events.h"
#include "jobs/convert.h"
#include "jobs/report.h"

namespace accelscope::jobs {

using base::Result;

namespace {

Result<DemoGraph> demo_graph(const std::string& folder, const std::string& version) {
  DemoGraph graph;
  ACCELSCOPE_TRY(graph.run, run_graph({.graph = "attention:heads=8,queries=256",
                                       .chip_swimlane = kMaxChipSwimlaneLevel,
                                       .deps = true,
                                       .scope_stats = true,
                                       .pmu = device::kDefaultPmuGroup,
                                       .replace = true,
                                       .folder = folder,
                                       .version = version}));
  if (graph.run.fault) return base::fail(base::ErrorCode::kInternal, "{}", graph.run.fault->text);
  ACCELSCOPE_TRY(ReportOutcome made, report({.input = {.inputs = {folder}},
                                             .out = folder + "/report.md",
                                             .picture = folder + "/run.pftrace",
                                             .version = version}));
  graph.report = std::move(made.findings);
  graph.files = std::move(made.files);
  return graph;
}

}  // namespace

Result<DemoOutcome> demo(const DemoOptions& options) {
  ACCELSCOPE_TRY(DemoRun run, write_demo_run(fmt::format("{}/run", options.folder)));
  ACCELSCOPE_TRY(ReportOutcome made,
                 report({.input = {.inputs = {run.folder}, .title = "Profiling Report: toy"},
                         .version = options.version}));
  ACCELSCOPE_TRY(trace::Trace trace, formats::open::open_trace(run.candidate, {}));
  DemoOutcome outcome{
      std::move(trace), std::move(run), std::move(made.findings), std::move(made.files), {}, {}, {}};
  for (const OutputFormatInfo& info : output_formats()) {
    if (info.source != OutputSource::kAnyTrace) continue;
    const std::string_view ending = info.endings.front();
    const std::string path =
        fmt::format("{}/toy{}{}", options.folder, ending.front() == '.' ? "" : "_", ending);
    ACCELSCOPE_TRY(
        const ConvertOutcome converted,
        write_trace(outcome.trace, info.format, {.inputs = {outcome.run.candidate}, .output = path}));
    outcome.files.push_back({path, fmt::format("{}: open with {}", info.description, info.viewer)});
  }
  ACCELSCOPE_TRY(outcome.chip, demo_chip({.folder = options.folder + "/chip", .version = options.version}));
  ACCELSCOPE_TRY(outcome.graph, demo_graph(options.folder + "/graph", options.version));
  ACCELSCOPE_TRY(outcome.board,
                 demo_board({.folder = options.folder + "/board", .version = options.version}));
  return outcome;
}

}  // namespace accelscope::jobs
