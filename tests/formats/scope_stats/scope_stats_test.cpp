#include "formats/scope_stats/scope_stats.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace accelscope::formats::scope_stats {
namespace {

const std::string kTotals =
    R"({"version": 6, "fatal": false, "dropped": 0, "total": 1, "task_window_max": [1, 2, 3, 4], )"
    R"("heap_max": [5, 6, 7, 8], "dep_pool_max": [9, 10, 11, 12], "tensormap_max": 65536})"
    "\n";
const std::string kBoundary =
    R"({"site": "a.cpp:77", "phase": "end", "depth": 1, "ring": 2, "task_window_start": 3, "task_window_end": 4, )"
    R"("heap_start": 5, "heap_end": 18446744073709551615, "dep_pool_start": 7, "dep_pool_end": 8, "tensormap": 9})"
    "\n";

base::Result<ScopeStats> read(std::string_view text) {
  return read_scope_stats(base::MappedFile::from_memory("scope.jsonl", text));
}

ScopeStats read_good(std::string_view text) {
  auto result = read(text);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result ? std::move(*result) : ScopeStats{};
}

TEST(ScopeStats, ReadsTotalsAndBoundaries) {
  const ScopeStats stats = read_good(kTotals + "\r\n" + kBoundary);
  EXPECT_EQ(stats.version, 6);
  EXPECT_FALSE(stats.fatal);
  EXPECT_EQ(stats.total, 1U);
  EXPECT_EQ(stats.task_window_max, (std::array<std::uint64_t, 4>{1, 2, 3, 4}));
  EXPECT_EQ(stats.heap_max, (std::array<std::uint64_t, 4>{5, 6, 7, 8}));
  EXPECT_EQ(stats.dep_pool_max, (std::array<std::uint64_t, 4>{9, 10, 11, 12}));
  EXPECT_EQ(stats.tensormap_max, 65536U);
  ASSERT_EQ(stats.boundaries.size(), 1U);
  const ScopeBoundary& boundary = stats.boundaries[0];
  EXPECT_EQ(boundary.site, "a.cpp:77");
  EXPECT_FALSE(boundary.begins);
  EXPECT_EQ(boundary.depth, 1U);
  EXPECT_EQ(boundary.ring, 2U);
  EXPECT_EQ(boundary.task_window_start, 3U);
  EXPECT_EQ(boundary.task_window_end, 4U);
  EXPECT_EQ(boundary.heap_start, 5U);
  EXPECT_EQ(boundary.heap_end, 18446744073709551615U);
  EXPECT_EQ(boundary.dep_pool_start, 7U);
  EXPECT_EQ(boundary.dep_pool_end, 8U);
  EXPECT_EQ(boundary.tensormap, 9U);
  EXPECT_TRUE(stats.quality.rows().empty());
}

TEST(ScopeStats, NotesWhatTheTotalsSay) {
  const ScopeStats stats = read_good(R"({"version": 7, "fatal": true, "dropped": 12, "total": 20})");
  EXPECT_EQ(stats.version, 7);
  EXPECT_EQ(stats.quality.count("scope_stats.other_version"), 1U);
  EXPECT_EQ(stats.quality.count("scope_stats.fatal"), 1U);
  EXPECT_EQ(stats.quality.count("scope_stats.dropped"), 12U);
  EXPECT_EQ(stats.quality.count("scope_stats.missing_boundaries"), 20U);
  EXPECT_TRUE(stats.quality.has_errors());
}

TEST(ScopeStats, WhatWasDroppedIsNotMissingToo) {
  const ScopeStats stats = read_good(R"({"version": 6, "dropped": 3, "total": 3})");
  EXPECT_EQ(stats.quality.count("scope_stats.missing_boundaries"), 0U);
}

TEST(ScopeStats, NotesRingsThatRunBackwards) {
  const ScopeStats stats =
      read_good(kTotals + R"({"phase":"begin","task_window_start":2,"task_window_end":1})" + "\n" +
                R"({"phase":"begin","heap_start":2})" + "\n" +
                R"({"phase":"end","dep_pool_start":2,"dep_pool_end":1})" + "\n");
  EXPECT_EQ(stats.boundaries.size(), 3U);
  EXPECT_EQ(stats.quality.count("scope_stats.negative_use"), 3U);
  EXPECT_EQ(stats.quality.rows()[0].first_place, base::Location::line("scope.jsonl", 2));
}

TEST(ScopeStats, ACutTailIsNoted) {
  const std::string text = kTotals + kBoundary + kBoundary;
  const std::size_t last = kTotals.size() + kBoundary.size();
  for (std::size_t size = last + 1; size + 2 < text.size(); ++size) {
    const ScopeStats stats = read_good(std::string_view(text).substr(0, size));
    EXPECT_EQ(stats.boundaries.size(), 1U) << size;
    EXPECT_EQ(stats.quality.count("scope_stats.cut_tail"), 1U) << size;
  }
}

TEST(ScopeStats, RefusesBadInput) {
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"", "empty"},
      {"\n \n", "empty"},
      {"[]\n", "object"},
      {"{}\n", "no version"},
      {kBoundary, "no version"},
      {"{\"version\": -1}\n", "version"},
      {"{\"version\": 2147483648}\n", "version"},
      {"{\"version\": 6, \"fatal\": 0}\n", "true or false"},
      {"{\"version\": 6, \"heap_max\": [1,2,3,4,5]}\n", "4 rings"},
      {"{\"version\": 6, \"heap_max\": 5}\n", "array"},
      {"{\"version\": 6} {}\n", "follows"},
      {"{\"version\": 6", "inside an object"},
      {kTotals + "{}\n", "no phase"},
      {kTotals + "{\"phase\":\"middle\"}\n", "\"begin\" or \"end\""},
      {kTotals + "{\"phase\":\"end\",\"ring\":4}\n", "rings are 0 to 3"},
      {kTotals + "{\"phase\":\"end\",\"depth\":4294967296}\n", "32 bits"},
      {kTotals + "{\"phase\":\"end\",\"depth\":-1}\n", "integer"},
      {kTotals + "{\"phase\":\"end\",\"heap_start\":1.5}\n", "integer"},
      {kTotals + "{\"phase\":\"end\",\"site\":7}\n", "string"},
      {kTotals + "{\"phase\":\"end\"\n" + kBoundary, "inside an object"},
      {kTotals + "nonsense", "object"},
  };
  for (const auto& [text, message] : inputs) {
    SCOPED_TRACE(text);
    const auto result = read(text);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find(message), std::string::npos) << result.error().message;
    EXPECT_EQ(result.error().where.file, "scope.jsonl");
  }
}

TEST(ScopeStats, AnErrorNamesTheByteOfTheFile) {
  const auto result = read(kTotals + R"({"phase":"middle"})");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, base::Location::byte("scope.jsonl", kTotals.size() + 9));
}

TEST(ScopeStats, IsKnownByItsContent) {
  EXPECT_TRUE(looks_like_scope_stats(kTotals + kBoundary));
  EXPECT_TRUE(looks_like_scope_stats("{ \"dep_pool_max\":[1],\"version\":5"));
  EXPECT_FALSE(looks_like_scope_stats(kBoundary));
  EXPECT_FALSE(looks_like_scope_stats(R"({"version":1,"tasks":[]})"));
  EXPECT_FALSE(looks_like_scope_stats(""));
}

TEST(ScopeStats, ReadsRealOnes) {
  const std::string folder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane/a2a3sim/";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  const std::vector<std::pair<std::string, std::size_t>> files = {
      {"vector_all/TestVectorExample_default_20261115_194311", 4},
      {"mixed_L4/TestMixedExample_case1_20261115_194447", 10},
      {"mixed_L4/TestMixedExample_case2_20261115_194449", 4}};
  for (const auto& [path, boundaries] : files) {
    SCOPED_TRACE(path);
    const auto file = base::MappedFile::open(folder + path + "/scope_stats/scope_stats.jsonl");
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_TRUE(looks_like_scope_stats(file->text()));
    const auto stats = read_scope_stats(*file);
    ASSERT_TRUE(stats) << stats.error().to_string();
    EXPECT_EQ(stats->boundaries.size(), boundaries);
    EXPECT_EQ(stats->total, boundaries);
    EXPECT_TRUE(stats->quality.rows().empty());
  }
}

}  // namespace
}  // namespace accelscope::formats::scope_stats
