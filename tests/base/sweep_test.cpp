#include "base/sweep.h"

#include <gtest/gtest.h>

namespace accelscope::base {
namespace {

const std::vector<SweepKind> kKnown{{.name = "mlen"},
                                    {.name = "blen"},
                                    {.name = "board", .numbers = false, .all = {"a7", "v80"}},
                                    {.name = "weights", .numbers = false}};

std::vector<std::string> values(std::string_view text) {
  const auto sweep = parse_sweep(text, kKnown, 1000);
  EXPECT_TRUE(sweep) << (sweep ? "" : sweep.error().message);
  return sweep ? sweep->dimensions.at(0).values : std::vector<std::string>{};
}

std::string problem(std::string_view text, std::uint64_t most = 1000) {
  const auto sweep = parse_sweep(text, kKnown, most);
  return sweep ? "" : sweep.error().message;
}

TEST(Sweep, HasListsRangesAndAll) {
  EXPECT_EQ(values("mlen=64,128,256"), (std::vector<std::string>{"64", "128", "256"}));
  EXPECT_EQ(values("blen=4..64*2"), (std::vector<std::string>{"4", "8", "16", "32", "64"}));
  EXPECT_EQ(values("blen=4..63*2,100"), (std::vector<std::string>{"4", "8", "16", "32", "100"}));
  EXPECT_EQ(values("mlen=1..9+4"), (std::vector<std::string>{"1", "5", "9"}));
  EXPECT_EQ(values("mlen=3..5"), (std::vector<std::string>{"3", "4", "5"}));
  EXPECT_EQ(values("mlen=18446744073709551614..18446744073709551615").size(), 2U);
  EXPECT_EQ(values("board=*"), (std::vector<std::string>{"a7", "v80"}));
  EXPECT_EQ(values("board=mine.yaml,v80"), (std::vector<std::string>{"mine.yaml", "v80"}));
}

TEST(Sweep, TheLastDimensionChangesFastest) {
  const auto sweep = parse_sweep("  mlen=1,2  board=* ", kKnown, 4);
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->points(), 4U);
  EXPECT_EQ(sweep->point(0), (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(sweep->point(1), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(sweep->point(2), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(sweep->point(3), (std::vector<std::size_t>{1, 1}));
}

TEST(Sweep, MistakesAreExplained) {
  EXPECT_EQ(problem(""), "sweep: nothing to sweep; write for example \"mlen=64,128 board=*\"");
  EXPECT_EQ(problem("mlen"), "sweep: `mlen` has no values; write for example mlen=64,128");
  EXPECT_EQ(problem("boards=1"),
            "sweep: unknown dimension `boards`; did you mean `board`?; known are mlen, blen, board, weights");
  EXPECT_EQ(problem("mlen=1 mlen=2"), "sweep: mlen is there twice");
  EXPECT_EQ(problem("mlen=1,2,1"), "sweep: mlen has the value 1 twice");
  EXPECT_EQ(problem("mlen=1,,2"), "sweep: mlen has an empty value");
  EXPECT_EQ(problem("mlen=-1"), "sweep: mlen=-1: expected whole numbers, as 64,128 or 4..64*2");
  EXPECT_EQ(problem("mlen=*"), "sweep: `*` means all that there are, and there is no list of mlen");
  EXPECT_EQ(problem("mlen=9..1"), "sweep: `9..1` goes from 9 down to 1");
  EXPECT_EQ(problem("mlen=1..9*1"), "sweep: `1..9*1` never gets to its end");
  EXPECT_EQ(problem("mlen=0..9*2"), "sweep: `0..9*2` never gets to its end");
  EXPECT_EQ(problem("mlen=1..9+0"), "sweep: `1..9+0` never gets to its end");
  EXPECT_EQ(problem("mlen=a..9"), "sweep: `a..9` is no range; write for example 4..64*2, 1..9+2 or 1..8");
  EXPECT_EQ(problem("mlen=1..9 blen=1..9", 80),
            "sweep: more than 80 points; take fewer values, or several sweeps");
  EXPECT_EQ(problem("mlen=1..999999999999"), "sweep: `1..999999999999` has more than 100 000 values");
}

TEST(Shard, IsAPartOfParts) {
  EXPECT_EQ(*parse_shard("1/1"), (Shard{0, 1}));
  EXPECT_EQ(*parse_shard("8/8"), (Shard{7, 8}));
  for (const char* text : {"", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2"})
    EXPECT_FALSE(parse_shard(text)) << text;
  EXPECT_EQ(parse_shard("5/4").error().message, "shard 5/4: expected I/N with I from 1 to N, such as 2/8");
}

}  // namespace
}  // namespace accelscope::base
