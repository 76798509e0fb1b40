#include "formats/chip_swimlane/join.h"

#include <algorithm>
#include <numeric>

namespace accelscope::formats::chip_swimlane {
namespace {

// Positions of the scheduler's rows by increasing number, each number once.
std::vector<std::size_t> order_of(const SchedulerRows& rows, JoinTrouble& trouble) {
  std::vector<std::size_t> order(rows.sequence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.sequence[a] < rows.sequence[b]; });
  const auto last = std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rows.sequence[a] == rows.sequence[b];
  });
  trouble.duplicate_scheduler_rows += static_cast<std::uint64_t>(order.end() - last);
  order.erase(last, order.end());
  return order;
}

void join_core(CoreRows& core, SchedulerRows rows, JoinTrouble& trouble) {
  if (core.sequence == rows.sequence) {
    core.dispatch = std::move(rows.dispatch);
    core.finish = std::move(rows.finish);
    return;
  }
  const std::vector<std::size_t> order = order_of(rows, trouble);
  core.dispatch.assign(core.sequence.size(), kNoTime);
  core.finish.assign(core.sequence.size(), kNoTime);
  std::uint64_t matched = 0;
  auto next = order.begin();
  for (std::size_t row = 0; row < core.sequence.size(); ++row) {
    while (next != order.end() && rows.sequence[*next] < core.sequence[row]) ++next;
    if (next == order.end() || rows.sequence[*next] != core.sequence[row]) continue;
    core.dispatch[row] = rows.dispatch[*next];
    core.finish[row] = rows.finish[*next];
    ++matched;
  }
  trouble.core_rows_unmatched += core.sequence.size() - matched;
  trouble.scheduler_rows_unmatched += order.size() - matched;
}

}  // namespace

JoinTrouble join_rows(std::vector<CoreRows>& cores, std::vector<SchedulerRows> scheduler_rows) {
  JoinTrouble trouble;
  if (cores.size() < scheduler_rows.size()) cores.resize(scheduler_rows.size());
  scheduler_rows.resize(cores.size());
  for (std::size_t core = 0; core < cores.size(); ++core)
    join_core(cores[core], std::move(scheduler_rows[core]), trouble);
  return trouble;
}

}  // namespace accelscope::formats::chip_swimlane
