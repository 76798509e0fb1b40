// Runs of which the pipes of cores are recorded: kernels that say what their pipes do, and what comes of it.
//
// Kernels: "multiply" (cube) and "shift" (vector) have work for every pipe of theirs; "exact" (vector) says
// what its pipes do, and marks; "marking" (cube) leaves the marks 1, 2 and 3.
#pragma once

#include <functional>

#include "device/pipe_schedule.h"
#include "runtime/kernel_cost.h"
#include "runtime/kernel_pipes.h"
#include "runtime/recorded_run.h"
#include "trace/core_pipes.h"

namespace accelscope::runtime {

inline int do_nothing(const accelscope_kernel_call*) {
  return 0;
}

inline void work_of_multiply(const accelscope_kernel_call*, accelscope_kernel_work* work) {
  work->multiply_adds = 40e6;
  work->bytes_read = 500'000;
  work->bytes_written = 100'000;
  work->scalar_operations = 300;
  work->tiles = 5;
  work->buffers = 2;
}

inline void work_of_shift(const accelscope_kernel_call*, accelscope_kernel_work* work) {
  work->vector_operations = 100'000;
  work->bytes_read = 70'000;
  work->bytes_written = 70'000;
}

inline void work_of_exact(const accelscope_kernel_call*, accelscope_kernel_work* work) {
  static constexpr accelscope_pipe_phase kPhases[] = {{ACCELSCOPE_PIPE_MTE2, 0, 40},
                                                      {ACCELSCOPE_PIPE_VEC, 30, 100}};
  static constexpr accelscope_pipe_mark kMarks[] = {{ACCELSCOPE_PIPE_VEC, 7, 30}};
  work->nanoseconds = 10'000;
  work->pipe_phases = kPhases;
  work->pipe_phase_count = 2;
  work->pipe_marks = kMarks;
  work->pipe_mark_count = 1;
  work->pipe_cycles = 100;
}

inline int leave_marks(const accelscope_kernel_call* call) {
  for (std::uint32_t id = 1; id <= 3; ++id) accelscope_mark(call, ACCELSCOPE_PIPE_CUBE, id);
  accelscope_mark(call, ACCELSCOPE_PIPE_CUBE, 4096);  // beyond what words hold
  accelscope_mark(call, 7, 1);
  return 0;
}

// What "interfering" (vector) does when it runs; for the test that sets it.
inline std::function<int()> interference;

inline const KernelRegistry& piped_kernels() {
  static const accelscope_kernel kernels[] = {
      {.name = "multiply",
       .engine = ACCELSCOPE_ENGINE_CUBE,
       .run = do_nothing,
       .check = nullptr,
       .work = work_of_multiply},
      {.name = "shift",
       .engine = ACCELSCOPE_ENGINE_VECTOR,
       .run = do_nothing,
       .check = nullptr,
       .work = work_of_shift},
      {.name = "exact",
       .engine = ACCELSCOPE_ENGINE_VECTOR,
       .run = do_nothing,
       .check = nullptr,
       .work = work_of_exact},
      {.name = "marking",
       .engine = ACCELSCOPE_ENGINE_CUBE,
       .run = leave_marks,
       .check = nullptr,
       .work = work_of_multiply},
      {.name = "interfering",
       .engine = ACCELSCOPE_ENGINE_VECTOR,
       .run = [](const accelscope_kernel_call*) { return interference ? interference() : 0; },
       .check = nullptr,
       .work = work_of_shift},
  };
  static const accelscope_kernel_table table = {ACCELSCOPE_KERNEL_ABI, std::size(kernels), kernels};
  static const KernelRegistry registry = [] {
    KernelRegistry made;
    EXPECT_TRUE(made.add(table, "tests"));
    return made;
  }();
  return registry;
}

// Rounds of tasks that all cores of a chip have one of, each behind those of the round before.
inline Graph piped_graph(const device::Chip& chip, int rounds, const std::string& on_cubes = "multiply",
                         const std::string& on_vectors = "shift") {
  GraphBuilder build("piped");
  const auto x = build.buffer("x", DataType::kFloat32, chip.cores());
  for (int round = 0; round < rounds; ++round)
    for (std::uint32_t core = 0; core < chip.cores(); ++core)
      (chip.is_cube(core) ? build.cube(on_cubes) : build.vector(on_vectors)).inout(row(x, 1, core));
  return build.finish();
}

inline RecordedRun record_pipes(const Graph& graph, const device::Chip& chip, RunOptions options = {}) {
  options.dfx_flags |= kDfxCoreSwimlane;
  return record_run(graph, chip, options, {}, piped_kernels());
}

inline std::vector<std::string> quality_ids(const trace::Trace& trace) {
  std::vector<std::string> ids;
  for (const trace::QualityRow& row : trace.quality().rows()) ids.push_back(row.id);
  return ids;
}
inline bool says(const trace::Trace& trace, const std::string& id) {
  const std::vector<std::string> ids = quality_ids(trace);
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

using PipeTimes = std::array<std::int64_t, trace::kPipes>;

// Of a core in the trace: for how many ticks each pipe was busy.
inline PipeTimes busy_in(const trace::Trace& trace, std::size_t core) {
  const trace::ChipRun chip = trace::chip_run(trace);
  const trace::PipeTracks tracks = trace::pipe_tracks(trace, chip)[core];
  PipeTimes times = {};
  for (std::size_t pipe = 0; pipe < trace::kPipes; ++pipe) {
    if (tracks.pipes[pipe] == trace::TrackId::kNone) continue;
    const trace::RowRange rows = trace.slices_of(tracks.pipes[pipe]);
    for (std::uint32_t i = rows.first; i < rows.end(); ++i) times[pipe] += trace.slices().duration[i].value;
  }
  return times;
}

// What the schedules of the tasks that the core ran prescribe.
inline PipeTimes prescribed(const RecordedRun& run, const Graph& graph, std::size_t core) {
  PipeTimes times = {};
  const formats::chip_swimlane::CoreRows& rows = run.core(core);
  for (std::size_t i = 0; i < rows.start.size(); ++i) {
    const accelscope_kernel& kernel =
        *piped_kernels().find(graph.functions[static_cast<std::size_t>(rows.function[i])].kernel);
    const device::PipeSchedule schedule = device::scaled(pipes_of(work_of(kernel, {}), kernel.engine, {}),
                                                         base::Cycles{rows.end[i] - rows.start[i]});
    const auto busy = device::busy_of(schedule);
    for (std::size_t pipe = 0; pipe < times.size(); ++pipe) times[pipe] += busy[pipe];
  }
  return times;
}

}  // namespace accelscope::runtime
