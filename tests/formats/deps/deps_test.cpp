#include "formats/deps/deps.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace accelscope::formats::deps {
namespace {

base::Result<Dependencies> read(std::string_view text) {
  return read_dependencies(base::MappedFile::from_memory("deps.json", text));
}

Dependencies read_good(std::string_view text) {
  auto result = read(text);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result ? std::move(*result) : Dependencies{};
}

std::string with_task(std::string_view members) {
  return fmt::format(R"({{"tasks":[{{{}}}],"tensors":[],"edges":[]}})", members);
}

std::string with_edges(std::string_view edges) {
  return fmt::format(R"({{"tasks":[{{"task_id":"1"}},{{"task_id":"2"}},{{"task_id":"3"}}],"edges":[{}]}})",
                     edges);
}

TEST(Deps, ReadsTasks) {
  const Dependencies deps = read_good(R"({
    "tasks": [
      {"task_id": "18446744073709551615", "scope": "manual", "early_dispatch": true, "kernel_ids": [4, -1, 7],
       "block_num": 24, "args": [{"idx": 0, "type": "INPUT", "shape": [1, 2], "start_offset": "0"}]},
      {"task_id": 4294967297, "scope": "auto", "kernel_ids": []}],
    "tensors": [{"tensor_id": "1"}, {"tensor_id": "2"}],
    "edges": []})");
  ASSERT_EQ(deps.tasks.size(), 2U);
  EXPECT_EQ(deps.tasks[0].id, 18446744073709551615U);
  EXPECT_EQ(deps.tasks[0].kernels, (std::array<std::int32_t, 3>{4, -1, 7}));
  EXPECT_EQ(deps.tasks[0].blocks, 24U);
  EXPECT_TRUE(deps.tasks[0].early_dispatch);
  EXPECT_TRUE(deps.tasks[0].manual_scope);
  EXPECT_EQ(deps.tasks[1].id, 4294967297U);
  EXPECT_EQ(deps.tasks[1].kernels, (std::array<std::int32_t, 3>{-1, -1, -1}));
  EXPECT_EQ(deps.tasks[1].blocks, 1U);
  EXPECT_FALSE(deps.tasks[1].early_dispatch);
  EXPECT_FALSE(deps.tasks[1].manual_scope);
  EXPECT_EQ(deps.tensors, 2U);
  EXPECT_TRUE(deps.quality.rows().empty());
}

TEST(Deps, JoinsPairsInTheOrderOfTheirFirstMention) {
  const Dependencies deps =
      read_good(with_edges(R"({"pred":"2","succ":"3","arg":0,"source":"creator","flags":["wait","retain"]},)"
                           R"({"pred":"1","succ":"3","source":"explicit"},)"
                           R"({"pred":"2","succ":"3","source":"tensormap","overlap":"covered"},)"
                           R"({"pred":3,"succ":2})"));
  EXPECT_EQ(deps.listed_edges, 4U);
  ASSERT_EQ(deps.edges.size(), 3U);
  EXPECT_EQ(deps.edges[0].from, 2U);
  EXPECT_EQ(deps.edges[0].to, 3U);
  EXPECT_EQ(deps.edges[0].reasons, Reason::kCreator | Reason::kTensorMap);
  EXPECT_EQ(deps.edges[1].from, 1U);
  EXPECT_EQ(deps.edges[1].reasons, Reason::kExplicit);
  // The other direction is another pair.
  EXPECT_EQ(deps.edges[2].from, 3U);
  EXPECT_EQ(deps.edges[2].to, 2U);
  EXPECT_EQ(deps.edges[2].reasons, Reason::kNone);
  EXPECT_TRUE(deps.quality.rows().empty());
}

TEST(Deps, EdgesMayComeBeforeTasks) {
  const Dependencies deps = read_good(
      R"({"edges":[{"succ":"2","pred":"1"}],"tasks":[{"task_id":"1"},{"task_id":"2"}],"more":{"x":[]}})");
  EXPECT_EQ(deps.edges.size(), 1U);
  EXPECT_TRUE(deps.quality.rows().empty());
}

TEST(Deps, NotesWhatContradictsItself) {
  const Dependencies deps = read_good(
      R"({"tasks":[{"task_id":"1","block_num":2},{"task_id":"1","block_num":3},{"task_id":"1"}],"edges":[)"
      R"({"pred":"1","succ":"1"},{"pred":"1","succ":"8","source":"magic"},{"pred":"9","succ":"1","source":"magic"}]})");
  ASSERT_EQ(deps.tasks.size(), 1U);
  EXPECT_EQ(deps.tasks[0].blocks, 2U);
  EXPECT_EQ(deps.edges.size(), 2U);
  EXPECT_EQ(deps.listed_edges, 3U);
  EXPECT_EQ(deps.edges[0].reasons, Reason::kOther);
  EXPECT_EQ(deps.quality.count("deps.duplicate_task"), 2U);
  EXPECT_EQ(deps.quality.count("deps.self_edge"), 1U);
  EXPECT_EQ(deps.quality.count("deps.unknown_task"), 2U);
  EXPECT_EQ(deps.quality.count("deps.unknown_source"), 2U);
  EXPECT_EQ(deps.quality.rows()[0].first_place, base::Location::byte("deps.json", 40));
}

struct BadInput {
  std::string text;
  base::ErrorCode code;
  std::string message;
};

TEST(Deps, RefusesBadInput) {
  using base::ErrorCode;
  const std::vector<BadInput> inputs = {
      {"", ErrorCode::kTruncated, "object"},
      {"[]", ErrorCode::kMalformed, "object"},
      {"{}", ErrorCode::kMalformed, "neither"},
      {R"({"tensors":[]})", ErrorCode::kMalformed, "neither"},
      {R"({"tasks":{}})", ErrorCode::kMalformed, "array"},
      {R"({"tasks":[)", ErrorCode::kTruncated, "inside an array"},
      {R"({"tasks":[]} x)", ErrorCode::kMalformed, "follows"},
      {R"({"tasks":[7]})", ErrorCode::kMalformed, "object"},
      {with_task(""), ErrorCode::kMalformed, "no task_id"},
      {with_task(R"("task_id":"x")"), ErrorCode::kMalformed, "id of a task"},
      {with_task(R"("task_id":"")"), ErrorCode::kMalformed, "id of a task"},
      {with_task(R"("task_id":"-1")"), ErrorCode::kMalformed, "id of a task"},
      {with_task(R"("task_id":"18446744073709551616")"), ErrorCode::kMalformed, "id of a task"},
      {with_task(R"("task_id":-1)"), ErrorCode::kMalformed, "integer"},
      {with_task(R"("task_id":1.5)"), ErrorCode::kMalformed, "integer"},
      {with_task(R"("task_id":null)"), ErrorCode::kMalformed, "integer"},
      {with_task(R"("task_id":"1","kernel_ids":[0,1,2,3])"), ErrorCode::kMalformed, "three kernels"},
      {with_task(R"("task_id":"1","kernel_ids":[-2])"), ErrorCode::kMalformed, "number of a kernel"},
      {with_task(R"("task_id":"1","kernel_ids":[2147483648])"), ErrorCode::kMalformed, "number of a kernel"},
      {with_task(R"("task_id":"1","kernel_ids":5)"), ErrorCode::kMalformed, "array"},
      {with_task(R"("task_id":"1","block_num":4294967296)"), ErrorCode::kMalformed, "32 bits"},
      {with_task(R"("task_id":"1","block_num":"2")"), ErrorCode::kMalformed, "integer"},
      {with_task(R"("task_id":"1","early_dispatch":1)"), ErrorCode::kMalformed, "true or false"},
      {with_task(R"("task_id":"1","scope":0)"), ErrorCode::kMalformed, "string"},
      {with_edges(R"({"pred":"1"})"), ErrorCode::kMalformed, "lacks pred or succ"},
      {with_edges(R"({"succ":"1"})"), ErrorCode::kMalformed, "lacks pred or succ"},
      {with_edges(R"({"pred":"1","succ":true})"), ErrorCode::kMalformed, "integer"},
      {with_edges(R"({"pred":"1","succ":"2","source":7})"), ErrorCode::kMalformed, "string"},
  };
  for (const BadInput& input : inputs) {
    SCOPED_TRACE(input.text);
    const auto result = read(input.text);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, input.code);
    EXPECT_NE(result.error().message.find(input.message), std::string::npos) << result.error().message;
    EXPECT_EQ(result.error().where.file, "deps.json");
  }
}

TEST(Deps, EveryCutIsAnError) {
  const std::string text = with_edges(R"({"pred":"1","succ":"2","source":"creator","flags":["wait"]})");
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(read(std::string_view(text).substr(0, size))) << size;
}

TEST(Deps, AnErrorNamesTheByte) {
  const auto result = read(R"({"tasks":[{"task_id":"x"}]})");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, base::Location::byte("deps.json", 21));
}

TEST(Deps, IsKnownByItsContent) {
  EXPECT_TRUE(looks_like_dependencies(R"({"tasks":[],"tensors":[],"edges":[]})"));
  EXPECT_TRUE(looks_like_dependencies(R"( { "tasks" : [ {"task_id":"0","scope":"auto","kernel_ids":[-1,0)"));
  EXPECT_TRUE(looks_like_dependencies(R"({"edges":[{"succ":"1","pred":"0"}]})"));
  EXPECT_TRUE(looks_like_dependencies(R"({"tensors":[{"buffer_addr":"1","tensor_id":"0"},)"));
  EXPECT_FALSE(looks_like_dependencies(""));
  EXPECT_FALSE(looks_like_dependencies("[]"));
  EXPECT_FALSE(looks_like_dependencies("{}"));
  // Swimlanes of today and of old.
  EXPECT_FALSE(
      looks_like_dependencies(R"({"chip_swimlane_level":4,"metadata":{},"aicore_tasks":[[0,1,1,2,3,4]]})"));
  EXPECT_FALSE(looks_like_dependencies(
      R"({"version":1,"tasks":[{"task_id":1,"func_id":1,"core_id":9,"fanout":[2]}]})"));
  EXPECT_FALSE(looks_like_dependencies(R"({"traceEvents":[{"ph":"X","name":"tasks","args":{"edges":1}}]})"));
}

}  // namespace
}  // namespace accelscope::formats::deps
