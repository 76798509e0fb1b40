#include "formats/timeline_csv/timeline_runs.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/hash.h"
#include "trace/nesting.h"

namespace accelscope::formats::timeline_csv {
namespace {

using trace::EventRole;
using trace::Interval;
using trace::RowRange;
using trace::RunKind;
using trace::RunStatus;
using trace::Ticks;

constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

struct GroupKey {
  trace::StringId model;
  trace::StringId block;
  std::int32_t run_index;

  bool operator==(const GroupKey&) const = default;
};

struct GroupKeyHash {
  std::size_t operator()(const GroupKey& key) const noexcept {
    return base::hash_of(key.model, key.block, key.run_index);
  }
};

struct Group {
  GroupKey key;
  RowRange rows;
};

Interval interval_of(const TimelineTable& table, std::uint32_t row) {
  const TimelineRecord& record = table.rows[row];
  const Ticks start = table.ticks_of(record.start);
  return {start, start + std::max(table.ticks_of(record.duration), Ticks{0})};
}

// Rows of one (model, block, run_index) side by side, in the order of the file.
std::vector<Group> group_rows(const TimelineTable& table, std::vector<std::uint32_t>& order) {
  const std::uint32_t count = table.rows.size();
  tsl::robin_map<GroupKey, std::uint32_t, GroupKeyHash> known;
  std::vector<Group> groups;
  std::vector<std::uint32_t> group_of(count);
  for (std::uint32_t row = 0; row < count; ++row) {
    const TimelineRecord& record = table.rows[row];
    const GroupKey key{record.model, record.block, record.run_index};
    const auto added = known.insert({key, static_cast<std::uint32_t>(groups.size())});
    if (added.second) groups.push_back({key, {}});
    group_of[row] = added.first->second;
    ++groups[group_of[row]].rows.count;
  }
  std::uint32_t first = 0;
  for (Group& group : groups) {
    group.rows.first = first;
    first += group.rows.count;
  }
  std::vector<std::uint32_t> next(groups.size());
  std::transform(groups.begin(), groups.end(), next.begin(),
                 [](const Group& group) { return group.rows.first; });
  order.resize(count);
  for (std::uint32_t row = 0; row < count; ++row) order[next[group_of[row]]++] = row;
  return groups;
}

// The kit numbers events as they completed. Without numbers the order of the file is believed when it could
// be one of completion, and made from the times when it could not.
void sort_by_completion(const TimelineTable& table, std::span<std::uint32_t> rows) {
  if (table.header.has(Field::kNodeId)) {
    const auto by_node = [&](std::uint32_t a, std::uint32_t b) {
      return table.rows[a].node_id < table.rows[b].node_id;
    };
    if (!std::is_sorted(rows.begin(), rows.end(), by_node))
      std::stable_sort(rows.begin(), rows.end(), by_node);
    return;
  }
  const auto by_end = [&](std::uint32_t a, std::uint32_t b) {
    return interval_of(table, a).end < interval_of(table, b).end;
  };
  if (std::is_sorted(rows.begin(), rows.end(), by_end)) return;
  // Of two with the same end the longer one encloses; of two with the same times the first logged does.
  const auto completes_before = [&](std::uint32_t a, std::uint32_t b) {
    const Interval first = interval_of(table, a);
    const Interval second = interval_of(table, b);
    return std::tuple(first.end, second.start, b) < std::tuple(second.end, first.start, a);
  };
  std::sort(rows.begin(), rows.end(), completes_before);
}

// Splits one group into executions and what lies between them.
class GroupSplitter {
 public:
  GroupSplitter(const TimelineTable& table, std::span<std::uint32_t> rows) : table_(table), rows_(rows) {
    for (const std::uint32_t row : rows_)
      if (table_.rows[row].role == EventRole::kMethodExecute) executions_.push_back(interval_of(table_, row));
    std::sort(executions_.begin(), executions_.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < executions_.size(); ++i)
      if (executions_[i].start < executions_[i - 1].end) overlapping_ = true;
  }

  std::size_t executions() const { return executions_.size(); }
  bool overlapping() const { return overlapping_; }

  // Reorders the rows part by part and says how many rows each part has.
  std::vector<std::uint32_t> split() {
    if (overlapping_ || executions_.empty()) return {static_cast<std::uint32_t>(rows_.size())};
    const std::vector<std::size_t> execution_of = assign_rows();
    if (std::all_of(execution_of.begin(), execution_of.end(), [](std::size_t e) { return e == 0; }))
      return {static_cast<std::uint32_t>(rows_.size())};
    // Part n is execution n; parts behind those are the stretches of rows outside of any execution.
    std::vector<std::size_t> part_of(rows_.size());
    std::size_t parts = executions_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool continues = i > 0 && execution_of[i - 1] == kOutside;
      if (execution_of[i] != kOutside)
        part_of[i] = execution_of[i];
      else
        part_of[i] = continues ? part_of[i - 1] : parts++;
    }
    return gather(part_of, parts);
  }

 private:
  std::vector<std::size_t> assign_rows() const {
    std::vector<std::size_t> execution_of(rows_.size(), kOutside);
    std::size_t following = kOutside;
    bool has_following = false;
    for (std::size_t i = rows_.size(); i-- > 0;) {
      // A backend's event completes before the call that made it, whatever clock its times are from.
      const bool delegated = table_.rows[rows_[i]].role == EventRole::kDelegateOperator;
      execution_of[i] = delegated && has_following ? following : execution_at(interval_of(table_, rows_[i]));
      if (delegated) continue;
      following = execution_of[i];
      has_following = true;
    }
    return execution_of;
  }

  // The execution that holds the middle of the interval: bounds may be a rounding apart.
  std::size_t execution_at(const Interval& interval) const {
    const Ticks middle{interval.start.value + (interval.end.value - interval.start.value) / 2};
    const auto after = std::upper_bound(executions_.begin(), executions_.end(), middle,
                                        [](Ticks time, const Interval& run) { return time < run.start; });
    if (after == executions_.begin()) return kOutside;
    const auto execution = after - 1;
    if (middle <= execution->end) return static_cast<std::size_t>(execution - executions_.begin());
    return kOutside;
  }

  std::vector<std::uint32_t> gather(std::span<const std::size_t> part_of, std::size_t parts) {
    std::vector<std::uint32_t> sizes(parts, 0);
    for (const std::size_t part : part_of) ++sizes[part];
    std::vector<std::uint32_t> next(parts, 0);
    std::exclusive_scan(sizes.begin(), sizes.end(), next.begin(), 0U);
    std::vector<std::uint32_t> gathered(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) gathered[next[part_of[i]]++] = rows_[i];
    std::copy(gathered.begin(), gathered.end(), rows_.begin());
    return sizes;
  }

  const TimelineTable& table_;
  std::span<std::uint32_t> rows_;
  std::vector<Interval> executions_;
  bool overlapping_ = false;
};

struct FileFacts {
  bool has_method_rows = false;
};

RunRows describe_run(const TimelineTable& table, const RunList& list, const GroupKey& key, RowRange rows,
                     const FileFacts& facts) {
  RunRows run{.model = key.model, .block = key.block, .run_index = key.run_index, .rows = rows};
  bool has_method = false;
  bool has_load = false;
  Ticks first_start = Ticks::max();
  Ticks first_host_start = Ticks::max();
  for (const std::uint32_t row : list.rows_of(run)) {
    const TimelineRecord& record = table.rows[row];
    has_method |= record.role == EventRole::kMethodExecute || record.role == EventRole::kMethodStep;
    has_load |= record.role == EventRole::kLoad;
    const Ticks start = table.ticks_of(record.start);
    first_start = std::min(first_start, start);
    if (record.role != EventRole::kDelegateOperator) first_host_start = std::min(first_host_start, start);
  }
  run.first_start = first_host_start == Ticks::max() ? first_start : first_host_start;
  if (has_method) return run;
  if (has_load)
    run.kind = RunKind::kLoad;
  else if (facts.has_method_rows)
    run.status = RunStatus::kAborted;
  return run;
}

void report_runs(const RunList& list, const FileFacts& facts, trace::QualityTable& quality,
                 const std::string& file) {
  using trace::Severity;
  std::uint64_t executions = 0;
  std::uint64_t aborted = 0;
  for (const RunRows& run : list.runs) {
    if (run.kind != RunKind::kExecution) continue;
    ++(run.status == RunStatus::kComplete ? executions : aborted);
  }
  const base::Location place = base::Location::of_file(file);
  if (!facts.has_method_rows && !list.runs.empty())
    quality.add({.id = "timeline_csv.no_method_rows",
                 .severity = Severity::kWarning,
                 .sentence = "No row is called Method::execute: the end-to-end time of a run is not known.",
                 .first_place = place});
  if (aborted > 0)
    quality.add(
        {.id = "timeline_csv.aborted_run",
         .severity = Severity::kWarning,
         .sentence = "Rows outside of any Method::execute: a run that failed midway, left out of latency.",
         .count = aborted,
         .first_place = place});
  if (executions == 1)
    quality.add({.id = "timeline_csv.single_run",
                 .severity = Severity::kWarning,
                 .sentence = "One run only: nothing can be said about variation, and the first run is often "
                             "slower than the others. A file of all runs says more.",
                 .first_place = place});
}

}  // namespace

RunList find_runs(const TimelineTable& table, trace::QualityTable& quality, const std::string& file) {
  RunList list;
  FileFacts facts;
  for (std::uint32_t row = 0; row < table.rows.size() && !facts.has_method_rows; ++row)
    facts.has_method_rows =
        table.rows[row].role == EventRole::kMethodExecute || table.rows[row].role == EventRole::kMethodStep;
  const std::vector<Group> groups = group_rows(table, list.order);
  for (const Group& group : groups) {
    const std::span<std::uint32_t> rows = std::span(list.order).subspan(group.rows.first, group.rows.count);
    sort_by_completion(table, rows);
    GroupSplitter splitter(table, rows);
    std::uint32_t first = group.rows.first;
    for (const std::uint32_t size : splitter.split()) {
      list.runs.push_back(describe_run(table, list, group.key, {first, size}, facts));
      first += size;
    }
    if (splitter.executions() < 2) continue;
    const base::Location place = base::Location::line(file, table.rows[rows.front()].line);
    if (splitter.overlapping())
      quality.add({.id = "timeline_csv.overlapping_executions",
                   .severity = trace::Severity::kWarning,
                   .sentence =
                       "Several Method::execute rows of one run_index overlap in time: they are kept as one "
                       "run, whose end-to-end time is that of the last.",
                   .first_place = place});
    else
      quality.add({.id = "timeline_csv.run_index_reused",
                   .severity = trace::Severity::kInfo,
                   .sentence =
                       "One run_index holds several Method::execute rows (the kit counts anew for every "
                       "group of runs with the same events): each is shown as a run of its own.",
                   .first_place = place});
  }
  std::stable_sort(list.runs.begin(), list.runs.end(), [&](const RunRows& a, const RunRows& b) {
    if (a.model != b.model) return a.model < b.model;
    if (table.starts_relative_to_run) return a.run_index < b.run_index;
    return a.first_start < b.first_start;
  });
  report_runs(list, facts, quality, file);
  return list;
}

}  // namespace accelscope::formats::timeline_csv
