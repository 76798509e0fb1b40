#include "isa/generators.h"

#include <fmt/core.h>
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
  EXPECT_EQ(counts_of("layer_norm:hidden=128"), "69 3047 4775 in 3");
  EXPECT_EQ(counts_of("rope"), "98 902 822 in 3");
  EXPECT_EQ(counts_of("ffn:rows=64,hidden=64,inter=128"), "196 16958 113816 in 8");
  EXPECT_EQ(counts_of("attention:seq=128,dim=64"), "244 24493 156005 in 10");
  EXPECT_EQ(counts_of("decoder-layer:hidden=576,inter=1536,heads=9,kv_heads=3"),
            "2126 1186643 15619091 in 55");
}

TEST(Generators, ExplainMistakes) {
  const auto error = [](std::string_view program) {
    const auto made = generate_program(program);
    return made ? std::string() : made.error().to_string();
  };
  EXPECT_EQ(error("linar"),
            "no generator of programs is called `linar`; did you mean `linear`?; there are: add, attention, "
            "decoder-layer, ffn, layer_norm, linear, rms_norm, rope, softmax");
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
  EXPECT_EQ(error("decoder-layer:heads=3,kv_heads=2"),
            "the program `decoder-layer:heads=3,kv_heads=2`: heads (3) must be a multiple of kv_heads (2)");
  EXPECT_NE(error("add:rows=1048576,hidden=256,mlen=8").find("more than a loop can count"),
            std::string::npos);
  EXPECT_NE(error("ffn:rows=1048576,hidden=1048576").find("beyond 32 bits"), std::string::npos);
  EXPECT_NE(error("attention:seq=32768").find("too long a listing"), std::string::npos)
      << error("attention:seq=32768");
}

// Tensors of one memory lie one behind the other without overlaps, and within what the program says it needs.
TEST(Generators, PlaceTensorsApart) {
  for (const ProgramGenerator& generator : program_generators())
    for (const std::string_view dimensions : {"mlen=64,blen=4", "mlen=16,blen=8", "mlen=8,blen=8"}) {
      const auto made = generate(fmt::format("{}:{}", generator.name, dimensions));
      ASSERT_TRUE(made) << made.error().to_string();
      for (const TensorPlace place : {TensorPlace::kExternal, TensorPlace::kVector}) {
        std::uint64_t end = 0;
        for (const ProgramTensor& tensor : made->tensors) {
          if (tensor.place != place) continue;
          EXPECT_GE(tensor.address, end) << generator.name << ' ' << tensor.name;
          EXPECT_EQ(find_tensor(*made, tensor.name, place), &tensor) << "names are unique in a memory";
          end = tensor.address + tensor.elements();
          if (place == TensorPlace::kExternal) end += tensor.elements() / 8;
        }
        EXPECT_EQ(end, place == TensorPlace::kExternal ? made->external_bytes : made->vector_elements);
        EXPECT_GT(end, 0U);
      }
      EXPECT_EQ(made->name, generator.name);
      EXPECT_EQ(made->parameters["mlen"], made->mlen);
      for (const std::string_view side : generator.shape) EXPECT_GT(made->parameters[side], 0U) << side;
    }
}

TEST(Generators, SayWhatALayerNeeds) {
  const auto made = generate("decoder-layer:hidden=576,inter=1536,heads=9,kv_heads=3");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->matrix_tiles, 1536U / 64);
  EXPECT_LT(made->listing.size(), 100'000U);
  std::uint64_t weights = 0;
  for (const ProgramTensor& tensor : made->tensors)
    if (tensor.content == TensorContent::kWeights) weights += tensor.elements();
  EXPECT_EQ(weights, 2U * 576 * 576 + 2U * 576 * 192 + 3U * 576 * 1536);
  const ProgramTensor* keys = find_tensor(*made, "K", TensorPlace::kExternal);
  ASSERT_NE(keys, nullptr);
  EXPECT_EQ(keys->kind, boards::RegionKind::kKv);
  EXPECT_EQ(keys->role, TensorRole::kOutput);
  EXPECT_EQ(find_tensor(*made, "K ", TensorPlace::kExternal), nullptr);
  EXPECT_EQ(find_tensor(*generate("decoder-layer:causal=0"), "mask", TensorPlace::kExternal), nullptr);
}

TEST(Generators, AreListed) {
  const std::string help = program_generators_help();
  for (const ProgramGenerator& generator : program_generators())
    EXPECT_NE(help.find(fmt::format("{}: {}\n", generator.name, generator.help)), std::string::npos);
}

}  // namespace
}  // namespace accelscope::isa
