// accelscope memory, as a user runs it.
#include <gtest/gtest.h>

#include "cli/chip_program.h"

namespace accelscope::cli {
namespace {

using tests::TemporaryFolder;

ProgramResult memory(std::vector<std::string> words) {
  words.insert(words.begin(), "memory");
  return accelscope(words);
}

TEST(Memory, MeasuresWithReasonsThatSumToAllOfTheTime) {
  const ProgramResult result =
      memory({"measure", "hbm2", "--pattern", "random", "--requests", "20000", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  const findings::Findings findings = findings_in(result);
  EXPECT_EQ(findings.kind, "memory-measurement");
  const auto rows = rows_of(findings, "bus", "reasons");
  ASSERT_EQ(rows.size(), 10U);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) sum += std::get<std::int64_t>(rows[i][1]);
  EXPECT_EQ(sum, std::get<std::int64_t>(rows.back()[1]));
  EXPECT_EQ(rows_of(findings, "channels", "channels").size(), 8U);
  EXPECT_TRUE(contains(result.standard_output, "memory.idle_reason"));
}

TEST(Memory, TheSameOptionsGiveTheSameBytes) {
  const std::vector<std::string> words{"measure", "ddr4-2400", "--pattern", "blk4",   "--writes",   "33",
                                       "--page",  "closed",    "--hash",    "--json", "--requests", "5000"};
  const auto without_date = [](std::string text) {
    const std::size_t date = text.find("\"generated_at\"");
    return text.erase(date, text.find('\n', date) - date);
  };
  EXPECT_EQ(without_date(memory(words).standard_output), without_date(memory(words).standard_output));
}

TEST(Memory, ShowsPresetsAndTakesFilesOfOnesOwn) {
  const ProgramResult list = memory({"list"});
  EXPECT_EQ(list.exit_code, 0);
  for (const std::string_view name : {"ddr3-1600-x16", "hbm3", "reference-hbm2-patched"})
    EXPECT_TRUE(contains(list.standard_output, name)) << list.standard_output;
  const ProgramResult shown = memory({"show", "hbm3"});
  EXPECT_EQ(shown.exit_code, 0) << shown.standard_error;
  for (const std::string_view text : {"nRCDRD", "activate to read", "HBM3_6400Mbps", "nCCDR"})
    EXPECT_TRUE(contains(shown.standard_output, text)) << text;
  const TemporaryFolder folder;
  const ProgramResult file = memory({"show", "hbm2", "--file"});
  tests::write_file(folder.file("mine.json"), file.standard_output);
  const ProgramResult mine = memory({"measure", folder.file("mine.json"), "--requests", "1000"});
  EXPECT_EQ(mine.exit_code, 0) << mine.standard_error;
  EXPECT_TRUE(contains(mine.standard_output, "mine: stream"));
}

TEST(Memory, DrawsCurvesAndWritesThemAsCsv) {
  const ProgramResult drawn = memory({"curve", "ddr3-1600", "--requests", "3000"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.standard_error;
  EXPECT_TRUE(contains(drawn.standard_output, "Mean latency, 50 % writes")) << drawn.standard_output;
  EXPECT_TRUE(contains(drawn.standard_output, "█"));
  const ProgramResult csv = memory({"curve", "ddr3-1600", "--requests", "3000", "--csv"});
  EXPECT_TRUE(csv.standard_output.starts_with(
      "writes_percent,offered_percent,bandwidth_gbps,mean_ns,median_ns,p99_ns\n0,5,"))
      << csv.standard_output;
}

TEST(Memory, OtherFidelitiesAndTheReference) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"measure", "hbm2", "--fidelity", "closed-form", "--requests", "1000"},
        std::vector<std::string>{"measure", "reference-hbm2", "--requests", "1000"}}) {
    const ProgramResult result = memory(words);
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    EXPECT_TRUE(contains(result.standard_output, "delivered"));
  }
}

TEST(Memory, BadInputIsExplained) {
  const auto mistake = [](std::vector<std::string> words, std::string_view expected) {
    const ProgramResult result = memory(words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.standard_output, "");
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
  };
  mistake({"measure", "hbm4"}, "`hbm4` is neither a DRAM preset of this program (ddr3-1600, ");
  mistake({"measure", "hbm2", "--map", "mop"},
          "there is no address map `mop`: mop4clxor, robaracoch, chrabaroco");
  mistake({"measure", "hbm2", "--pattern", "zigzag"}, "there is no pattern `zigzag`: stream, random, blkK");
  mistake({"measure", "hbm2", "--refresh", "never"}, "there is no kind of refresh `never`");
  mistake({"measure", "hbm2", "--page", "ajar"}, "there is no page policy `ajar`: open, closed");
  mistake({"measure", "ddr3-1600", "--refresh", "per-bank"}, "ddr3-1600 has no per-bank refresh");
  mistake({"measure", "hbm2", "--span", "17G"}, "a span of 17 GiB is larger than hbm2 of 8 channels");
  mistake({"measure", "hbm2", "--span", "-1"}, "expected a size above zero");
  mistake({"measure", "hbm2", "--gap", "99999999999999999"}, "overflows the clock");
  mistake({"measure", "hbm2", "--gap", "soon"}, "--gap soon: expected a count of clocks");
  mistake({"measure", "hbm2", "--channels", "0"}, "--channels 0: expected 1 to 1024");
  mistake({"measure", "hbm2", "--writes", "120"}, "120 % of writes: expected 0 to 100");
  mistake({"measure", "hbm2", "--requests", "0"}, "no requests: expected 1 or more");
  mistake({"show", "nothing.json"}, "is neither a DRAM preset");
}

}  // namespace
}  // namespace accelscope::cli
