#include "base/json_outline.h"

#include <gtest/gtest.h>

namespace accelscope::base {
namespace {

TEST(JsonOutline, HasKeysByTheirPath) {
  const JsonOutline outline(R"( {"a": 1, "b" : [ {"c": {"d": null}}, {"e\n": "f"} ], "g": {}})");
  for (const char* path : {"a", "b", "b/c", "b/c/d", "b/e\n", "g"}) EXPECT_TRUE(outline.has(path)) << path;
  for (const char* path : {"", "c", "d", "f", "b/f", "1"}) EXPECT_FALSE(outline.has(path)) << path;
}

TEST(JsonOutline, TakesWhatStandsBeforeAFault) {
  const JsonOutline cut(R"({"a": [{"b": "no end)");
  EXPECT_TRUE(cut.has("a/b"));
  const JsonOutline wrong(R"({"a": nonsense, "b": 1})");
  EXPECT_TRUE(wrong.has("a"));
  EXPECT_FALSE(JsonOutline("").has(""));
  EXPECT_FALSE(JsonOutline(R"([{"a": 1}])").has("a"));
  EXPECT_FALSE(JsonOutline("a,b\n1,2").has("a"));
}

TEST(JsonOutline, LooksAtTheFirstBytesOfTheFirstDocument) {
  EXPECT_FALSE(JsonOutline("{\"a\": 1}\n{\"b\": 2}").has("b"));
  EXPECT_FALSE(
      JsonOutline("{\"a\": \"" + std::string(JsonOutline::kHeadBytes, 'x') + "\", \"b\": 1}").has("b"));
  const std::string deep(1 << 12, '[');
  EXPECT_TRUE(JsonOutline("{\"a\": " + deep).has("a"));
}

}  // namespace
}  // namespace accelscope::base
