#include "formats/chip_run/run_tasks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::CoreType;
using trace::StringId;
using trace::TaskId;

// Calls visit(ids, marks) for every mention of tasks.
template <class Visit>
void for_each_mention(const Capture& capture, Visit&& visit) {
  const auto visit_one = [&](std::uint64_t id, std::uint32_t marks) { visit(std::span(&id, 1), marks); };
  for (const chip_swimlane::CoreRows& core : capture.cores)
    visit(std::span(core.task), core.type == CoreType::kCube ? kRanOnCube : kRanOnVector);
  for (const auto& thread : capture.scheduler_threads)
    for (const chip_swimlane::PhaseRow& phase : thread)
      if (phase.task) visit_one(*phase.task, mark_of_phase(capture.phase_kinds[phase.kind]));
  for (const auto* streams : {&capture.orchestrators, &capture.host_orchestrators})
    for (const auto& stream : *streams)
      for (const chip_swimlane::SubmitRow& submit : stream)
        if (belongs_to_call(capture.phase_kinds[submit.phase])) visit_one(submit.task, kSubmitted);
}

std::string_view kind_by_kernels(const deps::Task& task) {
  const auto count = std::count_if(task.kernels.begin(), task.kernels.end(), [](auto id) { return id >= 0; });
  if (count == 0) return {};
  // The runtime queues whatever needs several cores of a cluster as MIX, also two vector cores.
  if (count > 1) return trace::task_kind::kMix;
  return task.kernels[0] >= 0 ? trace::engine::kCube : trace::engine::kVector;
}

std::string_view kind_by_engines(std::uint32_t marks) {
  if ((marks & kRan) == kRan) return trace::task_kind::kMix;
  return (marks & kRanOnCube) != 0 ? trace::engine::kCube : trace::engine::kVector;
}

std::string_view kind_of(std::uint32_t marks, const deps::Task* described, bool markers_recorded) {
  if ((marks & kGraphMarker) != 0) return trace::task_kind::kGraph;
  if ((marks & kRan) == 0) {
    if ((marks & kDummyMarker) != 0) return trace::task_kind::kDummy;
    if ((marks & kSkipMarker) != 0) return trace::task_kind::kSkipped;
    if ((marks & kAllocated) != 0) return trace::task_kind::kAllocation;
  }
  if (described != nullptr)
    if (const std::string_view kind = kind_by_kernels(*described); !kind.empty()) return kind;
  if ((marks & kRan) != 0) return kind_by_engines(marks);
  // Whoever neither ran nor left a marker, where markers are recorded, only asked for memory.
  return markers_recorded && (marks & kSubmitted) != 0 ? trace::task_kind::kAllocation
                                                       : trace::task_kind::kUnknown;
}

std::string joined_kernel_names(const deps::Task& task, Functions& functions,
                                const trace::TraceBuilder& builder) {
  std::string name;
  std::vector<std::int32_t> named;
  for (const std::int32_t kernel : task.kernels) {
    if (kernel < 0 || std::find(named.begin(), named.end(), kernel) != named.end()) continue;
    named.push_back(kernel);
    if (!name.empty()) name += '+';
    name += builder.text(functions.name(kernel));
  }
  return name;
}

// Names for every combination of kernels that occurs are made once.
class TaskNames {
 public:
  TaskNames(Functions& functions, trace::TraceBuilder& builder) : functions_(functions), builder_(builder) {}

  StringId of(const deps::Task& task) {
    if (task.kernels == last_kernels_) return last_;
    last_kernels_ = task.kernels;
    last_ = builder_.intern(joined_kernel_names(task, functions_, builder_));
    return last_;
  }

 private:
  Functions& functions_;
  trace::TraceBuilder& builder_;
  std::array<std::int32_t, 3> last_kernels_ = {-1, -1, -1};
  StringId last_ = StringId::kEmpty;
};

// Ten million tasks share eight words: each is interned once, and where no graph describes a task, its marks
// alone tell the kind.
class KindIds {
 public:
  KindIds(bool markers_recorded, trace::TraceBuilder& builder)
      : markers_recorded_(markers_recorded), builder_(builder) {}

  StringId of(std::uint8_t marks, const deps::Task* described) {
    if (described != nullptr) return of(kind_of(marks, described, markers_recorded_));
    std::optional<StringId>& known = by_marks_[marks];
    if (!known) known = of(kind_of(marks, nullptr, markers_recorded_));
    return *known;
  }

 private:
  StringId of(std::string_view kind) {
    for (const auto& [text, id] : known_)
      if (text == kind.data()) return id;
    known_.emplace_back(kind.data(), builder_.intern(kind));
    return known_.back().second;
  }

  bool markers_recorded_;
  trace::TraceBuilder& builder_;
  std::vector<std::pair<const char*, StringId>> known_;
  std::array<std::optional<StringId>, 256> by_marks_ = {};
};

constexpr std::uint64_t kRingOfGraphNodes = 1;
constexpr std::uint64_t kNodeBits = 10;

// The tasks that stand for a whole graph, by their position in their ring.
std::vector<std::pair<std::uint32_t, TaskId>> graphs_by_position(const Capture& capture,
                                                                 const RunTasks& tasks) {
  std::vector<std::pair<std::uint32_t, TaskId>> graphs;
  for (const auto& thread : capture.scheduler_threads)
    for (const chip_swimlane::PhaseRow& phase : thread)
      if (phase.task && mark_of_phase(capture.phase_kinds[phase.kind]) == kGraphMarker)
        graphs.emplace_back(static_cast<std::uint32_t>(*phase.task), tasks.index.find(*phase.task));
  std::sort(graphs.begin(), graphs.end());
  return graphs;
}

void set_parents(const Capture& capture, const RunTasks& tasks, trace::TraceBuilder& builder) {
  const auto graphs = graphs_by_position(capture, tasks);
  if (graphs.empty()) return;
  trace::TaskTable& table = builder.tasks();
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    const std::uint64_t id = table.external_id[row];
    // A node is never submitted by itself, and is no graph.
    if (id >> 32U != kRingOfGraphNodes || (tasks.marks[row] & (kSubmitted | kGraphMarker)) != 0) continue;
    const auto outer = static_cast<std::uint32_t>((id & 0xFFFFFFFFU) >> kNodeBits);
    const auto found = std::lower_bound(graphs.begin(), graphs.end(), std::pair{outer, TaskId{0}});
    if (found != graphs.end() && found->first == outer && found->second != TaskId{row})
      table.parent[row] = found->second;
  }
}

}  // namespace

std::int32_t function_on(const deps::Task& task, CoreRole role) {
  if (role.cube) return task.kernels[0];
  const std::int32_t first = task.kernels[1];
  const std::int32_t second = task.kernels[2];
  if (first >= 0 && second >= 0) return role.second_vector ? second : first;
  return first >= 0 ? first : second;
}

std::uint32_t mark_of_phase(std::string_view kind) {
  if (kind == trace::control::kDummyTask) return kDummyMarker;
  if (kind == trace::control::kPredicatedSkip) return kSkipMarker;
  if (kind == trace::control::kGraphPrepare) return kGraphMarker;
  return 0;
}

bool belongs_to_call(std::string_view phase) {
  return phase != "orch_scope_end";
}

RunTasks collect_tasks(const Capture& capture, const deps::Dependencies* graph,
                       trace::TraceBuilder& builder) {
  RunTasks tasks;
  using Ids = std::span<const std::uint64_t>;
  for_each_mention(capture, [&](Ids ids, std::uint32_t) { tasks.index.see(ids); });
  if (graph != nullptr)
    for (const deps::Task& task : graph->tasks) tasks.index.see(task.id);
  tasks.index.settle();
  for_each_mention(capture, [&](Ids ids, std::uint32_t marks) { tasks.index.mark(ids, marks); });
  std::vector<std::uint64_t> all_ids;
  tasks.index.number([&](std::uint64_t id, std::uint32_t marks) {
    tasks.marks.push_back(static_cast<std::uint8_t>(marks));
    all_ids.push_back(id);
    return TaskId{static_cast<std::uint32_t>(all_ids.size() - 1)};
  });
  // Without any task, or with too many of them, which finish() says, nothing can be found.
  if (builder.add_tasks(all_ids) == TaskId::kNone) return {};
  return tasks;
}

void add_dependency_tasks(const deps::Dependencies& graph, trace::TraceBuilder& builder, RunTasks& tasks) {
  tasks.deps_row.assign(tasks.marks.size(), RunTasks::kNoRow);
  for (std::uint32_t row = 0; row < graph.tasks.size(); ++row) {
    const deps::Task& described = graph.tasks[row];
    TaskId task = tasks.index.find(described.id);
    if (task == TaskId::kNone) {
      task = builder.add_task({.external_id = described.id});
      if (task == TaskId::kNone) return;  // too many rows, which finish() says
      tasks.index.add(described.id, task);
      tasks.marks.push_back(0);
      tasks.deps_row.push_back(RunTasks::kNoRow);
    }
    if (tasks.deps_row[trace::index(task)] != RunTasks::kNoRow) continue;  // listed twice: the first counts
    tasks.deps_row[trace::index(task)] = row;
    trace::TaskTable& table = builder.tasks();
    table.blocks[trace::index(task)] = std::max<std::uint32_t>(described.blocks, 1);
    table.flags[trace::index(task)] =
        (described.early_dispatch ? trace::TaskFlag::kEarlyDispatch : trace::TaskFlag::kNone) |
        (described.manual_scope ? trace::TaskFlag::kManualOrder : trace::TaskFlag::kNone);
  }
}

void finish_tasks(const Capture& capture, const deps::Dependencies* graph, Functions& functions,
                  const RunTasks& tasks, trace::TraceBuilder& builder) {
  const bool markers_recorded = capture.era == chip_swimlane::Era::kRawCycles && capture.level >= 3;
  TaskNames names(functions, builder);
  KindIds kinds(markers_recorded, builder);
  trace::TaskTable& table = builder.tasks();
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    const deps::Task* described = tasks.described(graph, TaskId{row});
    table.kind[row] = kinds.of(tasks.marks[row], described);
    if (described == nullptr) continue;
    if (const StringId name = names.of(*described); name != StringId::kEmpty) table.name[row] = name;
  }
  set_parents(capture, tasks, builder);
}

}  // namespace accelscope::formats::chip_run
