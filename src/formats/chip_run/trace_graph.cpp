#include "formats/chip_run/trace_graph.h"

#include <algorithm>
#include <array>

#include "formats/chip_run/trace_capture.h"
#include "trace/chip_run.h"
#include "trace/function_numbers.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using base::ErrorCode;
using deps::Reason;
using trace::FunctionNumbers;
using trace::TaskId;
using trace::Trace;

constexpr std::int32_t kNone = -1;

// The kernels of every task by the cores that ran them: on cube cores the first, on the two vector cores of a
// cluster the second and third.
class Kernels {
 public:
  explicit Kernels(const Trace& trace)
      : trace_(trace),
        functions_(trace, FunctionNumbers::Unnumbered::kNumbered),
        seen_(trace.tasks().size(), {kNone, kNone, kNone}),
        ran_(trace.tasks().size(), false) {
    const trace::ChipRun chip = trace::chip_run(trace);
    bool second = false;
    std::int64_t next = 0;
    for (const trace::ChipCore& core : chip.cores) {
      // A number that is no core counts as a vector core, as it does for readers.
      for (; next < core.number; ++next) second = !second;
      const bool cube = core.engine == trace::engine::kCube;
      see(core.track, cube ? 0 : second ? 2 : 1);
      if (!cube) second = !second;
      ++next;
    }
  }

  bool ran(std::uint32_t task) const { return ran_[task]; }

  std::array<std::int32_t, 3> of(std::uint32_t task) const {
    std::array<std::int32_t, 3> kernels = seen_[task];
    if (!ran(task)) return by_name(task);
    // A task that ran on one core of a cluster at a time has one kernel for both.
    const bool mix = trace_.text(trace_.tasks().kind[task]) == trace::task_kind::kMix;
    if (kernels[1] == kNone) std::swap(kernels[1], kernels[2]);
    if (kernels[1] == kernels[2]) kernels[2] = kNone;
    if (mix && kernels[0] == kNone && kernels[2] == kNone) kernels[2] = kernels[1];
    return kernels;
  }

 private:
  void see(trace::TrackId core, std::size_t slot) {
    for (const trace::Dispatch& dispatch : trace::DispatchWalk(trace_, core)) {
      if (dispatch.task == TaskId::kNone) continue;
      const std::uint32_t task = trace::index(dispatch.task);
      ran_[task] = true;
      if (seen_[task][slot] == kNone) seen_[task][slot] = functions_.number(dispatch.function);
    }
  }

  // Of a task that no core ran only the name is left, which joins its functions with '+', and the kind.
  std::array<std::int32_t, 3> by_name(std::uint32_t task) const {
    std::array<std::int32_t, 3> kernels = {kNone, kNone, kNone};
    std::string_view rest = trace_.text(trace_.tasks().name[task]);
    const bool alone = functions_.number_of_text(rest) != kNone;
    const std::string_view kind = trace_.text(trace_.tasks().kind[task]);
    std::size_t slot = alone && kind != trace::engine::kCube ? 1 : 0;
    while (!rest.empty() && slot < kernels.size()) {
      const std::string_view name = alone ? rest : rest.substr(0, rest.find('+'));
      kernels[slot++] = functions_.number_of_text(name);
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return kernels;
  }

  const Trace& trace_;
  FunctionNumbers functions_;
  std::vector<std::array<std::int32_t, 3>> seen_;
  std::vector<bool> ran_;
};

Reason reasons_in(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, Reason>, 4> kWords = {
      {{trace::edge::kExplicit, Reason::kExplicit},
       {trace::edge::kCreator, Reason::kCreator},
       {trace::edge::kTensorMap, Reason::kTensorMap},
       {trace::edge::kFanout, Reason::kNone}}};
  Reason reasons = Reason::kNone;
  while (!kind.empty()) {
    const std::string_view word = kind.substr(0, kind.find('+'));
    const auto* const known =
        std::find_if(kWords.begin(), kWords.end(), [&](const auto& entry) { return entry.first == word; });
    reasons = reasons | (known == kWords.end() ? Reason::kOther : known->second);
    kind.remove_prefix(std::min(word.size() + 1, kind.size()));
  }
  return reasons;
}

base::Result<trace::ChipRun> one_chip(const Trace& trace) {
  ACCELSCOPE_CHECK(check_one_chip(trace));
  return trace::chip_run(trace);
}

}  // namespace

bool has_dependencies(const Trace& trace) {
  return trace::chip_run(trace).dependencies_recorded;
}

bool has_names(const Trace& trace) {
  return !FunctionNumbers(trace, FunctionNumbers::Unnumbered::kNumbered).names().empty();
}

base::Result<deps::Dependencies> dependencies_of(const Trace& trace) {
  ACCELSCOPE_TRY(const trace::ChipRun chip, one_chip(trace));
  if (!chip.dependencies_recorded)
    return base::fail(ErrorCode::kUsage,
                      "the dependencies of this run were not recorded: there is nothing to write");
  deps::Dependencies graph;
  const trace::TaskEdgeTable& edges = trace.task_edges();
  const trace::TaskTable& tasks = trace.tasks();
  std::vector<bool> has_edge(tasks.size(), false);
  for (std::uint32_t row = 0; row < edges.size(); ++row) {
    const std::uint32_t from = trace::index(edges.from[row]);
    const std::uint32_t to = trace::index(edges.to[row]);
    has_edge[from] = true;
    has_edge[to] = true;
    graph.edges.push_back(
        {tasks.external_id[from], tasks.external_id[to], reasons_in(trace.text(edges.kind[row]))});
  }
  graph.listed_edges = graph.edges.size();
  const Kernels kernels(trace);
  for (std::uint32_t row = 0; row < tasks.size(); ++row) {
    const deps::Task task{.id = tasks.external_id[row],
                          .kernels = kernels.of(row),
                          .blocks = tasks.blocks[row],
                          .early_dispatch = has_flag(tasks.flags[row], trace::TaskFlag::kEarlyDispatch),
                          .manual_scope = has_flag(tasks.flags[row], trace::TaskFlag::kManualOrder)};
    // Whoever ran and was described by nobody, such as the node of a graph, is not in such a file.
    const bool described =
        has_edge[row] || task.blocks > 1 || tasks.flags[row] != trace::TaskFlag::kNone ||
        std::any_of(task.kernels.begin(), task.kernels.end(), [](auto id) { return id >= 0; });
    if (described || !kernels.ran(row)) graph.tasks.push_back(task);
  }
  return graph;
}

base::Result<name_map::NameMap> names_of(const Trace& trace) {
  ACCELSCOPE_CHECK(check_one_chip(trace));
  name_map::NameMap names;
  for (auto& [number, name] : FunctionNumbers(trace, FunctionNumbers::Unnumbered::kNumbered).names())
    names.functions.emplace(number, name);
  if (names.functions.empty())
    return base::fail(ErrorCode::kUsage,
                      "the functions of this run have no names: there is nothing to write");
  for (const trace::Fact& fact : trace.facts())
    if (trace.text(fact.key) == trace::fact::kOrchestratorName && fact.value.holds_text())
      names.orchestrator = trace.text(fact.value.as_text());
  return names;
}

}  // namespace accelscope::formats::chip_run
