#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "compat/python_text.h"
#include "compat/reference_overhead.h"

namespace accelscope::compat {
namespace {

constexpr std::array<std::string_view, kEngineCount> kEngineNames = {"C (AIC)", "V (AIV)"};

double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

void add_rule(std::string& text) {
  text += fmt::format("{:=<90}\n", "");
}

void add_title(std::string& text, std::string_view title) {
  text += '\n';
  add_rule(text);
  text += fmt::format("{}\n", title);
  add_rule(text);
}

std::string_view verdict_sentence(double overhead) {
  if (overhead >= 25)
    return "SCHEDULER-BOUND — a free core has ready, undispatched work for much of the makespan.";
  if (overhead >= 8)
    return "PARTIALLY SCHEDULER-BOUND — a free core has ready, undispatched work for part of the makespan.";
  return "COMPUTE/DEPENDENCY-BOUND — little reducible scheduler overhead.";
}

void add_verdict(std::string& text, const OverheadVerdict& verdict) {
  add_title(text, "Part 1: Overhead verdict  (idle core + ready, undispatched work — share of makespan)");
  text += fmt::format("  Total tasks: {}   window: {:.1f} us  (first start -> last end)\n", verdict.tasks,
                      verdict.window);
  text += "  Per-engine overhead:";
  for (std::size_t engine = 0; engine < kEngineCount; ++engine)
    if (verdict.has_engine[engine])
      text += fmt::format("{}{} {:.1f}%", text.ends_with(':') ? " " : "  ", kEngineNames[engine],
                          percent(verdict.engine[engine], verdict.window));
  text += fmt::format(
      "\n  System: all_overhead {:.1f}% (every engine blocked)  |  has_overhead {:.1f}% (every working "
      "engine "
      "starved)\n",
      percent(verdict.all, verdict.window), percent(verdict.working, verdict.window));
  text +=
      "  overhead(T) = idle T-core AND a ready, undispatched T-task (a MIX task counts for both).\n"
      "  An engine with no ready work is NOT overhead — its idle is dependency-mandated progress.\n";
  text += fmt::format("  -> {}\n", verdict_sentence(percent(verdict.working, verdict.window)));
}

double smallest(const EngineSwitches& switches) {
  return *std::min_element(switches.per_core.begin(), switches.per_core.end());
}

void add_switch_bound(std::string& text, const std::array<EngineSwitches, kEngineCount>& all, double window) {
  double lower = -1;
  double upper = 0;
  for (const EngineSwitches& switches : all) {
    if (!switches.present) continue;
    lower = lower < 0 ? smallest(switches) : std::min(lower, smallest(switches));
    upper += smallest(switches);
  }
  lower = std::max(lower, 0.0);
  text += fmt::format("  makespan switch bound: [{:.2f}, {:.2f}] us  ({:.2f}% .. {:.2f}% of makespan)\n",
                      lower, upper, percent(lower, window), percent(upper, window));
}

void add_switches(std::string& text, const ReferenceOverhead& overhead) {
  add_title(text, "Part 2: aicore switch  (gap [prev_end, start] when dispatch < prev_end; PER CORE)");
  text +=
      "  Each switch is the core picking up an already-dispatched task (~sub-us). Reported\n"
      "  per core (NOT summed over cores — switches overlap). A switch is 'overhead' when the\n"
      "  engine has other ready work that instant, else 'independent'. makespan bound:\n"
      "  lower = min over all cores, upper = sum of per-engine minima.\n\n"
      "  Engine      Cores   min/core  mean/core   max/core  n events  us/event\n";
  text += fmt::format("  {:-<74}\n", "");
  for (std::size_t engine = 0; engine < kEngineCount; ++engine) {
    const EngineSwitches& switches = overhead.switches[engine];
    if (!switches.present) continue;
    const auto cores = static_cast<double>(switches.per_core.size());
    const double mean = std::accumulate(switches.per_core.begin(), switches.per_core.end(), 0.0) / cores;
    const double largest = *std::max_element(switches.per_core.begin(), switches.per_core.end());
    const double each = switches.events > 0 ? switches.total / static_cast<double>(switches.events) : 0;
    text += fmt::format("  {:<10}{:>7}{:>9.1f}us{:>9.1f}us{:>9.1f}us{:>10}{:>8.2f}us\n", kEngineNames[engine],
                        switches.per_core.size(), smallest(switches), mean, largest, switches.events, each);
  }
  text += '\n';
  for (std::size_t engine = 0; engine < kEngineCount; ++engine) {
    const EngineSwitches& switches = overhead.switches[engine];
    if (switches.events == 0) continue;
    const double during = percent(switches.during_overhead, switches.total);
    text += fmt::format("    {} switch split: {:.0f}% during overhead, {:.0f}% independent\n",
                        kEngineNames[engine], during, 100 - during);
  }
  add_switch_bound(text, overhead.switches, overhead.verdict.window);
}

void add_distribution(std::string& text, std::string_view name, const OverheadDistribution& distribution) {
  const std::vector<double>& sorted = distribution.sorted;
  text += fmt::format("\n  {} OH distribution (N={}):\n", name, sorted.size());
  if (sorted.empty()) return;
  for (const std::size_t p : {10U, 25U, 50U, 75U, 90U, 95U, 99U})
    text +=
        fmt::format("    P{}{:>11.2f} us\n", p, sorted[std::min(sorted.size() - 1, sorted.size() * p / 100)]);
  text += fmt::format("    Max:{:>10.2f} us\n", sorted.back());
  text += fmt::format("    Mean:{:>9.2f} us   Total:{:>11.1f} us\n",
                      distribution.total / static_cast<double>(sorted.size()), distribution.total);
}

double nanoseconds_per_loop(double total, std::uint64_t loops) {
  return loops > 0 ? total * 1000 / static_cast<double>(loops) : 0;
}

LoopThread sum_of(const LoopBudget& budget) {
  LoopThread sum;
  for (const LoopThread& thread : budget.threads) {
    sum.loops += thread.loops;
    sum.tasks += thread.tasks;
    sum.total += thread.total;
  }
  return sum;
}

void add_thread(std::string& text, std::string_view name, const LoopThread& thread) {
  text += fmt::format("  {:<8}{:>10}{:>11}{:>13.0f}{:>12.1f}\n", name, thread.loops, thread.tasks,
                      nanoseconds_per_loop(thread.total, thread.loops), thread.total);
}

void add_phases(std::string& text, const LoopBudget& budget, const LoopThread& sum) {
  text +=
      "\n  Phase (summed over threads)                              Total (us) % of total  Avg/task (us)\n";
  text += fmt::format("  {:-<93}\n", "");
  const auto add = [&](std::string_view name, double total) {
    text +=
        fmt::format("  {}{:>13.1f}{:>10.1f}%{:>15.2f}\n", padded(name, 54), total, percent(total, sum.total),
                    sum.tasks > 0 ? total / static_cast<double>(sum.tasks) : 0);
  };
  add("Complete (poll handshake, resolve deps)", budget.complete);
  add("AsyncPoll (async-wait completion: SDMA/RoCE/URMA/CCU)", budget.async_poll);
  add("Dispatch (pop queue, build payload, flush)", budget.dispatch);
  add("Idle (spinning, no progress — reconstructed from gaps)", budget.idle);
}

void add_degrees(std::string& text, std::string_view label, const DegreeCount& degrees, std::uint64_t tasks) {
  text += fmt::format("  {}: total edges={}, max_degree={}, avg_degree={:.1f}\n", label, degrees.edges,
                      degrees.max,
                      tasks > 0 ? static_cast<double>(degrees.edges) / static_cast<double>(tasks) : 0);
}

void add_insight(std::string& text, const ReferenceOverhead& overhead, const LoopThread& sum) {
  const LoopBudget& budget = overhead.loops;
  const double loop = nanoseconds_per_loop(sum.total, sum.loops);
  const auto rows = static_cast<double>(std::max<std::size_t>(overhead.tail.sorted.size(), 1));
  const double tail = overhead.tail.total / rows;
  const double loops_waited = loop > 0 ? tail * 1000 / loop : 0;
  const double hit_rate =
      percent(static_cast<double>(budget.pop_hits), static_cast<double>(budget.pop_hits + budget.pop_misses));
  text += fmt::format("\n  Pop: hit={}, miss={}, hit_rate={:.1f}%\n", budget.pop_hits, budget.pop_misses,
                      hit_rate);
  text += fmt::format("\n  Avg scheduler loop iteration: {:.0f} ns (approx avg polling interval per loop)\n",
                      loop);
  text += fmt::format("\n  Avg Tail OH = {:.1f} us ~= {:.1f} x avg loop iteration ({:.0f} ns)\n", tail,
                      loops_waited, loop);
  text +=
      fmt::format("  -> On average, a completed task waits ~{:.1f} loop iterations before being detected\n",
                  loops_waited);
  text += fmt::format("\n  Key insight: Dispatch phase consumes ~{:.0f}% of scheduler CPU.\n",
                      percent(budget.dispatch, sum.total));
  text += fmt::format("  Pop hit_rate={:.1f}%: {}\n", hit_rate,
                      hit_rate < 50 ? "low hit rate suggests ready queue often empty."
                                    : "high hit rate suggests ready queue usually has work.");
  text += "  Cache flush (dc cvac + dsb sy) is the dominant non-pop cost.\n";
}

void add_loops(std::string& text, const ReferenceOverhead& overhead) {
  const LoopBudget& budget = overhead.loops;
  add_title(text, fmt::format("Part 5: AICPU scheduler loop breakdown\n  {} scheduler threads",
                              budget.threads.size()));
  text += "\n  Thread       Loops      Tasks      ns/loop  Total (us)\n";
  text += fmt::format("  {:-<54}\n", "");
  for (const LoopThread& thread : budget.threads) add_thread(text, fmt::format("T{}", thread.number), thread);
  const LoopThread sum = sum_of(budget);
  add_thread(text, "SUM", sum);
  text += fmt::format("  FINs observed (Complete phase): {}\n", budget.finishes);
  add_phases(text, budget, sum);
  text += '\n';
  add_degrees(text, "Fanout (notify consumers)", budget.fanout, sum.tasks);
  add_degrees(text, "Fanin  (release producers)", budget.fanin, sum.tasks);
  add_insight(text, overhead, sum);
  add_rule(text);
}

void add_path(std::string& text, const LatencyPath& path) {
  add_title(text, "Part 6: Critical-path latency attribution");
  const double injected = percent(path.scheduler, path.span);
  text += fmt::format("  Makespan-determining path: {} hops, span {:.1f} us\n", path.hops, path.span);
  text += fmt::format("    Compute (exec) on path : {:.1f} us ({:.1f}%)\n", path.compute,
                      percent(path.compute, path.span));
  text += fmt::format("    Scheduler injected     : {:.1f} us ({:.1f}%)\n", path.scheduler, injected);
  text += fmt::format("    Other (dep wait on path): {:.1f} us\n",
                      std::max(0.0, path.span - path.compute - path.scheduler));
  text += fmt::format("  -> scheduler adds ~{:.1f}% to the critical path's end-to-end latency.\n", injected);
  add_rule(text);
}

}  // namespace

std::string reference_overhead_text(const ReferenceOverhead& overhead) {
  std::string text;
  add_verdict(text, overhead.verdict);
  add_switches(text, overhead);
  add_title(text, "Part 3: Head OH statistics & distribution");
  text += "  head = min(start - dispatch, start - last_task_end) per task (clamped at 0)\n";
  add_distribution(text, "Head", overhead.head);
  add_title(text, "Part 4: Tail OH distribution");
  text += "  tail = finish - end per task\n";
  add_distribution(text, "Tail", overhead.tail);
  add_loops(text, overhead);
  add_path(text, overhead.path);
  return text;
}

}  // namespace accelscope::compat
