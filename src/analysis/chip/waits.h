// What a part of a task waits for on its way: submit, ready, dispatch, receive, start, end, finish, resolve.
//
// Every stage is measured over the parts that have both its ends recorded; n says how many. A stage that ends
// before it begins is counted apart: between ready and dispatch it is an early dispatch, elsewhere clocks
// that do not agree or a broken record. "Resolve" is the moment the scheduler thread that feeds the core had
// woken the consumers: the end of the resolve phase that follows the finish inside its complete phase, or of
// that complete phase where no resolve was recorded.
//
// Pure function of a read-only trace; the answer owns what it holds.
//
//   const Waits waits = wait_times(trace, chip, times);
//   const TickStats& queued = waits.overall[Stage::kReadyToDispatch];
//   if (queued.n > 0) show(queued.p90);
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/chip/task_times.h"
#include "analysis/chip/tick_stats.h"

namespace accelscope::analysis::chip {

enum class Stage : std::uint8_t {
  kSubmitToReady,
  kReadyToDispatch,
  kDispatchToReceive,
  kReceiveToStart,
  kStartToEnd,
  kEndToFinish,
  kFinishToResolve,
};
inline constexpr std::size_t kStages = 7;
// "submit to ready", ..., "finish to resolve".
std::string_view to_string(Stage stage);

struct StageStats {
  std::array<TickStats, kStages> stages = {};

  const TickStats& operator[](Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
  TickStats& operator[](Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
};

struct FunctionWaits {
  trace::StringId function = trace::StringId::kEmpty;
  std::uint64_t parts = 0;
  StageStats waits = {};
};

struct Waits {
  StageStats overall = {};
  std::vector<FunctionWaits> functions = {};  // most exec first, then by name, as in functions.h
};

Waits wait_times(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times);

}  // namespace accelscope::analysis::chip
