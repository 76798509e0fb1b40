#include <fmt/core.h>

#include <algorithm>

#include "analysis/chip/counter_means.h"
#include "analysis/chip/explanation.h"
#include "analysis/report_work.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Table;

struct RingUse {
  std::string name = {};
  std::uint64_t peak = 0;
  std::uint64_t capacity = 0;

  double percent() const {
    return capacity > 0 ? 100 * static_cast<double>(peak) / static_cast<double>(capacity) : 0;
  }
};

std::vector<RingUse> ring_uses(const Explanation& run) {
  std::vector<RingUse> uses;
  for (const trace::Fact& fact : run.trace.facts()) {
    std::string_view key = run.text(fact.key);
    if (!key.starts_with(trace::fact::kScopePeakPrefix)) continue;
    key.remove_prefix(trace::fact::kScopePeakPrefix.size());
    uses.push_back({.name = std::string(key), .peak = fact.value.as_uint()});
  }
  for (const trace::Fact& fact : run.trace.facts())
    for (RingUse& use : uses)
      if (run.text(fact.key) == fmt::format("{}{}", trace::fact::kScopeCapacityPrefix, use.name))
        use.capacity = fact.value.as_uint();
  std::stable_sort(uses.begin(), uses.end(),
                   [](const RingUse& a, const RingUse& b) { return a.percent() > b.percent(); });
  return uses;
}

}  // namespace

void add_counters(Findings& findings, const Explanation& run) {
  const CounterMeans means = counter_means(run.trace, run.chip);
  if (means.empty()) return;
  CounterMeans::mapped_type columns;
  for (const auto& [function, of_function] : means) columns.insert(of_function.begin(), of_function.end());
  Section& section = findings::add_section(findings, "counters", "Performance counters");
  Table table{.id = "utilisation", .columns = {text_column("function", "Function")}};
  for (const auto& [name, ignored] : columns) {
    std::string title(run.text(name).substr(trace::arg::kUtilisationPrefix.size()));
    table.columns.push_back(percent_column(std::string(run.text(name)), std::move(title)));
  }
  for (const auto& [function, of_function] : means) {
    std::vector<Cell> row(table.columns.size());
    row[0] = std::string(run.text(function));
    std::size_t at = 1;
    for (const auto& [name, ignored] : columns) {
      const auto found = of_function.find(name);
      if (found != of_function.end()) row[at] = found->second.mean();
      ++at;
    }
    table.rows.push_back(std::move(row));
  }
  table.note = "Share of the counted cycles in which a pipe was busy: the mean over the parts of a function.";
  section.tables.push_back(std::move(table));
}

void add_rings(Findings& findings, const Explanation& run) {
  const std::vector<RingUse> uses = ring_uses(run);
  if (uses.empty()) return;
  Section& section = findings::add_section(findings, "rings", "Rings of the runtime");
  Table table{.id = "rings",
              .columns = {text_column("ring", "What"), count_column("peak", "Peak"),
                          count_column("capacity", "Capacity"), percent_column("used", "Used")}};
  for (const RingUse& use : uses)
    table.rows.push_back({use.name, static_cast<std::int64_t>(use.peak),
                          static_cast<std::int64_t>(use.capacity), use.percent()});
  table.rows_shown = 8;
  table.note =
      "The most that was in use at the begin or end of a scope; heaps are in bytes. A full ring stops the "
      "orchestrator.";
  section.tables.push_back(std::move(table));
}

}  // namespace accelscope::analysis::chip
