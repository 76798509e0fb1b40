#include "formats/host_phases/host_phases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace accelscope::formats::host_phases {
namespace {

const std::string kPass =
    R"({"pid": 7, "inv": 1, "clock": "host_monotonic_ns", "dropped": 0, "records": [)"
    R"({"phase": "submit_task", "start_ns": 100, "end_ns": 130, "detail": 18446744073709551615, "tid": 8}, )"
    R"({"phase": "something_new", "start_ns": -5, "end_ns": -5}]})"
    "\n";

base::Result<HostPhases> read(std::string_view text) {
  return read_host_phases(base::MappedFile::from_memory("host.jsonl", text));
}

HostPhases read_good(std::string_view text) {
  auto result = read(text);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result ? std::move(*result) : HostPhases{};
}

std::string with_record(const std::string& members) {
  return R"({"clock":"host_monotonic_ns","records":[{)" + members + "}]}\n";
}

TEST(HostPhases, ReadsPasses) {
  const HostPhases phases =
      read_good(kPass + "\n" + R"({"records":[],"inv":2,"pid":7,"clock":"host_monotonic_ns"})");
  ASSERT_EQ(phases.passes.size(), 2U);
  const HostPass& pass = phases.passes[0];
  EXPECT_EQ(pass.process, 7);
  EXPECT_EQ(pass.invocation, 1U);
  EXPECT_EQ(pass.clock, "host_monotonic_ns");
  ASSERT_EQ(pass.records.size(), 2U);
  EXPECT_EQ(pass.records[0].phase, "submit_task");
  EXPECT_EQ(pass.records[0].start_ns, 100);
  EXPECT_EQ(pass.records[0].end_ns, 130);
  EXPECT_EQ(pass.records[0].detail, 18446744073709551615U);
  EXPECT_EQ(pass.records[0].thread, 8);
  EXPECT_EQ(pass.records[1].phase, "something_new");
  EXPECT_EQ(pass.records[1].start_ns, -5);
  EXPECT_EQ(phases.passes[1].invocation, 2U);
  EXPECT_TRUE(phases.quality.rows().empty());
}

TEST(HostPhases, NotesWhatIsOdd) {
  const HostPhases phases =
      read_good(R"({"clock":"wall","dropped":3,"records":[{"phase":"args","start_ns":9,"end_ns":8}]})"
                "\n"
                R"({"dropped":4,"records":[]})");
  EXPECT_EQ(phases.quality.count("host_phases.other_clock"), 2U);
  EXPECT_EQ(phases.quality.count("host_phases.dropped"), 7U);
  EXPECT_EQ(phases.quality.count("host_phases.end_before_start"), 1U);
  EXPECT_EQ(phases.passes[0].records[0].end_ns, 9);
}

TEST(HostPhases, ACutTailIsNoted) {
  const std::string text = kPass + kPass;
  for (std::size_t size = kPass.size() + 1; size + 2 < text.size(); ++size) {
    const HostPhases phases = read_good(std::string_view(text).substr(0, size));
    EXPECT_EQ(phases.passes.size(), 1U) << size;
    EXPECT_EQ(phases.quality.count("host_phases.cut_tail"), 1U) << size;
  }
}

TEST(HostPhases, RefusesBadInput) {
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"", "empty"},
      {"\n\r\n", "empty"},
      {"[]\n", "object"},
      {"{}\n", "no records"},
      {"{\"records\":{}}\n", "array"},
      {"{\"records\":[1]}\n", "object"},
      {"{\"records\":[]} 5\n", "follows"},
      {"{\"records\":[\n" + kPass, "inside an array"},
      {"{\"records\":[],\"pid\":\"x\"}\n", "integer"},
      {"{\"records\":[],\"dropped\":-1}\n", "integer"},
      {with_record(""), "lacks phase"},
      {with_record(R"("phase":"a","start_ns":1)"), "lacks phase"},
      {with_record(R"("phase":"a","end_ns":1)"), "lacks phase"},
      {with_record(R"("start_ns":1,"end_ns":1)"), "lacks phase"},
      {with_record(R"("phase":1)"), "string"},
      {with_record(R"("phase":"a","start_ns":9223372036854775808,"end_ns":1)"), "64 bits"},
      {with_record(R"("phase":"a","start_ns":1,"end_ns":2,"detail":-1)"), "integer"},
  };
  for (const auto& [text, message] : inputs) {
    SCOPED_TRACE(text);
    const auto result = read(text);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find(message), std::string::npos) << result.error().message;
    EXPECT_EQ(result.error().where.file, "host.jsonl");
  }
}

TEST(HostPhases, KnowsWhatADetailIs) {
  EXPECT_EQ(detail_of("submit_task"), Detail::kTask);
  EXPECT_EQ(detail_of("alloc_tensors"), Detail::kTask);
  EXPECT_EQ(detail_of("graph_submit"), Detail::kTask);
  EXPECT_EQ(detail_of("graph_upload"), Detail::kBytes);
  EXPECT_EQ(detail_of("sm_h2d"), Detail::kBytes);
  EXPECT_EQ(detail_of("arena_h2d"), Detail::kBytes);
  EXPECT_EQ(detail_of("host_orch"), Detail::kNothing);
}

TEST(HostPhases, IsKnownByItsContent) {
  EXPECT_TRUE(looks_like_host_phases(kPass));
  EXPECT_TRUE(looks_like_host_phases(R"({ "records": [ {"tid":1,"start_ns":2,"phase":"args")"));
  EXPECT_TRUE(looks_like_host_phases(R"({"pid":1,"inv":1,"clock":"host_monotonic_ns","records":[]})"));
  EXPECT_FALSE(looks_like_host_phases(R"({"records":[]})"));
  EXPECT_FALSE(looks_like_host_phases(R"({"chip_swimlane_level":4,"host_device_uploads":[{"phase":"a"}]})"));
  EXPECT_FALSE(looks_like_host_phases(""));
}

TEST(HostPhases, ReadsARealOne) {
  const std::string path = std::string(ACCELSCOPE_FIXTURES_DIR) +
                           "/swimlane/a2a3sim/hbg_bgemm_L4/"
                           "TestBenchmarkBgemmHostBuildGraph_Case0_20261115_194639/host_phase_records.jsonl";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(looks_like_host_phases(file->text()));
  const auto phases = read_host_phases(*file);
  ASSERT_TRUE(phases) << phases.error().to_string();
  EXPECT_TRUE(phases->quality.rows().empty());
  ASSERT_EQ(phases->passes.size(), 1U);
  const HostPass& pass = phases->passes[0];
  EXPECT_EQ(pass.process, 1448);
  EXPECT_EQ(pass.records.size(), 1010U);
  EXPECT_EQ(std::count_if(pass.records.begin(), pass.records.end(),
                          [](const HostPhase& phase) { return detail_of(phase.phase) == Detail::kTask; }),
            1000);
}

}  // namespace
}  // namespace accelscope::formats::host_phases
