#include "runtime/graph_check.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "runtime/graph_builder.h"

namespace accelscope::runtime {
namespace {

using Shape = std::vector<std::uint32_t>;

const char* same_shapes(const accelscope_kernel_call* call) {
  for (std::uint32_t i = 1; i < call->tensor_count; ++i)
    if (call->tensors[i].shape[0] != call->tensors[0].shape[0]) return "shapes differ";
  return nullptr;
}

const accelscope_kernel* found_kernel(std::string_view name) {
  static const std::array<accelscope_kernel, 2> kKernels = {
      accelscope_kernel{"add", ACCELSCOPE_ENGINE_VECTOR, nullptr, same_shapes, nullptr},
      accelscope_kernel{"gemm", ACCELSCOPE_ENGINE_CUBE, nullptr, nullptr, nullptr}};
  for (const accelscope_kernel& kernel : kKernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

std::vector<std::string> errors_of(const Graph& graph) {
  std::vector<std::string> texts;
  for (GraphProblem& problem : problems_of(graph, {found_kernel, {"add", "gemm"}}).first)
    texts.push_back(std::move(problem.text));
  return texts;
}

TensorView row(std::uint32_t buffer, std::uint32_t elements = 8) {
  return contiguous_view(buffer, Shape{elements});
}

// A builder with two buffers of eight elements: x is 0, y is 1.
GraphBuilder with_two_buffers() {
  GraphBuilder build("g");
  build.buffer("x", DataType::kFloat32, 8);
  build.buffer("y", DataType::kFloat32, 8);
  return build;
}

using Texts = std::vector<std::string>;

TEST(GraphCheck, FindsNothingInAGoodGraph) {
  GraphBuilder build = with_two_buffers();
  const std::uint32_t t = build.buffer("t", DataType::kFloat32, 8);
  const std::uint32_t flag = build.buffer("flag", DataType::kInt32, 1, constant_content(1));
  build.begin_scope("layer");
  const std::uint32_t maker = build.vector("add").in(row(0)).make(row(t)).number();
  build.vector("add").in(row(t)).out(row(1)).after(maker).when({.buffer = flag}).blocks(2).sync_start();
  build.end_scope();
  build.dummy().in(row(1)).after(maker);
  build.expect({.view = row(1), .values = std::vector<double>(8)});
  const Graph graph = build.finish();
  EXPECT_EQ(errors_of(graph), Texts{});
  EXPECT_TRUE(check(graph, {}));
}

TEST(GraphCheck, FindsAllErrorsAtOnce) {
  GraphBuilder build = with_two_buffers();
  build.vector("ad").in(row(0)).named("first");
  build.vector("add").in(row(0, 9)).blocks(0);
  build.end_scope();
  const auto status = check(build.finish(), {found_kernel, {"add", "gemm"}});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "4 errors in the graph:\n"
            "  no kernel is called `ad`; did you mean `add`? (`first` is to run it)\n"
            "  task 1 (add) has no blocks; 1 is a plain task\n"
            "  task 1 (add) args[0] (`x`): reaches element 8, but the buffer ends with element 7\n"
            "  steps[2] ends a scope, but none is open");
}

TEST(GraphCheck, ListsSomeOfVeryManyErrors) {
  GraphBuilder build = with_two_buffers();
  for (int i = 0; i < 3000; ++i) build.vector("add").in(row(0, 9));
  const auto status = check(build.finish(), {});
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().message.starts_with("3000 errors in the graph:\n"));
  EXPECT_TRUE(status.error().message.ends_with("\n  and 2950 more"));
}

TEST(GraphCheck, NamesNumbersThatPointNowhere) {
  GraphBuilder build = with_two_buffers();
  build.vector("add").in(row(7)).when({.buffer = 9});
  build.expect({.view = row(8)});
  Graph graph = build.finish();
  graph.tasks[0].kernels[0] = 3;
  EXPECT_EQ(
      errors_of(graph),
      (Texts{"task 0 (add) names buffer 7; there are 2", "task 0 (add) names buffer 9; there are 2",
             "task 0 (add) names function 3; there are 1", "expectation 0 names buffer 8; there are 2"}));
  graph.tasks[0].arguments.count = 5;
  EXPECT_EQ(errors_of(graph)[0], "task 0 (add) has entries beyond the graph's");
}

TEST(GraphCheck, NamesViewsThatCannotBe) {
  GraphBuilder build = with_two_buffers();
  TensorView six = row(0);
  six.dimensions = 6;
  TensorView huge{.buffer = 0, .dimensions = 3, .shape = {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}};
  TensorView far{.buffer = 0, .start = 8};
  TensorView wrapping{.buffer = 0, .dimensions = 1, .start = ~0ULL, .shape = {2}, .strides = {1}};
  build.vector("empty").in(six).in(huge).in(row(0, 0)).in(far).in(wrapping);
  TensorView twice{.buffer = 1, .dimensions = 2, .shape = {2, 3}, .strides = {2, 1}};
  build.vector("empty").in(twice).out(twice);
  TensorView column{.buffer = 1, .dimensions = 2, .shape = {2, 4}, .strides = {1, 2}};
  build.vector("empty").out(column);
  std::vector<std::string> texts;
  for (GraphProblem& problem : problems_of(build.finish(), {}).first)
    texts.push_back(std::move(problem.text));
  EXPECT_EQ(
      texts,
      (Texts{
          "task 0 (empty) args[0] (`x`): has 6 dimensions; 5 are the most",
          "task 0 (empty) args[1] (`x`): the shape [4294967295, 4294967295, 4294967295] has more than "
          "17592186044416 elements",
          "task 0 (empty) args[2] (`x`): the shape [0] is empty",
          "task 0 (empty) args[3] (`x`): reaches element 8, but the buffer ends with element 7",
          "task 0 (empty) args[4] (`x`): the shape [2] has more than 17592186044416 elements",
          "task 1 (empty) args[1] (`y`): is written, but its strides meet the same element more than once"}));
}

// What is drawn or counted is checked as what is written out.
TEST(GraphCheck, NamesContentsThatTheirTypeDoesNotHold) {
  const auto error_of = [](DataType type, Fill fill, double base, double step, std::uint64_t elements = 3) {
    GraphBuilder build("g");
    build.buffer("x", type, elements, {.fill = fill, .base = base, .step = step});
    const Texts errors = errors_of(build.finish());
    return errors.empty() ? "" : errors[0];
  };
  using T = DataType;
  EXPECT_EQ(error_of(T::kInt8, Fill::kRandom, -128, 256), "");
  EXPECT_EQ(error_of(T::kInt8, Fill::kRandom, 127.5, -255.5), "") << "down to, but not, -128";
  EXPECT_EQ(error_of(T::kInt8, Fill::kRandom, -128, 257),
            "buffer `x` begins with -128 to 129, which i8 does not hold");
  EXPECT_EQ(error_of(T::kInt8, Fill::kRandom, 127, -255.5),
            "buffer `x` begins with 127 to -128.5, which i8 does not hold");
  EXPECT_EQ(error_of(T::kUInt8, Fill::kRandom, -0.5, 1),
            "buffer `x` begins with -0.5 to 0.5, which u8 does not hold");
  EXPECT_EQ(error_of(T::kBool, Fill::kRandom, 0, 2), "");
  EXPECT_NE(error_of(T::kBool, Fill::kRandom, 0, 2.5), "");
  EXPECT_EQ(error_of(T::kInt64, Fill::kRandom, -0x1p63, 0x1p64), "");
  EXPECT_NE(error_of(T::kInt64, Fill::kRandom, 0, 0x1.1p63), "");
  EXPECT_EQ(error_of(T::kFloat16, Fill::kRandom, -65504, 131008), "");
  EXPECT_NE(error_of(T::kFloat16, Fill::kRandom, 0, 65536), "");
  EXPECT_NE(error_of(T::kFloat32, Fill::kRandom, 1e308, 1e308), "");

  EXPECT_EQ(error_of(T::kInt32, Fill::kCounting, 5, -2), "");
  EXPECT_EQ(error_of(T::kInt32, Fill::kCounting, 0, 0.5),
            "buffer `x` counts in steps of 0.5, and i32 holds whole numbers")
      << "the first and the last are whole";
  EXPECT_EQ(error_of(T::kInt32, Fill::kCounting, 7, 0.5, 1), "") << "no step is made";
  EXPECT_NE(error_of(T::kBool, Fill::kCounting, 0, 0.5), "");
  EXPECT_EQ(error_of(T::kBool, Fill::kCounting, 0, 1, 2), "");
  EXPECT_EQ(error_of(T::kFloat16, Fill::kCounting, 0, 0.5), "");
}

TEST(GraphCheck, NamesBuffersThatCannotBe) {
  GraphBuilder build("g");
  build.buffer("x", DataType::kInt8, 0);
  build.buffer("x", DataType::kInt8, 1ULL << 60U);
  build.buffer("", DataType::kInt8, 1);
  build.buffer("v", DataType::kInt8, 2, {.fill = Fill::kValues, .values = {1}});
  build.buffer("w", DataType::kInt8, 2, {.fill = Fill::kValues, .values = {1, 300}});
  build.buffer("c", DataType::kInt8, 3, {.fill = Fill::kCounting, .base = 100, .step = 20});
  build.buffer("n", DataType::kFloat32, 3, constant_content(std::nan("")));
  build.buffer("m", DataType::kFloat32, 8, constant_content(1));
  build.vector("add").make(row(7));
  EXPECT_EQ(errors_of(build.finish()),
            (Texts{"buffer `x` has no elements", "two buffers are called `x`",
                   "buffer `x` has 1152921504606846976 elements; 17592186044416 are the most",
                   "buffer 2 has no name", "buffer `v` has 2 elements, but 1 values to begin with",
                   "buffer `w` begins with 300 at 1, which i8 does not hold",
                   "buffer `c` begins with 100 to 140, which i8 does not hold",
                   "buffer `n` begins with what is no number",
                   "buffer `m` is made by a task and cannot begin with values"}));
}

TEST(GraphCheck, NamesUsesOutsideTheLifeOfABuffer) {
  GraphBuilder build = with_two_buffers();
  const std::uint32_t t = build.buffer("t", DataType::kFloat32, 8);
  build.vector("add").in(row(t)).named("early");
  build.begin_scope("layer 0");
  build.vector("add").make(row(t)).named("maker");
  build.begin_scope("inner");
  build.vector("add").in(row(t)).named("fine");
  build.end_scope();
  build.end_scope();
  build.vector("add").in(row(0)).out(row(t)).named("late");
  build.expect({.view = row(t), .values = std::vector<double>(8)});
  EXPECT_EQ(
      errors_of(build.finish()),
      (Texts{
          "`early` uses `t` before `maker` makes it",
          "`late` uses `t`, which was made in scope `layer 0` and is gone since that has ended",
          "what is expected of `t`: the buffer is gone when the run ends: it is made in scope `layer 0`"}));
}

TEST(GraphCheck, KeepsWhatIsMadeOutsideOfScopes) {
  GraphBuilder build = with_two_buffers();
  const std::uint32_t t = build.buffer("t", DataType::kFloat32, 8);
  build.alloc().make(row(t));
  build.begin_scope("s");
  build.vector("add").in(row(0)).out(row(t));
  build.end_scope();
  build.expect({.view = row(t), .values = std::vector<double>(8)});
  EXPECT_EQ(errors_of(build.finish()), Texts{});
}

TEST(GraphCheck, NamesMakersThatAreTooManyOrTooFew) {
  GraphBuilder build = with_two_buffers();
  const std::uint32_t t = build.buffer("t", DataType::kFloat32, 8);
  const std::uint32_t u = build.buffer("u", DataType::kFloat32, 8);
  build.vector("add").argument(row(t), Access::kCreatedOutput).named("one");
  build.vector("add").make(row(t)).named("two");
  build.vector("add").argument(row(0), Access::kCreatedOutput).named("three");
  build.alloc().in(row(1)).named("four");
  build.alloc().named("five");
  Graph graph = build.finish();
  graph.buffers[u].made_by = 3;
  EXPECT_EQ(
      errors_of(graph),
      (Texts{"`four` is an alloc task and uses `y`, which it does not make",
             "`five` is an alloc task and makes nothing", "`one` makes `t`, and so does `two`",
             "`one` uses `t` before `two` makes it", "`three` makes `x`, which exists from the beginning",
             "buffer `u` is to be made by `four`, which does not"}));
}

TEST(GraphCheck, NamesScopesAndStepsOutOfOrder) {
  GraphBuilder build = with_two_buffers();
  build.begin_scope("outer");
  build.begin_scope("inner");
  build.vector("add").in(row(0));
  build.vector("add").in(row(0));
  Graph graph = build.finish();
  std::swap(graph.steps[2], graph.steps[3]);
  EXPECT_EQ(
      errors_of(graph),
      (Texts{"steps[2] submits task 1, but tasks are numbered as they are submitted, and the next is 0",
             "scope `inner` is not ended", "scope `outer` is not ended", "task 1 (add) is never submitted"}));
}

TEST(GraphCheck, NamesDependenciesThatCannotBe) {
  GraphBuilder build = with_two_buffers();
  build.vector("add").in(row(0)).named("a").after(2);
  build.vector("add").in(row(0)).named("b").after(0);
  build.vector("add").in(row(0)).named("c").after(1);
  build.vector("add").in(row(0)).named("d").after(4);
  build.vector("add").in(row(0)).named("e").after(2).after(99);
  build.vector("add").in(row(0)).named("f").after(5);
  EXPECT_EQ(errors_of(build.finish()),
            (Texts{"`e` waits for task 99; there are 6",
                   "explicit dependencies go in a circle: `c` waits for `b` waits for `a` waits for `c`",
                   "`d` waits for `e`, which is submitted after it",
                   "explicit dependencies go in a circle: `f` waits for `f`"}));
}

TEST(GraphCheck, FindsVeryLongCircles) {
  GraphBuilder build = with_two_buffers();
  constexpr std::uint32_t kTasks = 200'000;
  build.vector("add").in(row(0)).after(kTasks - 1);
  for (std::uint32_t i = 1; i < kTasks; ++i) build.vector("add").in(row(0)).after(i - 1);
  const Texts errors = errors_of(build.finish());
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_TRUE(errors[0].ends_with("... (199980 more) task 199999 (add)")) << errors[0];
}

TEST(GraphCheck, NamesKernelsThatDoNotFit) {
  GraphBuilder build = with_two_buffers();
  build.cube("add").in(row(0));
  build.vector("gemm").in(row(0));
  build.task({kNoKernel, kNoKernel, kNoKernel});
  build.vector("add").in(row(0, 4)).in(row(1));
  const std::int32_t window = build.function({"half", "add", {2, 2}, kAll});
  build.task({kNoKernel, kNoKernel, window}).in(row(0)).in(row(1)).in(row(1));
  build.dummy().blocks(2).early().when({.buffer = 0});
  build.vector("add").scalar(std::numeric_limits<double>::infinity());
  Graph graph = build.finish();
  graph.tasks[5].kernels[1] = 0;
  EXPECT_EQ(errors_of(graph),
            (Texts{"task 0 (add) runs `add` on the cube core; it is a kernel for vector cores",
                   "task 1 (gemm) runs `gemm` on a vector core; it is a kernel for cube cores",
                   "task 2 has no kernel; a task without one is a dummy",
                   "task 3 (add) cannot run `add`: shapes differ; given `x` f32[4], `y` f32[8]",
                   "task 4 (half) has 3 arguments and 0 scalars, but function `half` is given others",
                   "task 5 (dummy, add) is a dummy and has a kernel",
                   "task 5 (dummy, add) is a dummy and has 2 blocks",
                   "task 5 (dummy, add) is a dummy: no core begins it",
                   "task 5 (dummy, add) is a dummy and depends on a tensor's value",
                   "task 5 (dummy, add) when (`x`): a whole number or a truth value decides, this is f32",
                   "task 6 (add) inf is no number to give to a kernel"}));
}

TEST(GraphCheck, AsksEveryKernelOfAMixTaskForItsOwnArguments) {
  GraphBuilder build = with_two_buffers();
  const std::int32_t first = build.function({"first", "add", {0, 2}, {0, 0}});
  const std::int32_t second = build.function({"second", "add", {1, 2}, {0, 1}});
  build.task({kNoKernel, first, second}).in(row(0, 4)).in(row(0, 4)).in(row(1));
  EXPECT_EQ(errors_of(build.finish()),
            (Texts{"task 0 (first, second) has 3 arguments and 0 scalars, but function "
                   "`second` is given others"}));
  GraphBuilder again = with_two_buffers();
  const std::int32_t one = again.function({"first", "add", {0, 2}, kAll});
  const std::int32_t two = again.function({"second", "add", {1, 2}, kAll});
  again.task({kNoKernel, one, two}).in(row(0, 4)).in(row(0, 4)).in(row(1));
  EXPECT_EQ(errors_of(again.finish()),
            (Texts{"task 0 (first, second) cannot run `add`: shapes differ; given `x` f32[4], `y` f32[8]"}));
}

TEST(GraphCheck, NamesExpectationsThatCannotBeMet) {
  GraphBuilder build = with_two_buffers();
  build.expect({.view = row(0), .values = {1, 2}});
  build.expect({.view = row(0, 9), .values = {1, 2}});
  build.expect({.view = row(0, 1), .values = {1}, .absolute = -1, .relative = std::nan("")});
  EXPECT_EQ(errors_of(build.finish()),
            (Texts{"what is expected of `x`: 2 values are given, the shape has 8",
                   "what is expected of `x`: reaches element 8, but the buffer ends with element 7",
                   "what is expected of `x`: tolerances are from 0 on, these are -1 and nan"}));
}

TEST(GraphCheck, NamesNamesThatAreTakenTwice) {
  GraphBuilder build = with_two_buffers();
  build.vector("add").in(row(0)).named("a");
  build.vector("add").in(row(0)).named("a");
  Graph graph = build.finish();
  graph.functions.push_back({.name = "add", .kernel = "add"});
  EXPECT_EQ(errors_of(graph), (Texts{"two functions are called `add`", "two tasks are called `a`"}));
}

TEST(GraphCheck, NamesPipesThatCannotBe) {
  GraphBuilder build = with_two_buffers();
  build.function({.name = "most", .kernel = "add", .pipes = {4096, 64}});
  build.function({.name = "many", .kernel = "add", .pipes = {4097, 0}});
  build.function({.name = "deep", .kernel = "add", .pipes = {0, 65}});
  EXPECT_EQ(errors_of(build.finish()),
            (Texts{"function `many` has 4097 tiles and 0 buffers; 4096 and 64 are the most",
                   "function `deep` has 0 tiles and 65 buffers; 4096 and 64 are the most"}));
}

}  // namespace
}  // namespace accelscope::runtime
