// `accelscope manifest` as a user runs it.
#include <gtest/gtest.h>

#include "boards/clm60m_build.h"
#include "boards/weight_manifest.h"
#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

const findings::Statement* verdict_in(const findings::Findings& findings, std::string_view id) {
  for (const findings::Section& section : findings.sections)
    for (const findings::Statement& statement : section.statements)
      if (statement.id == id) return &statement;
  ADD_FAILURE() << "no statement " << id;
  return nullptr;
}

std::string regime_of(const findings::Findings& findings, std::string_view id = "manifest.regime") {
  const findings::Statement* verdict = verdict_in(findings, id);
  return verdict == nullptr ? "" : verdict->subject;
}

findings::Findings findings_of(std::vector<std::string> words) {
  words.insert(words.begin(), "manifest");
  words.push_back("--json");
  const ProgramResult result = accelscope(words);
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  return findings_in(result);
}

TEST(Manifest, OfABuildDirectory) {
  const TemporaryFolder folder;
  boards::write_clm60m_build(folder.path());
  const ProgramResult result = accelscope({"manifest", folder.path(), "--board", "nexys_video"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view expected :
       {"regime resident", "hbm_sizes.json", "tensor_layouts.json", "W_gate_0", "nothing to report"})
    EXPECT_TRUE(contains(result.standard_output, expected)) << expected << '\n' << result.standard_output;
  const std::string written = folder.file("weight_manifest.json");
  EXPECT_TRUE(contains(result.standard_error, "wrote " + written)) << result.standard_error;
  const auto manifest = boards::load_manifest(written);
  ASSERT_TRUE(manifest) << manifest.error().to_string();
  EXPECT_EQ(manifest->regions.size(), 19U);
  EXPECT_EQ(manifest->capacity, base::Bytes{536'870'912});
  EXPECT_EQ(manifest->activation_ceiling, 442'368U);
}

TEST(Manifest, RegimesOfABuildAndOfMoreLayers) {
  const TemporaryFolder folder;
  boards::write_clm60m_build(folder.path());
  const std::string out = folder.file("out.json");
  const auto regimes = [&](std::string_view capacity) {
    return regime_of(findings_of({folder.path(), "--ddr-capacity", std::string(capacity), "-o", out}));
  };
  // 2 268 000 bytes of weights, 2 784 096 in all.
  EXPECT_EQ(regimes("2784096"), "resident");
  EXPECT_EQ(regimes("2784095"), "kv-swap");
  EXPECT_EQ(regimes("2268000"), "kv-swap");
  EXPECT_EQ(regimes("2267999"), "weight-stream");
  const findings::Findings eight =
      findings_of({folder.path(), "--ddr-capacity", "16M", "--total-layers", "8", "-o", out});
  EXPECT_EQ(regime_of(eight), "resident");
  EXPECT_EQ(regime_of(eight, "manifest.estimate"), "weight-stream");
  const findings::Section* estimate = find_section(eight, "estimate");
  ASSERT_NE(estimate, nullptr);
  EXPECT_DOUBLE_EQ(find_metric(*estimate, "weight")->value.value_or(0), 8 * 2'268'000 / 1048576.0);
  EXPECT_DOUBLE_EQ(find_metric(*estimate, "kv")->value.value_or(0), 8 * 73'728 / 1048576.0);
  EXPECT_DOUBLE_EQ(find_metric(*estimate, "activation")->value.value_or(0), 442'368 / 1048576.0);
  EXPECT_TRUE(has_row(eight, "manifest.estimated"));
}

TEST(Manifest, OfAModelAndThenOfItsFile) {
  const TemporaryFolder folder;
  const std::string out = folder.file("smolvlm2.json");
  const findings::Findings made =
      findings_of({"smolvlm2", "--board", "nexys_video", "--context", "4096", "-o", out});
  EXPECT_EQ(regime_of(made), "resident");
  const findings::Findings checked = findings_of({out});
  EXPECT_EQ(rows_of(checked, "regions", "kinds"), rows_of(made, "regions", "kinds"));
  const findings::Findings smaller = findings_of({out, "--ddr-capacity", "256MB"});
  EXPECT_EQ(regime_of(smaller), "weight-stream");
  EXPECT_TRUE(has_row(smaller, "manifest.other_capacity"));
}

TEST(Manifest, FormatsAndBatchesOfAModel) {
  const auto total = [](const std::vector<std::string>& words, std::string_view id) {
    std::vector<std::string> all{"llama-3.2-1b", "--ddr-capacity", "4G"};
    all.insert(all.end(), words.begin(), words.end());
    const findings::Findings found = findings_of(all);
    return find_metric(found, id)->value.value_or(0);
  };
  EXPECT_DOUBLE_EQ(total({"--weights", "bf16"}, "weight"), 1'235'814'400.0 * 2 / 1048576);
  EXPECT_DOUBLE_EQ(total({"--kv", "bf16", "--context", "100", "--batch", "3"}, "kv"),
                   16 * 2 * 100 * 3 * 512 * 2 / 1048576.0);
  EXPECT_DOUBLE_EQ(total({"--prompt", "8"}, "activation"), 8 * (2048 + 2048 + 16384) * 9 / 8 / 1048576.0);
}

TEST(Manifest, ToStandardOutput) {
  const ProgramResult result = accelscope({"manifest", "clm60m", "--board", "v80", "-o", "-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(boards::read_manifest(base::MappedFile::from_memory("out", result.standard_output)));
}

TEST(Manifest, DoubtsAreInTheTrustBox) {
  const TemporaryFolder folder;
  write_file(folder.file("hbm_addrs.json"),
             R"({"W_a": 0, "W_b": 64, "W_99999999999": 128, "X": "no", "W_last": 192})");
  write_file(folder.file("tensor_layouts.json"), R"({"W_a": {"storage_shape": [64]}})");
  const findings::Findings found = findings_of({folder.path(), "--ddr-capacity", "63"});
  for (const std::string_view id : {"manifest.bad_offset", "manifest.no_size", "manifest.clamped",
                                    "manifest.bad_layer", "manifest.no_sizes_file", "manifest.large_layer"})
    EXPECT_TRUE(has_row(found, id)) << id;
  EXPECT_TRUE(has_row(findings_of({"clm60m", "--board", "v80"}), "manifest.no_vocabulary"));
}

TEST(Manifest, BadInputIsExplained) {
  const TemporaryFolder folder;
  write_file(
      folder.file("bad.json"),
      R"({"activation_ceiling": 0, "regions": [{"layer_id":0,"offset":0,"size":9},{"layer_id":0,"offset":8,"size":1}]})");
  const auto mistake = [](std::vector<std::string> words, std::string_view expected) {
    words.insert(words.begin(), "manifest");
    const ProgramResult result = accelscope(words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.standard_output, "");
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
  };
  mistake({folder.file("bad.json")}, "region 1 at offset 8 begins before region 0 ends");
  mistake({folder.path(), "--board", "v80"}, "there is no hbm_addrs.json in this directory");
  mistake({"clm60m"}, "give --board NAME or --ddr-capacity SIZE");
  mistake({"clm60m", "--board", "v8"}, "did you mean `v80`?");
  mistake({"no-such-model", "--board", "v80"}, "no-such-model");
  mistake({"clm60m", "--ddr-capacity", "0"}, "--ddr-capacity: '0' is no size of a memory");
  mistake({"clm60m", "--ddr-capacity=-1G"}, "--ddr-capacity: '-1G' is no size of a memory");
  mistake({"clm60m", "--board", "v80", "--context", "0"}, "--context 0: expected an integer above zero");
  mistake({"clm60m", "--board", "v80", "--batch=-1"}, "--batch -1: expected an integer above zero");
  mistake({"clm60m", "--board", "v80", "--prompt", "4000"}, "the context has room for 2048 tokens");
  mistake({"clm60m", "--board", "v80", "--kv", "mxfp9"}, "mxfp9");
  mistake({"clm60m", "--board", "v80", "--total-layers", "18446744073709551615"}, "2^63 bytes or more");
  mistake({"clm60m", "--board", "v80", "--context", "18446744073709551615"}, "2^63 bytes or more");
  write_file(folder.file("hbm_addrs.json"), "{}");
  mistake({folder.path(), "--board", "v80", "--context", "9"}, "are for the manifest of a model");
  mistake({folder.path(), "--board", "v80", "--total-layers", "9"}, "no weights and no keys and values");
}

}  // namespace
}  // namespace accelscope::cli
