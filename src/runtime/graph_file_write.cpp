#include <fmt/core.h>

#include <algorithm>

#include "accelscope/dfx_flags.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "runtime/graph_file.h"
#include "runtime/graph_run_words.h"

namespace accelscope::runtime {
namespace {

using base::JsonWriter;

constexpr std::string_view kAccessKeys[] = {"in", "inout", "out", "make"};  // by Access

std::span<const std::uint32_t> shape_of(const TensorView& view) {
  return std::span(view.shape).first(view.dimensions);
}

// What lies in each buffer as the file will call it: the shape in which the buffer is used whole first, or a
// row of all elements.
std::vector<TensorView> wholes_of(const Graph& graph) {
  std::vector<TensorView> wholes(graph.buffers.size());
  std::vector<bool> known(graph.buffers.size());
  const auto look_at = [&](const TensorView& view) {
    if (known[view.buffer] || view.start != 0 || element_count(view) != graph.buffers[view.buffer].elements)
      return;
    if (!can_be_contiguous(shape_of(view)) || contiguous_view(view.buffer, shape_of(view)) != view) return;
    wholes[view.buffer] = view;
    known[view.buffer] = true;
  };
  for (const Argument& argument : graph.arguments) look_at(argument.view);
  for (const Expectation& expectation : graph.expectations) look_at(expectation.view);
  for (std::uint32_t i = 0; i < graph.buffers.size(); ++i) {
    if (known[i]) continue;
    const std::uint64_t elements = graph.buffers[i].elements;
    wholes[i] = {.buffer = i, .dimensions = 1};
    wholes[i].shape[0] = elements <= 0xFFFFFFFF ? static_cast<std::uint32_t>(elements) : 0;
    wholes[i].strides[0] = 1;
  }
  return wholes;
}

std::optional<std::string> problem_of(const RunDefaults& run) {
  if (run.chip && run.chip->empty()) return "the chip has no name";
  const auto outside = [](const std::optional<std::uint32_t>& value, std::uint32_t least,
                          std::uint32_t most) { return value && (*value < least || *value > most); };
  if (outside(run.chip_swimlane, 0, kMaxChipSwimlaneLevel))
    return fmt::format("there is no level {}", *run.chip_swimlane);
  if (outside(run.rounds, 1, kMaxRounds))
    return fmt::format("{} rounds are none that a file has", *run.rounds);
  if (outside(run.pmu, 1, kMaxPmuGroup)) return fmt::format("there is no group {} of counters", *run.pmu);
  return std::nullopt;
}

std::optional<std::string> problem_of_texts(const GraphFile& file) {
  const Graph& graph = file.graph;
  const auto is_wrong = [](const auto& text) { return !base::is_valid_utf8(text); };
  if (is_wrong(graph.name) || is_wrong(file.run.chip.value_or("")) ||
      std::ranges::any_of(graph.sites, is_wrong) || std::ranges::any_of(graph.task_names, is_wrong) ||
      std::ranges::any_of(graph.buffers, is_wrong, &Buffer::name) ||
      std::ranges::any_of(graph.functions, is_wrong, &Function::name) ||
      std::ranges::any_of(graph.functions, is_wrong, &Function::kernel))
    return "a name is no UTF-8 text";
  for (const Function& function : graph.functions)
    if (function.name.empty() || function.kernel.empty()) return "a function has no name or no kernel";
  return std::nullopt;
}

// What a graph may have that no file can say.
std::optional<std::string> problem_of(const GraphFile& file) {
  const Graph& graph = file.graph;
  std::size_t depth = 0;
  for (const Step& step : graph.steps) {
    if (step.kind == StepKind::kEndScope) --depth;
    if (step.kind != StepKind::kBeginScope) continue;
    if (graph.sites[step.site].empty()) return "a scope has no name";
    if (++depth > kMaxScopeDepth) return fmt::format("scopes are nested {} deep at most", kMaxScopeDepth);
  }
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i)
    if (graph.tasks[i].predicate.present && graph.tasks[i].predicate.view.dimensions > 0)
      return fmt::format("{} depends on a tensor, and only on single elements can it in a file",
                         task_in_words(graph, i));
  if (auto problem = problem_of_texts(file)) return problem;
  return problem_of(file.run);
}

class GraphWriter {
 public:
  GraphWriter(base::Output& out, const GraphFile& file)
      : out_(out),
        file_(file),
        graph_(file.graph),
        wholes_(wholes_of(file.graph)),
        outer_(out, JsonWriter::Style::kIndented) {}

  void write() {
    outer_.begin_object();
    if (!graph_.name.empty()) outer_.member("name", graph_.name);
    if (file_.run != RunDefaults{}) write_run();
    if (!are_plain_functions()) write_functions();
    outer_.key("buffers").begin_object();
    for (std::size_t i = 0; i < graph_.buffers.size(); ++i) write_buffer(i);
    outer_.end_object();
    write_steps();
    if (!graph_.expectations.empty()) write_expectations();
    outer_.end_object();
    out_.append('\n');
  }

 private:
  // One value on a line of its own, however much it holds.
  template <class Write>
  void on_one_line(Write&& write) {
    line_.clear();
    JsonWriter json(line_);
    json.begin_object();
    write(json);
    json.end_object();
    outer_.raw(line_.bytes());
  }

  void write_run() {
    outer_.key("run");
    on_one_line([&](JsonWriter& json) {
      const RunDefaults& run = file_.run;
      const auto member = [&](std::string_view key, const auto& value) {
        if (value) json.member(key, *value);
      };
      member("chip", run.chip);
      if (run.platform) json.member("platform", name_of(*run.platform));
      member("chip_swimlane", run.chip_swimlane);
      member("rounds", run.rounds);
      member("deps", run.deps);
      member("dump_tensor", run.dump_tensor);
      member("scope_stats", run.scope_stats);
      member("pmu", run.pmu);
      if (run.policy) json.member("policy", capture::name_of(*run.policy));
    });
  }

  // Whether the kernel's name says it all.
  static bool is_kernel_alone(const Function& function) {
    return function.arguments == kAll && function.scalars == kAll && function.pipes == Pipes{};
  }

  static bool is_plain(const Function& function) {
    return function.name == function.kernel && is_kernel_alone(function);
  }

  // Whether the tasks alone name all functions, in the order in which the graph has them.
  bool are_plain_functions() const {
    if (!std::ranges::all_of(graph_.functions, is_plain)) return false;
    std::int32_t next = 0;
    for (const Task& task : graph_.tasks)
      for (const std::int32_t kernel : task.kernels) {
        if (kernel > next) return false;
        if (kernel == next) ++next;
      }
    return next == static_cast<std::int32_t>(graph_.functions.size());
  }

  void write_functions() {
    outer_.key("functions").begin_object();
    for (const Function& function : graph_.functions) {
      outer_.key(function.name);
      if (is_kernel_alone(function)) {
        outer_.value(function.kernel);
        continue;
      }
      on_one_line([&](JsonWriter& json) {
        json.member("kernel", function.kernel);
        const auto range = [&](std::string_view key, Range value) {
          if (value == kAll) return;
          json.key(key).begin_array().value(value.first).value(value.count).end_array();
        };
        range("args", function.arguments);
        range("scalars", function.scalars);
        if (function.pipes == Pipes{}) return;
        json.key("pipes").begin_object();
        if (function.pipes.tiles != 0) json.member("tiles", function.pipes.tiles);
        if (function.pipes.buffers != 0) json.member("buffers", function.pipes.buffers);
        json.end_object();
      });
    }
    outer_.end_object();
  }

  template <class Values>
  static void write_array(JsonWriter& json, std::string_view key, const Values& values) {
    json.key(key).begin_array();
    for (const auto value : values) json.value(value);
    json.end_array();
  }

  void write_buffer(std::size_t number) {
    const Buffer& buffer = graph_.buffers[number];
    const TensorView& whole = wholes_[number];
    outer_.key(buffer.name);
    on_one_line([&](JsonWriter& json) {
      json.member("type", facts_of(buffer.type).name);
      if (buffer.elements > 0xFFFFFFFF && whole.dimensions == 1)
        json.member("shape", buffer.elements);
      else
        write_array(json, "shape", shape_of(whole));
      write_init(json, buffer.content);
    });
  }

  static void write_init(JsonWriter& json, const BufferContent& content) {
    switch (content.fill) {
      case Fill::kZeros:
        return;
      case Fill::kConstant:
        json.member("init", content.base);
        return;
      case Fill::kValues:
        write_array(json, "init", content.values);
        return;
      case Fill::kCounting:
      case Fill::kRandom:
        break;
    }
    const bool is_random = content.fill == Fill::kRandom;
    json.key("init").begin_object().key(is_random ? "random" : "counting").begin_object();
    json.member("from", content.base);
    json.member(is_random ? "width" : "step", content.step);
    if (is_random) json.member("seed", content.seed);
    json.end_object().end_object();
  }

  // Where a view lies, after the buffer's name.
  void write_offset(JsonWriter& json, const TensorView& view) const {
    const TensorView& whole = wholes_[view.buffer];
    if (view.start == 0) return;
    if (view.dimensions != whole.dimensions || whole.dimensions < 2 ||
        view.start >= graph_.buffers[view.buffer].elements) {
      json.member("offset", view.start);
      return;
    }
    std::uint64_t rest = view.start;
    json.key("offset").begin_array();
    for (std::uint32_t i = 0; i < whole.dimensions; ++i) {
      json.value(rest / whole.strides[i]);
      rest %= whole.strides[i];
    }
    json.end_array();
  }

  void write_view(JsonWriter& json, const TensorView& view) const {
    const TensorView& whole = wholes_[view.buffer];
    if (view == whole) return;
    write_offset(json, view);
    write_array(json, "shape", shape_of(view));
    if (!can_be_contiguous(shape_of(view)) || default_strides(whole, view) != view)
      write_array(json, "strides", std::span(view.strides).first(view.dimensions));
  }

  void write_steps() {
    outer_.key("steps").begin_array();
    for (const Step& step : graph_.steps) {
      if (step.kind == StepKind::kSubmit) {
        on_one_line([&](JsonWriter& json) { write_task(json, step.task); });
      } else if (step.kind == StepKind::kBeginScope) {
        outer_.begin_object().member("scope", graph_.sites[step.site]);
        if (step.manual) outer_.member("manual", true);
        outer_.key("steps").begin_array();
      } else {
        outer_.end_array().end_object();
      }
    }
    outer_.end_array();
  }

  void write_task(JsonWriter& json, std::uint32_t number) {
    const Task& task = graph_.tasks[number];
    if (number < graph_.task_names.size() && !graph_.task_names[number].empty())
      json.member("name", graph_.task_names[number]);
    if (task.kind != TaskKind::kKernel)
      json.member("kind", task.kind == TaskKind::kDummy ? "dummy" : "alloc");
    write_kernels(json, task);
    if (task.arguments.count > 0) {
      json.key("args").begin_array();
      for (const Argument& argument : graph_.arguments_of(number)) write_argument(json, argument);
      json.end_array();
    }
    if (task.scalars.count > 0) write_array(json, "scalars", graph_.scalars_of(number));
    if (task.dependencies.count > 0) write_after(json, number);
    if (task.blocks != 1) json.member("blocks", task.blocks);
    if (task.early_dispatch) json.member("early_dispatch", true);
    if (task.sync_start) json.member("sync_start", true);
    if (task.predicate.present) write_predicate(json, task.predicate);
  }

  const std::string& function_name(std::int32_t function) const {
    return graph_.functions[static_cast<std::size_t>(function)].name;
  }

  void write_kernels(JsonWriter& json, const Task& task) const {
    if (task.kernels[0] != kNoKernel) json.member("cube", function_name(task.kernels[0]));
    if (task.kernels[2] == kNoKernel) {
      if (task.kernels[1] != kNoKernel) json.member("vector", function_name(task.kernels[1]));
      return;
    }
    json.key("vector").begin_array();
    if (task.kernels[1] == kNoKernel)
      json.null();
    else
      json.value(function_name(task.kernels[1]));
    json.value(function_name(task.kernels[2])).end_array();
  }

  void write_argument(JsonWriter& json, const Argument& argument) const {
    const std::string& name = graph_.buffers[argument.view.buffer].name;
    if (argument.access == Access::kInput && argument.view == wholes_[argument.view.buffer]) {
      json.value(name);
      return;
    }
    json.begin_object().member(kAccessKeys[static_cast<std::size_t>(argument.access)], name);
    write_view(json, argument.view);
    json.end_object();
  }

  void write_after(JsonWriter& json, std::uint32_t number) const {
    json.key("after").begin_array();
    for (const std::uint32_t other : graph_.dependencies_of(number)) {
      if (other < graph_.task_names.size() && !graph_.task_names[other].empty())
        json.value(graph_.task_names[other]);
      else
        json.value(other);
    }
    json.end_array();
  }

  void write_predicate(JsonWriter& json, const Predicate& predicate) const {
    json.key("when").begin_object();
    json.member(predicate.when_zero ? "zero" : "not_zero", graph_.buffers[predicate.view.buffer].name);
    if (predicate.view.start != 0) json.member("offset", predicate.view.start);
    json.end_object();
  }

  void write_expectations() {
    outer_.key("expect").begin_array();
    for (const Expectation& expectation : graph_.expectations)
      on_one_line([&](JsonWriter& json) {
        json.member("buffer", graph_.buffers[expectation.view.buffer].name);
        write_view(json, expectation.view);
        if (expectation.absolute != 0) json.member("absolute", expectation.absolute);
        if (expectation.relative != 0) json.member("relative", expectation.relative);
        write_array(json, "values", expectation.values);
      });
    outer_.end_array();
  }

  base::Output& out_;
  const GraphFile& file_;
  const Graph& graph_;
  std::vector<TensorView> wholes_;
  JsonWriter outer_;
  base::MemoryOutput line_;
};

}  // namespace

base::Status write_graph(base::Output& out, const GraphFile& file) {
  if (const auto problem = problem_of(file))
    return base::fail(base::ErrorCode::kMalformed, "the graph `{}` cannot be written: {}", file.graph.name,
                      *problem);
  GraphWriter(out, file).write();
  return out.status();
}

}  // namespace accelscope::runtime
