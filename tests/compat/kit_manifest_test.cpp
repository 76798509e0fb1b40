#include "compat/kit_manifest.h"

#include <gtest/gtest.h>

namespace accelscope::compat {
namespace {

base::MappedFile file_of(std::string_view json) {
  return base::MappedFile::from_memory("test.json", json);
}

TEST(KitManifest, ReadsWhatReportsUse) {
  const auto manifest = read_kit_manifest(file_of(
      R"({"model":"a/größe.pte","config":"c.json","executorch":{"sha":"abc","dirty":true},"results":[],"x":1})"));
  ASSERT_TRUE(manifest) << manifest.error().to_string();
  EXPECT_EQ(manifest->model, "a/größe.pte");
  EXPECT_EQ(manifest->config, "c.json");
  EXPECT_EQ(manifest->executorch_sha, "abc");
  EXPECT_TRUE(manifest->executorch_dirty);
  EXPECT_TRUE(manifest->has_model);
  EXPECT_TRUE(manifest->has_results);
}

TEST(KitManifest, TakesNullAndAbsenceForNothingAndTheLastOfTwo) {
  const auto empty = read_kit_manifest(file_of(R"({"model":null,"results":{},"executorch":null})"));
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->model, "");
  EXPECT_TRUE(empty->has_model);
  EXPECT_FALSE(empty->has_results);
  const auto twice = read_kit_manifest(file_of(R"({"model":"a","model":"b"})"));
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->model, "b");
}

TEST(KitManifest, RefusesWhatIsNotJsonOrOfAnotherType) {
  for (const char* bad : {"", "{", "[]", "7", "null", "{\"model\":", R"({"model":5})", R"({"config":[]})",
                          "{\"model\":\"\xff\"}", R"({"executorch":{"sha":1}})", R"({"a":NaN})"})
    EXPECT_FALSE(read_kit_manifest(file_of(bad))) << bad;
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_FALSE(read_kit_manifest(file_of(deep)));
  EXPECT_EQ(read_kit_manifest(file_of(R"({"model":5})")).error().to_string(),
            "test.json: 'model' is not a text");
}

TEST(KitMetrics, ReadsBothNamesOfLatencies) {
  const auto metrics = read_kit_metrics(file_of(R"({"results":[
      {"experiment":"a","metrics":{"latency_ms":[1,2.5],"avg_latency_ms":[9]}},
      {"experiment":"b","metrics":{"latency_ms":[],"avg_latency_ms":[3]}},
      {"experiment":"c","metrics":{"avg_latency_ms":1.5}},
      {"experiment":"d","metrics":{"latency_ms":0}},
      {"experiment":"e"}]})"));
  ASSERT_TRUE(metrics) << metrics.error().to_string();
  ASSERT_EQ(metrics->results.size(), 5U);
  EXPECT_EQ(metrics->results[0].latencies, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(metrics->results[1].latencies, (std::vector<double>{3}));
  EXPECT_TRUE(metrics->results[2].single_number);
  EXPECT_FALSE(metrics->results[3].single_number);
  EXPECT_TRUE(metrics->results[4].latencies.empty());
}

TEST(KitMetrics, RefusesWrongTypes) {
  for (const char* bad :
       {"", "[1", R"({"results":7})", R"({"results":[7]})", R"({"results":[{"experiment":1}]})",
        R"({"results":[{"metrics":{"latency_ms":["fast"]}}]})",
        R"({"results":[{"metrics":{"latency_ms":"x"}}]})",
        R"({"results":[{"metrics":{"latency_ms":[1e999]}}]})"})
    EXPECT_FALSE(read_kit_metrics(file_of(bad))) << bad;
  EXPECT_TRUE(read_kit_metrics(file_of("{}")).value().results.empty());
}

TEST(KitConfig, ReadsRunnersAndRefusesWrongTypes) {
  const auto config =
      read_kit_config(file_of(R"({"experiments":[{"name":"a","runner_path":"bin/r"},{}],"analysis":{}})"));
  ASSERT_TRUE(config) << config.error().to_string();
  ASSERT_EQ(config->experiments.size(), 2U);
  EXPECT_EQ(config->experiments[0].name, "a");
  EXPECT_EQ(config->experiments[0].runner_path, "bin/r");
  EXPECT_EQ(config->experiments[1].name, "unknown");
  EXPECT_EQ(config->experiments[1].runner_path, "");
  for (const char* bad : {"", "[]", R"({"experiments":{}})", R"({"experiments":[{"name":1}]})"})
    EXPECT_FALSE(read_kit_config(file_of(bad))) << bad;
}

}  // namespace
}  // namespace accelscope::compat
