// What is written reads back the same.
#include "formats/deps/deps_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/mapped_file.h"

namespace accelscope::formats::deps {
namespace {

std::string written(const Dependencies& dependencies) {
  base::MemoryOutput out;
  write_dependencies(dependencies, out);
  return std::string(out.bytes());
}

Dependencies read(const std::string& json) {
  EXPECT_TRUE(looks_like_dependencies(json));
  return read_dependencies(base::MappedFile::from_memory("deps.json", json)).value();
}

TEST(DepsWriter, RoundTrips) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  Dependencies graph;
  graph.tasks = {
      {.id = 0, .kernels = {0, 1, 2}, .blocks = 12},
      {.id = kLargest, .kernels = {-1, 2'147'483'647, -1}, .early_dispatch = true, .manual_scope = true}};
  graph.edges = {{0, kLargest, Reason::kExplicit | Reason::kTensorMap | Reason::kOther},
                 {kLargest, 0, Reason::kNone}};
  const Dependencies again = read(written(graph));
  ASSERT_EQ(again.tasks.size(), 2U);
  for (std::size_t task = 0; task < 2; ++task) {
    EXPECT_EQ(again.tasks[task].id, graph.tasks[task].id);
    EXPECT_EQ(again.tasks[task].kernels, graph.tasks[task].kernels);
    EXPECT_EQ(again.tasks[task].blocks, graph.tasks[task].blocks);
    EXPECT_EQ(again.tasks[task].early_dispatch, graph.tasks[task].early_dispatch);
    EXPECT_EQ(again.tasks[task].manual_scope, graph.tasks[task].manual_scope);
  }
  ASSERT_EQ(again.edges.size(), 2U);
  EXPECT_EQ(again.listed_edges, 4U) << "one for each reason";
  EXPECT_EQ(again.edges[0].to, kLargest);
  EXPECT_EQ(again.edges[0].reasons, graph.edges[0].reasons);
  EXPECT_EQ(again.edges[1].reasons, Reason::kNone);
}

TEST(DepsWriter, WritesTheKeysOfTheRecorder) {
  Dependencies graph;
  graph.tasks = {{.id = 7, .kernels = {-1, 3, -1}}};
  graph.edges = {{7, 8, Reason::kCreator}};
  EXPECT_EQ(
      written(graph),
      "{\n  \"tasks\": [\n"
      "    {\"task_id\": \"7\", \"scope\": \"auto\", \"early_dispatch\": false, \"kernel_ids\": [-1, 3, -1], "
      "\"block_num\": 1}\n"
      "  ],\n  \"tensors\": [],\n  \"edges\": [\n"
      "    {\"pred\": \"7\", \"succ\": \"8\", \"source\": \"creator\"}\n"
      "  ]\n}\n");
  EXPECT_EQ(written({}), "{\n  \"tasks\": [],\n  \"tensors\": [],\n  \"edges\": []\n}\n");
  EXPECT_TRUE(read(written({})).tasks.empty());
}

}  // namespace
}  // namespace accelscope::formats::deps
