#include "formats/chip_run/host_lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "formats/chip_run/times.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using host_phases::HostPhase;
using strace_log::Span;
using trace::SliceId;
using trace::Ticks;
using trace::TrackId;
using trace::Value;

std::int64_t end_of(std::int64_t start, std::int64_t duration) {
  return base::checked_add(start, duration).value_or(std::numeric_limits<std::int64_t>::max());
}

// The begins of the host's spans of one invocation, by name; of several with one name the first counts.
class SpanBegins {
 public:
  explicit SpanBegins(const strace_log::StraceLog& log) {
    for (const Span& span : log.spans)
      if (!span.on_device) begins_.try_emplace({span.process, span.invocation, span.name}, span.start_ns);
  }

  // Of the span that waited for a device span: "chip.run.runner_run" for "chip.run.runner_run.device_wall".
  std::optional<std::int64_t> around(const Span& device_span) const {
    std::string_view name = device_span.name;
    for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
      name = name.substr(0, dot);
      const auto found = begins_.find(Key{device_span.process, device_span.invocation, name});
      if (found != begins_.end()) return found->second;
    }
    return std::nullopt;
  }

 private:
  using Key = std::tuple<std::int64_t, std::uint64_t, std::string_view>;
  std::map<Key, std::int64_t> begins_;
};

}  // namespace

void HostLanes::add_item(Item item) {
  last_time_ = items_.empty() ? item.end : std::max(last_time_, item.end);
  items_.push_back(item);
}

void HostLanes::add(const host_phases::HostPhases& phases, const Drawn& drawn, const TaskIndex* tasks) {
  for (const host_phases::HostPass& pass : phases.passes)
    for (const HostPhase& phase : pass.records) {
      if (std::binary_search(drawn.begin(), drawn.end(), std::pair(phase.start_ns, phase.end_ns))) continue;
      const bool submits = host_phases::detail_of(phase.phase) == host_phases::Detail::kTask;
      add_item({.process = pass.process,
                .thread = phase.thread,
                .start = phase.start_ns,
                .end = phase.end_ns,
                .depth = std::numeric_limits<std::uint32_t>::max(),
                .task = submits && tasks != nullptr ? tasks->find(phase.detail) : trace::TaskId::kNone,
                .phase = &phase});
    }
}

void HostLanes::add(const strace_log::StraceLog& log) {
  for (const Span& span : log.spans)
    if (!span.on_device)
      add_item({.process = span.process,
                .thread = span.thread,
                .start = span.start_ns,
                .end = end_of(span.start_ns, span.duration_ns),
                .depth = span.depth,
                .span = &span});
  add_device_spans(log);
  add_wall_clock(log);
}

void HostLanes::add_device_spans(const strace_log::StraceLog& log) {
  const SpanBegins begins(log);
  std::int64_t first_host_time = std::numeric_limits<std::int64_t>::max();
  for (const Item& item : items_) first_host_time = std::min(first_host_time, item.start);
  if (items_.empty()) first_host_time = 0;
  std::uint64_t placed = 0;
  std::uint64_t unplaced = 0;
  for (const Span& span : log.spans) {
    if (!span.on_device) continue;
    const std::optional<std::int64_t> begin = begins.around(span);
    ++(begin ? placed : unplaced);
    if (begin) device_runs_.push_back(*begin);
    const std::int64_t start = end_of(begin.value_or(first_host_time), span.start_ns);
    add_item({.process = span.process,
              .on_device = true,
              .start = start,
              .end = end_of(start, span.duration_ns),
              .depth = span.depth,
              .span = &span});
  }
  if (placed > 0)
    builder_.quality().add({.id = "chip_run.device_spans_placed",
                            .severity = trace::Severity::kInfo,
                            .sentence = "Spans that the device measured have no begin on the host's clock: "
                                        "they are drawn from the begin of the host's span around them.",
                            .count = placed});
  if (unplaced > 0)
    builder_.quality().add({.id = "chip_run.device_spans_unplaced",
                            .severity = trace::Severity::kWarning,
                            .sentence = "Spans that the device measured lie in no span of the host: they are "
                                        "drawn from the first host time on.",
                            .count = unplaced});
}

void HostLanes::add_wall_clock(const strace_log::StraceLog& log) {
  if (log.anchors.empty()) return;
  const strace_log::WallAnchor& anchor = log.anchors.front();
  std::int64_t offset = 0;
  if (__builtin_sub_overflow(anchor.wall_ns, anchor.monotonic_ns, &offset)) return;
  builder_.add_fact(trace::fact::kWallClockOffset, Value::of_int(offset));
}

std::optional<std::int64_t> HostLanes::device_run_begin() const {
  if (device_runs_.empty()) return std::nullopt;
  const bool one = std::all_of(device_runs_.begin(), device_runs_.end(),
                               [&](std::int64_t begin) { return begin == device_runs_.front(); });
  return one ? std::optional(device_runs_.front()) : std::nullopt;
}

void HostLanes::write(trace::ClockId clock) {
  std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
    const auto lane = [](const Item& item) { return std::tuple(item.process, item.on_device, item.thread); };
    if (lane(a) != lane(b)) return lane(a) < lane(b);
    if (a.start != b.start) return a.start < b.start;
    if (a.end != b.end) return a.end > b.end;
    return a.depth < b.depth;
  });
  TrackId process = TrackId::kNone;
  TrackId lane = TrackId::kNone;
  const Item* previous = nullptr;
  for (const Item& item : items_) {
    const bool new_process = previous == nullptr || previous->process != item.process;
    if (new_process)
      process = builder_.add_track({.name = builder_.intern(fmt::format("host process {}", item.process)),
                                    .level = trace::TrackLevel::kProcess,
                                    .kind = trace::TrackKind::kGroup,
                                    .clock = clock,
                                    .external_id = item.process});
    if (new_process || previous->thread != item.thread || previous->on_device != item.on_device) {
      const std::string name = item.on_device ? "device runs" : fmt::format("thread {}", item.thread);
      lane = builder_.add_track(
          {.name = builder_.intern(name), .parent = process, .clock = clock, .external_id = item.thread},
          trace::Nesting::kByStart);
    }
    write_item(item, lane);
    previous = &item;
  }
}

void HostLanes::write_item(const Item& item, TrackId track) {
  const std::string_view name = item.phase != nullptr ? item.phase->phase : item.span->name;
  const std::string_view category =
      item.phase != nullptr ? trace::category::kHostPhase : trace::category::kHostSpan;
  const SliceId slice =
      builder_.add_slice({.track = track,
                          .start = Ticks{item.start},
                          .duration = duration_between(item.start, item.end),
                          .name = builder_.intern(name),
                          .category = builder_.category(category),
                          .flags = item.on_device ? trace::SliceFlag::kEstimated : trace::SliceFlag::kNone,
                          .task = item.task});
  if (item.phase != nullptr) {
    if (host_phases::detail_of(name) == host_phases::Detail::kBytes)
      builder_.add_slice_arg(slice, trace::arg::kBytes, Value::of_uint(item.phase->detail));
    return;
  }
  builder_.add_slice_arg(slice, trace::arg::kInvocation, Value::of_uint(item.span->invocation));
  if (!item.span->callable.empty() && item.span->callable != "0")
    builder_.add_slice_arg(slice, trace::arg::kCallable,
                           Value::of_string(builder_.intern(item.span->callable)));
  for (const auto& [key, value] : item.span->more)
    builder_.add_slice_arg(slice, key, Value::of_string(builder_.intern(value)));
}

}  // namespace accelscope::formats::chip_run
