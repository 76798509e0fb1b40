// Real task graphs, counted a second time by a parser that is not ours.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <set>

#include "formats/deps/deps.h"
#include "formats/gzip/gzip.h"

namespace accelscope::formats::deps {
namespace {

using simdjson::dom::element;

const std::string kFolder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane/a2a3sim/";

struct Case {
  const char* path;
  std::size_t tasks;
  std::size_t edges;
};

class Fixture : public testing::TestWithParam<Case> {};

std::uint64_t id_in(element value) {
  return std::stoull(std::string(value.get_string().value()));
}

TEST_P(Fixture, AgreesWithAnIndependentCount) {
  const std::string path = kFolder + GetParam().path;
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no conformance data in " << kFolder << ": set ACCELSCOPE_FIXTURES to run this test";
  auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file) << file.error().to_string();
  if (gzip::looks_like_gzip(file->text())) file = gzip::gunzip(*file);
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_TRUE(looks_like_dependencies(file->text()));
  const auto deps = read_dependencies(*file);
  ASSERT_TRUE(deps) << deps.error().to_string();
  EXPECT_TRUE(deps->quality.rows().empty());
  EXPECT_EQ(deps->tasks.size(), GetParam().tasks);
  EXPECT_EQ(deps->edges.size(), GetParam().edges);

  simdjson::dom::parser parser;
  const simdjson::padded_string text(file->text());
  const element root = parser.parse(text).value();
  std::size_t row = 0;
  for (const element task : root["tasks"]) {
    ASSERT_LT(row, deps->tasks.size());
    const Task& ours = deps->tasks[row++];
    EXPECT_EQ(ours.id, id_in(task["task_id"].value()));
    EXPECT_EQ(ours.blocks, task["block_num"].get_uint64().value());
    EXPECT_EQ(ours.early_dispatch, task["early_dispatch"].get_bool().value());
    for (std::size_t slot = 0; slot < 3; ++slot)
      EXPECT_EQ(ours.kernels[slot], task["kernel_ids"].at(slot).get_int64().value());
  }
  EXPECT_EQ(row, deps->tasks.size());
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::size_t listed = 0;
  for (const element edge : root["edges"]) {
    ++listed;
    const auto pair = std::make_pair(id_in(edge["pred"].value()), id_in(edge["succ"].value()));
    const std::size_t position = pairs.size();
    if (!pairs.insert(pair).second) continue;
    ASSERT_LT(position, deps->edges.size());
    EXPECT_EQ(std::make_pair(deps->edges[position].from, deps->edges[position].to), pair);
  }
  EXPECT_EQ(deps->listed_edges, listed);
  EXPECT_EQ(deps->edges.size(), pairs.size());
  EXPECT_EQ(deps->tensors, root["tensors"].get_array().value().size());
}

INSTANTIATE_TEST_SUITE_P(
    Deps, Fixture,
    testing::Values(
        Case{"vector_all/TestVectorExample_default_20261115_194311/deps.json", 5, 6},
        Case{"mixed_L4/TestMixedExample_case1_20261115_194447/deps.json", 20, 0},
        Case{"hbg_bgemm_L4/TestBenchmarkBgemmHostBuildGraph_Case0_20261115_194639/deps.json", 1000, 750},
        Case{"dummy_task_L4/TestDummyTask_DenseFanoutFanin_20261115_194731/deps.json", 20, 37},
        Case{"spmd_mix_L4/TestSpmdMultiblockMix_Case1_20261115_194805/deps.json", 5, 4},
        Case{"vector_loop_L4/TestVectorLoop_default_20261115_195227/deps.json.gz", 10'001, 15'000}),
    [](const auto& instance) {
      const std::string path = instance.param.path;
      return path.substr(0, path.find('/'));
    });

}  // namespace
}  // namespace accelscope::formats::deps
