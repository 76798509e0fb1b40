#include "jobs/reference_model.h"

#include <fmt/format.h>

#include <filesystem>

#include "compat/reference_critical_path.h"
#include "compat/reference_overhead.h"
#include "compat/reference_statistics.h"

namespace accelscope::jobs {

base::Result<std::string> reference_model(const std::vector<std::string>& inputs,
                                          const formats::open::OpenOptions& options) {
  if (inputs.size() != 1)
    return base::fail(base::ErrorCode::kUsage, "--model reference takes one recording of a chip, not {}",
                      inputs.size());
  ACCELSCOPE_TRY(const trace::Trace trace, formats::open::open_traces(inputs, options));
  if (!trace::is_chip_run(trace))
    return base::fail_at(base::Location::of_file(inputs.front()), base::ErrorCode::kUsage,
                         "is no recording of a chip: --model reference has nothing to say about it");
  const compat::ReferenceRun run = compat::reference_run(trace);
  std::string text = fmt::format("Perf data:  {}\n", inputs.front());
  for (const trace::SourceFile& source : trace.sources())
    if (source.format == "deps") text += fmt::format("Deps JSON:  {}\n", source.path);
  if (run.has_dispatch_times) text += compat::reference_overhead_text(compat::reference_overhead(run));
  text += '\n' + compat::reference_statistics_text(compat::reference_statistics(run));
  const std::string rank = std::filesystem::absolute(inputs.front()).parent_path().filename().string();
  text += '\n' + compat::reference_critical_path_text(compat::reference_critical_path(run), run, rank);
  return text;
}

}  // namespace accelscope::jobs
