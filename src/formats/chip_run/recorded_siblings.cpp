#include "formats/chip_run/recorded_siblings.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::formats::chip_run {
namespace {

using base::Location;
using capture::RecordingFacts;
using recorder::EdgeReason;
using recorder::PmuRecord;
using recorder::ScopeRecord;
using recorder::TaskDescriptionRecord;

deps::Reason reason_of(EdgeReason reason) {
  switch (reason) {
    case EdgeReason::kExplicit:
      return deps::Reason::kExplicit;
    case EdgeReason::kCreator:
      return deps::Reason::kCreator;
    case EdgeReason::kTensorMap:
      return deps::Reason::kTensorMap;
    case EdgeReason::kFanout:
      break;
  }
  return deps::Reason::kOther;
}

}  // namespace

void RecordedSiblings::add(std::span<const recorder::EdgeRecord> records) {
  for (const recorder::EdgeRecord& record : records) {
    if (record.producer == record.consumer) {
      ++edges_to_themselves_;
      continue;
    }
    if (record.reason == EdgeReason::kFanout) {
      fanout_.push_back({record.producer, record.consumer});
      continue;
    }
    ++listed_edges_;
    const auto [place, is_new] = edge_of_pair_.insert({{record.producer, record.consumer}, edges_.size()});
    if (is_new)
      edges_.push_back({record.producer, record.consumer, reason_of(record.reason)});
    else
      edges_[place->second].reasons = edges_[place->second].reasons | reason_of(record.reason);
  }
}

void RecordedSiblings::add(std::span<const TaskDescriptionRecord> records) {
  for (const TaskDescriptionRecord& record : records)
    tasks_.push_back({.id = record.task,
                      .kernels = {record.kernels[0], record.kernels[1], record.kernels[2]},
                      .blocks = record.blocks,
                      .early_dispatch = (record.flags & TaskDescriptionRecord::kEarlyDispatch) != 0,
                      .manual_scope = (record.flags & TaskDescriptionRecord::kManualScope) != 0});
}

void RecordedSiblings::add(std::span<const PmuRecord> records) {
  pmu_.insert(pmu_.end(), records.begin(), records.end());
}

void RecordedSiblings::add(std::span<const ScopeRecord> records) {
  scopes_.insert(scopes_.end(), records.begin(), records.end());
}

Siblings RecordedSiblings::settle(const RecordingFacts& facts, const std::string& path,
                                  RecordedRows& rows) && {
  Siblings siblings;
  const auto note = [&](std::string_view id, trace::Severity severity, std::uint64_t count,
                        std::string_view sentence) {
    if (count > 0)
      siblings.quality.add(
          {std::string(id), severity, std::string(sentence), count, Location::of_file(path)});
  };
  note("recording.edge_to_itself", trace::Severity::kWarning, edges_to_themselves_,
       "A task waits for itself: the dependency is left out.");
  note("recording.tensors_not_shown", trace::Severity::kInfo, tensors_,
       "The arguments of tasks are recorded; a trace does not have them, convert --to tensor-dump writes "
       "them.");
  if (tasks_.empty())
    for (const deps::Edge& edge : edges_) fanout_.push_back({edge.from, edge.to});
  else
    siblings.deps = deps::Dependencies{
        .tasks = std::move(tasks_), .edges = std::move(edges_), .listed_edges = listed_edges_};
  rows.take_fanout(std::move(fanout_));
  if (!facts.functions.empty()) {
    siblings.names.emplace();
    for (const auto& [id, name] : facts.functions) siblings.names->functions.emplace(id, name);
  }
  if (!pmu_.empty()) siblings.pmu = pmu_table(facts);
  if (!scopes_.empty()) siblings.scope_stats = scopes(facts);
  return siblings;
}

pmu_csv::PmuTable RecordedSiblings::pmu_table(const RecordingFacts& facts) {
  pmu_csv::PmuTable table;
  for (std::size_t i = 0; i < PmuRecord::kCounters; ++i)
    if (i < facts.pmu_counters.size() || facts.pmu_counters.empty())
      table.counters.push_back(facts.pmu_counters.empty() ? fmt::format("counter {}", i)
                                                          : facts.pmu_counters[i]);
  // Rows of a task on a core are taken in the order of its dispatches.
  std::stable_sort(pmu_.begin(), pmu_.end(), [](const PmuRecord& a, const PmuRecord& b) {
    return std::pair(a.core, a.sequence) < std::pair(b.core, b.sequence);
  });
  table.rows.reserve(pmu_.size());
  for (const PmuRecord& record : pmu_) {
    const bool vector =
        record.core >= facts.cores.size() || facts.cores[record.core] != capture::CoreType::kCube;
    table.rows.push_back({.core = static_cast<std::int32_t>(record.core),
                          .task = record.task,
                          .core_type = vector ? 1 : 0,
                          .total_cycles = record.total_cycles,
                          .event_type = facts.pmu_event_type,
                          .values = {record.counters, record.counters + table.counters.size()}});
  }
  return table;
}

scope_stats::ScopeStats RecordedSiblings::scopes(const RecordingFacts& facts) const {
  scope_stats::ScopeStats stats;
  stats.task_window_max = facts.rings.task_window;
  stats.heap_max = facts.rings.heap;
  stats.dep_pool_max = facts.rings.dep_pool;
  stats.tensormap_max = facts.rings.tensormap;
  stats.boundaries.reserve(scopes_.size());
  for (const ScopeRecord& record : scopes_)
    stats.boundaries.push_back({.site = record.site < facts.scope_sites.size()
                                            ? facts.scope_sites[record.site]
                                            : fmt::format("site {}", record.site),
                                .begins = record.begins != 0,
                                .depth = record.depth,
                                .ring = record.ring,
                                .task_window_start = record.task_window_start,
                                .task_window_end = record.task_window_end,
                                .heap_start = record.heap_start,
                                .heap_end = record.heap_end,
                                .dep_pool_start = record.dep_pool_start,
                                .dep_pool_end = record.dep_pool_end,
                                .tensormap = record.tensormap});
  return stats;
}

}  // namespace accelscope::formats::chip_run
