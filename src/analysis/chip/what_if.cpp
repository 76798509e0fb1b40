#include "analysis/chip/what_if.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analysis/chip/schedule_model.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::StringId;
using trace::Trace;

constexpr std::array<std::string_view, kEngines> kEngineNames = {trace::engine::kCube,
                                                                 trace::engine::kVector};

// Work of an engine spread evenly over its cores, rounded up.
Ticks work_bound(const ScheduleModel& model, std::size_t engine) {
  base::Int128 work = 0;
  std::int64_t cores = 0;
  for (const ModelCore& core : model.cores) cores += core.engine == engine ? 1 : 0;
  for (const ModelPart& part : model.parts)
    if (model.cores[part.core].engine == engine) work += part.length;
  return cores == 0 ? Ticks{} : Ticks{base::floor_divide(work + cores - 1, cores)};
}

std::vector<StringId> longest_functions(const Trace& trace, const ScheduleModel& model, std::size_t most) {
  std::unordered_map<StringId, std::int64_t> time;
  for (const ModelPart& part : model.parts) time[part.function] += part.length;
  std::vector<std::pair<StringId, std::int64_t>> functions(time.begin(), time.end());
  std::sort(functions.begin(), functions.end(), [&](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : trace.text(a.first) < trace.text(b.first);
  });
  functions.resize(std::min(most, functions.size()));
  std::vector<StringId> result;
  result.reserve(functions.size());
  for (const auto& [function, length] : functions) result.push_back(function);
  return result;
}

// `observed` in the ratio of `changed` to `unchanged`.
Ticks in_ratio(Ticks observed, Ticks changed, Ticks unchanged) {
  if (unchanged <= Ticks{}) return changed;
  return Ticks{base::floor_divide(base::Int128{observed.value} * changed.value, unchanged.value)};
}

std::vector<std::pair<WhatIfAnswer, Change>> questions(const Trace& trace, const ScheduleModel& model,
                                                       const WhatIf& result, const WhatIfOptions& options) {
  std::vector<std::pair<WhatIfAnswer, Change>> all;
  for (const StringId function : longest_functions(trace, model, options.functions))
    all.push_back({{.question = Question::kFasterFunction, .function = function, .speedup = options.speedup},
                   {.faster = function, .speedup = options.speedup}});
  if (result.has_submissions && result.has_dependencies) {
    all.push_back({{.question = Question::kNoSchedulerCost}, {.no_scheduler_cost = true}});
    all.push_back({{.question = Question::kNoSubmissionCost}, {.no_submission_cost = true}});
  }
  for (std::size_t engine = 0; engine < kEngines; ++engine) {
    const bool is_used = std::any_of(model.parts.begin(), model.parts.end(), [&](const ModelPart& part) {
      return model.cores[part.core].engine == engine;
    });
    if (is_used)
      all.push_back(
          {{.question = Question::kOneMoreCore, .engine = kEngineNames[engine]}, {.extra_core = engine}});
  }
  return all;
}

}  // namespace

double WhatIf::calibration() const {
  if (observed.value <= 0) return 0;
  return static_cast<double>(simulated.value - observed.value) / static_cast<double>(observed.value);
}

double WhatIf::saving(const WhatIfAnswer& answer) const {
  if (observed.value <= 0) return 0;
  return 1 - static_cast<double>(answer.estimate.value) / static_cast<double>(observed.value);
}

bool WhatIf::is_beyond_error(const WhatIfAnswer& answer) const {
  return std::abs(saving(answer)) > std::abs(calibration());
}

WhatIf what_if(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
               const WhatIfOptions& options) {
  WhatIf result;
  result.has_submissions = times.has_submit();
  result.has_dependencies = chip.dependencies_recorded;
  const std::uint32_t tasks = trace.tasks().size();
  if (tasks > options.most_tasks || (tasks > 0 && !times.has_tasks())) {
    result.state = WhatIfState::kTooManyTasks;
    return result;
  }
  const ScheduleModel model = schedule_model(trace, chip, times);
  if (model.parts.empty()) return result;
  result.state = WhatIfState::kAnswered;
  result.observed = model.observed;
  result.simulated = simulate(model, {}).makespan;
  const StaticPath chain = static_path(trace, chip);
  result.dependency_bound = chain.length;
  result.tasks_on_cycles = chain.tasks_on_cycles;
  result.cube_bound = work_bound(model, kCubeEngine);
  result.vector_bound = work_bound(model, kVectorEngine);
  for (auto& [answer, change] : questions(trace, model, result, options)) {
    answer.simulated = simulate(model, change).makespan;
    answer.estimate = in_ratio(result.observed, answer.simulated, result.simulated);
    result.answers.push_back(answer);
  }
  return result;
}

}  // namespace accelscope::analysis::chip
