#include "jobs/reference_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "compat/reference_critical_path.h"
#include "compat/reference_overhead.h"
#include "compat/reference_statistics.h"

namespace accelscope::jobs {

base::Status check_one_chip_run(const trace::Trace& trace) {
  if (!trace::is_chip_run(trace))
    return base::fail(base::ErrorCode::kUsage,
                      "the reference's layout and model are for recordings of a chip, which this is not");
  const auto runs =
      std::count_if(trace.sources().begin(), trace.sources().end(),
                    [](const trace::SourceFile& source) { return source.format == "chip-swimlane"; });
  if (runs > 1)
    return base::fail(base::ErrorCode::kUsage,
                      "the reference's layout and model are of one recording, not of {} together", runs);
  return {};
}

base::Result<std::string> reference_model(const std::vector<std::string>& inputs,
                                          const formats::open::OpenOptions& options) {
  if (inputs.empty()) return base::fail(base::ErrorCode::kUsage, "no input given");
  ACCELSCOPE_TRY(const trace::Trace trace, formats::open::open_traces(inputs, options));
  ACCELSCOPE_CHECK(check_one_chip_run(trace));
  const compat::ReferenceRun run = compat::reference_run(trace);
  std::string text;
  std::string recording = inputs.front();
  for (const trace::SourceFile& source : trace.sources()) {
    if (source.format == "chip-swimlane") {
      recording = source.path;
      text += fmt::format("Perf data:  {}\n", source.path);
    }
    if (source.format == "deps") text += fmt::format("Deps JSON:  {}\n", source.path);
  }
  if (run.has_dispatch_times) text += compat::reference_overhead_text(compat::reference_overhead(run));
  text += '\n' + compat::reference_statistics_text(compat::reference_statistics(run));
  const std::string rank = std::filesystem::absolute(recording).parent_path().filename().string();
  text += '\n' + compat::reference_critical_path_text(compat::reference_critical_path(run), run, rank);
  return text;
}

}  // namespace accelscope::jobs
