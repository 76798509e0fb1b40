#include "isa/generators.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/static_profile.h"

namespace accelscope::isa {
namespace {

std::string counts_of(std::string_view program) {
  const auto listing = generate_program(program);
  EXPECT_TRUE(listing) << listing.error().to_string();
  const ReadProgram read = read_program("a.asm", *listing, Dialect::kReference);
  EXPECT_TRUE(read.diagnostics.ok() && read.diagnostics.warnings() == 0) << read.diagnostics.to_string();
  const auto counts = count(read.program, {LabelKind::kSection});
  const auto profile = price(*counts, {}, CycleModel::kEmulator);
  return fmt::format("{} {} {} in {}", profile->total.in_text, profile->total.dynamic, profile->total.cycles,
                     profile->parts_by(LabelKind::kSection).size());
}

// In the text, carried out, cycles of the shipped settings, sections. The first is published.
TEST(Generators, HaveGoldenCounts) {
  EXPECT_EQ(counts_of("linear"), "80 5930 38168 in 3");
  EXPECT_EQ(counts_of("add"), "58 490 442 in 3");
  EXPECT_EQ(counts_of("rms_norm:hidden=128"), "57 1895 2727 in 3");
  EXPECT_EQ(counts_of("softmax:hidden=128"), "58 2404 3620 in 3");
  EXPECT_EQ(counts_of("rope"), "98 902 822 in 3");
  EXPECT_EQ(counts_of("ffn:rows=64,hidden=64,inter=128"), "196 16958 113816 in 8");
  EXPECT_EQ(counts_of("attention:seq=128,dim=64"), "244 24493 156005 in 10");
}

TEST(Generators, ExplainMistakes) {
  const auto error = [](std::string_view program) {
    const auto made = generate_program(program);
    return made ? std::string() : made.error().to_string();
  };
  EXPECT_EQ(
      error("linar"),
      "no generator of programs is called `linar`; did you mean `linear`?; there are: add, attention, ffn, "
      "linear, rms_norm, rope, softmax");
  EXPECT_EQ(
      error("add:row=3"),
      "the program `add:row=3`: `add` has no parameter `row`; did you mean `rows`?; there are: rows, hidden, "
      "mlen, blen");
  EXPECT_EQ(error("add:rows=0,hidden=x"),
            "the program `add:rows=0,hidden=x`:\n  `rows=0`: a whole number is expected: 1 to 1048576\n  "
            "`hidden=x`: a "
            "whole number is expected: 1 to 1048576");
  EXPECT_EQ(error("add:hidden=65"),
            "the program `add:hidden=65`: hidden (65) must be a multiple of mlen (64)");
  EXPECT_EQ(error("add:rows=65"), "the program `add:rows=65`: rows (65) must be a multiple of blen (4)");
  EXPECT_EQ(error("attention:seq=60"),
            "the program `attention:seq=60`: seq (60) must be a multiple of mlen (64)");
  EXPECT_EQ(error("ffn:mlen=64,blen=5"),
            "the program `ffn:mlen=64,blen=5`: mlen (64) must be a multiple of blen (5) and of 8");
  EXPECT_NE(error("ffn:rows=1048576,hidden=1048576").find("beyond 32 bits"), std::string::npos);
  EXPECT_NE(error("attention:seq=32768").find("too long a listing"), std::string::npos)
      << error("attention:seq=32768");
}

TEST(Generators, AreListed) {
  const std::string help = program_generators_help();
  for (const ProgramGenerator& generator : program_generators())
    EXPECT_NE(help.find(fmt::format("{}: {}\n", generator.name, generator.help)), std::string::npos);
}

}  // namespace
}  // namespace accelscope::isa
