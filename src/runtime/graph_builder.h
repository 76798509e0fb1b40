// Puts graphs together, task by task in the order of submission.
//
// Buffers, functions and places of scopes are numbered as they come, and the pools stay in the order of the
// tasks. Nothing is checked here: graph_check.h does. One thread uses one builder; it owns the graph until
// finish().
//
//   GraphBuilder build("twice");
//   const std::array<std::uint32_t, 1> shape = {64};
//   const std::uint32_t x = build.buffer("x", DataType::kFloat32, 64, random_content(-1, 2, 7));
//   const std::uint32_t y = build.buffer("y", DataType::kFloat32, 64);
//   build.vector("add").in(contiguous_view(x, shape)).in(contiguous_view(x, shape)).out(contiguous_view(y,
//   shape)); const Graph graph = build.finish();
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/graph.h"

namespace accelscope::runtime {

inline BufferContent constant_content(double value) {
  return {.fill = Fill::kConstant, .base = value};
}
inline BufferContent random_content(double from, double width, std::uint64_t seed) {
  return {.fill = Fill::kRandom, .base = from, .step = width, .seed = seed};
}

class GraphBuilder;

// Adds to the task that was begun last; once another is begun, it only knows its number.
class TaskBuilder {
 public:
  TaskBuilder& in(const TensorView& view) { return argument(view, Access::kInput); }
  TaskBuilder& inout(const TensorView& view) { return argument(view, Access::kInOut); }
  TaskBuilder& out(const TensorView& view) { return argument(view, Access::kOutput); }
  // The task makes the view's buffer.
  TaskBuilder& make(const TensorView& view);
  TaskBuilder& argument(const TensorView& view, Access access);
  TaskBuilder& scalar(double value);
  TaskBuilder& after(std::uint32_t task);
  TaskBuilder& blocks(std::uint32_t count);
  TaskBuilder& early();
  TaskBuilder& sync_start();
  TaskBuilder& when(const TensorView& view, bool zero = false);
  TaskBuilder& named(std::string name);

  std::uint32_t number() const { return number_; }

 private:
  friend class GraphBuilder;
  explicit TaskBuilder(Graph& graph)
      : graph_(graph), number_(static_cast<std::uint32_t>(graph.tasks.size()) - 1) {}
  Task& task() { return graph_.tasks[number_]; }

  Graph& graph_;
  std::uint32_t number_;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name) { graph_.name = std::move(name); }

  // A buffer that exists from the beginning, or is made by the task that names it as made.
  std::uint32_t buffer(std::string name, DataType type, std::uint64_t elements, BufferContent content = {});
  // The number of a function; one of a name is kept once.
  std::int32_t function(const Function& function);
  std::int32_t function(std::string_view kernel);

  // Tasks of one kernel, by its name or the number of a function.
  TaskBuilder cube(std::string_view kernel) { return task({function(kernel), kNoKernel, kNoKernel}); }
  TaskBuilder vector(std::string_view kernel) { return task({kNoKernel, function(kernel), kNoKernel}); }
  // A MIX task; any kernel may be kNoKernel.
  TaskBuilder task(std::array<std::int32_t, 3> kernels, TaskKind kind = TaskKind::kKernel);
  TaskBuilder dummy() { return task({kNoKernel, kNoKernel, kNoKernel}, TaskKind::kDummy); }
  TaskBuilder alloc() { return task({kNoKernel, kNoKernel, kNoKernel}, TaskKind::kAlloc); }

  void begin_scope(std::string_view site, bool manual = false);
  void end_scope();

  void expect(Expectation expectation) { graph_.expectations.push_back(std::move(expectation)); }

  void reserve_tasks(std::size_t tasks, std::size_t arguments_of_each);
  const Graph& graph() const { return graph_; }
  Graph finish() { return std::move(graph_); }

 private:
  Graph graph_;
  tsl::robin_map<std::string, std::int32_t> functions_;
  tsl::robin_map<std::string, std::uint32_t> sites_;
};

}  // namespace accelscope::runtime
