// Small runs of a chip, drawn by hand: cores, tasks, dispatches, phases, as docs/trace-model.md ("A run of a
// chip") has them. Ticks are nanoseconds.
//
// One test owns one sketch; finish() leaves it empty.
//
//   ChipSketch chip(1, 2);                       // core 0 is a cube core, cores 1 and 2 are vector cores
//   const TaskId add = chip.task(0, "ADD", "AIV");
//   chip.submit(add, 0, 2);
//   chip.run(1, add, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 10});
//   const Trace trace = chip.finish();
#pragma once

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "support/trace_sketch.h"
#include "trace/chip_run.h"
#include "trace/core_pipes.h"
#include "trace/vocabulary.h"

namespace accelscope::tests {

// Moments of one dispatch; what is left out was not recorded.
struct SketchedTimes {
  std::optional<std::int64_t> dispatch = std::nullopt;
  std::optional<std::int64_t> receive = std::nullopt;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::optional<std::int64_t> finish = std::nullopt;
};

struct ChipSketch : TraceSketch {
  // Cores are numbered cubes first; core n is fed by scheduler thread n % threads.
  explicit ChipSketch(int cubes, int vectors, int threads = 1, int level = 4)
      : clock(add_clock("device", base::Frequency::nanoseconds())) {
    const trace::TrackId control = group("control CPUs");
    for (int i = 0; i < threads; ++i)
      schedulers.push_back(thread(control, fmt::format("scheduler {}", i), trace::engine::kScheduler, i,
                                  trace::Nesting::kByStart));
    orchestrator =
        thread(control, "orchestrator", trace::engine::kOrchestrator, 0, trace::Nesting::kExplicit);
    const trace::TrackId chip = group("cores");
    for (int i = 0; i < cubes + vectors; ++i) {
      const std::string_view engine = i < cubes ? trace::engine::kCube : trace::engine::kVector;
      const trace::StringId name = builder.intern(fmt::format("{} {}", engine, i));
      cores.push_back(
          builder.add_track({.name = name,
                             .parent = chip,
                             .level = trace::TrackLevel::kCore,
                             .clock = clock,
                             .resource = builder.add_resource({name, builder.intern(engine)}),
                             .controller = threads > 0 ? schedulers[static_cast<std::size_t>(i % threads)]
                                                       : trace::TrackId::kNone,
                             .external_id = i}));
    }
    const trace::TrackId queue_group = group(trace::track_group::kReadyQueues);
    for (const char* queue : {"AIC", "AIV", "MIX"})
      queues.push_back(builder.add_track({.name = builder.intern(queue),
                                          .parent = queue_group,
                                          .level = trace::TrackLevel::kLane,
                                          .kind = trace::TrackKind::kCounter,
                                          .clock = clock}));
    builder.add_fact(trace::fact::kSwimlaneLevel, trace::Value::of_int(level));
  }

  trace::TaskId task(std::uint64_t id, std::string_view name, std::string_view kind, std::uint32_t blocks = 1,
                     trace::TaskFlag flags = trace::TaskFlag::kNone) {
    return builder.add_task({.external_id = id,
                             .name = builder.intern(name),
                             .kind = builder.intern(kind),
                             .blocks = blocks,
                             .flags = flags});
  }
  void edge(trace::TaskId from, trace::TaskId to) {
    builder.add_task_edge(from, to, builder.intern(trace::edge::kTensorMap));
  }
  // Also where there are no edges: the tasks are independent.
  void dependencies_recorded() {
    builder.add_fact(trace::fact::kDependenciesRecorded, trace::Value::of_bool(true));
  }
  trace::SliceId submit(trace::TaskId task, std::int64_t start, std::int64_t end) {
    const trace::SliceId slice = builder.add_slice({.track = orchestrator,
                                                    .start = trace::Ticks{start},
                                                    .duration = trace::Ticks{end - start},
                                                    .name = builder.intern("submit"),
                                                    .category = builder.category(trace::category::kSubmit),
                                                    .task = task});
    builder.add_slice_arg(slice, trace::arg::kSubmitIndex, trace::Value::of_uint(submits++));
    return slice;
  }
  // Named after the task's function unless `function` says otherwise.
  trace::SliceId run(int core, trace::TaskId task, const SketchedTimes& times,
                     std::string_view function = {}) {
    const trace::StringId name =
        function.empty() ? builder.tasks().name[index(task)] : builder.intern(function);
    const trace::SliceId slice =
        builder.add_slice({.track = cores[static_cast<std::size_t>(core)],
                           .start = trace::Ticks{times.start},
                           .duration = trace::Ticks{times.end - times.start},
                           .name = name,
                           .category = builder.category(trace::category::kTaskExecution),
                           .task = task});
    const auto stage = [&](std::string_view which, std::optional<std::int64_t> time) {
      if (time) builder.add_stage(slice, builder.intern(which), trace::Ticks{*time - times.start});
    };
    stage(trace::stage::kDispatch, times.dispatch);
    stage(trace::stage::kReceive, times.receive);
    stage(trace::stage::kFinish, times.finish);
    return slice;
  }
  // The pipes of this core are recorded, but for what pipe_gap() says.
  void record_pipes(int core) {
    pipe_gaps.resize(cores.size(), trace::TrackId::kNone);
    pipes.resize(cores.size());
    trace::TrackId& gaps = pipe_gaps[static_cast<std::size_t>(core)];
    if (gaps != trace::TrackId::kNone) return;
    gaps = builder.add_track({.name = builder.intern(trace::track_name::kPipeGaps),
                              .parent = cores[static_cast<std::size_t>(core)],
                              .level = trace::TrackLevel::kLane,
                              .kind = trace::TrackKind::kStates,
                              .clock = clock,
                              .order = 7});
    pipes[static_cast<std::size_t>(core)].fill(trace::TrackId::kNone);
  }
  // A pipe is busy, for the dispatch `owner`.
  void pipe(int core, std::size_t number, std::int64_t from, std::int64_t to,
            trace::SliceId owner = trace::SliceId::kNone) {
    const trace::TrackId track = pipe_track(core, number);
    builder.add_slice({.track = track,
                       .start = trace::Ticks{from},
                       .duration = trace::Ticks{to - from},
                       .name = builder.intern(trace::kPipeNames[number]),
                       .category = builder.category(trace::category::kPipeBusy),
                       .owner = owner,
                       .task = owner == trace::SliceId::kNone ? trace::TaskId::kNone
                                                              : builder.slices().task[index(owner)]});
  }
  void mark(int core, std::size_t number, std::int64_t time, std::uint64_t id) {
    const trace::TrackId track = pipe_track(core, number);
    const std::uint32_t instant = builder.add_instant({.track = track,
                                                       .time = trace::Ticks{time},
                                                       .name = builder.intern(fmt::format("mark {}", id)),
                                                       .category = builder.category(trace::category::kMark)});
    builder.add_instant_arg(instant, builder.intern(trace::arg::kMarkId), trace::Value::of_uint(id));
  }
  void pipe_gap(int core, std::int64_t from, std::int64_t to, std::string_view cause) {
    record_pipes(core);
    builder.add_state(pipe_gaps[static_cast<std::size_t>(core)], trace::Ticks{from}, trace::Ticks{to - from},
                      builder.intern(trace::state::kNotRecorded), builder.intern(cause));
  }
  trace::TrackId pipe_track(int core, std::size_t number) {
    record_pipes(core);
    trace::TrackId& track = pipes[static_cast<std::size_t>(core)][number];
    if (track == trace::TrackId::kNone) {
      const trace::StringId name = builder.intern(trace::kPipeNames[number]);
      track =
          builder.add_track({.name = name,
                             .parent = cores[static_cast<std::size_t>(core)],
                             .level = trace::TrackLevel::kLane,
                             .clock = clock,
                             .resource = builder.add_resource({name, builder.intern(trace::engine::kPipe)}),
                             .external_id = static_cast<std::int64_t>(number),
                             .order = static_cast<std::int32_t>(number)});
    }
    return track;
  }
  trace::SliceId phase(int thread_number, std::string_view kind, std::int64_t start, std::int64_t end,
                       std::uint64_t loop = 1, std::uint64_t tasks_processed = 1) {
    const trace::SliceId slice =
        builder.add_slice({.track = schedulers[static_cast<std::size_t>(thread_number)],
                           .start = trace::Ticks{start},
                           .duration = trace::Ticks{end - start},
                           .name = builder.intern(kind),
                           .category = builder.category(trace::category::kSchedulerPhase)});
    builder.add_slice_arg(slice, trace::arg::kLoop, trace::Value::of_uint(loop));
    builder.add_slice_arg(slice, trace::arg::kTasksProcessed, trace::Value::of_uint(tasks_processed));
    return slice;
  }
  // A task that a control CPU retires without a core: a marker of no length.
  trace::SliceId control(int thread_number, std::string_view name, trace::TaskId task, std::int64_t time) {
    return builder.add_slice({.track = schedulers[static_cast<std::size_t>(thread_number)],
                              .start = trace::Ticks{time},
                              .name = builder.intern(name),
                              .category = builder.category(trace::category::kControlTask),
                              .flags = trace::SliceFlag::kMarker,
                              .task = task});
  }
  void queue_depth(std::int64_t time, std::array<std::int64_t, 3> depths) {
    for (std::size_t i = 0; i < depths.size(); ++i)
      builder.add_counter(queues[i], trace::Ticks{time}, depths[i]);
  }

  trace::ClockId clock;
  std::vector<trace::TrackId> schedulers;
  trace::TrackId orchestrator = trace::TrackId::kNone;
  std::vector<trace::TrackId> cores;
  std::vector<trace::TrackId> queues;
  std::vector<trace::TrackId> pipe_gaps;  // by core, when record_pipes() was called for one
  std::vector<std::array<trace::TrackId, trace::kPipes>> pipes;
  std::uint64_t submits = 0;

 private:
  trace::TrackId group(std::string_view name) {
    return builder.add_track({.name = builder.intern(name),
                              .level = trace::TrackLevel::kProcess,
                              .kind = trace::TrackKind::kGroup,
                              .clock = clock});
  }
  trace::TrackId thread(trace::TrackId parent, std::string_view name, std::string_view engine, int number,
                        trace::Nesting nesting) {
    const trace::StringId text = builder.intern(name);
    return builder.add_track({.name = text,
                              .parent = parent,
                              .clock = clock,
                              .resource = builder.add_resource({text, builder.intern(engine)}),
                              .external_id = number},
                             nesting);
  }
};

}  // namespace accelscope::tests
