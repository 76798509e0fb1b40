#include "formats/chip_run/scope_counters.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using scope_stats::ScopeBoundary;
using scope_stats::ScopeStats;
using trace::Ticks;
using trace::TrackId;

// What of a ring is measured.
struct Measure {
  std::string_view name;
  std::string_view unit;
  std::uint64_t ScopeBoundary::*start;
  std::uint64_t ScopeBoundary::*end;
  std::array<std::uint64_t, scope_stats::kRings> ScopeStats::*capacity;
};
constexpr std::array<Measure, 3> kMeasures = {
    {{"task window", "tasks", &ScopeBoundary::task_window_start, &ScopeBoundary::task_window_end,
      &ScopeStats::task_window_max},
     {"heap", "bytes", &ScopeBoundary::heap_start, &ScopeBoundary::heap_end, &ScopeStats::heap_max},
     {"dep pool", "entries", &ScopeBoundary::dep_pool_start, &ScopeBoundary::dep_pool_end,
      &ScopeStats::dep_pool_max}}};

std::uint64_t in_use(const ScopeBoundary& boundary, const Measure& measure) {
  const std::uint64_t start = boundary.*measure.start;
  const std::uint64_t end = boundary.*measure.end;
  return end > start ? end - start : 0;
}

std::array<bool, scope_stats::kRings> rings_used(const ScopeStats& stats) {
  std::array<bool, scope_stats::kRings> used = {};
  for (const ScopeBoundary& boundary : stats.boundaries)
    if (boundary.ring < used.size()) used[boundary.ring] = true;
  return used;
}

// When each boundary was passed: once the last task before it was submitted, and never before the boundary
// that the file lists first.
std::vector<std::int64_t> times_of(const ScopeStats& stats, const std::vector<SubmitTime>& submits) {
  std::int64_t time = std::min_element(submits.begin(), submits.end(), [](const auto& a, const auto& b) {
                        return a.start < b.start;
                      })->start;
  std::vector<std::int64_t> times;
  for (const ScopeBoundary& boundary : stats.boundaries) {
    if (boundary.task_window_end > 0) {
      const std::uint64_t last = (std::uint64_t{boundary.ring} << 32U) | (boundary.task_window_end - 1);
      const auto found = std::lower_bound(submits.begin(), submits.end(), last,
                                          [](const SubmitTime& a, std::uint64_t id) { return a.task < id; });
      if (found != submits.end() && found->task == last) time = std::max(time, found->end);
    }
    times.push_back(time);
  }
  return times;
}

class CounterWriter {
 public:
  CounterWriter(const ScopeStats& stats, const std::vector<SubmitTime>& submits, trace::ClockId clock,
                trace::TraceBuilder& builder)
      : stats_(stats), times_(times_of(stats, submits)), clock_(clock), builder_(builder) {
    group_ = builder.add_track({.name = builder.intern("rings"),
                                .level = trace::TrackLevel::kProcess,
                                .kind = trace::TrackKind::kGroup,
                                .clock = clock});
  }

  template <class Select, class Value>
  void add(const std::string& name, std::string_view unit, Select&& selected, Value&& value) {
    const TrackId track = builder_.add_track({.name = builder_.intern(name),
                                              .parent = group_,
                                              .level = trace::TrackLevel::kLane,
                                              .kind = trace::TrackKind::kCounter,
                                              .clock = clock_,
                                              .order = order_++,
                                              .counter_unit = builder_.intern(unit)});
    for (std::size_t i = 0; i < times_.size(); ++i)
      if (selected(stats_.boundaries[i]))
        builder_.add_counter(track, Ticks{times_[i]}, static_cast<std::int64_t>(value(stats_.boundaries[i])));
  }

 private:
  const ScopeStats& stats_;
  std::vector<std::int64_t> times_;
  trace::ClockId clock_;
  trace::TraceBuilder& builder_;
  TrackId group_ = TrackId::kNone;
  std::int32_t order_ = 0;
};

}  // namespace

std::vector<SubmitTime> submit_times(const chip_swimlane::Capture& capture) {
  std::vector<SubmitTime> times;
  for (const auto* streams : {&capture.orchestrators, &capture.host_orchestrators}) {
    for (const auto& stream : *streams)
      for (const chip_swimlane::SubmitRow& submit : stream)
        times.push_back({submit.task, submit.start, submit.end});
    if (!times.empty()) break;
  }
  std::sort(times.begin(), times.end(), [](const SubmitTime& a, const SubmitTime& b) {
    return a.task != b.task ? a.task < b.task : a.end < b.end;
  });
  return times;
}

void add_scope_counters(const ScopeStats& stats, const std::vector<SubmitTime>& submits, trace::ClockId clock,
                        trace::TraceBuilder& builder) {
  if (stats.boundaries.empty()) return;
  if (submits.empty()) {
    builder.quality().add({.id = "chip_run.scopes_without_times",
                           .severity = trace::Severity::kInfo,
                           .sentence = "How full the rings were is known, but not when: submits, which would "
                                       "tell, were not recorded. The peaks are kept.",
                           .count = stats.boundaries.size()});
    return;
  }
  CounterWriter writer(stats, submits, clock, builder);
  const auto used = rings_used(stats);
  for (std::uint32_t ring = 0; ring < used.size(); ++ring)
    for (const Measure& measure : kMeasures)
      if (used[ring])
        writer.add(
            fmt::format("ring {} {}", ring, measure.name), measure.unit,
            [&](const ScopeBoundary& boundary) { return boundary.ring == ring; },
            [&](const ScopeBoundary& boundary) { return in_use(boundary, measure); });
  writer.add(
      "tensormap", "entries", [](const ScopeBoundary&) { return true; },
      [](const ScopeBoundary& boundary) { return boundary.tensormap; });
  builder.quality().add({.id = "chip_run.scope_times_estimated",
                         .severity = trace::Severity::kInfo,
                         .sentence = "Begins and ends of scopes have no times: they are drawn where the last "
                                     "task before them had been submitted.",
                         .count = stats.boundaries.size()});
}

void add_scope_facts(const ScopeStats& stats, trace::TraceBuilder& builder) {
  const auto add = [&](const std::string& what, std::uint64_t peak, std::uint64_t capacity) {
    builder.add_fact(fmt::format("{}{}", trace::fact::kScopePeakPrefix, what), trace::Value::of_uint(peak));
    builder.add_fact(fmt::format("{}{}", trace::fact::kScopeCapacityPrefix, what),
                     trace::Value::of_uint(capacity));
  };
  const auto used = rings_used(stats);
  std::uint64_t tensormap = 0;
  for (const ScopeBoundary& boundary : stats.boundaries) tensormap = std::max(tensormap, boundary.tensormap);
  for (std::uint32_t ring = 0; ring < used.size(); ++ring)
    for (const Measure& measure : kMeasures) {
      if (!used[ring]) continue;
      std::uint64_t peak = 0;
      for (const ScopeBoundary& boundary : stats.boundaries)
        if (boundary.ring == ring) peak = std::max(peak, in_use(boundary, measure));
      add(fmt::format("ring {} {}", ring, measure.name), peak, (stats.*measure.capacity)[ring]);
    }
  if (!stats.boundaries.empty()) add("tensormap", tensormap, stats.tensormap_max);
  if (stats.total > 0 || stats.dropped > 0)
    builder.add_accounting({.producer = builder.intern("scope recorder"),
                            .drop_reason = builder.intern("no room in the recorder's buffers"),
                            .produced = std::max(stats.total, stats.boundaries.size() + stats.dropped),
                            .collected = stats.boundaries.size(),
                            .dropped = stats.dropped});
}

}  // namespace accelscope::formats::chip_run
