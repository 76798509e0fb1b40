#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/chip/explanation.h"
#include "analysis/report_work.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Table;
using trace::StringId;

struct Mean {
  double total = 0;
  std::uint64_t n = 0;
};
using MeansByName = std::map<StringId, Mean>;

double number_of(const trace::Value& value) {
  switch (value.type) {
    case trace::ValueType::kDouble:
      return value.as_double();
    case trace::ValueType::kInt:
      return static_cast<double>(value.as_int());
    default:
      return static_cast<double>(value.as_uint());
  }
}

// Mean utilisations of every function, by the name of the argument.
std::map<StringId, MeansByName> utilisations(const Explanation& run) {
  std::map<StringId, MeansByName> result;
  const trace::ArgTable& args = run.trace.args();
  for (const trace::ChipCore& core : run.chip.cores) {
    const trace::RowRange rows = run.trace.slices_of(core.track);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row)
      for (trace::ArgId arg = run.trace.slices().first_arg[row]; arg != trace::ArgId::kNone;
           arg = args.next[index(arg)]) {
        if (!run.text(args.name[index(arg)]).starts_with(trace::arg::kUtilisationPrefix)) continue;
        Mean& mean = result[run.trace.slices().name[row]][args.name[index(arg)]];
        mean.total += number_of(args.value(arg));
        ++mean.n;
      }
  }
  return result;
}

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
  if (run.trace.args().size() == 0) return;
  const std::map<StringId, MeansByName> means = utilisations(run);
  if (means.empty()) return;
  MeansByName columns;
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
      if (found != of_function.end()) row[at] = found->second.total / static_cast<double>(found->second.n);
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
