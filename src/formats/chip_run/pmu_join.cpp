#include "formats/chip_run/pmu_join.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using pmu_csv::PmuRow;
using pmu_csv::PmuTable;
using trace::StringId;

constexpr std::string_view kTotalCycles = "pmu_total_cycles";

// "vec_busy_cycles" becomes "utilisation vec".
std::string utilisation_name(std::string_view counter) {
  for (const std::string_view ending : {"_busy_cycles", "_instr_busy", "_busy"})
    if (counter.ends_with(ending)) counter.remove_suffix(ending.size());
  return fmt::format("{}{}", trace::arg::kUtilisationPrefix, counter);
}

void note_event_type(const PmuTable& table, trace::TraceBuilder& builder) {
  if (table.rows.empty()) return;
  const std::int32_t type = table.rows.front().event_type;
  if (std::any_of(table.rows.begin(), table.rows.end(),
                  [&](const PmuRow& row) { return row.event_type != type; }))
    return;
  const std::string_view name = pmu_csv::event_group_name(type);
  const std::string text = name.empty() ? fmt::format("{}", type) : fmt::format("{} {}", type, name);
  builder.add_fact(trace::fact::kPmuEventType, trace::Value::of_string(builder.intern(text)));
}

}  // namespace

PmuJoin::PmuJoin(const PmuTable& table) : table_(table), order_(table.rows.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  const auto key = [&](std::uint32_t row) { return std::pair(table.rows[row].core, table.rows[row].task); };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    if (i == 0 || key(order_[i]) != key(order_[i - 1]))
      groups_.push_back({table.rows[order_[i]].core, table.rows[order_[i]].task, i, i});
    groups_.back().end = i + 1;
  }
}

const PmuRow* PmuJoin::take(std::int32_t core, std::uint64_t task) {
  const auto found =
      std::lower_bound(groups_.begin(), groups_.end(), std::pair(core, task),
                       [](const Group& group, const std::pair<std::int32_t, std::uint64_t>& key) {
                         return std::pair(group.core, group.task) < key;
                       });
  if (found == groups_.end() || found->core != core || found->task != task || found->next == found->end)
    return nullptr;
  ++taken_;
  return &table_.rows[order_[found->next++]];
}

PmuArguments::PmuArguments(const PmuTable& table, trace::TraceBuilder& builder)
    : builder_(builder), total_(builder.intern(kTotalCycles)) {
  for (const std::string& counter : table.counters) {
    counters_.push_back(builder.intern(counter));
    utilisations_.push_back(pmu_csv::is_busy_counter(counter) ? builder.intern(utilisation_name(counter))
                                                              : StringId::kEmpty);
  }
}

void PmuArguments::add(trace::SliceId slice, const PmuRow& row) {
  builder_.add_slice_arg(slice, total_, trace::Value::of_uint(row.total_cycles));
  const std::size_t count = std::min(counters_.size(), row.values.size());
  for (std::size_t i = 0; i < count; ++i)
    builder_.add_slice_arg(slice, counters_[i], trace::Value::of_uint(row.values[i]));
  if (row.total_cycles == 0) return;
  for (std::size_t i = 0; i < count; ++i)
    if (utilisations_[i] != StringId::kEmpty)
      builder_.add_slice_arg(slice, utilisations_[i],
                             trace::Value::of_double(100.0 * static_cast<double>(row.values[i]) /
                                                     static_cast<double>(row.total_cycles)));
}

void note_pmu(const PmuTable& table, const PmuJoin& join, std::uint64_t dispatches_without,
              trace::TraceBuilder& builder) {
  note_event_type(table, builder);
  if (join.left() > 0)
    builder.quality().add({.id = "chip_run.pmu_row_unmatched",
                           .severity = trace::Severity::kWarning,
                           .sentence = "Rows of the performance monitor name a core and task for which the "
                                       "swimlane has no dispatch left: they are not shown.",
                           .count = join.left()});
  if (dispatches_without > 0)
    builder.quality().add({.id = "chip_run.dispatch_without_pmu",
                           .severity = trace::Severity::kInfo,
                           .sentence = "Dispatches without a row of the performance monitor.",
                           .count = dispatches_without});
}

}  // namespace accelscope::formats::chip_run
