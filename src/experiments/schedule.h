// The order in which the processes of a config run.
//
// Interleaved (the default): each timing experiment's runs are split into rounds, and the experiments that
// are compared with each other take turns, forwards in one round and backwards in the next (A B, B A, A B,
// ...), so that a machine that becomes slower meanwhile is slower for all of them alike. Sequential: one
// experiment after the other, as the kit does. Trace runs come last: nothing is timed after them.
//
// A pure function of the config; the same config and options give the same steps.
//
//   const std::vector<Step> steps = make_schedule(config, {});
//   for (const Step& step : steps) use(config.experiments[step.experiment], step.threads, step.round);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "experiments/config.h"

namespace accelscope::experiments {

enum class Order : std::uint8_t { kInterleaved, kSequential };
enum class WarmUp : std::uint8_t {
  kInProcess,        // further executions at the beginning of each process, left out of the figures
  kSeparateProcess,  // a process of its own before each, as the kit does; the first timed execution is cold
};
std::string_view order_name(Order order);
std::string_view warm_up_name(WarmUp warm_up);

struct ScheduleOptions {
  Order order = Order::kInterleaved;
  // Processes per timing experiment and thread count, at most one per run; without it, 5 when interleaved and
  // 1 when sequential.
  std::optional<std::int64_t> rounds = std::nullopt;
  WarmUp warm_up = WarmUp::kInProcess;
};
inline constexpr std::int64_t kDefaultRounds = 5;

// One process (and, with WarmUp::kSeparateProcess, the one before it).
struct Step {
  std::size_t experiment = 0;  // its place in the config
  std::int64_t threads = 1;
  Mode mode = Mode::kTiming;
  std::int64_t round = 0;  // from 0
  std::int64_t rounds = 1;
  std::int64_t runs = 1;             // executions that count
  std::int64_t warmup = 0;           // executions before them in the same process
  std::int64_t separate_warmup = 0;  // executions in a process of their own

  bool operator==(const Step&) const = default;
};

std::vector<Step> make_schedule(const Config& config, const ScheduleOptions& options);

// "<model stem>_<experiment>_t<threads>", and "_r<round>" (from 1) when there are several.
std::string file_prefix(const Config& config, const Step& step);

// Whether each experiment takes part; an unknown name is an error with a suggestion. No names: all do.
base::Result<std::vector<bool>> selected_experiments(const Config& config,
                                                     const std::vector<std::string>& only);

}  // namespace accelscope::experiments
