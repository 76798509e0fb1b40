// Programs drawn at random: views with gaps and turned dimensions, overlaps, updates in place, scopes with
// buffers of their own, predicates, blocks, explicit dependencies. What tests of dependencies need.
//
// A task never reads what it writes but in place, element by element, so that any order that keeps the
// dependencies gives the same numbers. The kernels are such that f32 has one right result for each: however a
// kernel computes, it is rounded once.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "runtime/buffer_content.h"
#include "runtime/generator_families.h"
#include "runtime/overlap.h"

namespace accelscope::runtime {
namespace {

constexpr GeneratorParameter kRandomParameters[] = {
    {"tasks", "drawn", 200, 1, kMaxGeneratedTasks},
    {"buffers", "that exist from the beginning", 4, 1, 1000},
    {"elements", "of each buffer", 64, 1, 4096},
    {"scopes", "1: nested scopes, and buffers made in them", 1, 0, 1},
    {"explicit", "1: explicit dependencies, too", 1, 0, 1},
    {"predicates", "1: tasks that are not run, and dummies", 1, 0, 1},
    {"blocks", "of a task at most", 4, 1, 65535},
    {"seed", "of the program and of its inputs", 1, 0, ~0ULL},
    kExpect,
};

constexpr std::size_t kMaxDepth = 4;
constexpr std::size_t kMaxMade = 16;  // at a time
constexpr std::uint64_t kFlags = 8;
// Results beyond this are not computed further, so that nothing overflows.
constexpr double kMaxSize = 1e6;

enum class Operation : std::uint8_t { kCopy, kFill, kScale, kAdd, kSub, kMul, kMaximum };
constexpr std::string_view kKernels[] = {"copy", "fill", "scale", "add", "sub", "mul", "maximum"};

class Program {
 public:
  Program(const Parameters& parameters, std::string name)
      : parameters_(parameters), build_(std::move(name)), seed_(parameters["seed"]) {
    const std::uint64_t elements = parameters["elements"], buffers = parameters["buffers"];
    build_.reserve_tasks(parameters["tasks"], 3);
    for (std::uint64_t i = 0; i < buffers; ++i)
      live_.push_back(build_.buffer(fmt::format("b{}", i), DataType::kFloat32, elements,
                                    random_content(-1, 2, seed_ + i + 1)));
    size_.assign(buffers, 1);
    simulates_ =
        parameters.is_set("expect") &&
        static_cast<double>(parameters["tasks"]) * static_cast<double>(elements) <= kMaxExpectedWork &&
        static_cast<double>(buffers) * static_cast<double>(elements) <= kMaxExpectedValues;
    if (parameters.is_set("predicates")) add_flags();
    for (const Buffer& buffer : build_.graph().buffers) memory_.push_back(start_of(buffer));
  }

  Graph draw() {
    const std::uint64_t tasks = parameters_["tasks"];
    while (build_.graph().tasks.size() < tasks) {
      if (parameters_.is_set("scopes")) draw_scope();
      if (parameters_.is_set("predicates") && one_in(16))
        draw_idle_task();
      else if (parameters_.is_set("scopes") && !scopes_.empty() && made_ < kMaxMade && one_in(6))
        draw_maker();
      else
        draw_task();
    }
    while (!scopes_.empty()) end_scope();
    if (simulates_)
      for (std::uint32_t i = 0; i < parameters_["buffers"]; ++i)
        build_.expect(expected(i, std::vector<double>(memory_[i].begin(), memory_[i].end()), 0));
    return build_.finish();
  }

 private:
  std::uint64_t below(std::uint64_t end) {
    return static_cast<std::uint64_t>(random_number(seed_, drawn_++) * static_cast<double>(end));
  }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

  std::vector<float> start_of(const Buffer& buffer) const {
    if (!simulates_) return {};
    const std::vector<double> numbers = numbers_of(buffer);
    return {numbers.begin(), numbers.end()};
  }

  void add_flags() {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < kFlags; ++i) values.push_back(static_cast<double>(below(2)));
    flags_ = build_.buffer("flags", DataType::kInt32, kFlags, {.fill = Fill::kValues, .values = values});
    size_.push_back(0);
  }

  void draw_scope() {
    if (scopes_.size() < kMaxDepth && one_in(10)) {
      build_.begin_scope("scope");
      scopes_.push_back(live_.size());
    } else if (!scopes_.empty() && one_in(10)) {
      end_scope();
    }
  }

  void end_scope() {
    build_.end_scope();
    made_ -= live_.size() - scopes_.back();
    for (std::size_t i = scopes_.back(); i < live_.size(); ++i) memory_[live_[i]] = {};
    live_.resize(scopes_.back());
    scopes_.pop_back();
  }

  std::vector<std::uint32_t> draw_shape() {
    std::uint64_t room = parameters_["elements"];
    std::vector<std::uint32_t> shape(1 + below(3));
    for (std::uint32_t& extent : shape) {
      extent =
          static_cast<std::uint32_t>(1 + below(shape.size() == 1 ? room : std::min<std::uint64_t>(room, 8)));
      room /= extent;
    }
    return shape;
  }

  // A view of this shape of some buffer, one that has as many elements.
  TensorView draw_view(const std::vector<std::uint32_t>& shape) {
    const TensorView plain = contiguous_view(0, shape);
    std::uint32_t buffer = live_[below(live_.size())];
    if (build_.graph().buffers[buffer].elements < end_of(plain))
      buffer = live_[below(parameters_["buffers"])];
    const std::uint64_t elements = build_.graph().buffers[buffer].elements;
    TensorView view = plain;
    const bool turned = one_in(4);
    std::uint32_t stride = 1;
    for (std::uint32_t i = 0; i < view.dimensions; ++i) {
      const std::uint32_t dimension = turned ? i : view.dimensions - 1 - i;
      if (one_in(3)) stride *= 2;
      view.strides[dimension] = stride;
      stride *= view.shape[dimension];
    }
    if (end_of(view) > elements) view = plain;
    view.buffer = buffer;
    view.start = below(elements - end_of(view) + 1);
    return view;
  }

  // What a task with this output may read: the output itself, or what does not meet it.
  TensorView draw_input(const TensorView& out, const std::vector<std::uint32_t>& shape) {
    if (one_in(4)) return out;
    const TensorView view = draw_view(shape);
    return view != out && meet(region_of(view), region_of(out)) ? out : view;
  }

  struct Drawn {
    Operation operation;
    TensorView a, b, out;
    double factor = 1, offset = 0;
    double size = 0;  // of the results at most
  };

  // `a` and `b` are chosen for an output that is there already; of one that is yet to be made, nothing is
  // read.
  Drawn draw_operation(const TensorView& out, const std::vector<std::uint32_t>& shape, bool makes) {
    const auto input = [&] { return makes ? draw_view(shape) : draw_input(out, shape); };
    Drawn drawn{static_cast<Operation>(below(7)), input(), input(), out};
    if (one_in(5)) {
      const TensorView one = single(drawn.b.buffer, drawn.b.start);
      if (makes || !meet(region_of(one), region_of(out))) drawn.b = one;
    }
    const double a = size_[drawn.a.buffer], b = size_[drawn.b.buffer];
    if ((drawn.operation == Operation::kMul && a * b > kMaxSize) || a + b > kMaxSize)
      drawn.operation = Operation::kScale;
    constexpr double kFactors[] = {-1, 0.5, -0.25, 1};
    drawn.factor = kFactors[a > kMaxSize / 4 ? 2 : below(4)];
    drawn.offset = static_cast<double>(below(9)) / 4 - 1;
    switch (drawn.operation) {
      case Operation::kCopy:
        drawn.size = a;
        break;
      case Operation::kFill:
        drawn.size = 1;
        break;
      case Operation::kScale:
        drawn.size = a * std::abs(drawn.factor) + 1;
        break;
      case Operation::kAdd:
      case Operation::kSub:
        drawn.size = a + b;
        break;
      case Operation::kMul:
        drawn.size = a * b;
        break;
      case Operation::kMaximum:
        drawn.size = std::max(a, b);
        break;
    }
    return drawn;
  }

  TaskBuilder begin_task(const Drawn& drawn) {
    TaskBuilder task = build_.vector(kKernels[static_cast<std::size_t>(drawn.operation)]);
    if (drawn.operation != Operation::kFill) task.in(drawn.a);
    if (drawn.operation >= Operation::kAdd) task.in(drawn.b);
    if (drawn.operation == Operation::kFill) task.scalar(drawn.offset);
    if (drawn.operation == Operation::kScale) task.scalar(drawn.factor).scalar(drawn.offset);
    return task;
  }

  void draw_marks(TaskBuilder& task) {
    if (parameters_["blocks"] > 1 && one_in(4)) {
      task.blocks(static_cast<std::uint32_t>(2 + below(parameters_["blocks"] - 1)));
      if (one_in(8)) task.sync_start();
    }
    if (one_in(8)) task.early();
    draw_dependencies(task);
  }

  void draw_dependencies(TaskBuilder& task) {
    if (!parameters_.is_set("explicit") || task.number() == 0) return;
    while (one_in(6)) task.after(static_cast<std::uint32_t>(below(task.number())));
  }

  void draw_task() {
    const auto shape = draw_shape();
    const Drawn drawn = draw_operation(draw_view(shape), shape, false);
    TaskBuilder task = begin_task(drawn);
    task.out(drawn.out);
    draw_marks(task);
    bool runs = true;
    if (parameters_.is_set("predicates") && one_in(8)) {
      const std::uint64_t flag = below(kFlags);
      const bool zero = one_in(2);
      task.when(single(flags_, flag), zero);
      runs = (build_.graph().buffers[flags_].content.values[flag] == 0) == zero;
    }
    size_[drawn.out.buffer] = std::max(size_[drawn.out.buffer], drawn.size);
    if (runs) simulate(drawn);
  }

  // A buffer of the innermost scope, made by the task that first writes it, or by an alloc task before that.
  void draw_maker() {
    const auto shape = draw_shape();
    const TensorView plain =
        contiguous_view(static_cast<std::uint32_t>(build_.graph().buffers.size()), shape);
    const Drawn drawn = draw_operation(plain, shape, true);
    const std::uint32_t buffer =
        build_.buffer(fmt::format("made{}", plain.buffer), DataType::kFloat32, element_count(plain));
    size_.push_back(drawn.size);
    memory_.push_back(start_of(build_.graph().buffers[buffer]));
    const bool alone = one_in(3) && build_.graph().tasks.size() + 1 < parameters_["tasks"];
    if (alone) build_.alloc().make(plain);
    TaskBuilder task = begin_task(drawn);
    if (alone)
      task.out(plain);
    else
      task.make(plain);
    draw_marks(task);
    live_.push_back(buffer);
    ++made_;
    simulate(drawn);
  }

  // A dummy, or a kernel that says it changes a tensor and does nothing.
  void draw_idle_task() {
    const TensorView view = draw_view(draw_shape());
    TaskBuilder task = one_in(2) ? build_.dummy() : build_.vector("empty");
    if (one_in(2))
      task.inout(view);
    else
      task.in(view);
    draw_dependencies(task);
  }

  void simulate(const Drawn& drawn) {
    if (!simulates_) return;
    const std::vector<float>& a = memory_[drawn.a.buffer];
    const std::vector<float>& b = memory_[drawn.b.buffer];
    std::vector<float>& out = memory_[drawn.out.buffer];
    for (std::uint64_t i = 0; i < element_count(drawn.out); ++i) {
      const float x = a[element_at(drawn.a, i)];
      const float y = b[element_at(drawn.b, i)];
      out[element_at(drawn.out, i)] = result_of(drawn, x, y);
    }
  }

  static float result_of(const Drawn& drawn, float x, float y) {
    const auto factor = static_cast<float>(drawn.factor), offset = static_cast<float>(drawn.offset);
    switch (drawn.operation) {
      case Operation::kCopy:
        return x;
      case Operation::kFill:
        return offset;
      case Operation::kScale:
        return x * factor + offset;
      case Operation::kAdd:
        return x + y;
      case Operation::kSub:
        return x - y;
      case Operation::kMul:
        return x * y;
      case Operation::kMaximum:
        return std::max(x, y);
    }
    return 0;
  }

  const Parameters& parameters_;
  GraphBuilder build_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  std::vector<std::uint32_t> live_;         // buffers that may be used; those from the beginning come first
  std::vector<std::size_t> scopes_;         // open ones: how many buffers were live when each began
  std::size_t made_ = 0;                    // of the live ones
  std::vector<double> size_;                // of the numbers in each buffer at most
  std::vector<std::vector<float>> memory_;  // of each buffer, when it is simulated
  std::uint32_t flags_ = 0;
  bool simulates_ = false;
};

base::Result<Graph> generate_random(const Parameters& parameters, std::string name) {
  return Program(parameters, std::move(name)).draw();
}

}  // namespace

Family random_family() {
  return {
      {"random", "programs drawn at random: views, overlaps, updates in place, scopes", kRandomParameters},
      generate_random};
}

}  // namespace accelscope::runtime
