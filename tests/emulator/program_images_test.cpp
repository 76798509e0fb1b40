#include "emulator/program_images.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/half_float.h"
#include "emulator/expected_arithmetic.h"
#include "isa/generators.h"

namespace accelscope::emulator {
namespace {

using isa::GeneratedProgram;
using isa::ProgramTensor;
using isa::TensorPlace;
using isa::TensorRole;

GeneratedProgram generated_program(std::string_view text) {
  auto made = isa::generate(text);
  EXPECT_TRUE(made) << made.error().to_string();
  return *std::move(made);
}

PreparedProgram prepared(std::string_view text, const InputOptions& options = {}) {
  auto made = prepare(generated_program(text), options);
  EXPECT_TRUE(made) << made.error().to_string();
  return *std::move(made);
}

// What a byte of external memory means, written down again from the description of the format: bias 7,
// numbers below the normal ones in steps of 2^-10.
float element_value(std::byte byte) {
  const auto bits = std::to_integer<unsigned>(byte);
  const unsigned exponent = (bits >> 3U) & 15U;
  const auto fraction = static_cast<float>(bits & 7U) / 8;
  const float magnitude =
      exponent == 0 ? std::ldexp(fraction, -7) : std::ldexp(1 + fraction, static_cast<int>(exponent) - 7);
  return (bits & 0x80U) != 0 ? -magnitude : magnitude;
}

float decoded(const std::vector<std::byte>& image, const ProgramTensor& tensor, std::uint32_t row,
              std::uint32_t column) {
  const std::size_t element = std::size_t{row} * tensor.columns + column;
  const auto scale = std::to_integer<int>(image[tensor.address + tensor.elements() + element / 8]);
  return scale == 0 ? 0 : std::ldexp(element_value(image[tensor.address + element]), scale - 127);
}

TEST(ProgramImages, HoldTheInputsAsDocumented) {
  for (const isa::ProgramGenerator& generator : isa::program_generators())
    for (const InputKind kind : {InputKind::kExact, InputKind::kRandom}) {
      const std::string text = std::string(generator.name) + ":mlen=16,blen=4";
      const GeneratedProgram program = generated_program(text);
      const PreparedProgram ready = prepared(text, {.kind = kind, .seed = 3});
      ASSERT_EQ(ready.images.external.size(), program.external_bytes);
      for (const ProgramTensor& tensor : program.tensors) {
        if (tensor.place != TensorPlace::kExternal || tensor.role != TensorRole::kInput) continue;
        const Matrix& contents = ready.inputs.find(tensor.name)->second;
        bool any = false;
        for (std::uint32_t row = 0; row < tensor.rows; ++row)
          for (std::uint32_t column = 0; column < tensor.columns; ++column) {
            ASSERT_EQ(decoded(ready.images.external, tensor, row, column), contents.at(row, column))
                << text << ' ' << tensor.name << '[' << row << ", " << column << ']';
            any |= contents.at(row, column) != 0;
          }
        EXPECT_TRUE(any) << text << ' ' << tensor.name;
      }
    }
}

TEST(ProgramImages, HoldScalarsAsFloat16) {
  const PreparedProgram ready = prepared("decoder-layer");
  ASSERT_EQ(ready.images.floats.size(), 2U * 6);
  std::array<std::uint16_t, 6> words{};
  std::memcpy(words.data(), ready.images.floats.data(), sizeof words);
  EXPECT_EQ(words[0], 0);
  EXPECT_EQ(words[1], 0x3C00);                                // 1
  EXPECT_EQ(words[2], 0xFBFF);                                // -65504
  EXPECT_EQ(base::float_of_float16(words[3]), 1.0F / 128);    // columns
  EXPECT_NEAR(base::float_of_float16(words[4]), 1e-5, 3e-8);  // below the normal numbers
  EXPECT_EQ(base::float_of_float16(words[5]), 0.125F);        // 1 / sqrt(64)
}

// Sums of products with exact inputs are the same in any order, and are bf16 already.
TEST(ProgramInputs, ExactOnesNeedNoRounding) {
  for (const std::string_view text :
       {"linear:mlen=16,rows=16,in=16,out=32", "linear:rows=64,in=576,out=64", "ffn:rows=64,inter=128"}) {
    const PreparedProgram ready = prepared(text);
    const Matrix& x = ready.inputs.find("X")->second;
    const auto w = ready.inputs.contains("W") ? ready.inputs.find("W") : ready.inputs.find("W up");
    const Matrix& y =
        ready.results.contains("up") ? ready.results.find("up")->second : ready.results.find("Y")->second;
    bool any = false;
    for (std::uint32_t row = 0; row < x.rows; ++row)
      for (std::uint32_t column = 0; column < y.columns; ++column) {
        double sum = 0;
        float downwards = 0;
        for (std::uint32_t k = x.columns; k-- > 0;) {
          sum += static_cast<double>(x.at(row, k)) * static_cast<double>(w->second.at(k, column));
          downwards += x.at(row, k) * w->second.at(k, column);
        }
        ASSERT_EQ(static_cast<double>(y.at(row, column)), sum) << text;
        ASSERT_EQ(y.at(row, column), downwards) << text;
        any |= sum != 0;
      }
    EXPECT_TRUE(any);
  }
}

TEST(ProgramInputs, AreTheSameForTheSameSeed) {
  const PreparedProgram one = prepared("attention:mlen=16,seq=16,dim=16", {.kind = InputKind::kRandom});
  const PreparedProgram same = prepared("attention:mlen=16,seq=16,dim=16", {.kind = InputKind::kRandom});
  const PreparedProgram other =
      prepared("attention:mlen=16,seq=16,dim=16", {.kind = InputKind::kRandom, .seed = 2});
  EXPECT_EQ(one.images.external, same.images.external);
  EXPECT_NE(one.images.external, other.images.external);
  EXPECT_NE(one.inputs.find("K")->second, one.inputs.find("V")->second);
}

TEST(ProgramInputs, RandomOnesAreAboutNormal) {
  const PreparedProgram ready = prepared("linear:rows=64,in=64,out=64", {.kind = InputKind::kRandom});
  const auto deviation = [](const Matrix& matrix) {
    double squares = 0;
    for (const float value : matrix.values)
      squares += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(squares / static_cast<double>(matrix.values.size()));
  };
  EXPECT_NEAR(deviation(ready.inputs.find("X")->second), 1, 0.05);
  EXPECT_NEAR(deviation(ready.inputs.find("W")->second), 1.0 / 8, 0.01);
}

TEST(ProgramImages, ManifestSaysWhatEveryByteIs) {
  const GeneratedProgram program =
      generated_program("decoder-layer:hidden=576,inter=1536,heads=9,kv_heads=3");
  const boards::WeightManifest manifest = make_manifest(program);
  const auto bytes = [&](boards::RegionKind kind) { return boards::bytes_of_kind(manifest, kind).value; };
  const std::int64_t weights = 2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536;
  const std::int64_t small = 64 * 64 + 2 * 4 * 576;  // the rotation, and weights of norms
  EXPECT_EQ(bytes(boards::RegionKind::kWeight), (weights + small) * 9 / 8);
  EXPECT_EQ(bytes(boards::RegionKind::kKv), 2 * 64 * 192 * 9 / 8);
  EXPECT_EQ(bytes(boards::RegionKind::kActivation), (2 * 64 * 576 + 3 * 64 * 64) * 9 / 8);
  EXPECT_EQ(manifest.activation_ceiling,
            isa::find_tensor(program, "W norm 1", TensorPlace::kExternal)->address);
  base::MemoryOutput out;
  boards::write_manifest(manifest, out);
  const auto back = boards::read_manifest(base::MappedFile::from_memory("manifest", out.bytes()));
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(*back, manifest);
}

TEST(ProgramImages, SettingsFitTheProgram) {
  const boards::SettingsConfig small =
      settings_for(generated_program("linear:mlen=8,blen=2,rows=8,in=8,out=8"));
  EXPECT_EQ(small.mlen, 8U);
  EXPECT_EQ(small.vlen, 8U);
  EXPECT_EQ(small.matrix_prefetch_rows, 8U);
  EXPECT_EQ(small.blen, 2U);
  EXPECT_EQ(small.vector_prefetch_rows, 2U);
  EXPECT_EQ(small.vector_writeback_rows, 2U);
  EXPECT_EQ(small.hlen * small.broadcast_amount, 8U);
  const boards::SettingsConfig odd = settings_for(generated_program("add:mlen=24,blen=4,rows=8,hidden=24"));
  EXPECT_EQ(odd.hlen * odd.broadcast_amount, 24U);
  const boards::SettingsConfig deep = settings_for(generated_program("linear:rows=64,in=8192,out=64"));
  EXPECT_EQ(deep.matrix_sram_rows, 8192U);
}

TEST(ProgramImages, RefuseRowsOfWhichScalesWouldBeCut) {
  const auto refused = prepare(generated_program("add:mlen=1024,rows=4,hidden=1024"), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "mlen (1024): the hardware reads the scales of at most 512 elements of a row");
}

}  // namespace
}  // namespace accelscope::emulator
