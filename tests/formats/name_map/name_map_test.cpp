#include "formats/name_map/name_map.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace accelscope::formats::name_map {
namespace {

base::Result<NameMap> read(std::string_view text) {
  return read_name_map(base::MappedFile::from_memory("names.json", text));
}

TEST(NameMap, ReadsFunctionsAndTheOrchestrator) {
  const auto names = read(
      R"({"level": 2, "orchestrator_name": "orch\u00e9", "callable_id_to_name": {"1": "ADD", "0": "MATMUL", "-1": "x", "7": null}})");
  ASSERT_TRUE(names) << names.error().to_string();
  EXPECT_EQ(names->functions, (std::map<std::int64_t, std::string>{{-1, "x"}, {0, "MATMUL"}, {1, "ADD"}}));
  EXPECT_EQ(names->orchestrator, "orch\u00e9");
}

TEST(NameMap, NothingIsNeededButTheNames) {
  const auto names = read(R"({"callable_id_to_name":{},"orchestrator_name":null})");
  ASSERT_TRUE(names) << names.error().to_string();
  EXPECT_TRUE(names->functions.empty());
  EXPECT_EQ(names->orchestrator, "");
}

TEST(NameMap, ReplacesWhatIsNoUtf8) {
  const auto names = read("{\"callable_id_to_name\":{\"0\":\"a\xff\"}}");
  ASSERT_TRUE(names) << names.error().to_string();
  EXPECT_EQ(names->functions.at(0), "a\uFFFD");
}

TEST(NameMap, RefusesBadInput) {
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"", "object"},
      {"[]", "object"},
      {"{}", "callable_id_to_name"},
      {R"({"level":2})", "callable_id_to_name"},
      {R"({"callable_id_to_name":[]})", "object"},
      {R"({"callable_id_to_name":null})", "object"},
      {R"({"callable_id_to_name":{"0":1}})", "string"},
      {R"({"callable_id_to_name":{"x":"A"}})", "\"x\" is not the number"},
      {R"({"callable_id_to_name":{"9223372036854775808":"A"}})", "is not the number"},
      {R"({"callable_id_to_name":{"0":"A","0":"B"}})", "named twice"},
      {R"({"callable_id_to_name":{},"orchestrator_name":5})", "string"},
      {R"({"callable_id_to_name":{"0":"A)", "no end"},
      {R"({"callable_id_to_name":{}}{})", "follows"},
  };
  for (const auto& [text, message] : inputs) {
    SCOPED_TRACE(text);
    const auto result = read(text);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find(message), std::string::npos) << result.error().message;
    EXPECT_EQ(result.error().where.file, "names.json");
  }
}

TEST(NameMap, IsKnownByItsContent) {
  EXPECT_TRUE(
      looks_like_name_map(R"({"level":2,"orchestrator_name":null,"callable_id_to_name":{"0":"MATMUL)"));
  EXPECT_TRUE(looks_like_name_map("\n{ \"callable_id_to_name\" : { } }"));
  EXPECT_FALSE(looks_like_name_map(R"({"level":2,"names":{"callable_id_to_name":{}}})"));
  EXPECT_FALSE(looks_like_name_map(R"(["callable_id_to_name"])"));
  EXPECT_FALSE(looks_like_name_map(""));
}

TEST(NameMap, ReadsARealOne) {
  const std::string path = std::string(ACCELSCOPE_FIXTURES_DIR) +
                           "/swimlane/a2a3sim/vector_loop_L4/TestVectorLoop_default_20261115_195227/"
                           "name_map_TestVectorLoop_default.json";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(looks_like_name_map(file->text()));
  const auto names = read_name_map(*file);
  ASSERT_TRUE(names) << names.error().to_string();
  EXPECT_EQ(names->functions.size(), 3U);
}

}  // namespace
}  // namespace accelscope::formats::name_map
