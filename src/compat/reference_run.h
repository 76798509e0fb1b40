// A run of a chip as the reference's tools see it: rows joined and sorted as they do, tasks in order of their
// ids, edges both ways, phases as recorded, and one conversion of ticks into their microseconds.
//
// Their tools compute with doubles of microseconds, and so does everything that reproduces them: `us` is the
// one place where exact ticks become such a double. Made once, then read-only; points into the trace, which
// must outlive it.
//
//   const ReferenceRun run = reference_run(trace);
//   for (const ReferenceRow& row : run.rows) use(run.clock.us(row.start));
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/chip_run.h"

namespace accelscope::compat {

using base::Ticks;

// Microseconds since the first moment of the recording, by the reference's own arithmetic.
struct ReferenceClock {
  // The host's clock is the time axis where the host orchestrates; its ticks are nanoseconds.
  struct Anchor {
    Ticks device = {};
    Ticks host = {};
  };
  struct Alignment {
    Anchor first = {};
    Anchor last = {};
  };

  Ticks base = {};
  base::Frequency frequency = {};  // of the device
  std::optional<Alignment> host = std::nullopt;

  double us(Ticks device_time) const;
  double host_us(Ticks host_time) const;
  Ticks host_time(Ticks device_time) const;
};

// One dispatch.
struct ReferenceRow {
  std::uint32_t task = 0;  // place in ReferenceRun::tasks
  std::int32_t function = -1;
  std::int64_t core = 0;
  std::int32_t thread = -1;  // number of the scheduler thread that feeds the core
  bool cube = false;
  trace::StringId name = trace::StringId::kEmpty;  // of the function
  Ticks dispatch = {};                             // of nothing below level 2
  Ticks receive = {};
  Ticks start = {};
  Ticks end = {};
  Ticks finish = {};
};

struct ReferenceTask {
  std::uint64_t id = 0;
  trace::TaskId task = trace::TaskId::kNone;
  std::uint32_t first_row = 0;
  std::uint32_t row_count = 0;
  std::uint32_t blocks = 1;
  bool spmd = false;  // split into blocks, as far as they can tell
};

struct ReferencePhase {
  std::string_view kind = {};
  trace::TaskId task = trace::TaskId::kNone;
  Ticks start = {};
  Ticks end = {};
  std::uint64_t loop = 0;
  std::uint64_t tasks_processed = 0;
  std::uint64_t pop_hits = 0;
  std::uint64_t pop_misses = 0;
  std::string_view queues_at_start = {};  // JSON, "" where it was not recorded
  std::string_view queues_at_end = {};
  bool inner = false;
};

// In the order in which they were recorded: by their ends.
struct ReferenceThread {
  std::int64_t number = 0;
  std::vector<ReferencePhase> phases = {};
};

struct ReferenceSubmit {
  std::uint64_t task_id = 0;
  trace::TaskId task = trace::TaskId::kNone;
  std::uint64_t index = 0;
  Ticks start = {};
  Ticks end = {};
};

struct ReferenceUpload {
  std::string_view name = {};
  std::uint64_t bytes = 0;
  Ticks start = {};
  Ticks end = {};
};

struct ReferenceRun {
  static constexpr std::uint32_t kNoTask = 0xFFFFFFFF;

  const trace::Trace* trace = nullptr;
  trace::ChipRun chip = {};
  ReferenceClock clock = {};
  bool has_dispatch_times = false;                // from level 2 on
  std::vector<ReferenceRow> rows = {};            // by task id; of one task by core
  std::vector<ReferenceTask> tasks = {};          // by id: those with rows and those without
  std::vector<std::uint32_t> place_of_task = {};  // by TaskId
  std::vector<ReferenceThread> threads = {};      // by number
  std::vector<std::vector<ReferenceSubmit>> orchestrators = {};
  std::vector<ReferenceUpload> uploads = {};
  // Edges by id of producer, then consumer; producers of a task and consumers, likewise in order.
  std::vector<std::uint32_t> consumer_offsets = {};
  std::vector<std::uint32_t> consumers = {};
  std::vector<std::uint32_t> producer_offsets = {};
  std::vector<std::uint32_t> producers = {};

  std::span<const ReferenceRow> rows_of(std::uint32_t task) const {
    return std::span(rows).subspan(tasks[task].first_row, tasks[task].row_count);
  }
  std::span<const std::uint32_t> consumers_of(std::uint32_t task) const {
    return std::span(consumers).subspan(consumer_offsets[task],
                                        consumer_offsets[task + 1] - consumer_offsets[task]);
  }
  std::span<const std::uint32_t> producers_of(std::uint32_t task) const {
    return std::span(producers).subspan(producer_offsets[task],
                                        producer_offsets[task + 1] - producer_offsets[task]);
  }
  // The orchestrator's times are the host's where the host orchestrates.
  double submit_us(Ticks time) const { return clock.host ? clock.host_us(time) : clock.us(time); }
  std::size_t edge_count() const { return consumers.size(); }
  std::uint32_t find_task(trace::TaskId task) const {
    return task == trace::TaskId::kNone ? kNoTask : place_of_task[trace::index(task)];
  }
};

// The trace must be a chip's (trace::is_chip_run).
ReferenceRun reference_run(const trace::Trace& trace);

// Rows of one task that stand for all of it: every row, but of a task split into blocks only the earliest of
// each kind of core, by the moment `time` gives.
std::vector<std::uint32_t> standing_rows(const ReferenceRun& run, std::uint32_t task,
                                         Ticks ReferenceRow::*time);

}  // namespace accelscope::compat
