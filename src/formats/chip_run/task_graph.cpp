#include "formats/chip_run/task_graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "trace/chip_run.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using deps::Reason;
using trace::StringId;
using trace::TaskId;

// Whether the engines that a task ran on are those that the graph has kernels for.
bool engines_agree(const deps::Task& task, std::uint32_t marks) {
  const bool has_cube = task.kernels[0] >= 0;
  const bool has_vector = task.kernels[1] >= 0 || task.kernels[2] >= 0;
  return ((marks & kRanOnCube) == 0 || has_cube) && ((marks & kRanOnVector) == 0 || has_vector);
}

struct Agreement {
  std::uint64_t ran = 0;          // tasks that cores carried out
  std::uint64_t ran_as_told = 0;  // of these, those that the graph has, on these engines
  std::uint64_t submitted = 0;    // tasks that were submitted
  std::uint64_t described = 0;    // tasks of the graph
  std::uint64_t asked_for = 0;    // of these, those that were submitted
};

Agreement compare(const deps::Dependencies& graph, const RunTasks& tasks) {
  Agreement agreement;
  for (const std::uint8_t marks : tasks.marks) {
    agreement.ran += (marks & kRan) != 0 ? 1U : 0U;
    agreement.submitted += (marks & kSubmitted) != 0 ? 1U : 0U;
  }
  agreement.described = graph.tasks.size();
  for (const deps::Task& task : graph.tasks) {
    const TaskId id = tasks.index.find(task.id);
    if (id == TaskId::kNone) continue;
    const std::uint32_t marks = tasks.marks[trace::index(id)];
    if ((marks & kSubmitted) != 0) ++agreement.asked_for;
    if ((marks & kRan) != 0 && engines_agree(task, marks)) ++agreement.ran_as_told;
  }
  return agreement;
}

// "creator+tensormap"; every combination is interned once.
class ReasonTexts {
 public:
  explicit ReasonTexts(trace::TraceBuilder& builder) : builder_(builder) {}

  StringId of(Reason reasons) {
    const auto bits = static_cast<std::size_t>(reasons) % texts_.size();
    if (!texts_[bits]) texts_[bits] = builder_.intern(text_of(reasons));
    return *texts_[bits];
  }

 private:
  static std::string text_of(Reason reasons) {
    constexpr std::array<std::pair<Reason, std::string_view>, 4> kWords = {
        {{Reason::kExplicit, trace::edge::kExplicit},
         {Reason::kCreator, trace::edge::kCreator},
         {Reason::kTensorMap, trace::edge::kTensorMap},
         {Reason::kOther, "other"}}};
    std::string text;
    for (const auto& [reason, word] : kWords)
      if (deps::has_reason(reasons, reason)) text += fmt::format("{}{}", text.empty() ? "" : "+", word);
    return text;
  }

  trace::TraceBuilder& builder_;
  std::array<std::optional<StringId>, 16> texts_;
};

// Nearly all runs number a task behind those that it waits for: then there is no circle.
bool all_go_forward(const Edges& edges) {
  for (std::size_t i = 0; i < edges.from.size(); ++i)
    if (edges.from[i] >= edges.to[i]) return false;
  return true;
}

// By producer and consumer. A task of several parts lists its consumers with every part.
Edges in_order_and_once(Edges edges) {
  const std::size_t count = edges.from.size();
  if (count == 0) return edges;
  const std::size_t tasks =
      trace::index(*std::max_element(edges.from.begin(), edges.from.end())) + std::size_t{1};
  // The consumers of each task side by side. Beginnings are one place further than they belong, because
  // filling the lists moves each to where the next one is.
  std::vector<std::uint32_t> first(tasks + 2, 0);
  for (const TaskId from : edges.from) ++first[trace::index(from) + std::size_t{2}];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<TaskId> consumers(count);
  for (std::size_t i = 0; i < count; ++i)
    consumers[first[trace::index(edges.from[i]) + std::size_t{1}]++] = edges.to[i];
  std::size_t kept = 0;
  for (std::size_t task = 0; task < tasks; ++task) {
    const auto begin = consumers.begin() + first[task];
    const auto end = consumers.begin() + first[task + 1];
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    for (auto to = begin; to != end; ++to) {
      if (to != begin && *to == *(to - 1)) continue;
      edges.from[kept] = TaskId{static_cast<std::uint32_t>(task)};
      edges.to[kept++] = *to;
    }
  }
  edges.from.resize(kept);
  edges.to.resize(kept);
  return edges;
}

void note_circle(const Edges& edges, trace::TraceBuilder& builder) {
  const std::optional<Circle> circle = find_circle(edges, builder.tasks().size());
  if (!circle) return;
  builder.quality().add({.id = "chip_run.cyclic_dependencies",
                         .severity = trace::Severity::kError,
                         .sentence = fmt::format(
                             "Dependencies go in a circle, for example through task {}: what follows from "
                             "the order of tasks cannot be trusted. The count is of tasks without an order.",
                             trace::task_label(builder.tasks().external_id[circle->task])),
                         .count = circle->unordered});
}

void note_unknown_ends(std::uint64_t count, trace::TraceBuilder& builder) {
  if (count == 0) return;
  builder.quality().add({.id = "chip_run.edge_of_unknown_task",
                         .severity = trace::Severity::kWarning,
                         .sentence = "Dependencies name tasks that are in no file: they are left out.",
                         .count = count});
}

}  // namespace

bool belongs_to_run(const deps::Dependencies& graph, const RunTasks& tasks, trace::QualityTable& quality) {
  const Agreement found = compare(graph, tasks);
  const bool same_tasks = found.ran_as_told * 2 >= found.ran;
  const bool same_submits = found.submitted == 0 || found.asked_for * 2 >= found.described;
  if (!same_tasks || !same_submits) {
    quality.add({.id = "chip_run.deps_of_another_run",
                 .severity = trace::Severity::kWarning,
                 .sentence = fmt::format("The file of dependencies is of another run and is not used: it "
                                         "describes {} of the {} tasks that ran, and {} of its {} tasks were "
                                         "submitted.",
                                         found.ran_as_told, found.ran, found.asked_for, found.described)});
    return false;
  }
  if (found.ran_as_told < found.ran)
    quality.add({.id = "chip_run.task_not_in_deps",
                 .severity = trace::Severity::kWarning,
                 .sentence = "Tasks ran that the file of dependencies does not know, or says to run on other "
                             "engines: their functions and dependencies may be wrong or missing.",
                 .count = found.ran - found.ran_as_told});
  return true;
}

void add_edges(const deps::Dependencies& graph, const RunTasks& tasks, trace::TraceBuilder& builder) {
  ReasonTexts reasons(builder);
  Edges edges;
  std::uint64_t unknown = 0;
  for (const deps::Edge& edge : graph.edges) {
    const TaskId from = tasks.index.find(edge.from);
    const TaskId to = tasks.index.find(edge.to);
    if (from == TaskId::kNone || to == TaskId::kNone) {
      ++unknown;
      continue;
    }
    builder.add_task_edge(from, to, reasons.of(edge.reasons));
    edges.from.push_back(from);
    edges.to.push_back(to);
  }
  note_unknown_ends(unknown, builder);
  note_circle(edges, builder);
}

Fanout resolve_fanout(std::span<const chip_swimlane::FanoutEdge> edges, const RunTasks& tasks) {
  Fanout fanout;
  Edges found;
  found.from.reserve(edges.size());
  found.to.reserve(edges.size());
  for (const chip_swimlane::FanoutEdge& edge : edges) {
    const TaskId from = tasks.index.find(edge.from);
    const TaskId to = tasks.index.find(edge.to);
    if (from == TaskId::kNone || to == TaskId::kNone) {
      ++fanout.unknown;
      continue;
    }
    if (from == to) {
      ++fanout.to_themselves;
      continue;
    }
    found.from.push_back(from);
    found.to.push_back(to);
  }
  fanout.edges = in_order_and_once(std::move(found));
  return fanout;
}

void add_edges(const Fanout& fanout, trace::TraceBuilder& builder) {
  const StringId kind = builder.intern(trace::edge::kFanout);
  for (std::size_t i = 0; i < fanout.edges.from.size(); ++i)
    builder.add_task_edge(fanout.edges.from[i], fanout.edges.to[i], kind);
  note_unknown_ends(fanout.unknown, builder);
  if (fanout.to_themselves > 0)
    builder.quality().add({.id = "chip_run.edge_to_itself",
                           .severity = trace::Severity::kWarning,
                           .sentence = "A task waits for itself: the dependency is left out.",
                           .count = fanout.to_themselves});
  note_circle(fanout.edges, builder);
}

std::optional<Circle> find_circle(const Edges& edges, std::uint32_t task_count) {
  if (all_go_forward(edges)) return std::nullopt;
  // Consumers of each task side by side, and how many producers each task still waits for.
  std::vector<std::uint32_t> first(std::size_t{task_count} + 1, 0);
  std::vector<std::uint32_t> waits(task_count, 0);
  for (std::size_t i = 0; i < edges.from.size(); ++i) {
    ++first[std::size_t{trace::index(edges.from[i])} + 1];
    ++waits[trace::index(edges.to[i])];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> consumers(edges.from.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < edges.from.size(); ++i)
    consumers[next[trace::index(edges.from[i])]++] = trace::index(edges.to[i]);

  std::vector<std::uint32_t> ready;
  for (std::uint32_t task = 0; task < task_count; ++task)
    if (waits[task] == 0) ready.push_back(task);
  std::uint32_t ordered = 0;
  while (!ready.empty()) {
    const std::uint32_t task = ready.back();
    ready.pop_back();
    ++ordered;
    for (std::uint32_t i = first[task]; i < first[std::size_t{task} + 1]; ++i)
      if (--waits[consumers[i]] == 0) ready.push_back(consumers[i]);
  }
  if (ordered == task_count) return std::nullopt;

  // Every task that is left waits for another one that is left: going back along such edges ends on a circle.
  std::vector<std::uint32_t> producer(task_count, 0);
  for (std::size_t i = 0; i < edges.from.size(); ++i)
    if (waits[trace::index(edges.from[i])] > 0)
      producer[trace::index(edges.to[i])] = trace::index(edges.from[i]);
  auto at = static_cast<std::uint32_t>(
      std::find_if(waits.begin(), waits.end(), [](std::uint32_t count) { return count > 0; }) -
      waits.begin());
  for (std::uint32_t step = 0; step < task_count; ++step) at = producer[at];
  return Circle{at, task_count - ordered};
}

}  // namespace accelscope::formats::chip_run
