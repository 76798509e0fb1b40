// A task graph: what an orchestrator does, step by step.
//
// Buffers are numbered in the order of Graph::buffers, tasks in the order in which they are submitted. A
// buffer exists from the beginning (an input or output of the graph), or a task makes it: its memory then
// comes from the ring of the scope in which the task is submitted, and nobody may use it after that scope has
// ended. Everything of which a task has several lies in one pool of the graph, so that a million tasks are a
// few arrays. Plain data, changed by nobody while it runs; whoever fills one calls check() (graph_check.h)
// before it is run.
//
//   for (const Step& step : graph.steps)
//     if (step.kind == StepKind::kSubmit) submit(graph.tasks[step.task], graph.arguments_of(step.task));
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/tensor.h"

namespace accelscope::runtime {

enum class Fill : std::uint8_t { kZeros, kConstant, kCounting, kRandom, kValues };

// What a buffer holds when the run begins. Counting: base + step * index. Random: from base to base + step,
// by a generator that is part of the format (docs/graph.md), so that every machine has the same numbers.
struct BufferContent {
  Fill fill = Fill::kZeros;
  double base = 0;
  double step = 0;
  std::uint64_t seed = 0;
  std::vector<double> values = {};

  bool operator==(const BufferContent&) const = default;
};

inline constexpr std::uint32_t kNoTask = 0xFFFFFFFF;

struct Buffer {
  std::string name = {};
  DataType type = DataType::kFloat32;
  std::uint64_t elements = 0;
  BufferContent content = {};
  std::uint32_t made_by = kNoTask;  // the task that makes it, if it does not exist from the beginning

  bool operator==(const Buffer&) const = default;
};

// What is expected of a buffer after the run, within |got - want| <= absolute + relative * |want|.
struct Expectation {
  TensorView view = {};
  std::vector<double> values = {};
  double absolute = 0;
  double relative = 0;

  bool operator==(const Expectation&) const = default;
};

enum class Access : std::uint8_t {
  kInput,
  kInOut,
  kOutput,         // of a buffer that exists
  kCreatedOutput,  // of a buffer that this task makes
};
constexpr bool reads(Access access) {
  return access == Access::kInput || access == Access::kInOut;
}
constexpr bool writes(Access access) {
  return access != Access::kInput;
}

struct Argument {
  TensorView view = {};
  Access access = Access::kInput;

  bool operator==(const Argument&) const = default;
};

// Some entries of a pool of the graph.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  bool operator==(const Range&) const = default;
};

inline constexpr Range kAll = {0, 0xFFFFFFFF};

// How a function's calls are cut up, in the place of what the kernel says; 0: as that says (kernel_pipes.h).
struct Pipes {
  std::uint32_t tiles = 0;
  std::uint32_t buffers = 0;

  bool operator==(const Pipes&) const = default;
};

// A kernel that tasks use, by its name in the registry. The kernels of a MIX task share the task's arguments
// and scalars: each is given the range of them that its function names (kernel_call.h).
struct Function {
  std::string name = {};    // as pictures and reports show it
  std::string kernel = {};  // in the registry
  Range arguments = kAll;
  Range scalars = kAll;
  Pipes pipes = {};

  bool operator==(const Function&) const = default;
};

enum class TaskKind : std::uint8_t {
  kKernel,
  kDummy,  // only dependencies
  kAlloc,  // makes buffers, by the orchestrator alone
};

// The task runs only if the first element of a tensor is (not) zero when the task is ready. The task waits
// for who wrote the tensor, as for those of its inputs.
struct Predicate {
  bool present = false;
  bool when_zero = false;
  TensorView view = {};

  bool operator==(const Predicate&) const = default;
};

inline constexpr std::int32_t kNoKernel = -1;

struct Task {
  TaskKind kind = TaskKind::kKernel;
  bool early_dispatch = false;  // may be handed to a core before its producers are done
  bool sync_start = false;      // all blocks begin together
  std::uint32_t blocks = 1;     // SPMD
  // Positions in Graph::functions: of the cube and the two vector cores. One alone is a plain task, several a
  // MIX task.
  std::array<std::int32_t, 3> kernels = {kNoKernel, kNoKernel, kNoKernel};
  Range arguments = {};
  Range scalars = {};
  Range dependencies = {};
  Predicate predicate = {};

  bool operator==(const Task&) const = default;
};

enum class StepKind : std::uint8_t { kSubmit, kBeginScope, kEndScope };

struct Step {
  StepKind kind = StepKind::kSubmit;
  bool manual = false;     // a scope in which nothing is found automatically
  std::uint32_t task = 0;  // of a submission
  std::uint32_t site = 0;  // of a scope: its name in Graph::sites

  bool operator==(const Step&) const = default;
};

struct Graph {
  std::string name = {};
  std::vector<Buffer> buffers = {};
  std::vector<Function> functions = {};
  std::vector<std::string> sites = {};
  std::vector<Task> tasks = {};
  std::vector<Step> steps = {};
  std::vector<Expectation> expectations = {};
  std::vector<std::string> task_names = {};  // none, or one for each task; "" for a task that has none

  // Pools.
  std::vector<Argument> arguments = {};
  std::vector<double> scalars = {};
  std::vector<std::uint32_t> dependencies = {};  // tasks that must be done before

  std::span<const Argument> arguments_of(std::uint32_t task) const {
    return of(arguments, tasks[task].arguments);
  }
  std::span<const double> scalars_of(std::uint32_t task) const { return of(scalars, tasks[task].scalars); }
  std::span<const std::uint32_t> dependencies_of(std::uint32_t task) const {
    return of(dependencies, tasks[task].dependencies);
  }

  bool operator==(const Graph&) const = default;

 private:
  template <class Entry>
  static std::span<const Entry> of(const std::vector<Entry>& pool, Range range) {
    return std::span<const Entry>(pool).subspan(range.first, range.count);
  }
};

}  // namespace accelscope::runtime
