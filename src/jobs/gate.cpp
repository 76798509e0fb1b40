#include "jobs/gate.h"

#include <fmt/core.h>

namespace accelscope::jobs {

report::GateCase gate_case(std::string name, std::string_view subject, const stats::Comparison& test,
                           const Gate& gate) {
  report::GateCase result{.name = std::move(name)};
  const double change = test.speedup > 0 ? 100 * (1 / test.speedup - 1) : 0;
  std::string interval;
  if (test.interval && test.interval->low > 0)
    interval = fmt::format(", {:.0f} % interval {:+.2f} % to {:+.2f} %", 100 * test.interval->level,
                           100 * (1 / test.interval->high - 1), 100 * (1 / test.interval->low - 1));
  result.message =
      fmt::format("{}changed by {:+.2f} %{}: {}", subject, change, interval, stats::to_text(test.verdict));
  result.passed = test.verdict != stats::Verdict::kSlower;
  // Undecided is what looks like a failure and may be chance, or has too few runs to look like anything.
  const bool looks_slower = change >= 100 * gate.slowdown;
  if (test.verdict == stats::Verdict::kInconclusive && (looks_slower || !test.interval)) {
    result.message += fmt::format(
        " ({}{})", test.reason,
        test.runs_needed ? fmt::format("; need about {} runs on each side", *test.runs_needed) : "");
    result.passed = !gate.strict;
    result.skipped = !gate.strict;
  }
  return result;
}

}  // namespace accelscope::jobs
