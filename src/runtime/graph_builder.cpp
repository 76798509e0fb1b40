#include "runtime/graph_builder.h"

namespace accelscope::runtime {
namespace {

template <class Entry>
std::uint32_t size_of(const std::vector<Entry>& pool) {
  return static_cast<std::uint32_t>(pool.size());
}

}  // namespace

TaskBuilder& TaskBuilder::argument(const TensorView& view, Access access) {
  graph_.arguments.push_back({view, access});
  ++task().arguments.count;
  return *this;
}

TaskBuilder& TaskBuilder::make(const TensorView& view) {
  graph_.buffers[view.buffer].made_by = number();
  return argument(view, Access::kCreatedOutput);
}

TaskBuilder& TaskBuilder::scalar(double value) {
  graph_.scalars.push_back(value);
  ++task().scalars.count;
  return *this;
}

TaskBuilder& TaskBuilder::after(std::uint32_t other) {
  graph_.dependencies.push_back(other);
  ++task().dependencies.count;
  return *this;
}

TaskBuilder& TaskBuilder::blocks(std::uint32_t count) {
  task().blocks = count;
  return *this;
}

TaskBuilder& TaskBuilder::early() {
  task().early_dispatch = true;
  return *this;
}

TaskBuilder& TaskBuilder::sync_start() {
  task().sync_start = true;
  return *this;
}

TaskBuilder& TaskBuilder::when(const TensorView& view, bool zero) {
  task().predicate = {.present = true, .when_zero = zero, .view = view};
  return *this;
}

TaskBuilder& TaskBuilder::named(std::string name) {
  graph_.task_names.resize(graph_.tasks.size());
  graph_.task_names.back() = std::move(name);
  return *this;
}

std::uint32_t GraphBuilder::buffer(std::string name, DataType type, std::uint64_t elements,
                                   BufferContent content) {
  graph_.buffers.push_back(
      {.name = std::move(name), .type = type, .elements = elements, .content = std::move(content)});
  return size_of(graph_.buffers) - 1;
}

std::int32_t GraphBuilder::function(const Function& function) {
  const auto [place, added] =
      functions_.try_emplace(function.name, static_cast<std::int32_t>(graph_.functions.size()));
  if (added) graph_.functions.push_back(function);
  return place->second;
}

std::int32_t GraphBuilder::function(std::string_view kernel) {
  const std::string name(kernel);
  if (const auto found = functions_.find(name); found != functions_.end()) return found->second;
  return function({.name = name, .kernel = name});
}

TaskBuilder GraphBuilder::task(std::array<std::int32_t, 3> kernels, TaskKind kind) {
  graph_.steps.push_back({.kind = StepKind::kSubmit, .task = size_of(graph_.tasks)});
  graph_.tasks.push_back({.kind = kind,
                          .kernels = kernels,
                          .arguments = {size_of(graph_.arguments), 0},
                          .scalars = {size_of(graph_.scalars), 0},
                          .dependencies = {size_of(graph_.dependencies), 0}});
  if (!graph_.task_names.empty()) graph_.task_names.emplace_back();
  return TaskBuilder(graph_);
}

void GraphBuilder::begin_scope(std::string_view site, bool manual) {
  const auto [place, added] = sites_.try_emplace(std::string(site), size_of(graph_.sites));
  if (added) graph_.sites.emplace_back(site);
  graph_.steps.push_back({.kind = StepKind::kBeginScope, .manual = manual, .site = place->second});
}

void GraphBuilder::end_scope() {
  graph_.steps.push_back({.kind = StepKind::kEndScope});
}

void GraphBuilder::reserve_tasks(std::size_t tasks, std::size_t arguments_of_each) {
  graph_.tasks.reserve(tasks);
  graph_.steps.reserve(tasks + 64);
  graph_.arguments.reserve(tasks * arguments_of_each);
}

}  // namespace accelscope::runtime
