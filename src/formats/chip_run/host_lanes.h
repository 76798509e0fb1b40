// What the host did, as tracks: a process per pid, a thread per tid. Phases of a host_phase_records.jsonl and
// spans of a log share their thread's track and nest by time.
//
// Spans that were measured on the device have times relative to their device run, whose begin nobody wrote
// down: they are drawn on a track of their own, from the begin of the host's span that waited for them, and
// flagged estimated. Belongs to one builder; one thread.
//
//   HostLanes lanes(builder);
//   lanes.add(phases, {}, nullptr);
//   lanes.add(log);
//   lanes.write(clock);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/chip_run/task_index.h"
#include "formats/host_phases/host_phases.h"
#include "formats/strace_log/strace_log.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

// Begin and end of something that is drawn already.
using Drawn = std::vector<std::pair<std::int64_t, std::int64_t>>;

class HostLanes {
 public:
  explicit HostLanes(trace::TraceBuilder& builder) : builder_(builder) {}

  // Phases whose times are among `drawn` (sorted) are left out. `tasks` may be nothing.
  void add(const host_phases::HostPhases& phases, const Drawn& drawn, const TaskIndex* tasks);
  void add(const strace_log::StraceLog& log);

  bool empty() const { return items_.empty(); }
  std::int64_t last_time() const { return last_time_; }
  // Where the only device run of the log is taken to begin; nothing when there is none, or several.
  std::optional<std::int64_t> device_run_begin() const;

  // Makes the tracks, and the slices in their order.
  void write(trace::ClockId clock);

 private:
  struct Item {
    std::int64_t process = 0;
    bool on_device = false;
    std::int64_t thread = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t depth = 0;
    trace::TaskId task = trace::TaskId::kNone;
    const host_phases::HostPhase* phase = nullptr;  // one of the two
    const strace_log::Span* span = nullptr;
  };

  void add_item(Item item);
  void add_device_spans(const strace_log::StraceLog& log);
  void write_item(const Item& item, trace::TrackId track);
  void add_wall_clock(const strace_log::StraceLog& log);

  trace::TraceBuilder& builder_;
  std::vector<Item> items_;
  std::vector<std::int64_t> device_runs_;  // their begins
  std::int64_t last_time_ = 0;
};

}  // namespace accelscope::formats::chip_run
