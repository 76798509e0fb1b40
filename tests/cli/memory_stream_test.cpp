// `accelscope memory stream` as a user runs it.
#include <gtest/gtest.h>

#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

using tests::read_file;
using tests::TemporaryFolder;

ProgramResult stream(std::vector<std::string> words) {
  std::vector<std::string> all{"memory", "stream", "--board", "nexys_video", "--model", "llama-3.2-1b"};
  all.insert(all.end(), words.begin(), words.end());
  return accelscope(all);
}

double stream_metric(const findings::Findings& findings, std::string_view id) {
  const findings::Metric* found = find_metric(findings, id);
  EXPECT_NE(found, nullptr) << id;
  return found == nullptr ? 0 : found->value.value_or(-1);
}

TEST(MemoryStream, SaysWhatStaysWhatComesAndWhatWouldHideIt) {
  const ProgramResult result = stream({});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view expected :
       {"1 of 17 layers and output stay", "Streaming stops hurting at", "A prefetch depth of 1",
        "One pass, stage by stage", "By prefetch depth", "By policy", "belady", "fit.flat_bandwidth"})
    EXPECT_TRUE(contains(result.standard_output, expected)) << expected << '\n' << result.standard_output;
}

TEST(MemoryStream, TransfersAreHiddenOrNot) {
  const findings::Findings findings = findings_in(stream({"--json", "--policy", "lru"}));
  EXPECT_EQ(findings.kind, "memory-stream");
  EXPECT_NEAR(stream_metric(findings, "hidden") + stream_metric(findings, "exposed"),
              stream_metric(findings, "link"), 1e-6);
  EXPECT_NEAR(stream_metric(findings, "busy") + stream_metric(findings, "exposed"),
              stream_metric(findings, "pass"), 1e-6);
}

TEST(MemoryStream, MoreLinkIsNeverSlowerAndTheNamedOneIsEnough) {
  const auto pass = [](std::string_view rate) {
    return stream_metric(findings_in(stream({"--json", "--host-bandwidth", std::string(rate)})), "exposed");
  };
  EXPECT_GE(pass("38MB/s"), pass("76MB/s"));
  EXPECT_EQ(pass("400MB/s"), 0);
  EXPECT_GT(pass("390MB/s"), 0);
}

TEST(MemoryStream, WritesTracesThatCanBeReadAgain) {
  const TemporaryFolder folder;
  for (const std::string_view name : {"a.astrace", "a.json", "a.pftrace"}) {
    const std::string path = folder.file(std::string(name));
    const ProgramResult result = stream({"-o", path, "--tokens", "2"});
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    EXPECT_TRUE(contains(result.standard_error, "wrote " + path));
  }
  const ProgramResult checked = accelscope({"validate", folder.file("a.astrace")});
  EXPECT_EQ(checked.exit_code, 0) << checked.standard_error;
  EXPECT_TRUE(contains(checked.standard_output, "token: 2 executions")) << checked.standard_output;
  const std::string picture = read_file(folder.file("a.json"));
  for (const std::string_view lane : {"host link", "DRAM", "compute", "waits for layer 1"})
    EXPECT_TRUE(contains(picture, lane)) << lane;
}

TEST(MemoryStream, SameInputSameBytes) {
  const TemporaryFolder folder;
  stream({"-o", folder.file("a.astrace")});
  stream({"-o", folder.file("b.astrace")});
  EXPECT_EQ(read_file(folder.file("a.astrace")), read_file(folder.file("b.astrace")));
}

TEST(MemoryStream, RefusesWithWhatIsWrong) {
  const auto error = [](std::vector<std::string> words) {
    const ProgramResult result = stream(std::move(words));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(result.standard_output.empty());
    return result.standard_error;
  };
  EXPECT_TRUE(
      contains(error({"--policy", "LRU"}), "expected fifo, lru, mru, pin, belady; did you mean `lru`?"));
  EXPECT_TRUE(contains(error({"--prefetch-depth", "-1"}), "expected an integer from 0 up"));
  EXPECT_TRUE(contains(error({"--prefetch-depth", "64"}), "expected 0 to 63"));
  EXPECT_TRUE(contains(error({"--host-bandwidth", "0"}), "bytes a second above zero"));
  EXPECT_TRUE(contains(error({"--capacity", "-1"}), "a size above zero"));
  EXPECT_TRUE(contains(error({"--context", "0"}), "expected an integer from 1 up"));
  EXPECT_TRUE(contains(error({"--weights", "fp7"}), "fp7"));
  EXPECT_TRUE(contains(error({"--layers-pinned", "10"}), "they and 2 buffers need"));
  EXPECT_TRUE(contains(error({"-o", "x.xyz"}), "the ending does not tell the format"));
  EXPECT_TRUE(contains(error({"-o", "-"}), "give the trace a name"));
  EXPECT_TRUE(contains(error({"--json", "--markdown"}), "exclude each other"));
  const ProgramResult unknown =
      accelscope({"memory", "stream", "--board", "nexys_vide", "--model", "smolvlm2"});
  EXPECT_TRUE(contains(unknown.standard_error, "did you mean `nexys_video`?"));
  EXPECT_EQ(accelscope({"memory", "stream", "--board", "v80", "--model", "smolvlm2"}).exit_code, 1);
}

}  // namespace
}  // namespace accelscope::cli
