#include "runtime/graph_file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "base/mapped_file.h"
#include "base/output_file.h"
#include "device/pmu_events.h"
#include "runtime/generators.h"
#include "runtime/graph_builder.h"
#include "runtime/naive_run.h"
#include "support/temporary_folder.h"

namespace accelscope::runtime {
namespace {

base::Result<GraphFile> parsed(std::string_view json) {
  return parse_graph("g.json", json, {naive_kernel, {"add", "gemm", "scale"}});
}

std::string file_text(const GraphFile& file) {
  base::MemoryOutput out;
  EXPECT_TRUE(write_graph(out, file));
  return std::string(out.bytes());
}

std::string file_error(std::string_view json) {
  const auto file = parsed(json);
  return file ? "" : file.error().to_string();
}

// A document with two buffers, x and y of four elements, and these steps.
std::string with_steps(std::string_view steps) {
  return fmt::format(
      R"({{"buffers": {{"x": {{"type": "f32", "shape": [4]}}, "y": {{"type": "f32", "shape": [2, 2]}}}},
"steps": [{}]}})",
      steps);
}

Graph graph_of(std::string_view steps) {
  auto file = parsed(with_steps(steps));
  EXPECT_TRUE(file) << file.error().to_string();
  return file ? std::move(file->graph) : Graph{};
}

std::string example_of_the_documentation() {
  const auto file = base::MappedFile::open(ACCELSCOPE_SOURCE_DIR "/docs/graph.md");
  if (!file) return {};
  const std::string_view text = file->text();
  const std::size_t start = text.find("```json\n") + 8;
  return std::string(text.substr(start, text.find("```", start) - start));
}

TEST(GraphFiles, TheExampleOfTheDocumentationGivesWhatItPromises) {
  const auto file = parsed(example_of_the_documentation());
  ASSERT_TRUE(file) << file.error().to_string();
  const Graph& graph = file->graph;
  EXPECT_EQ(graph.name, "an example");
  EXPECT_EQ(file->run.chip, "a2a3");
  EXPECT_EQ(file->run.chip_swimlane, 3U);
  ASSERT_EQ(graph.tasks.size(), 6U);
  EXPECT_EQ(graph.buffers[5].made_by, 0U);
  EXPECT_EQ(graph.tasks[0].blocks, 2U);
  EXPECT_TRUE(graph.tasks[1].early_dispatch);
  EXPECT_EQ(graph.tasks[3].kind, TaskKind::kDummy);
  EXPECT_EQ(graph.tasks[5].predicate.view, (TensorView{.buffer = 4, .start = 1}));
  ASSERT_EQ(graph.expectations.size(), 1U);
  EXPECT_EQ(unmet(graph, naive_run(graph)), std::vector<std::string>{});
}

TEST(GraphFiles, TheExamplesGiveWhatTheyPromise) {
  for (const char* name : {"sum", "feed_forward", "choices"}) {
    const auto file = read_graph_file(fmt::format(ACCELSCOPE_SOURCE_DIR "/examples/graphs/{}.json", name),
                                      {naive_kernel, {}});
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_FALSE(file->graph.expectations.empty()) << name;
    EXPECT_EQ(unmet(file->graph, naive_run(file->graph)), std::vector<std::string>{}) << name;
    EXPECT_EQ(*parsed(file_text(*file)), *file) << name;
  }
}

TEST(GraphFiles, TheDocumentationListsTheGenerators) {
  const auto file = base::MappedFile::open(ACCELSCOPE_SOURCE_DIR "/docs/graph.md");
  ASSERT_TRUE(file);
  EXPECT_NE(file->text().find("```\n" + generators_help() + "```\n"), std::string_view::npos)
      << generators_help();
}

TEST(GraphFiles, HaveViewsWithAndWithoutStrides) {
  const Graph graph = graph_of(
      R"({"vector": "empty", "args": ["y", {"in": "y", "offset": [1, 0], "shape": [1, 2]},
          {"inout": "y", "offset": 1, "shape": [2], "strides": [2]}, {"in": "x", "shape": [2, 2]},
          {"out": "x", "offset": 3, "shape": []}]})");
  const auto arguments = graph.arguments_of(0);
  ASSERT_EQ(arguments.size(), 5U);
  EXPECT_EQ(arguments[0].view, (TensorView{1, 2, 0, {2, 2}, {2, 1}}));
  EXPECT_EQ(arguments[1].view, (TensorView{1, 2, 2, {1, 2}, {2, 1}}));
  EXPECT_EQ(arguments[2].view, (TensorView{1, 1, 1, {2}, {2}}));
  EXPECT_EQ(arguments[2].access, Access::kInOut);
  EXPECT_EQ(arguments[3].view, (TensorView{0, 2, 0, {2, 2}, {2, 1}}));
  EXPECT_EQ(arguments[4].view, (TensorView{0, 0, 3, {}, {}}));
}

TEST(GraphFiles, NestScopesInAnyOrderOfKeys) {
  const Graph graph = graph_of(R"({"scope": "a", "manual": true, "steps": [{"vector": "empty"},
      {"steps": [{"vector": "empty"}], "scope": "b"}]}, {"vector": "empty"}, {"scope": "a", "steps": []})");
  using K = StepKind;
  EXPECT_EQ(graph.steps, (std::vector<Step>{{K::kBeginScope, true, 0, 0},
                                            {K::kSubmit, false, 0, 0},
                                            {K::kBeginScope, false, 0, 1},
                                            {K::kSubmit, false, 1, 0},
                                            {K::kEndScope, false, 0, 0},
                                            {K::kEndScope, false, 0, 0},
                                            {K::kSubmit, false, 2, 0},
                                            {K::kBeginScope, false, 0, 0},
                                            {K::kEndScope, false, 0, 0}}));
  EXPECT_EQ(graph.sites, (std::vector<std::string>{"a", "b"}));
}

TEST(GraphFiles, PartsMayComeInAnyOrder) {
  const auto file =
      parsed(R"({"expect": [{"buffer": "x", "values": [0]}], "steps": [{"vector": "f", "args": ["x"]}],
      "functions": {"f": "empty"}, "buffers": {"x": {"shape": 1, "type": "i8"}}})");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(file->graph.functions[0].kernel, "empty");
}

TEST(GraphFiles, TakeTasksByNameAndByNumber) {
  const Graph graph = graph_of(R"({"vector": "empty"}, {"name": "b", "vector": "empty", "after": [0]},
      {"vector": "empty", "after": ["b", 0]})");
  EXPECT_EQ(graph.dependencies, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(graph.task_names, (std::vector<std::string>{"", "b", ""}));
}

// A level that becomes a truth value on its way is a known bug of this field.
TEST(GraphFiles, KeepTheLevelOfTheSwimlane) {
  const auto level_of = [](std::string_view level) {
    return parsed(fmt::format(R"({{"run": {{"chip_swimlane": {}}}}})", level));
  };
  for (std::uint32_t level = 0; level <= 3; ++level) {
    const auto file = level_of(std::to_string(level));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->run.chip_swimlane, level);
    EXPECT_EQ(parsed(file_text(*file))->run.chip_swimlane, level);
  }
  EXPECT_EQ(level_of("true")->run.chip_swimlane, 3U);
  EXPECT_EQ(level_of("false")->run.chip_swimlane, 0U);
  EXPECT_EQ(parsed("{}")->run.chip_swimlane, std::nullopt);
  EXPECT_EQ(level_of("4").error().to_string(),
            "g.json: 1 error in the graph:\n  line 1: run.chip_swimlane: 4 is no whole number from 0 to 3");
  for (const char* other : {"-1", "1.0", "3e0", "\"3\"", "null", "[3]"})
    EXPECT_FALSE(level_of(other)) << other;
}

TEST(GraphFiles, ReadEveryDefaultOfARun) {
  const auto file = parsed(R"({"run": {"chip": "my.json", "platform": "threads", "rounds": 5, "deps": true,
      "dump_tensor": false, "scope_stats": true, "pmu": 4, "policy": "overwrite"}})");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(file->run, (RunDefaults{.chip = "my.json",
                                    .platform = Platform::kThreads,
                                    .rounds = 5,
                                    .deps = true,
                                    .dump_tensor = false,
                                    .scope_stats = true,
                                    .pmu = 4,
                                    .policy = capture::RunPolicy::kOverwrite}));
  EXPECT_EQ(*parsed(file_text(*file)), *file);
  EXPECT_EQ(parsed(R"({"run": {"pmu": true}})")->run.pmu, device::kDefaultPmuGroup);
  EXPECT_EQ(parsed(R"({"run": {"pmu": false}})")->run.pmu, std::nullopt);
}

TEST(GraphFiles, SayWhatIsWrongWithTheDefaultsOfARun) {
  const auto wrong = [](std::string_view run, std::string_view text) {
    EXPECT_EQ(file_error(fmt::format(R"({{"run": {{{}}}}})", run)),
              fmt::format("g.json: 1 error in the graph:\n  line 1: run.{}", text));
  };
  wrong(R"("platform": "virtul")",
        "platform: `virtul` is none of `virtual`, `threads`; did you mean `virtual`?");
  wrong(R"("policy": "drops")",
        "policy: `drops` is none of `block`, `drop`, `overwrite`; did you mean `drop`?");
  wrong(R"("pmu": 0)", "pmu: 0 is no whole number from 1 to 255");
  wrong(R"("pmu": "PIPE")",
        "pmu: the number of a group of counters, or true or false, is expected, this is a text");
  wrong(R"("rounds": 0)", "rounds: 0 is no whole number from 1 to 10000");
}

TEST(GraphFiles, FillBuffersInEveryWay) {
  const auto file = parsed(R"({"buffers": {
      "a": {"type": "f32", "shape": [2], "init": 0}, "b": {"type": "f32", "shape": [2], "init": [1, -2.5e-3]},
      "c": {"type": "i64", "shape": [2], "init": {"counting": {}}},
      "d": {"type": "f32", "shape": [2], "init": {"random": {"width": 1, "seed": 18446744073709551615}}}}})");
  ASSERT_TRUE(file) << file.error().to_string();
  const auto& buffers = file->graph.buffers;
  EXPECT_EQ(buffers[0].content, constant_content(0));
  EXPECT_EQ(buffers[1].content, (BufferContent{.fill = Fill::kValues, .values = {1, -0.0025}}));
  EXPECT_EQ(buffers[2].content, (BufferContent{.fill = Fill::kCounting, .base = 0, .step = 1}));
  EXPECT_EQ(buffers[3].content, random_content(0, 1, ~0ULL));
}

TEST(GraphFiles, ReportAllErrorsAtOnceInTheirOrder) {
  EXPECT_EQ(
      file_error(R"({
  "names": "typo",
  "buffers": {
    "x": {"type": "f33", "shape": [4]},
    "y": {"type": "f32", "shape": [4], "init": [1, 2]},
    "z": {"type": "f32"}
  },
  "steps": [
    {"name": "first", "vector": "ad", "args": ["y"]},
    {"name": "second", "vector": "add", "args": ["y", "yy"], "after": ["frist"]},
    {"name": "third", "vector": "add", "args": [{"in": "y", "shape": [5]}, "y"], "blocks": 0},
    {"name": "fourth", "cube": "add", "args": ["y"], "after": ["fifth"]},
    {"name": "fifth", "vector": "add", "args": ["y"], "after": ["fourth"]},
    {"scope": "s", "vector": "add"}
  ]
})"),
      "g.json: 12 errors in the graph:\n"
      "  line 2: names: unknown key; did you mean `name`?\n"
      "  line 4: buffers.x.type: `f33` is no type; did you mean `f32`?; there are: f32, f16, bf16, i64, i32, "
      "i16, i8, u8, bool\n"
      "  line 5: buffer `y` has 4 elements, but 2 values to begin with\n"
      "  line 6: buffers.z: `shape` is missing\n"
      "  line 9: no kernel is called `ad`; did you mean `add`? (`first` is to run it)\n"
      "  line 10: steps[1].args[1]: no buffer is called `yy`; did you mean `y`?\n"
      "  line 10: steps: no task is called `frist`; did you mean `first`?\n"
      "  line 11: `third` args[0] (`y`): reaches element 4, but the buffer ends with element 3\n"
      "  line 11: steps[2].blocks: 0 is no whole number from 1 to 4294967295\n"
      "  line 12: `fourth` runs `add` on the cube core; it is a kernel for vector cores\n"
      "  line 12: explicit dependencies go in a circle: `fifth` waits for `fourth` waits for `fifth`\n"
      "  line 14: steps[5]: is a scope and a task: tasks of a scope stand in its `steps`");
}

TEST(GraphFiles, SayWhatIsWrongWithAnArgument) {
  const auto wrong = [](std::string_view argument, std::string_view text) {
    const std::string error =
        file_error(with_steps(fmt::format(R"({{"vector": "empty", "args": [{}]}})", argument)));
    EXPECT_EQ(error, fmt::format("g.json: 1 error in the graph:\n  line 2: steps[0].args[0]{}", text));
  };
  wrong(R"({"in": "x", "out": "x"})", ": one of `in`, `inout`, `out` and `make` names the buffer");
  wrong(R"({"shape": [2]})", ": one of `in`, `inout`, `out` and `make` names the buffer");
  wrong(R"({"in": "x", "offset": 2})", ": an offset is given, but no shape");
  wrong(R"({"in": "x", "strides": [2]})", ": strides are given, but no shape");
  wrong(R"({"in": "x", "shape": [2], "strides": [2, 1]})", ": the shape has 1 dimensions, the strides 2");
  wrong(R"({"in": "y", "offset": [1], "shape": [1]})", ": the offset has 1 indices, the buffer 2 dimensions");
  wrong(R"({"in": "y", "offset": [0, 2], "shape": [1]})", ": offset[1] is 2, the buffer has 2 there");
  wrong(R"({"in": "x", "shape": [1, 1, 1, 1, 1, 1]})", ".shape: has 6 dimensions; 5 are the most");
  wrong(R"({"in": "x", "shape": [0]})", ".shape[0]: 0 is no whole number from 1 to 4294967295");
  wrong(R"({"in": "x", "shape": [2, 65536, 65536]})",
        ": the shape has too many elements: only the first dimension may go beyond 32 bits");
  wrong(R"({"in": "x", "shape": 3})", ".shape: an array is expected, this is a number");
  wrong("5", ": an object is expected, this is a number");
  wrong(R"({"in": "x", "dump": true})", ".dump: unknown key");
}

TEST(GraphFiles, SayWhatIsWrongWithAStep) {
  const auto wrong = [](std::string_view step, std::string_view text) {
    EXPECT_EQ(file_error(with_steps(step)), fmt::format("g.json: 1 error in the graph:\n  line 2: {}", text));
  };
  wrong(R"({"vector": ["empty", "empty", "empty"]})", "steps[0].vector[2]: there are two vector cores");
  wrong(R"({"vector": 3})", "steps[0].vector: a text, or an array of two, is expected, this is a number");
  wrong(R"({"kind": "dumy"})",
        "steps[0].kind: `dumy` is no kind of task; did you mean `dummy`?; there are: kernel, "
        "dummy, alloc");
  wrong(R"({"vector": "empty", "when": {"offset": 1}})",
        "steps[0].when: one of `not_zero` and `zero` names the buffer");
  wrong(R"({"vector": "empty", "when": "x"})",
        "task 0 (empty) when (`x`): a whole number or a truth value decides, this is f32");
  wrong(R"({"vector": "empty", "after": [true]})",
        "steps[0].after[0]: a task's name or number is expected, this is true");
  wrong(R"({"vector": "empty", "after": [7]})", "task 0 (empty) waits for task 7; there are 1");
  constexpr std::string_view kBoth = "steps[0]: is a scope and a task: tasks of a scope stand in its `steps`";
  wrong(R"({"scope": "s", "vector": "empty", "steps": []})", kBoth);
  wrong(R"({"steps": [{"vector": "empty"}], "vector": "empty"})", kBoth);
  wrong(R"({"steps": []})", "steps[0]: a scope needs a name: `scope`");
  wrong(R"({"vector": "empty", "name": ""})", "steps[0].name: is empty");
  wrong("{}", "task 0 has no kernel; a task without one is a dummy");
  wrong(R"({"name": "a", "vector": "empty", "name": "b"})", "steps[0].name: is given twice");
}

TEST(GraphFiles, SayWhatIsWrongWithABuffer) {
  const auto wrong = [](std::string_view buffer, std::string_view text) {
    EXPECT_EQ(file_error(fmt::format(R"({{"buffers": {{"x": {}}}}})", buffer)),
              fmt::format("g.json: 1 error in the graph:\n  line 1: {}", text));
  };
  wrong(R"({"shape": [2]})", "buffers.x: `type` is missing");
  wrong(R"({"type": "f32", "shape": "2"})",
        "buffers.x.shape: an array, or a number of elements, is expected, this is a "
        "text");
  wrong(R"({"type": "f32", "shape": [1, 65536, 65536, 65536]})",
        "buffers.x.shape: has too many elements: only the first dimension may go beyond 32 bits");
  wrong(R"({"type": "f32", "shape": [2], "init": {}})",
        "buffers.x.init: one of `counting` and `random` is expected");
  wrong(R"({"type": "f32", "shape": [2], "init": {"random": {"seed": 1}}})",
        "buffers.x.init.random: `width` is missing: numbers are drawn from `from` up to `from` + `width`");
  wrong(R"({"type": "f32", "shape": [2], "init": {"counting": {"seed": 1}}})",
        "buffers.x.init.counting.seed: is for `random`");
  wrong(R"({"type": "f32", "shape": [2], "init": "zeros"})",
        "buffers.x.init: a number, an array of numbers, or an object is expected, this is a text");
  wrong(R"({"type": "i8", "shape": [2], "init": 300})",
        "buffer `x` begins with 300 to 300, which i8 does not hold");
  EXPECT_EQ(file_error(R"({"buffers": {"x": {"type": "i8", "shape": 1}, "x": {"type": "i8", "shape": 1}}})"),
            "g.json: 1 error in the graph:\n  line 1: buffers.x: is given twice");
}

TEST(GraphFiles, SayWhatIsWrongWithFunctionsAndExpectations) {
  EXPECT_EQ(
      file_error(R"({"functions": {"f": {"args": [0, 1]}, "g": {"kernel": "add", "args": [1]}, "g": "add"},
 "buffers": {"x": {"type": "i8", "shape": [2]}},
 "expect": [{"values": [1]}, {"buffer": "x", "values": [1]}, {"buffer": "x", "values": [1, 2], "relative": -1}],
 "run": {"platform": "virtul"}})"),
      "g.json: 7 errors in the graph:\n"
      "  line 1: functions.f: names no kernel\n"
      "  line 1: functions.g.args: two whole numbers are expected: which is the first, and how many\n"
      "  line 1: functions.g: is given twice\n"
      "  line 3: expect[0]: `buffer` is missing\n"
      "  line 3: what is expected of `x`: 1 values are given, the shape has 2\n"
      "  line 3: what is expected of `x`: tolerances are from 0 on, these are 0 and -1\n"
      "  line 4: run.platform: `virtul` is none of `virtual`, `threads`; did you mean `virtual`?");
}

TEST(GraphFiles, NameThePlaceWhereJsonEnds) {
  EXPECT_EQ(file_error("{\n  \"buffers\": {\"x\" 3}}"),
            "g.json:2: is not valid JSON in column 19: a colon is expected here");
  EXPECT_EQ(file_error(""), "g.json: is empty; a JSON object is expected");
  EXPECT_EQ(file_error("[]"),
            "g.json: 1 error in the graph:\n  line 1: an object is expected, this is an array");
  EXPECT_EQ(file_error("{} {}"),
            "g.json:1: is not valid JSON in column 4: something follows the end of the document");
  EXPECT_EQ(file_error("{\"name\": \"\xff\"}"), "g.json: is not UTF-8 text");
  EXPECT_NE(file_error(R"({"name": )"), "");
  EXPECT_NE(file_error(R"({"buffers": {"x": {"type": "f32", "shape": [2], "init": 1e999}}})"), "");
}

TEST(GraphFiles, LimitTheDepthOfScopes) {
  const auto nested = [](std::size_t depth) {
    std::string steps;
    for (std::size_t i = 0; i < depth; ++i) steps += R"({"scope": "s", "steps": [)";
    steps += R"({"vector": "empty"})";
    for (std::size_t i = 0; i < depth; ++i) steps += "]}";
    return with_steps(steps);
  };
  EXPECT_EQ(file_error(nested(kMaxScopeDepth)), "");
  EXPECT_NE(file_error(nested(kMaxScopeDepth + 1)).find("scopes are nested 64 deep at most"),
            std::string::npos);
  EXPECT_NE(file_error(nested(10'000)), "");
  EXPECT_NE(file_error(std::string(1'000'000, '[')), "");
}

TEST(GraphFiles, ComeBackEqualFromEveryGenerator) {
  for (const char* text :
       {"attention:heads=1", "attention:heads=1,type=bf16,mix=0", "bgemm:m=40,n=40",
        "bgemm:m=40,n=40,k=40,tile=16,tiles=4,buffers=1", "bgemm:batch=2,m=20,n=30,k=40,tile=16,type=f16",
        "chain:tasks=10", "chain:tasks=10,work=spin,early=1", "fan:width=5", "fan:width=5,work=empty,depth=2",
        "moe", "vector:sync_start=1", "random", "random:tasks=1000,elements=100,seed=2"}) {
    const auto graph = generate(text);
    ASSERT_TRUE(graph);
    const GraphFile file{*graph, {.chip = "a5"}};
    const std::string json = file_text(file);
    const auto back = parsed(json);
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_TRUE(*back == file) << text;
    EXPECT_EQ(file_text(*back), json) << text;
  }
}

TEST(GraphFiles, ComeBackEqualWithEverythingThatIsRare) {
  GraphBuilder build("rare \"name\"");
  const std::uint32_t x =
      build.buffer("x \xC3\xA9", DataType::kBFloat16, 24, {.fill = Fill::kCounting, .base = 0.1});
  const std::uint32_t large = build.buffer("large", DataType::kUInt8, 1ULL << 40U);
  const std::uint32_t flag = build.buffer("flag", DataType::kBool, 3);
  const std::uint32_t made = build.buffer("made", DataType::kInt64, 1);
  const std::int32_t second = build.function({"second", "empty", {0, 1}, {1, 0}});
  build.begin_scope("manual one", true);
  build.alloc().make({.buffer = made}).named("a");
  build.task({kNoKernel, kNoKernel, second})
      .argument(contiguous_view(x, std::vector<std::uint32_t>{2, 3, 4}), Access::kInput)
      .scalar(1e300);
  build.end_scope();
  build.task({kNoKernel, build.function("spin"), second})
      .in({large, 1, (1ULL << 39U) + 1, {3}, {7}})
      .in(contiguous_view(x, std::vector<std::uint32_t>{4, 3, 2}))
      .in({x, 3, 5, {1, 2, 2}, {12, 4, 1}})
      .scalar(-0.5)
      .when({.buffer = flag, .start = 2}, true)
      .after(1)
      .after(0);
  const GraphFile file{build.finish(), {.chip_swimlane = 0, .dump_tensor = true}};
  const std::string json = file_text(file);
  const auto back = parsed(json);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_TRUE(*back == file) << json;
  EXPECT_EQ(file_text(*back), json);
}

// Strides of 32 bits cannot show that such a shape lies without gaps, so its strides are written.
TEST(GraphFiles, ComeBackEqualWithRowsBeyond32Bits) {
  for (const TensorView& view : {TensorView{0, 3, 0, {1, 65536, 65536}, {0, 65536, 1}},
                                 TensorView{0, 3, 0, {1, 65536, 65537}, {65536, 65537, 1}},
                                 TensorView{0, 3, 0, {1, 70000, 70000}, {4, 2, 1}},
                                 TensorView{0, 4, 7, {2, 65536, 1, 65536}, {0, 1, 65536, 0}}}) {
    GraphBuilder build("large");
    build.buffer("x", DataType::kInt8, element_count(view));
    build.buffer("rows", DataType::kInt8, 1ULL << 33U);
    build.vector("empty").in(view).in({0, 3, 4, {1, 1, 1}, {1, 1, 1}});
    TensorView other = view;
    other.buffer = 1;
    build.vector("empty").in(contiguous_view(1, std::vector<std::uint32_t>{1U << 31U, 2, 2})).in(other);
    const GraphFile file{build.finish(), {}};
    ASSERT_TRUE(check(file.graph, {}));
    const std::string json = file_text(file);
    const auto back = parsed(json);
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_TRUE(*back == file) << json;
  }
}

// Graphs that can be run, and that no file can say: nothing is written of them.
TEST(GraphFiles, AreNotWrittenWhenTheyCouldNotBeRead) {
  const auto refused = [](const GraphFile& file) -> std::string {
    EXPECT_TRUE(check(file.graph, {}));
    base::MemoryOutput out;
    const base::Status status = write_graph(out, file);
    EXPECT_EQ(status.has_value(), !out.bytes().empty());
    return status ? "" : status.error().message;
  };
  const auto nested = [](std::size_t depth, std::string_view site) {
    GraphBuilder build("g");
    for (std::size_t i = 0; i < depth; ++i) build.begin_scope(site);
    for (std::size_t i = 0; i < depth; ++i) build.end_scope();
    return GraphFile{build.finish(), {}};
  };
  EXPECT_EQ(refused(nested(kMaxScopeDepth, "s")), "");
  EXPECT_EQ(refused(nested(kMaxScopeDepth + 1, "s")),
            "the graph `g` cannot be written: scopes are nested 64 deep at most");
  EXPECT_EQ(refused(nested(1, "")), "the graph `g` cannot be written: a scope has no name");
  EXPECT_EQ(refused(nested(1, "\xFF")), "the graph `g` cannot be written: a name is no UTF-8 text");

  GraphBuilder build("g");
  build.buffer("flags", DataType::kBool, 4);
  build.vector("empty").when(contiguous_view(0, std::vector<std::uint32_t>{4}));
  EXPECT_EQ(
      refused({build.finish(), {}}),
      "the graph `g` cannot be written: task 0 (empty) depends on a tensor, and only on single elements "
      "can it in a file");
  GraphBuilder nameless("g");
  nameless.vector("");
  EXPECT_EQ(refused({nameless.finish(), {}}),
            "the graph `g` cannot be written: a function has no name or no kernel");
  for (const RunDefaults& run :
       {RunDefaults{.chip = ""}, RunDefaults{.chip_swimlane = 4}, RunDefaults{.rounds = 0},
        RunDefaults{.rounds = 1'000'001}, RunDefaults{.pmu = 0}, RunDefaults{.pmu = 256}})
    EXPECT_NE(refused({{}, run}), "");
}

TEST(GraphFiles, AreWrittenForPeople) {
  const Graph graph =
      graph_of(R"({"scope": "s", "steps": [{"name": "a", "vector": "add", "args": ["x", "x", {"out": "x"}]}]},
      {"cube": "gemm", "args": ["y", "y", {"out": "y"}], "after": ["a"]})");
  EXPECT_EQ(file_text({graph, {.chip = "a5"}}), R"({
  "run": {"chip":"a5"},
  "buffers": {
    "x": {"type":"f32","shape":[4]},
    "y": {"type":"f32","shape":[2,2]}
  },
  "steps": [
    {
      "scope": "s",
      "steps": [
        {"name":"a","vector":"add","args":["x","x",{"out":"x"}]}
      ]
    },
    {"cube":"gemm","args":["y","y",{"out":"y"}],"after":["a"]}
  ]
}
)");
}

TEST(GraphFiles, AreReadFromDisk) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("g.json");
  auto out = base::OutputFile::create(path);
  ASSERT_TRUE(out);
  const GraphFile file{*generate("fan"), {}};
  ASSERT_TRUE(write_graph(out->output(), file));
  ASSERT_TRUE(out->commit());
  const auto back = read_graph_file(path);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_TRUE(*back == file);
  EXPECT_FALSE(read_graph_file(folder.file("none.json")));
}

}  // namespace
}  // namespace accelscope::runtime
