#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <cmath>

#include "base/closest_name.h"
#include "runtime/buffer_content.h"
#include "runtime/graph_check_parts.h"
#include "runtime/kernel_call.h"
#include "runtime/kernel_pipes.h"

namespace accelscope::runtime {
namespace {

using Of = GraphProblem::Of;

// More than any machine has; products with the size of an element stay far from 64 bits.
constexpr std::uint64_t kMaxElements = 1ULL << 44U;

bool is_inside(Range range, std::size_t pool) {
  return std::uint64_t{range.first} + range.count <= pool;
}

std::string shape_in_words(const TensorView& view) {
  return fmt::format("[{}]", fmt::join(view.shape.begin(), view.shape.begin() + view.dimensions, ", "));
}

// Whether two indices can mean the same element. Views whose dimensions interleave without meeting are
// taken for such that do.
bool repeats_elements(const TensorView& view) {
  std::array<std::pair<std::uint64_t, std::uint64_t>, kMaxDimensions> steps{};
  for (std::uint32_t i = 0; i < view.dimensions; ++i) steps[i] = {view.strides[i], view.shape[i]};
  std::ranges::sort(steps);
  std::uint64_t reach = 0;  // of the dimensions with smaller strides
  for (const auto& [stride, extent] : steps) {
    if (extent <= 1) continue;
    if (stride <= reach) return true;
    reach += stride * (extent - 1);
  }
  return false;
}

// Of contents whose numbers rise or fall evenly, or lie between two: the ends tell of all.
std::optional<std::string> problem_of_rule(const Buffer& buffer) {
  const BufferContent& content = buffer.content;
  if (content.fill == Fill::kZeros) return std::nullopt;
  if (!std::isfinite(content.base) || !std::isfinite(content.step)) return "begins with what is no number";
  const std::string_view type = facts_of(buffer.type).name;
  const bool is_random = content.fill == Fill::kRandom;
  double end = content.base;
  if (content.fill == Fill::kCounting) end += content.step * static_cast<double>(buffer.elements - 1);
  if (is_random) end += content.step;
  // Random numbers come close to the end, and whole ones are made of them by rounding down.
  const auto drawn = [&](double value) { return is_floating(buffer.type) ? value : std::floor(value); };
  const bool holds = is_random ? fits(buffer.type, drawn(content.base)) &&
                                     fits(buffer.type, drawn(std::nextafter(end, content.base)))
                               : fits(buffer.type, content.base) && fits(buffer.type, end);
  if (!holds) return fmt::format("begins with {} to {}, which {} does not hold", content.base, end, type);
  if (content.fill == Fill::kCounting && !is_floating(buffer.type) && buffer.elements > 1 &&
      content.step != std::floor(content.step))
    return fmt::format("counts in steps of {}, and {} holds whole numbers", content.step, type);
  return std::nullopt;
}

std::optional<std::string> problem_of_values(const Buffer& buffer) {
  const BufferContent& content = buffer.content;
  if (content.fill != Fill::kValues) return problem_of_rule(buffer);
  if (content.values.size() != buffer.elements)
    return fmt::format("has {} elements, but {} values to begin with", buffer.elements,
                       content.values.size());
  const auto bad =
      std::ranges::find_if(content.values, [&](double value) { return !fits(buffer.type, value); });
  if (bad == content.values.end()) return std::nullopt;
  return fmt::format("begins with {} at {}, which {} does not hold", *bad, bad - content.values.begin(),
                     facts_of(buffer.type).name);
}

std::optional<std::string> problem_of_buffer(const Buffer& buffer) {
  if (buffer.elements == 0) return "has no elements";
  if (buffer.elements > kMaxElements)
    return fmt::format("has {} elements; {} are the most", buffer.elements, kMaxElements);
  if (buffer.made_by != kNoTask && buffer.content.fill != Fill::kZeros)
    return "is made by a task and cannot begin with values";
  return problem_of_values(buffer);
}

// Looks at tasks one by one.
class TaskCheck {
 public:
  TaskCheck(const Graph& graph, const KnownKernels& known, GraphProblems& problems)
      : graph_(graph), problems_(problems), asks_(static_cast<bool>(known.find)) {
    kernels_.resize(graph.functions.size());
    if (!asks_) return;
    const std::vector<Range> users_of = users();
    for (std::size_t i = 0; i < graph.functions.size(); ++i) {
      const Function& function = graph.functions[i];
      kernels_[i] = known.find(function.kernel);
      if (kernels_[i] == nullptr)
        problems.add(
            Of::kFunction, i,
            fmt::format("no kernel is called `{}`{}{}", function.kernel,
                        base::suggestion(function.kernel, known.names), users_in_words(users_of[i])));
    }
  }

  void look_at(std::uint32_t number) {
    const Task& task = graph_.tasks[number];
    const std::uint64_t before = problems_.count;
    if (task.blocks == 0) complain(number, "has no blocks; 1 is a plain task");
    if (task.kind == TaskKind::kKernel)
      look_at_kernels(number, task);
    else
      look_at_idle(number, task);
    look_at_arguments(number);
    if (task.predicate.present) look_at_predicate(number, task.predicate);
    for (const double scalar : graph_.scalars_of(number))
      if (!std::isfinite(scalar))
        complain(number, fmt::format("{} is no number to give to a kernel", scalar));
    // A kernel need not understand what is wrong already.
    if (problems_.count == before && asks_) ask_kernels(number, task);
  }

 private:
  void complain(std::uint32_t task, const std::string& text) {
    problems_.add(Of::kTask, task, fmt::format("{} {}", task_in_words(graph_, task), text));
  }

  // Of each function: the first task that runs it, and how many do.
  std::vector<Range> users() const {
    std::vector<Range> users(graph_.functions.size());
    for (std::uint32_t i = 0; i < graph_.tasks.size(); ++i)
      for (const std::int32_t kernel : graph_.tasks[i].kernels)
        if (kernel != kNoKernel)
          if (Range& user = users[static_cast<std::size_t>(kernel)]; ++user.count == 1) user.first = i;
    return users;
  }

  // " (`load` is to run it, and 3 more)"
  std::string users_in_words(Range users) const {
    if (users.count == 0) return {};
    const std::string others = users.count > 1 ? fmt::format(", and {} more", users.count - 1) : "";
    return fmt::format(" ({} is to run it{})", task_in_words(graph_, users.first), others);
  }

  void look_at_kernels(std::uint32_t number, const Task& task) {
    constexpr std::array<std::string_view, 3> kSlots = {"the cube core", "a vector core", "a vector core"};
    bool any = false;
    for (std::size_t slot = 0; slot < task.kernels.size(); ++slot) {
      if (task.kernels[slot] == kNoKernel) continue;
      any = true;
      const auto at = static_cast<std::size_t>(task.kernels[slot]);
      const Function& function = graph_.functions[at];
      const auto fits_task = [](Range range, Range all) {
        return range == kAll || is_inside(range, all.count);
      };
      if (!fits_task(function.arguments, task.arguments) || !fits_task(function.scalars, task.scalars))
        complain(number, fmt::format("has {} arguments and {} scalars, but function `{}` is given others",
                                     task.arguments.count, task.scalars.count, function.name));
      const std::uint32_t engine = slot == 0 ? ACCELSCOPE_ENGINE_CUBE : ACCELSCOPE_ENGINE_VECTOR;
      if (kernels_[at] != nullptr && kernels_[at]->engine != engine)
        complain(number, fmt::format("runs `{}` on {}; it is a kernel for {} cores", function.kernel,
                                     kSlots[slot], slot == 0 ? "vector" : "cube"));
    }
    if (!any) complain(number, "has no kernel; a task without one is a dummy");
  }

  void look_at_idle(std::uint32_t number, const Task& task) {
    const std::string_view what = task.kind == TaskKind::kDummy ? "a dummy" : "an alloc task";
    if (std::ranges::any_of(task.kernels, [](std::int32_t kernel) { return kernel != kNoKernel; }))
      complain(number, fmt::format("is {} and has a kernel", what));
    if (task.blocks > 1) complain(number, fmt::format("is {} and has {} blocks", what, task.blocks));
    if (task.sync_start || task.early_dispatch)
      complain(number, fmt::format("is {}: no core begins it", what));
    if (task.predicate.present) complain(number, fmt::format("is {} and depends on a tensor's value", what));
    if (task.kind != TaskKind::kAlloc) return;
    const auto arguments = graph_.arguments_of(number);
    if (arguments.empty()) complain(number, "is an alloc task and makes nothing");
    for (const Argument& argument : arguments)
      if (argument.access != Access::kCreatedOutput)
        complain(number, fmt::format("is an alloc task and uses `{}`, which it does not make",
                                     graph_.buffers[argument.view.buffer].name));
  }

  void look_at_arguments(std::uint32_t number) {
    const auto arguments = graph_.arguments_of(number);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (const auto text = problem_of_view(graph_, arguments[i].view, writes(arguments[i].access)))
        complain(number,
                 fmt::format("args[{}] (`{}`): {}", i, graph_.buffers[arguments[i].view.buffer].name, *text));
  }

  void look_at_predicate(std::uint32_t number, const Predicate& predicate) {
    const Buffer& buffer = graph_.buffers[predicate.view.buffer];
    if (const auto text = problem_of_view(graph_, predicate.view, false))
      complain(number, fmt::format("when (`{}`): {}", buffer.name, *text));
    if (is_floating(buffer.type))
      complain(number, fmt::format("when (`{}`): a whole number or a truth value decides, this is {}",
                                   buffer.name, facts_of(buffer.type).name));
  }

  void ask_kernels(std::uint32_t number, const Task& task) {
    if (task.kind != TaskKind::kKernel) return;
    describe_tensors(
        graph_, number, [](std::uint32_t) { return static_cast<std::byte*>(nullptr); }, tensors_);
    for (std::uint32_t slot = 0; slot < task.kernels.size(); ++slot) {
      if (task.kernels[slot] == kNoKernel) continue;
      const accelscope_kernel* kernel = kernels_[static_cast<std::size_t>(task.kernels[slot])];
      if (kernel == nullptr || kernel->check == nullptr) continue;
      const accelscope_kernel_call call = call_of(graph_, number, tensors_, slot, 0);
      if (const char* why = kernel->check(&call); why != nullptr)
        complain(number,
                 fmt::format("cannot run `{}`: {}{}", kernel->name, why, tensors_in_words(call, number)));
    }
  }

  // "; given `x` [64, 32], `y` [16]"
  std::string tensors_in_words(const accelscope_kernel_call& call, std::uint32_t number) const {
    std::string words;
    const auto arguments = graph_.arguments_of(number);
    const auto first = static_cast<std::size_t>(call.tensors - tensors_.data());
    for (std::size_t i = first; i < first + call.tensor_count; ++i) {
      const Buffer& buffer = graph_.buffers[arguments[i].view.buffer];
      words += fmt::format("{} `{}` {}{}", words.empty() ? "; given" : ",", buffer.name,
                           facts_of(buffer.type).name, shape_in_words(arguments[i].view));
    }
    return words;
  }

  const Graph& graph_;
  GraphProblems& problems_;
  bool asks_;
  std::vector<const accelscope_kernel*> kernels_;  // by function
  std::vector<accelscope_tensor> tensors_;
};

}  // namespace

std::optional<std::string> problem_of_view(const Graph& graph, const TensorView& view, bool written) {
  if (view.dimensions > kMaxDimensions)
    return fmt::format("has {} dimensions; {} are the most", view.dimensions, kMaxDimensions);
  std::uint64_t count = 1;
  std::uint64_t last = view.start;
  for (std::uint32_t i = 0; i < view.dimensions; ++i) {
    if (view.shape[i] == 0) return fmt::format("the shape {} is empty", shape_in_words(view));
    if (__builtin_mul_overflow(count, std::uint64_t{view.shape[i]}, &count) || count > kMaxElements ||
        __builtin_add_overflow(last, std::uint64_t{view.shape[i] - 1} * view.strides[i], &last))
      return fmt::format("the shape {} has more than {} elements", shape_in_words(view), kMaxElements);
  }
  const Buffer& buffer = graph.buffers[view.buffer];
  if (last >= buffer.elements)
    return fmt::format("reaches element {}, but the buffer ends with element {}", last,
                       static_cast<std::int64_t>(buffer.elements) - 1);
  if (written && repeats_elements(view))
    return "is written, but its strides meet the same element more than once";
  return std::nullopt;
}

bool numbers_are_sound(const Graph& graph, GraphProblems& problems) {
  const std::uint64_t before = problems.count;
  const auto is_unknown = [&](const TensorView& view) { return view.buffer >= graph.buffers.size(); };
  const auto complain = [&](std::uint32_t task, std::string_view what, std::int64_t number,
                            std::size_t count) {
    problems.add(
        Of::kTask, task,
        fmt::format("{} names {} {}; there are {}", task_in_words(graph, task), what, number, count));
  };
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    const Task& task = graph.tasks[i];
    if (!is_inside(task.arguments, graph.arguments.size()) ||
        !is_inside(task.scalars, graph.scalars.size()) ||
        !is_inside(task.dependencies, graph.dependencies.size())) {
      problems.add(Of::kTask, i, fmt::format("{} has entries beyond the graph's", task_in_words(graph, i)));
      continue;
    }
    for (const Argument& argument : graph.arguments_of(i))
      if (is_unknown(argument.view)) complain(i, "buffer", argument.view.buffer, graph.buffers.size());
    if (task.predicate.present && is_unknown(task.predicate.view))
      complain(i, "buffer", task.predicate.view.buffer, graph.buffers.size());
    for (const std::int32_t kernel : task.kernels)
      if (kernel != kNoKernel && (kernel < 0 || static_cast<std::size_t>(kernel) >= graph.functions.size()))
        complain(i, "function", kernel, graph.functions.size());
  }
  for (std::size_t i = 0; i < graph.expectations.size(); ++i)
    if (is_unknown(graph.expectations[i].view))
      problems.add(Of::kExpectation, i,
                   fmt::format("expectation {} names buffer {}; there are {}", i,
                               graph.expectations[i].view.buffer, graph.buffers.size()));
  if (!graph.task_names.empty() && graph.task_names.size() != graph.tasks.size())
    problems.add(Of::kGraph, 0,
                 fmt::format("{} tasks have {} names", graph.tasks.size(), graph.task_names.size()));
  return problems.count == before;
}

void check_buffers(const Graph& graph, GraphProblems& problems) {
  tsl::robin_set<std::string_view> names;
  for (std::size_t i = 0; i < graph.buffers.size(); ++i) {
    const Buffer& buffer = graph.buffers[i];
    if (buffer.name.empty()) problems.add(Of::kBuffer, i, fmt::format("buffer {} has no name", i));
    if (!names.insert(buffer.name).second && !buffer.name.empty())
      problems.add(Of::kBuffer, i, fmt::format("two buffers are called `{}`", buffer.name));
    if (const auto text = problem_of_buffer(buffer))
      problems.add(Of::kBuffer, i, fmt::format("buffer `{}` {}", buffer.name, *text));
  }
}

void check_tasks(const Graph& graph, const KnownKernels& kernels, GraphProblems& problems) {
  tsl::robin_set<std::string_view> names;
  for (std::size_t i = 0; i < graph.functions.size(); ++i) {
    const Function& function = graph.functions[i];
    if (!names.insert(function.name).second)
      problems.add(Of::kFunction, i, fmt::format("two functions are called `{}`", function.name));
    if (function.pipes.tiles > kMaxTiles || function.pipes.buffers > kMaxPipeBuffers)
      problems.add(
          Of::kFunction, i,
          fmt::format("function `{}` has {} tiles and {} buffers; {} and {} are the most", function.name,
                      function.pipes.tiles, function.pipes.buffers, kMaxTiles, kMaxPipeBuffers));
  }
  names.clear();
  for (std::size_t i = 0; i < graph.task_names.size(); ++i)
    if (!graph.task_names[i].empty() && !names.insert(graph.task_names[i]).second)
      problems.add(Of::kTask, i, fmt::format("two tasks are called `{}`", graph.task_names[i]));
  TaskCheck tasks(graph, kernels, problems);
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) tasks.look_at(i);
}

}  // namespace accelscope::runtime
