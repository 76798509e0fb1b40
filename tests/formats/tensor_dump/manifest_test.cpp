// Manifests of tensor dumps: written, read back, and each way in which one can be wrong.
#include "formats/tensor_dump/manifest.h"

#include <gtest/gtest.h>

#include <functional>

namespace accelscope::formats::tensor_dump {
namespace {

using base::MappedFile;
using recorder::TensorRole;
using recorder::TensorStage;

// Three tensors and a scalar: 64 + 6 + 32 bytes.
Manifest good_manifest() {
  Manifest manifest;
  manifest.run_dir = "args_dump";
  manifest.arguments = {{.task = 1,
                         .functions = {3},
                         .index = 0,
                         .data_type = "FLOAT32",
                         .shape = {4, 4},
                         .strides = {4, 1},
                         .elements = 16,
                         .bin_offset = 0,
                         .bin_size = 64},
                        {.task = 1, .index = 2, .is_scalar = true, .data_type = "INT8", .value = "-7"},
                        {.task = 1,
                         .index = 1,
                         .role = TensorRole::kOut,
                         .stage = TensorStage::kAfter,
                         .data_type = "INT16",
                         .is_contiguous = false,
                         .shape = {3, 1},
                         .strides = {5, 9},
                         .start_offset = 2,
                         .elements = 3,
                         .bin_offset = 64,
                         .bin_size = 6},
                        {.task = 0xABCDEF0123456789,
                         .functions = {0, 1, 2},
                         .index = 9,
                         .role = TensorRole::kInOut,
                         .data_type = "BOOL",
                         .shape = {100},
                         .strides = {1},
                         .elements = 100,
                         .bin_offset = 70,
                         .bin_size = 32,
                         .truncated = true}};
  manifest.counts = counts_of(manifest.arguments);
  return manifest;
}
constexpr std::uint64_t kGoodBytes = 102;

std::string written(const Manifest& manifest) {
  base::MemoryOutput out;
  write_manifest(manifest, out);
  return std::string(out.bytes());
}

std::string error_of(std::string_view json) {
  const auto read = read_manifest(MappedFile::from_memory("m.json", json));
  return read ? "" : read.error().to_string();
}

std::vector<std::string> faults_of(const Manifest& manifest,
                                   std::optional<std::uint64_t> bytes = kGoodBytes) {
  std::vector<std::string> ids;
  const trace::QualityTable faults = check(manifest, "m.json", bytes);
  for (const trace::QualityRow& row : faults.rows()) ids.push_back(row.id);
  return ids;
}

// The truncated one is a fact, not a fault of this kind.
const std::vector<std::string> kOnlyTruncated = {"tensor_dump.truncated"};

TEST(Manifest, IsReadAsItWasWritten) {
  const Manifest manifest = good_manifest();
  const std::string json = written(manifest);
  EXPECT_TRUE(looks_like_manifest(json));
  const auto again = read_manifest(MappedFile::from_memory("m.json", json));
  ASSERT_TRUE(again) << again.error().to_string();
  ASSERT_EQ(again->arguments.size(), manifest.arguments.size());
  for (std::size_t i = 0; i < manifest.arguments.size(); ++i) {
    Argument read = again->arguments[i];
    EXPECT_EQ(json[read.place], '{');
    read.place = 0;
    EXPECT_EQ(read, manifest.arguments[i]) << i;
  }
  EXPECT_EQ(again->counts, manifest.counts);
  EXPECT_EQ(again->run_dir, "args_dump");
  EXPECT_EQ(again->binary, "args.bin");
  EXPECT_EQ(again->level, kLevelAll);
  EXPECT_EQ(faults_of(*again), kOnlyTruncated);
  EXPECT_EQ(written(*again), json);
}

TEST(Manifest, CountsItself) {
  const Counts counts = counts_of(good_manifest().arguments);
  EXPECT_EQ(
      counts,
      (Counts{.total = 4, .before = 3, .after = 1, .input = 2, .output = 1, .inout = 1, .truncated = 1}));
}

TEST(Manifest, TellsWhatItHasTogether) {
  std::vector<Argument> arguments = good_manifest().arguments;
  EXPECT_EQ(contents_of(arguments),
            (Contents{.counts = counts_of(arguments), .tasks = 2, .scalars = 1, .bytes = kGoodBytes}));
  arguments.push_back(arguments.front());
  EXPECT_EQ(contents_of(arguments).tasks, 2U) << "each task once, in whatever order";
  EXPECT_EQ(contents_of({}), Contents{});
}

// One word each for role, stage and kind, the same in both directions.
TEST(Manifest, NamesWordsThatItDoesNotHave) {
  EXPECT_EQ(error_of(R"({"args": [{"role": "in"}]})"),
            "m.json: byte 19: one of \"input\", \"output\", \"inout\" is expected here");
  EXPECT_EQ(error_of(R"({"args": [{"stage": "before"}]})"),
            "m.json: byte 20: one of \"before_dispatch\", \"after_completion\" is expected here");
  EXPECT_EQ(error_of(R"({"args": [{"kind": ""}]})"),
            "m.json: byte 19: one of \"tensor\", \"scalar\" is expected here");
  for (const TensorRole role : {TensorRole::kIn, TensorRole::kOut, TensorRole::kInOut})
    for (const TensorStage stage : {TensorStage::kBefore, TensorStage::kAfter})
      for (const bool is_scalar : {false, true}) {
        Manifest manifest;
        manifest.arguments = {{.role = role, .stage = stage, .is_scalar = is_scalar, .data_type = "BOOL"}};
        const auto back = read_manifest(MappedFile::from_memory("m.json", written(manifest)));
        ASSERT_TRUE(back) << back.error().to_string();
        Argument read = back->arguments.at(0);
        read.place = 0;
        EXPECT_EQ(read, manifest.arguments[0]);
        EXPECT_EQ(back->counts, counts_of(manifest.arguments));
      }
}

TEST(Manifest, EachFaultHasItsRow) {
  using Change = std::function<void(Manifest&)>;
  const std::vector<std::pair<std::string, Change>> faults = {
      {"outside_binary", [](Manifest& m) { m.arguments[3].bin_offset = 71; }},
      {"outside_binary", [](Manifest& m) { m.arguments[3].bin_offset = UINT64_MAX - 5; }},
      {"shared_bytes", [](Manifest& m) { m.arguments[2].bin_offset = 63; }},
      {"shared_bytes", [](Manifest& m) { m.arguments[2].bin_offset = 0; }},
      {"size_differs", [](Manifest& m) { m.arguments[0].bin_size = 60; }},
      {"size_differs", [](Manifest& m) { m.arguments[0].data_type = "FLOAT16"; }},
      {"size_differs", [](Manifest& m) { m.arguments[2].bin_size = 0; }},
      {"size_differs", [](Manifest& m) { m.arguments[3].shape = {30}, m.arguments[3].elements = 30; }},
      {"size_differs",
       [](Manifest& m) {
         m.arguments[0].shape = {1ULL << 62U, 1}, m.arguments[0].elements = 1ULL << 62U;
       }},
      {"elements_differ",
       [](Manifest& m) {
         m.arguments[0].shape = {4, 5};
       }},
      {"elements_differ",
       [](Manifest& m) {
         m.arguments[0].shape = {1ULL << 40U, 1ULL << 40U};
       }},
      {"bad_strides", [](Manifest& m) { m.arguments[2].strides = {5}; }},
      {"bad_strides",
       [](Manifest& m) {
         m.arguments[0].strides = {5, 1};
       }},
      {"bad_scalar", [](Manifest& m) { m.arguments[1].value.clear(); }},
      {"bad_scalar", [](Manifest& m) { m.arguments[1].bin_size = 1; }},
      {"counts_differ", [](Manifest& m) { ++m.counts.total; }},
      {"counts_differ", [](Manifest& m) { --m.counts.before; }},
      {"counts_differ", [](Manifest& m) { ++m.counts.after; }},
      {"counts_differ", [](Manifest& m) { ++m.counts.input; }},
      {"counts_differ", [](Manifest& m) { ++m.counts.output; }},
      {"counts_differ", [](Manifest& m) { ++m.counts.inout; }},
      {"counts_differ", [](Manifest& m) { ++m.counts.truncated; }},
      {"not_sorted", [](Manifest& m) { std::swap(m.arguments[0], m.arguments[1]); }},
      {"not_sorted",
       [](Manifest& m) { m.arguments[0].stage = TensorStage::kAfter, m.arguments[0].index = 5; }},
      {"other_layout", [](Manifest& m) { m.byte_order = "big_endian"; }},
      {"other_layout", [](Manifest& m) { m.order = "tiled"; }},
      {"unknown_type", [](Manifest& m) { m.arguments[0].data_type = "TYPE_77"; }},
      {"dropped", [](Manifest& m) { m.dropped_records = 3; }},
      {"overwritten",
       [](Manifest& m) { m.arguments[3].truncated = false, m.arguments[3].overwritten = true; }},
  };
  for (const auto& [id, change] : faults) {
    SCOPED_TRACE(id);
    Manifest manifest = good_manifest();
    change(manifest);
    if (id != "counts_differ") manifest.counts = counts_of(manifest.arguments);
    const std::vector<std::string> found = faults_of(manifest);
    EXPECT_EQ(std::count(found.begin(), found.end(), "tensor_dump." + id), 1);
  }
}

TEST(Manifest, BinariesAreThereAndUsed) {
  EXPECT_EQ(faults_of(good_manifest(), std::nullopt).front(), "tensor_dump.no_binary");
  const trace::QualityTable faults = check(good_manifest(), "m.json", kGoodBytes + 10);
  EXPECT_EQ(faults.count("tensor_dump.unused_bytes"), 10U);
  Manifest manifest = good_manifest();
  manifest.arguments[3].bin_offset += 10;
  EXPECT_EQ(check(manifest, "m.json", kGoodBytes + 10).count("tensor_dump.unused_bytes"), 10U);
}

TEST(Manifest, OnlyMarkedArgumentsNeedHaveBytes) {
  Manifest manifest = good_manifest();
  manifest.level = kLevelMarked;
  manifest.arguments[3].bin_size = 0;
  manifest.arguments[3].truncated = false;
  manifest.counts = counts_of(manifest.arguments);
  EXPECT_EQ(faults_of(manifest, 70), std::vector<std::string>());
  manifest.level = kLevelAll;
  EXPECT_EQ(faults_of(manifest, 70), std::vector<std::string>{"tensor_dump.size_differs"});
}

TEST(Manifest, AnEmptyTensorIsInOrder) {
  Manifest manifest;
  manifest.arguments = {{.data_type = "INT32",
                         .shape = {0, 7},
                         .strides = {7, 1},
                         .elements = 0,
                         .bin_offset = 0,
                         .bin_size = 0}};
  manifest.counts = counts_of(manifest.arguments);
  EXPECT_EQ(faults_of(manifest, 0), std::vector<std::string>());
  EXPECT_EQ(faults_of({}, 0), std::vector<std::string>());
}

TEST(Manifest, AScalarWithoutValueIsStillJson) {
  Manifest manifest = good_manifest();
  manifest.arguments[1].value.clear();
  EXPECT_EQ(error_of(written(manifest)), "");
}

TEST(Manifest, IsKnownByItsKeys) {
  EXPECT_FALSE(looks_like_manifest(""));
  EXPECT_FALSE(looks_like_manifest("{}"));
  EXPECT_FALSE(looks_like_manifest(R"({"args": []})"));
  EXPECT_TRUE(looks_like_manifest(R"({"args": [], "dump_args_level": 1, "bin_file": "x"})"));
}

TEST(Manifest, BadJsonIsAnErrorWithAPlace) {
  EXPECT_EQ(error_of(R"({"args": []})"), "");
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("{}").find("no args"), std::string::npos);
  const std::string json = written(good_manifest());
  for (std::size_t length = 0; length + 2 < json.size(); ++length)
    EXPECT_NE(error_of(json.substr(0, length)).find("m.json"), std::string::npos) << length;
  for (const char* bad : {
           R"({"args": [{}]})",
           R"({"args": [{"task_id": "0x1"}]})",
           R"({"args": [{"arg_index": 1}]})",
           R"({"args": [{"task_id": "0xg", "arg_index": 1}]})",
           R"({"args": [{"task_id": -1, "arg_index": 1}]})",
           R"({"args": [{"task_id": 1, "arg_index": 4294967296}]})",
           R"({"args": [{"task_id": 1, "arg_index": 1, "role": "both"}]})",
           R"({"args": [{"task_id": 1, "arg_index": 1, "stage": "during"}]})",
           R"({"args": [{"task_id": 1, "arg_index": 1, "kind": "list"}]})",
           R"({"args": [{"task_id": 1, "arg_index": 1, "shape": [-1]}]})",
           R"({"args": [{"task_id": 1, "arg_index": 1, "value": {"x": 1}}]})",
           R"({"args": {}})",
           R"({"args": [], "total_args": -1})",
           R"({"args": [], "dump_args_level": 99999999999})",
           R"({"args": []} more)",
       })
    EXPECT_NE(error_of(bad).find("byte"), std::string::npos) << bad << ": " << error_of(bad);
}

TEST(Manifest, TasksMayBeNumbersAndKeysUnknown) {
  const auto read = read_manifest(MappedFile::from_memory(
      "m.json", R"({"more": [{}], "args": [{"task_id": "17", "arg_index": 1, "arg_index_ambiguous": true},)"
                R"({"task_id": 18, "arg_index": 2}]})"));
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->arguments.at(0).task, 17U);
  EXPECT_EQ(read->arguments.at(1).task, 18U);
}

}  // namespace
}  // namespace accelscope::formats::tensor_dump
