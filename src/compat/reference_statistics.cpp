#include "compat/reference_statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "compat/python_text.h"
#include "compat/reference_labels.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

std::string_view level_words(int level) {
  switch (level) {
    case 1:
      return "AICore timing only";
    case 2:
      return "AICore and AICPU timing";
    case 3:
      return "AICore and AICPU timing with scheduler phases";
    default:
      return "full collection with orchestrator phases";
  }
}

// Numbers of the vector cores that are the first of the two of their cluster, sorted.
std::vector<std::int64_t> first_vector_cores(const ReferenceRun& run) {
  std::vector<std::int64_t> first;
  bool next_is_first = true;
  for (const trace::ChipCore& core : run.chip.cores) {
    if (core.engine == trace::engine::kCube) continue;
    if (next_is_first) first.push_back(core.number);
    next_is_first = !next_is_first;
  }
  return first;
}

// The row whose function the reference takes for this one's.
const ReferenceRow& namesake(const ReferenceRun& run, const ReferenceRow& row,
                             const std::vector<std::int64_t>& first) {
  const auto on_first = [&](const ReferenceRow& other) {
    return !other.cube && std::binary_search(first.begin(), first.end(), other.core);
  };
  if (row.cube || on_first(row)) return row;
  const std::span<const ReferenceRow> rows = run.rows_of(row.task);
  const auto found = std::find_if(rows.begin(), rows.end(), on_first);
  return found == rows.end() ? row : *found;
}

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

ReferenceStatistics reference_statistics(const ReferenceRun& run) {
  ReferenceStatistics statistics{.level = run.chip.level, .has_dispatch_times = run.has_dispatch_times};
  const std::vector<std::int64_t> first = first_vector_cores(run);
  std::map<std::int32_t, FunctionStatistics> functions;
  Ticks from = Ticks::max();
  Ticks to = Ticks::min();
  for (const ReferenceRow& row : run.rows) {
    const ReferenceRow& named = namesake(run, row, first);
    FunctionStatistics& function = functions[named.function];
    if (function.count++ == 0) {
      function.function = named.function;
      function.name = function_name(run.trace->text(named.name), named.function);
    }
    const double receive = run.clock.us(row.receive);
    const double start = run.clock.us(row.start);
    const double end = run.clock.us(row.end);
    function.exec += end - start;
    function.local += start - receive;
    from = std::min(from, run.has_dispatch_times ? row.dispatch : row.receive);
    to = std::max(to, run.has_dispatch_times ? row.finish : row.end);
    if (!run.has_dispatch_times) continue;
    const double dispatch = run.clock.us(row.dispatch);
    const double finish = run.clock.us(row.finish);
    function.latency += finish - dispatch;
    function.head += start - dispatch;
    function.tail += finish - end;
    function.propagation += receive - dispatch;
  }
  if (!run.rows.empty()) statistics.span = run.clock.us(to) - run.clock.us(from);
  for (auto& [number, function] : functions) statistics.functions.push_back(std::move(function));
  return statistics;
}

std::string reference_statistics_text(const ReferenceStatistics& statistics) {
  const std::string rule = fmt::format("{:=<140}\n", "");
  const std::string thin_rule = fmt::format("{:-<140}\n", "");
  std::string text = rule + "Task Statistics by Function\n";
  text += fmt::format("  Source chip_swimlane_level: {} ({}; recorded in chip_swimlane_records.json)\n",
                      statistics.level, level_words(statistics.level));
  text +=
      "  Exec = kernel time on AICore; Latency = dispatch->finish (incl. head OH + Exec + tail OH)\n"
      "  Head OH split (v3): Prop = NoC propagation (dispatch_ts→AICore receive); Local = dcci+ack "
      "(receive→start)\n";
  text += rule;
  text +=
      "Func_ID  Func_Name    Count   Avg Exec(us)  Avg Latency(us)   Exec%   Avg Head OH(us)  Avg Tail "
      "OH(us)  "
      "Avg Prop(us)  Avg Local(us)\n";
  text += thin_rule;
  FunctionStatistics total;
  for (const FunctionStatistics& function : statistics.functions) {
    const auto count = static_cast<double>(function.count);
    text += fmt::format(
        "{:<8} {} {:>5} {:>14.2f} {:>16.2f} {:>6.1f}% {:>17.2f} {:>16.2f} {:>13.2f} {:>14.2f}\n",
        function.function, padded(function.name, 12), function.count, function.exec / count,
        function.latency / count, 100 * ratio(function.exec, function.latency), function.head / count,
        function.tail / count, function.propagation / count, function.local / count);
    total.count += function.count;
    total.exec += function.exec;
    total.latency += function.latency;
  }
  text += thin_rule;
  text += fmt::format("{:<8} {:<12} {:>5} {:>14.2f} {:>16.2f}\n\n", "TOTAL", "", total.count, total.exec,
                      total.latency);
  if (!statistics.has_dispatch_times)
    return text + fmt::format("AICore Observed Span: {:.2f} us (from earliest receive to latest end)\n",
                              statistics.span);
  const auto count = static_cast<double>(std::max<std::uint64_t>(total.count, 1));
  text += fmt::format("Total Test Time: {:.2f} us (from earliest dispatch to latest finish)\n\n",
                      statistics.span);
  text += "--- Task execution vs Scheduler overhead ---\n";
  text += fmt::format(
      "  Per-task (all):  Avg Exec = {:.2f} us,  Avg Latency (dispatch->finish) = {:.2f} us,  Exec/Latency = "
      "{:.2f}%\n",
      total.exec / count, total.latency / count, 100 * ratio(total.exec, total.latency));
  text += "  (Latency = dispatch→finish; Exec = AICore kernel time per task)\n";
  return text + fmt::format("{:=<110}\n", "");
}

}  // namespace accelscope::compat
