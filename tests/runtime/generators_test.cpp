#include "runtime/generators.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "runtime/graph_check.h"
#include "runtime/naive_run.h"

namespace accelscope::runtime {
namespace {

Graph made(std::string_view text) {
  auto graph = generate(text);
  EXPECT_TRUE(graph) << graph.error().to_string();
  if (!graph) return {};
  const auto status = check(*graph, {naive_kernel, {}});
  EXPECT_TRUE(status) << text << ": " << status.error().to_string();
  return std::move(*graph);
}

std::string error_of(std::string_view text) {
  const auto graph = generate(text);
  return graph ? "" : graph.error().message;
}

template <class Condition>
std::size_t count_tasks(const Graph& graph, Condition condition) {
  return static_cast<std::size_t>(std::count_if(graph.tasks.begin(), graph.tasks.end(), condition));
}

// The expectations come from formulas that know no tiles; here the tasks are carried out one by one.
class SmallGraphs : public testing::TestWithParam<const char*> {};

TEST_P(SmallGraphs, GiveWhatTheyPromise) {
  const Graph graph = made(GetParam());
  ASSERT_FALSE(graph.expectations.empty());
  for (const std::string& sentence : unmet(graph, naive_run(graph))) ADD_FAILURE() << sentence;
}

INSTANTIATE_TEST_SUITE_P(
    Generators, SmallGraphs,
    testing::Values("vector:rows=17,columns=9,layers=3,tiles=4", "vector:rows=2,columns=3,tiles=9,blocks=1",
                    "bgemm:m=32,n=32,k=32,tile=16", "bgemm:m=32,n=32,k=32,tile=16,tiles=3,buffers=1",
                    "bgemm:m=37,n=21,k=50,tile=16,batch=3", "bgemm:m=16,n=16,k=16,tile=64,type=f16",
                    "bgemm:m=20,n=16,k=70,tile=32,type=bf16,seed=9",
                    "attention:heads=2,queries=32,keys=48,dim=16,tile=16,key_tile=16",
                    "attention:heads=2,queries=32,keys=48,dim=16,tile=16,key_tile=16,mix=0",
                    "attention:batch=2,heads=1,queries=35,keys=50,dim=8,tile=17,key_tile=32",
                    "attention:heads=1,queries=5,keys=3,dim=4,tile=2,key_tile=8,type=f16",
                    "attention:heads=1,queries=32,keys=64,dim=16,tile=16,key_tile=16,type=bf16",
                    "moe:tokens=8,dim=16,hidden=24,experts=8,layers=3",
                    "moe:tokens=3,dim=8,hidden=8,experts=4,top=1",
                    "moe:tokens=4,dim=8,hidden=8,experts=3,top=3", "chain:tasks=100,elements=5",
                    "chain:tasks=3000", "fan:width=9,depth=4", "fan:width=3,depth=2,source=0",
                    "fan:width=5,join=0", "random", "random:tasks=1000,seed=2",
                    "random:tasks=500,elements=300,buffers=2,seed=3", "random:tasks=300,elements=1,seed=4",
                    "random:tasks=400,scopes=0,explicit=0,predicates=0,blocks=1,seed=5"));

TEST(RandomGraphs, GiveWhatTheyPromiseWhateverTheSeed) {
  for (int seed = 0; seed < 200; ++seed) {
    const Graph graph = made(fmt::format("random:tasks=60,elements=40,seed={}", seed));
    for (const std::string& sentence : unmet(graph, naive_run(graph)))
      ADD_FAILURE() << seed << ": " << sentence;
  }
}

TEST(RandomGraphs, HaveAllThatTheyAreFor) {
  const Graph graph = made("random:tasks=2000");
  ASSERT_EQ(graph.tasks.size(), 2000U);
  std::set<Access> accesses;
  for (const Argument& argument : graph.arguments) accesses.insert(argument.access);
  EXPECT_EQ(accesses.size(), 4U);
  EXPECT_GT(count_tasks(graph, [](const Task& task) { return task.predicate.present; }), 50U);
  EXPECT_GT(count_tasks(graph, [](const Task& task) { return task.kind == TaskKind::kDummy; }), 20U);
  EXPECT_GT(count_tasks(graph, [](const Task& task) { return task.kind == TaskKind::kAlloc; }), 20U);
  EXPECT_GT(count_tasks(graph, [](const Task& task) { return task.blocks > 1; }), 50U);
  EXPECT_GT(count_tasks(graph, [](const Task& task) { return task.sync_start; }), 5U);
  EXPECT_GT(count_tasks(graph, [](const Task& task) { return task.early_dispatch; }), 50U);
  EXPECT_GT(graph.dependencies.size(), 100U);
  EXPECT_GT(graph.steps.size(), graph.tasks.size() + 100);
}

TEST(Generators, AreTheSameEveryTime) {
  for (const GeneratorFacts& facts : generators())
    EXPECT_EQ(made(facts.name), made(facts.name)) << facts.name;
  EXPECT_NE(made("random:seed=1"), made("random:seed=2"));
}

TEST(Generators, PassAllChecksWithTheirDefaults) {
  for (const GeneratorFacts& facts : generators()) {
    const Graph graph = made(facts.name);
    EXPECT_FALSE(graph.tasks.empty()) << facts.name;
    EXPECT_FALSE(graph.expectations.empty()) << facts.name;
    EXPECT_TRUE(generate(fmt::format("{}:expect=0", facts.name))->expectations.empty());
  }
}

TEST(Generators, MakeWhatTheirNamesSay) {
  const Graph attention = made("attention");
  EXPECT_GT(count_tasks(attention,
                        [](const Task& task) {
                          return task.kernels[0] != kNoKernel && task.kernels[1] != kNoKernel &&
                                 task.kernels[2] != kNoKernel;
                        }),
            20U);
  const Graph moe = made("moe");
  EXPECT_GT(count_tasks(moe, [](const Task& task) { return task.predicate.present; }), 100U);
  EXPECT_EQ(count_tasks(moe, [](const Task& task) { return task.kind == TaskKind::kDummy; }), 2U);
  const Graph vector = made("vector:blocks=8,sync_start=1");
  EXPECT_EQ(count_tasks(vector, [](const Task& task) { return task.blocks == 8 && task.sync_start; }),
            vector.tasks.size());
  EXPECT_EQ(made("chain:tasks=10,work=spin").dependencies.size(), 9U);
  EXPECT_EQ(made("fan:width=10,work=empty,depth=2").tasks.size(), 24U);
  EXPECT_EQ(made("fan:width=10,work=empty,source=0,join=0").dependencies.size(), 0U);
}

TEST(Generators, CutUpProductsAsTheyAreTold) {
  const Graph graph = made("bgemm:tiles=16,buffers=1");
  for (const Function& function : graph.functions)
    EXPECT_EQ(function.pipes, function.kernel.starts_with("gemm") ? (Pipes{16, 1}) : Pipes{})
        << function.name;
  Graph plain = made("bgemm");
  Graph same = graph;
  for (Function& function : same.functions) function.pipes = {};
  same.name = plain.name;
  EXPECT_TRUE(same == plain) << "nothing else changes";
  EXPECT_EQ(made("bgemm:m=8,n=8,k=8,buffers=2").functions.size(), 3U) << "none that nobody runs";
}

// Tokens choose; some experts are left over, some are not.
// Room is made for as many tasks as there will be, and it is that number that is compared with the limit.
TEST(Generators, CountTheTasksOfAttentionBeforeTheyMakeThem) {
  for (const char* mix : {"0", "1"})
    for (const char* type : {"f32", "f16"})
      for (const int queries : {2, 3, 4, 5, 16, 17, 18})
        for (const int keys : {1, 2, 7, 8, 9, 33}) {
          const std::string text = fmt::format(
              "attention:heads=2,queries={},keys={},dim=2,tile=4,key_tile=4,mix={},type={},expect=0", queries,
              keys, mix, type);
          const Graph graph = made(text);
          EXPECT_EQ(graph.tasks.capacity(), graph.tasks.size()) << text;
        }
  const std::string many = "attention:heads=16,queries=16384,keys=64,dim=1,tile=2,key_tile=2,mix=0,type=f16";
  EXPECT_EQ(error_of(many),
            fmt::format("the graph `{}`: 21626880 tasks would be made; 20000000 are the most", many));
}

TEST(Generators, LeaveExpertsOut) {
  const Graph graph = made("moe:layers=1");
  const auto memory = naive_run(graph);
  std::size_t skipped = 0;
  std::size_t run = 0;
  for (const Task& task : graph.tasks)
    if (task.predicate.present)
      ++(memory[task.predicate.view.buffer][task.predicate.view.start] == 0 ? skipped : run);
  EXPECT_GT(skipped, 0U);
  EXPECT_GT(run, skipped);
}

TEST(Generators, SayWhatTheyDoNotUnderstand) {
  EXPECT_EQ(
      error_of("bgem:m=3"),
      "no generator of graphs is called `bgem`; did you mean `bgemm`?; there are: attention, bgemm, chain, "
      "fan, moe, random, vector");
  EXPECT_EQ(error_of("chain:task=3,tasks=0,early"),
            "the graph `chain:task=3,tasks=0,early`:\n"
            "  `chain` has no parameter `task`; did you mean `tasks`?; there are: tasks, elements, work, "
            "microseconds, early, expect\n"
            "  `tasks=0`: a whole number is expected: 1 to 20000000\n"
            "  `early` has no value; `early=0` is its default");
  EXPECT_EQ(error_of("chain:tasks=3,tasks=4"), "the graph `chain:tasks=3,tasks=4`: `tasks` is given twice");
  EXPECT_EQ(error_of("chain:work=sleep"),
            "the graph `chain:work=sleep`: `work=sleep`: one word is expected: scale, spin, empty");
  EXPECT_EQ(error_of("chain:tasks=1e3"),
            "the graph `chain:tasks=1e3`: `tasks=1e3`: a whole number is expected: 1 to "
            "20000000");
  EXPECT_EQ(error_of("moe:experts=2,top=3"), "the graph `moe:experts=2,top=3`: `top=3`: there are 2 experts");
  EXPECT_EQ(
      error_of("bgemm:m=65536,n=65536,k=65536,tile=16"),
      "the graph `bgemm:m=65536,n=65536,k=65536,tile=16`: 68753031168 tasks would be made; 20000000 are the "
      "most");
  EXPECT_NE(error_of("chain:,"), "");
}

TEST(Generators, AreToldFromFiles) {
  EXPECT_TRUE(names_generator("bgemm"));
  EXPECT_TRUE(names_generator("bgemm:m=3"));
  EXPECT_FALSE(names_generator("bgemm.json"));
  EXPECT_FALSE(names_generator("./chain"));
}

TEST(Generators, HelpWithEveryParameter) {
  const std::string help = generators_help();
  for (const GeneratorFacts& facts : generators()) {
    EXPECT_NE(help.find(fmt::format("{}: {}\n", facts.name, facts.help)), std::string::npos);
    for (const GeneratorParameter& parameter : facts.parameters)
      EXPECT_NE(help.find(fmt::format("  {}=", parameter.name)), std::string::npos);
  }
  EXPECT_NE(help.find("  type=f32            of the inputs of matrix multiplications (f32, f16, bf16)\n"),
            std::string::npos);
}

}  // namespace
}  // namespace accelscope::runtime
