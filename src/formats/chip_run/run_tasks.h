// The tasks of a run: every id that any of its files names, with what is known of it.
//
// Filled in three steps: collect_tasks() finds the ids of the recording, add_dependency_tasks() those that
// only a task graph knows, finish_tasks() gives kinds, names and parents once the dispatches are in.
// Belongs to one builder; one thread.
//
//   RunTasks tasks = collect_tasks(capture, deps, builder);
//   TaskId task = tasks.index.find(id);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "formats/chip_run/functions.h"
#include "formats/chip_run/task_index.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/deps/deps.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

// What the recording says of a task, as bits.
enum TaskMark : std::uint32_t {
  kRanOnCube = 1U << 0U,
  kRanOnVector = 1U << 1U,
  kSubmitted = 1U << 2U,
  kDummyMarker = 1U << 3U,
  kSkipMarker = 1U << 4U,
  kGraphMarker = 1U << 5U,
  kAllocated = 1U << 6U,  // the host's own records say that it is an allocation
};
inline constexpr std::uint32_t kRan = kRanOnCube | kRanOnVector;

struct RunTasks {
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  TaskIndex index;
  std::vector<std::uint8_t> marks;      // by task
  std::vector<std::uint32_t> deps_row;  // by task: its place in Dependencies::tasks; empty without a graph

  const deps::Task* described(const deps::Dependencies* graph, trace::TaskId task) const {
    if (graph == nullptr || deps_row.empty() || task == trace::TaskId::kNone) return nullptr;
    const std::uint32_t row = deps_row[trace::index(task)];
    return row == kNoRow ? nullptr : &graph->tasks[row];
  }
};

// Which of a task's three kernels a core runs.
struct CoreRole {
  bool cube = false;
  bool second_vector = false;  // of the two vector cores of a cluster
};
std::int32_t function_on(const deps::Task& task, CoreRole role);

// The name of a control task's phase and the mark that it leaves; 0 for a phase that is none.
std::uint32_t mark_of_phase(std::string_view kind);
// Whether a row of an orchestrator is a submit or a step of one, and not the end of a scope.
bool belongs_to_call(std::string_view phase);

// `graph` may be nothing. Its ids are only made room for.
RunTasks collect_tasks(const chip_swimlane::Capture& capture, const deps::Dependencies* graph,
                       trace::TraceBuilder& builder);

// Describes the tasks by the graph, and adds those that only the graph has.
void add_dependency_tasks(const deps::Dependencies& graph, trace::TraceBuilder& builder, RunTasks& tasks);

// Kinds, names of tasks that no core ran, and parents of the nodes of graphs.
void finish_tasks(const chip_swimlane::Capture& capture, const deps::Dependencies* graph,
                  Functions& functions, const RunTasks& tasks, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
