// Graphs of every generator, with the built-in kernels, on both platforms: against what they expect of
// themselves, and against a run task by task with kernels of the tests' own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/buffer_content.h"
#include "runtime/generators.h"
#include "runtime/naive_run.h"
#include "runtime/recorded_run.h"

namespace accelscope::runtime {
namespace {

const KernelRegistry& builtins() {
  static const KernelRegistry registry = KernelRegistry::with_builtins();
  return registry;
}

RunOutcome run_generated(const Graph& graph, Platform platform, const device::Chip& chip) {
  auto outcome = run(graph, builtins(), chip, {}, {.platform = platform});
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  if (!outcome) return {};
  EXPECT_FALSE(outcome->fault) << outcome->fault->text;
  return std::move(*outcome);
}

void expect_met(const Graph& graph, const RunOutcome& outcome) {
  for (const Expectation& expectation : graph.expectations) {
    const Buffer& buffer = graph.buffers[expectation.view.buffer];
    const Comparison comparison = compare(expectation, buffer.type, outcome.buffers[expectation.view.buffer]);
    EXPECT_EQ(comparison.differing, 0U) << in_words(comparison, expectation, buffer.name);
  }
}

// The tests' own kernels add up in another order than the built-in ones.
void expect_like_one_by_one(const Graph& graph, const RunOutcome& outcome) {
  const std::vector<std::vector<double>> expected = naive_run(graph);
  for (std::size_t i = 0; i < graph.buffers.size(); ++i) {
    const Buffer& buffer = graph.buffers[i];
    if (buffer.made_by != kNoTask) continue;
    for (std::size_t k = 0; k < expected[i].size(); ++k) {
      const double got = load(buffer.type, outcome.buffers[i].data() + k * facts_of(buffer.type).bytes);
      ASSERT_NEAR(got, expected[i][k], 1e-4 + 1e-3 * std::abs(expected[i][k])) << buffer.name << " " << k;
    }
  }
}

class GeneratedRuns : public testing::TestWithParam<const char*> {};

TEST_P(GeneratedRuns, GiveTheSameOnBothPlatforms) {
  const auto graph = generate(GetParam());
  ASSERT_TRUE(graph) << graph.error().to_string();
  const RunOutcome calm = run_generated(*graph, Platform::kVirtual, small_chip(4, 2));
  const RunOutcome busy = run_generated(*graph, Platform::kThreads, small_chip(4, 2));
  expect_met(*graph, calm);
  expect_like_one_by_one(*graph, calm);
  EXPECT_EQ(calm.buffers, busy.buffers);
  EXPECT_EQ(calm.edges, busy.edges);
  EXPECT_EQ(calm.submitted, busy.submitted);
}

INSTANTIATE_TEST_SUITE_P(Generators, GeneratedRuns,
                         testing::Values("attention", "bgemm:m=128,n=128,k=128,tile=32", "chain:tasks=200",
                                         "fan:width=50", "moe", "vector"));

TEST(GeneratedProducts, TakeLongerWithOneBufferThanWithTwo) {
  const auto makespan = [](const std::string& parameters) {
    const auto graph = generate("bgemm:m=256,n=256,k=1024,tile=256,expect=0" + parameters);
    EXPECT_TRUE(graph) << graph.error().to_string();
    return run_generated(*graph, Platform::kVirtual, small_chip(4, 2)).makespan;
  };
  const device::Picoseconds unsaid = makespan("");
  EXPECT_GT(makespan(",buffers=1"), makespan(",buffers=2"));
  EXPECT_GT(makespan(",buffers=2"), unsaid) << "filling and emptying the pipes takes time";
  EXPECT_GT(makespan(",buffers=2,tiles=2"), makespan(",buffers=2,tiles=64"));
  EXPECT_EQ(makespan(",tiles=4"), unsaid) << "tiles alone are for pictures";
}

TEST(RandomPrograms, GiveTheSameOnBothPlatforms) {
  for (int seed = 1; seed <= 40; ++seed) {
    const auto graph = generate("random:tasks=120,seed=" + std::to_string(seed));
    ASSERT_TRUE(graph) << graph.error().to_string();
    const RunOutcome calm = run_generated(*graph, Platform::kVirtual, small_chip(3, 2));
    const RunOutcome busy = run_generated(*graph, Platform::kThreads, small_chip(3, 2));
    expect_met(*graph, calm);
    EXPECT_EQ(calm.buffers, busy.buffers) << seed;
    EXPECT_EQ(calm.edges, busy.edges) << seed;
    expect_like_one_by_one(*graph, calm);
  }
}

}  // namespace
}  // namespace accelscope::runtime
