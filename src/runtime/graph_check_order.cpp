#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "runtime/graph_check_parts.h"

namespace accelscope::runtime {
namespace {

using Of = GraphProblem::Of;

// Walks the steps as the orchestrator does.
class OrderCheck {
 public:
  OrderCheck(const Graph& graph, GraphProblems& problems)
      : graph_(graph), problems_(problems), home_(graph.buffers.size(), kNotYet) {}

  void walk() {
    for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
      const Step& step = graph_.steps[i];
      if (step.kind == StepKind::kSubmit)
        submit(i, step.task);
      else if (step.kind == StepKind::kBeginScope)
        begin_scope(i, step);
      else
        end_scope(i);
    }
    while (!open_.empty()) {
      problems_.add(Of::kGraph, 0, fmt::format("scope {} is not ended", scope_in_words(open_.back())));
      open_.pop_back();
    }
    if (next_ < graph_.tasks.size())
      problems_.add(Of::kTask, next_,
                    fmt::format("{} is never submitted", task_in_words(graph_, next_)) +
                        (graph_.tasks.size() - next_ > 1
                             ? fmt::format(", nor are the {} behind it", graph_.tasks.size() - next_ - 1)
                             : ""));
    look_at_makers();
    for (std::size_t i = 0; i < graph_.expectations.size(); ++i) look_at_expectation(i);
  }

 private:
  static constexpr std::uint32_t kNotYet = 0xFFFFFFFF;
  static constexpr std::uint32_t kOutermost = 0xFFFFFFFE;

  struct Scope {
    std::uint32_t site;
    bool ended;
  };

  std::string scope_in_words(std::uint32_t scope) const {
    const std::uint32_t site = scopes_[scope].site;
    return site < graph_.sites.size() ? fmt::format("`{}`", graph_.sites[site]) : fmt::format("{}", scope);
  }

  bool is_gone(std::uint32_t buffer) const {
    return home_[buffer] < scopes_.size() && scopes_[home_[buffer]].ended;
  }

  void begin_scope(std::size_t at, const Step& step) {
    if (step.site >= graph_.sites.size())
      problems_.add(Of::kGraph, 0, fmt::format("steps[{}] begins a scope of an unknown place", at));
    open_.push_back(static_cast<std::uint32_t>(scopes_.size()));
    scopes_.push_back({step.site, false});
  }

  void end_scope(std::size_t at) {
    if (open_.empty()) {
      problems_.add(Of::kGraph, 0, fmt::format("steps[{}] ends a scope, but none is open", at));
      return;
    }
    scopes_[open_.back()].ended = true;
    open_.pop_back();
  }

  void submit(std::size_t at, std::uint32_t task) {
    if (task != next_) {
      problems_.add(
          Of::kGraph, 0,
          fmt::format("steps[{}] submits task {}, but tasks are numbered as they are submitted, and "
                      "the next is {}",
                      at, task, next_));
      return;
    }
    ++next_;
    // What it makes is there for all of its arguments.
    for (const Argument& argument : graph_.arguments_of(task))
      if (argument.access == Access::kCreatedOutput) make(task, argument.view.buffer);
    for (const Argument& argument : graph_.arguments_of(task)) use(task, argument.view.buffer);
    if (graph_.tasks[task].predicate.present) use(task, graph_.tasks[task].predicate.view.buffer);
  }

  void make(std::uint32_t task, std::uint32_t buffer) {
    const Buffer& made = graph_.buffers[buffer];
    if (made.made_by == kNoTask)
      problems_.add(Of::kTask, task,
                    fmt::format("{} makes `{}`, which exists from the beginning", task_in_words(graph_, task),
                                made.name));
    else if (made.made_by != task)
      problems_.add(Of::kTask, task,
                    fmt::format("{} makes `{}`, and so does {}", task_in_words(graph_, task), made.name,
                                task_in_words(graph_, made.made_by)));
    else
      home_[buffer] = open_.empty() ? kOutermost : open_.back();
  }

  void use(std::uint32_t task, std::uint32_t buffer) {
    const Buffer& used = graph_.buffers[buffer];
    if (used.made_by == kNoTask) return;
    // A wrong maker has been named already.
    if (home_[buffer] == kNotYet && used.made_by > task && used.made_by < graph_.tasks.size())
      problems_.add(Of::kTask, task,
                    fmt::format("{} uses `{}` before {} makes it", task_in_words(graph_, task), used.name,
                                task_in_words(graph_, used.made_by)));
    else if (is_gone(buffer))
      problems_.add(Of::kTask, task,
                    fmt::format("{} uses `{}`, which was made in scope {} and is gone since that has ended",
                                task_in_words(graph_, task), used.name, scope_in_words(home_[buffer])));
  }

  void look_at_makers() {
    for (std::uint32_t i = 0; i < graph_.buffers.size(); ++i) {
      const std::uint32_t maker = graph_.buffers[i].made_by;
      if (maker == kNoTask || home_[i] != kNotYet) continue;
      problems_.add(Of::kBuffer, i,
                    maker < graph_.tasks.size()
                        ? fmt::format("buffer `{}` is to be made by {}, which does not",
                                      graph_.buffers[i].name, task_in_words(graph_, maker))
                        : fmt::format("buffer `{}` is to be made by task {}; there are {}",
                                      graph_.buffers[i].name, maker, graph_.tasks.size()));
    }
  }

  void look_at_expectation(std::size_t number) {
    const Expectation& expectation = graph_.expectations[number];
    const std::uint32_t buffer = expectation.view.buffer;
    const auto complain = [&](const std::string& text) {
      problems_.add(Of::kExpectation, number,
                    fmt::format("what is expected of `{}`: {}", graph_.buffers[buffer].name, text));
    };
    if (is_gone(buffer))
      complain(fmt::format("the buffer is gone when the run ends: it is made in scope {}",
                           scope_in_words(home_[buffer])));
    if (const auto text = problem_of_view(graph_, expectation.view, false)) {
      complain(*text);
      return;
    }
    if (expectation.values.size() != element_count(expectation.view))
      complain(fmt::format("{} values are given, the shape has {}", expectation.values.size(),
                           element_count(expectation.view)));
    if (!std::ranges::all_of(expectation.values, [](double value) { return std::isfinite(value); }))
      complain("a value is no number");
    if (!(expectation.absolute >= 0 && expectation.relative >= 0) || !std::isfinite(expectation.absolute) ||
        !std::isfinite(expectation.relative))
      complain(fmt::format("tolerances are from 0 on, these are {} and {}", expectation.absolute,
                           expectation.relative));
  }

  const Graph& graph_;
  GraphProblems& problems_;
  std::vector<Scope> scopes_;        // all that were begun
  std::vector<std::uint32_t> open_;  // of these
  std::vector<std::uint32_t> home_;  // the scope in which each buffer was made
  std::uint32_t next_ = 0;
};

// Which tasks lie on circles: two tasks have the same number when each waits for the other. After Tarjan,
// without recursion.
class Circles {
 public:
  explicit Circles(const Graph& graph)
      : graph_(graph),
        seen_(graph.tasks.size(), 0),
        low_(graph.tasks.size(), 0),
        circle_(graph.tasks.size(), kNone) {
    for (std::uint32_t i = 0; i < graph.tasks.size(); ++i)
      if (seen_[i] == 0) visit(i);
  }

  // The same for all tasks of a circle.
  std::uint32_t of(std::uint32_t task) const { return circle_[task]; }
  bool share(std::uint32_t a, std::uint32_t b) const { return circle_[a] == circle_[b]; }

  // A way from `from` to `to` along dependencies within their circle, both included.
  std::vector<std::uint32_t> way(std::uint32_t from, std::uint32_t to) {
    came_from_.resize(graph_.tasks.size(), kNone);
    std::vector<std::uint32_t> found = {from};
    came_from_[from] = from;
    for (std::size_t i = 0; i < found.size() && came_from_[to] == kNone; ++i)
      for (const std::uint32_t next : graph_.dependencies_of(found[i]))
        if (next < came_from_.size() && share(next, from) && came_from_[next] == kNone) {
          came_from_[next] = found[i];
          found.push_back(next);
        }
    std::vector<std::uint32_t> way = {to};
    while (way.back() != from && came_from_[way.back()] != kNone) way.push_back(came_from_[way.back()]);
    std::ranges::reverse(way);
    for (const std::uint32_t task : found) came_from_[task] = kNone;
    return way;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Visit {
    std::uint32_t task;
    std::uint32_t next;  // dependency to look at
  };

  void enter(std::uint32_t task) {
    seen_[task] = low_[task] = ++count_;
    waiting_.push_back(task);
    visits_.push_back({task, 0});
  }

  void visit(std::uint32_t root) {
    enter(root);
    while (!visits_.empty()) {
      const std::uint32_t task = visits_.back().task;
      const auto dependencies = graph_.dependencies_of(task);
      if (visits_.back().next < dependencies.size()) {
        const std::uint32_t other = dependencies[visits_.back().next++];
        if (other >= graph_.tasks.size()) continue;
        if (seen_[other] == 0)
          enter(other);
        else if (circle_[other] == kNone)
          low_[task] = std::min(low_[task], seen_[other]);
        continue;
      }
      leave(task);
    }
  }

  void leave(std::uint32_t task) {
    visits_.pop_back();
    if (!visits_.empty()) {
      const std::uint32_t above = visits_.back().task;
      low_[above] = std::min(low_[above], low_[task]);
    }
    if (low_[task] != seen_[task]) return;
    for (std::uint32_t member = kNone; member != task;) {
      member = waiting_.back();
      waiting_.pop_back();
      circle_[member] = task;
    }
  }

  const Graph& graph_;
  std::vector<std::uint32_t> seen_;  // when, from 1
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> circle_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> came_from_;
  std::vector<Visit> visits_;
  std::uint32_t count_ = 0;
};

std::string circle_in_words(const Graph& graph, const std::vector<std::uint32_t>& way) {
  constexpr std::size_t kShown = 20;
  std::string words = "explicit dependencies go in a circle: ";
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (i == kShown) {
      words += fmt::format("... ({} more) ", way.size() - i);
      break;
    }
    words += fmt::format("{} waits for ", task_in_words(graph, way[i]));
  }
  return words + task_in_words(graph, way.front());
}

}  // namespace

void check_order(const Graph& graph, GraphProblems& problems) {
  OrderCheck(graph, problems).walk();
}

void check_dependencies(const Graph& graph, GraphProblems& problems) {
  struct Forward {
    std::uint32_t task, other;
  };
  std::vector<Forward> forward;
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i)
    for (const std::uint32_t other : graph.dependencies_of(i)) {
      if (other >= graph.tasks.size())
        problems.add(Of::kTask, i,
                     fmt::format("{} waits for task {}; there are {}", task_in_words(graph, i), other,
                                 graph.tasks.size()));
      else if (other >= i)
        forward.push_back({i, other});
    }
  if (forward.empty()) return;
  Circles circles(graph);
  std::vector<bool> told(graph.tasks.size());  // by circle
  for (const auto& [task, other] : forward) {
    if (!circles.share(task, other)) {
      problems.add(Of::kTask, task,
                   fmt::format("{} waits for {}, which is submitted after it", task_in_words(graph, task),
                               task_in_words(graph, other)));
      continue;
    }
    if (told[circles.of(task)]) continue;
    told[circles.of(task)] = true;
    problems.add(Of::kTask, task, circle_in_words(graph, circles.way(other, task)));
  }
}

}  // namespace accelscope::runtime
