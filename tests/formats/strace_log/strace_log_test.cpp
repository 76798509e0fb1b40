#include "formats/strace_log/strace_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace accelscope::formats::strace_log {
namespace {

const std::string kPrefix = "[mono_ns=1560200894094][T0x7f1963def040][TIMING] emit_host_span: ";
const std::string kSpan =
    "[STRACE] v=1 pid=7 tid=8 inv=2 hid=1f depth=2 name=chip.run.bind ts=1560200617799 dur=273350 ";

StraceLog read(std::string_view text) {
  auto result = read_strace_log(base::MappedFile::from_memory("run.log", text));
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result ? std::move(*result) : StraceLog{};
}

TEST(StraceLog, ReadsSpans) {
  const StraceLog log = read("noise\n" + kPrefix + kSpan + "\r\nmore noise v=1 pid=3\n");
  ASSERT_EQ(log.spans.size(), 1U);
  const Span& span = log.spans[0];
  EXPECT_EQ(span.process, 7);
  EXPECT_EQ(span.thread, 8);
  EXPECT_EQ(span.invocation, 2U);
  EXPECT_EQ(span.callable, "1f");
  EXPECT_EQ(span.depth, 2U);
  EXPECT_EQ(span.name, "chip.run.bind");
  EXPECT_EQ(span.start_ns, 1560200617799);
  EXPECT_EQ(span.duration_ns, 273350);
  EXPECT_FALSE(span.on_device);
  EXPECT_TRUE(span.more.empty());
  EXPECT_TRUE(log.quality.rows().empty());
}

TEST(StraceLog, KeepsFurtherPairsInOrder) {
  const StraceLog log = read(kSpan + "clk=dev rank=3 tag= slot=a=b clk=other (end of line) x=1\n");
  ASSERT_EQ(log.spans.size(), 1U);
  EXPECT_TRUE(log.spans[0].on_device);
  EXPECT_EQ(log.spans[0].more, (std::vector<std::pair<std::string, std::string>>{
                                   {"rank", "3"}, {"tag", ""}, {"slot", "a=b"}, {"clk", "other"}}));
}

TEST(StraceLog, ReadsAnchors) {
  const StraceLog log =
      read("x [CLOCK_ANCHOR] v=1 pid=9 mono_ns=1522329989052 wall_ns=1794771849977818929\n");
  ASSERT_EQ(log.anchors.size(), 1U);
  EXPECT_EQ(log.anchors[0].process, 9);
  EXPECT_EQ(log.anchors[0].monotonic_ns, 1522329989052);
  EXPECT_EQ(log.anchors[0].wall_ns, 1794771849977818929);
  EXPECT_TRUE(log.spans.empty());
  EXPECT_TRUE(log.quality.rows().empty());
}

TEST(StraceLog, TellsMarkersOnOneLineApart) {
  const StraceLog log =
      read(kPrefix + kSpan + kPrefix + kSpan + "[CLOCK_ANCHOR] v=1 mono_ns=1 wall_ns=2 " + kSpan);
  EXPECT_EQ(log.spans.size(), 3U);
  EXPECT_EQ(log.anchors.size(), 1U);
  EXPECT_TRUE(log.spans[0].more.empty());
  EXPECT_TRUE(log.quality.rows().empty());
}

TEST(StraceLog, CountsDamagedMarkers) {
  const std::vector<std::string> lines = {
      "[STRACE] v=1",
      "[STRACE] v=1 pid=7 tid=8 inv=2 hid=0 depth=2 name=a ts=1",
      "[STRACE] v=1 name=a dur=1",
      "[STRACE] v=1 ts=1 dur=1",
      "[STRACE] v=1 name= ts=1 dur=1",
      "[STRACE] v=1 name=a ts=1 dur=-1",
      "[STRACE] v=1 name=a ts=x dur=1",
      "[STRACE] v=1 name=a ts=1 dur=12[mono_ns=5]",
      "[STRACE] v=1 name=a ts=9223372036854775807 dur=1",
      "[STRACE] v=1 name=a ts=9223372036854775808 dur=1",
      "[STRACE] v=1 pid=x name=a ts=1 dur=1",
      "[STRACE] v=1 inv=-1 name=a ts=1 dur=1",
      "[STRACE] v=1 depth=4294967296 name=a ts=1 dur=1",
      "[CLOCK_ANCHOR] v=1 pid=7 mono_ns=1",
      "[CLOCK_ANCHOR] v=1 pid=x mono_ns=1 wall_ns=2",
      "[CLOCK_ANCHOR] v=1 pid=7 mono_ns= wall_ns=2",
  };
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    const StraceLog log = read("first\n" + line + "\n" + kSpan);
    EXPECT_EQ(log.spans.size(), 1U);
    EXPECT_TRUE(log.anchors.empty());
    EXPECT_EQ(log.quality.count("strace_log.damaged_line"), 1U);
    EXPECT_EQ(log.quality.rows()[0].first_place, base::Location::line("run.log", 2));
  }
}

TEST(StraceLog, ReadsOtherVersionsWithAWarning) {
  const StraceLog log = read("[STRACE] v=2 name=a ts=1 dur=2\n[STRACE] v=21 name=b ts=1 dur=2\n");
  EXPECT_EQ(log.spans.size(), 2U);
  EXPECT_EQ(log.quality.count("strace_log.other_version"), 2U);
}

TEST(StraceLog, NothingInItIsNoError) {
  EXPECT_TRUE(read("").spans.empty());
  EXPECT_TRUE(read("[STRACE] and nothing else\n").quality.rows().empty());
}

TEST(StraceLog, ALineOfMarkersAloneTakesNoQuadraticTime) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "[STRACE] v=1 name=a ts=1 dur=2 ";
  EXPECT_EQ(read(text).spans.size(), 200'000U);
}

TEST(StraceLog, IsKnownByItsContent) {
  EXPECT_TRUE(looks_like_strace_log("hello\n" + kPrefix + kSpan));
  EXPECT_TRUE(looks_like_strace_log(kPrefix + kSpan));
  EXPECT_FALSE(looks_like_strace_log(""));
  EXPECT_FALSE(looks_like_strace_log("[STRACE]\n"));
  EXPECT_FALSE(looks_like_strace_log("{\"log\": \"" + kSpan + "\"}"));
  EXPECT_FALSE(looks_like_strace_log("[ {\"ph\": \"" + kSpan + "\"}]"));
  EXPECT_FALSE(looks_like_strace_log(std::string("\0\1", 2) + kSpan));
  EXPECT_FALSE(looks_like_strace_log(std::string(100'000, '.') + kSpan));
}

TEST(StraceLog, ReadsRealOnes) {
  const std::string folder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane/a2a3sim/";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  const auto file = base::MappedFile::open(folder + "mixed_L4/run.log");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_TRUE(looks_like_strace_log(file->text()));
  const auto log = read_strace_log(*file);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->spans.size(), 26U);
  EXPECT_EQ(log->anchors.size(), 1U);
  EXPECT_EQ(
      std::count_if(log->spans.begin(), log->spans.end(), [](const Span& span) { return span.on_device; }),
      14);
  EXPECT_EQ(log->spans.back().name, "chip.run");
  EXPECT_EQ(log->spans.back().invocation, 2U);
  EXPECT_TRUE(log->quality.rows().empty());
}

}  // namespace
}  // namespace accelscope::formats::strace_log
