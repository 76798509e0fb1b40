#include <fmt/core.h>

#include "base/output.h"
#include "formats/chip_run/helpers.h"
#include "formats/gzip/gzip_output.h"
#include "support/temporary_folder.h"

namespace accelscope::formats::chip_run {
namespace {

using tests::TemporaryFolder;
using tests::write_file;

constexpr std::string_view kDeps =
    R"({"tasks":[{"task_id":"1","kernel_ids":[0,-1,-1],"block_num":1}],"edges":[]})";
constexpr std::string_view kNames =
    R"({"level":2,"orchestrator_name":null,"callable_id_to_name":{"0":"ADD"}})";
constexpr std::string_view kPmu =
    "thread_id,core_id,task_id,func_id,core_type,pmu_total_cycles,vec_busy_cycles,event_type\n"
    "0,0,0x1,0,0,10,5,2\n";
constexpr std::string_view kScopes =
    R"({"version": 6, "fatal": false, "dropped": 0, "total": 0, "task_window_max": [1,1,1,1], "heap_max": [1,1,1,1], "dep_pool_max": [1,1,1,1], "tensormap_max": 1})"
    "\n";
constexpr std::string_view kPhases =
    R"({"pid": 7, "inv": 1, "clock": "host_monotonic_ns", "dropped": 0, "records": []})"
    "\n";
constexpr std::string_view kLog =
    "x: [STRACE] v=1 pid=7 tid=7 inv=1 hid=0 depth=0 name=chip.run ts=1 dur=2\n";
constexpr std::string_view kSwimlane =
    R"({"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 50000000, "num_cores": 1, "core_types": ["aic"]},
        "aicore_tasks": [[0,1,1,100,200,5]], "aicpu_tasks": []})";

std::string packed(std::string_view text) {
  base::MemoryOutput target;
  gzip::GzipOutput out(target);
  out.append(text);
  EXPECT_TRUE(out.finish());
  return std::string(target.bytes());
}

std::string found(const SiblingSearch& search, SiblingKind kind) {
  const std::string& path = path_of(search.found, kind);
  return path.substr(path.find_last_of('/') + 1);
}

bool says(const trace::QualityTable& quality, std::string_view id) {
  return quality.count(id) > 0;
}

TEST(Siblings, AreFoundByContentWhateverTheirNames) {
  const TemporaryFolder folder;
  const std::string run = folder.file("run.json");
  write_file(run, kSwimlane);
  write_file(folder.file("a.json.gz"), packed(kDeps));
  write_file(folder.file("b.json"), kNames);
  write_file(folder.file("c.csv"), kPmu);
  std::filesystem::create_directory(folder.file("scope_stats"));
  write_file(folder.file("scope_stats/d.jsonl"), kScopes);
  write_file(folder.file("e.jsonl"), kPhases);
  write_file(folder.file("f.log"), kLog);
  write_file(folder.file("merged.json"), R"({"traceEvents":[]})");
  write_file(folder.file("deps.txt"), kDeps);  // no plausible ending
  const SiblingSearch search = search_siblings(run, {});
  EXPECT_EQ(found(search, SiblingKind::kDeps), "a.json.gz");
  EXPECT_EQ(found(search, SiblingKind::kNames), "b.json");
  EXPECT_EQ(found(search, SiblingKind::kPmu), "c.csv");
  EXPECT_EQ(found(search, SiblingKind::kScopeStats), "d.jsonl");
  EXPECT_EQ(found(search, SiblingKind::kHostPhases), "e.jsonl");
  EXPECT_EQ(found(search, SiblingKind::kLog), "f.log");
  EXPECT_TRUE(search.quality.rows().empty());
  const auto siblings = read_siblings(search);
  ASSERT_TRUE(siblings) << siblings.error().to_string();
  EXPECT_TRUE(siblings->deps && siblings->names && siblings->pmu && siblings->scope_stats &&
              siblings->host_phases && siblings->log);
  EXPECT_EQ(siblings->sources.size(), 6U);
  EXPECT_EQ(siblings->quality.count("chip_run.siblings_found"), 6U);
}

TEST(Siblings, TwoThatClaimOnePlaceAreNamedAndNotUsed) {
  const TemporaryFolder folder;
  const std::string run = folder.file("run.json");
  write_file(run, kSwimlane);
  write_file(folder.file("name_map_a.json"), kNames);
  write_file(folder.file("name_map_b.json"), kNames);
  const SiblingSearch search = search_siblings(run, {});
  EXPECT_EQ(found(search, SiblingKind::kNames), "");
  ASSERT_TRUE(says(search.quality, "chip_run.ambiguous_sibling"));
  const std::string& sentence = search.quality.rows().front().sentence;
  EXPECT_NE(sentence.find("name_map_a.json, name_map_b.json"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("--names"), std::string::npos) << sentence;

  SiblingPaths given;
  path_of(given, SiblingKind::kNames) = folder.file("name_map_b.json");
  const SiblingSearch chosen = search_siblings(run, given);
  EXPECT_TRUE(chosen.quality.rows().empty());
  const auto siblings = read_siblings(chosen);
  ASSERT_TRUE(siblings);
  EXPECT_TRUE(siblings->names);
  EXPECT_FALSE(says(siblings->quality, "chip_run.siblings_found")) << "it was given, not found";
}

TEST(Siblings, ABadOneIsNamedWhenFoundAndAnErrorWhenGiven) {
  const TemporaryFolder folder;
  const std::string run = folder.file("run.json");
  write_file(run, kSwimlane);
  write_file(folder.file("deps.json"), kDeps.substr(0, kDeps.size() - 5));
  const auto siblings = read_siblings(search_siblings(run, {}));
  ASSERT_TRUE(siblings) << siblings.error().to_string();
  EXPECT_FALSE(siblings->deps);
  EXPECT_TRUE(says(siblings->quality, "chip_run.bad_sibling"));

  SiblingSearch search;
  path_of(search.given, SiblingKind::kDeps) = folder.file("deps.json");
  EXPECT_FALSE(read_siblings(search));
  path_of(search.given, SiblingKind::kDeps) = folder.file("missing.json");
  EXPECT_FALSE(read_siblings(search));
  write_file(folder.file("names.json"), kNames);
  path_of(search.given, SiblingKind::kDeps) = folder.file("names.json");
  const auto wrong = read_siblings(search);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("--deps"), std::string::npos) << wrong.error().message;
}

TEST(Siblings, AFolderWithManyFilesIsNotReadWhole) {
  const TemporaryFolder folder;
  const std::string run = folder.file("run.json");
  write_file(run, kSwimlane);
  for (int i = 0; i < 200; ++i) write_file(folder.file(fmt::format("a{}.json", i)), "{}");
  write_file(folder.file("z_deps.json"), kDeps);
  write_file(folder.file("z.csv"), kPmu);
  const SiblingSearch search = search_siblings(run, {});
  EXPECT_EQ(found(search, SiblingKind::kDeps), "z_deps.json") << "telling names are looked at first";
  EXPECT_EQ(found(search, SiblingKind::kPmu), "");
  EXPECT_TRUE(says(search.quality, "chip_run.siblings_not_searched"));
}

TEST(Siblings, WhatIsNoFileHasNone) {
  EXPECT_TRUE(search_siblings("/dev/null", {}).quality.rows().empty());
  EXPECT_TRUE(search_siblings("/no/such/run.json", {}).quality.rows().empty());
  EXPECT_FALSE(sibling_kind_of_file("/no/such/file"));
  EXPECT_FALSE(sibling_kind(""));
  EXPECT_FALSE(sibling_kind(kSwimlane));
}

}  // namespace
}  // namespace accelscope::formats::chip_run
