#include "emulator/expected_results.h"

#include <gtest/gtest.h>

#include <limits>

#include "emulator/expected_arithmetic.h"
#include "emulator/program_inputs.h"
#include "isa/generators.h"

namespace accelscope::emulator {
namespace {

template <class Value>
Matrix filled(std::uint32_t rows, std::uint32_t columns, Value value) {
  Matrix matrix(rows, columns);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column)
      matrix.at(row, column) = static_cast<float>(value(row, column));
  return matrix;
}

Matrix constant(std::uint32_t rows, std::uint32_t columns, float value) {
  return filled(rows, columns, [&](std::uint32_t, std::uint32_t) { return value; });
}

// The exact inputs with some replaced.
Matrices results_of(std::string_view text, const Matrices& replaced) {
  const auto program = isa::generate(text);
  EXPECT_TRUE(program) << program.error().to_string();
  auto inputs = make_inputs(*program, {});
  for (const auto& [name, matrix] : replaced) inputs->insert_or_assign(name, matrix);
  auto results = expected_results(*program, *inputs);
  EXPECT_TRUE(results) << results.error().to_string();
  return *std::move(results);
}

TEST(ExpectedResults, OfLinearLayersAreProducts) {
  const Matrix x = filled(8, 8, [](std::uint32_t row, std::uint32_t k) { return row + k; });
  const Matrix w = filled(8, 8, [](std::uint32_t k, std::uint32_t column) { return k == column ? 0.5 : 0; });
  const Matrix y = results_of("linear:mlen=8,rows=8,in=8,out=8", {{"X", x}, {"W", w}}).at("Y");
  EXPECT_EQ(y, filled(8, 8, [](std::uint32_t row, std::uint32_t k) { return (row + k) / 2.0; }));
  // 257 needs nine bits: to the nearest even number of eight.
  const Matrix large = product(constant(1, 1, 257), constant(1, 1, 1));
  EXPECT_EQ(large.at(0, 0), 256);
  EXPECT_EQ(product(constant(1, 1, 259), constant(1, 1, 1)).at(0, 0), 260);
}

TEST(ExpectedResults, OfSumsAreSums) {
  const Matrices results =
      results_of("add:mlen=8,rows=8,hidden=16", {{"X", constant(8, 16, 1)}, {"Y", constant(8, 16, 0.5)}});
  EXPECT_EQ(results.at("Z"), constant(8, 16, 1.5));
}

TEST(ExpectedResults, OfNormsByHand) {
  // Mean square 4, root 2; epsilon is lost in rounding.
  const auto sign = [](std::uint32_t, std::uint32_t column) { return column % 2 == 0 ? 1 : -1; };
  const Matrix x = filled(8, 16, [&](std::uint32_t r, std::uint32_t c) { return 2 * sign(r, c); });
  EXPECT_EQ(results_of("rms_norm:mlen=8,rows=8,hidden=16", {{"X", x}}).at("Y"), filled(8, 16, sign));
  // Mean 2, variance 1.
  const Matrix shifted = filled(8, 16, [&](std::uint32_t r, std::uint32_t c) { return 2 + sign(r, c); });
  EXPECT_EQ(results_of("layer_norm:mlen=8,rows=8,hidden=16", {{"X", shifted}}).at("Y"), filled(8, 16, sign));
}

TEST(ExpectedResults, OfSoftmaxByHand) {
  EXPECT_EQ(results_of("softmax:mlen=8,rows=8,hidden=16", {{"X", constant(8, 16, -7)}}).at("Y"),
            constant(8, 16, 1.0F / 16));
  // One far above the others: they get e^-88, which bf16 can hold.
  const Matrix x = filled(8, 16, [](std::uint32_t, std::uint32_t c) { return c == 3 ? 200 : 0; });
  const Matrix y = results_of("softmax:mlen=8,rows=8,hidden=16", {{"X", x}}).at("Y");
  EXPECT_EQ(y.at(0, 3), 1);
  EXPECT_EQ(y.at(0, 2), exponential(-88));
  EXPECT_GT(y.at(0, 2), 0);
}

TEST(ExpectedResults, OfActivationsByHand) {
  // e^-1 is 0.3671875 in bf16, 1 / 1.3671875 is 0.73046875.
  EXPECT_EQ(gated(constant(1, 1, 1), constant(1, 1, 1)).at(0, 0), 0.73046875F);
  EXPECT_EQ(gated(constant(1, 1, 0), constant(1, 1, 3)).at(0, 0), 0);
  EXPECT_EQ(gated(constant(1, 1, 100), constant(1, 1, 3)).at(0, 0), 300);
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(1000), exponential(88));
}

TEST(ExpectedResults, OfRotaryPositionsByQuarterTurns) {
  const auto program = isa::generate("rope:mlen=8,rows=4,hidden=8");
  const auto inputs = make_inputs(*program, {});
  const Matrix& x = inputs->at("X");
  const Matrix y = expected_results(*program, *inputs)->at("Y");
  // Row 0, pair 0: not turned. Row 1, pair 0: a quarter, (x, y) to (-y, x). Row 1, pair 1: a half.
  EXPECT_EQ(y.at(0, 0), x.at(0, 0));
  EXPECT_EQ(y.at(1, 0), -x.at(1, 4));
  EXPECT_EQ(y.at(1, 4), x.at(1, 0));
  EXPECT_EQ(y.at(1, 1), -x.at(1, 1));
  EXPECT_EQ(y.at(1, 5), -x.at(1, 5));
}

TEST(ExpectedResults, OfAttentionByHand) {
  const Matrix values = filled(8, 8, [](std::uint32_t token, std::uint32_t) { return token; });
  const Matrices replaced{{"K", constant(8, 8, 0)}, {"V", values}};
  // All keys alike: the mean of all values, or of those so far.
  EXPECT_EQ(results_of("attention:mlen=8,seq=8,dim=8", replaced).at("O"), constant(8, 8, 3.5));
  const Matrix causal = results_of("attention:mlen=8,seq=8,dim=8,causal=1", replaced).at("O");
  EXPECT_LT(causal.at(0, 0), 1e-30F);  // those to come count e^-88
  EXPECT_EQ(causal.at(1, 5), 0.5F);
  EXPECT_EQ(causal.at(3, 5), 1.5F);
}

TEST(ExpectedResults, HeadsShareKeysInGroups) {
  Matrix values(8, 16);
  for (std::uint32_t row = 0; row < 8; ++row)
    for (std::uint32_t column = 0; column < 16; ++column) values.at(row, column) = column < 8 ? 1 : 2;
  const Matrix o = results_of("attention:mlen=8,seq=8,dim=8,heads=4,kv_heads=2",
                              {{"K", constant(8, 16, 0)}, {"V", values}})
                       .at("O");
  EXPECT_EQ(o.at(5, 0), 1);
  EXPECT_EQ(o.at(5, 15), 1);
  EXPECT_EQ(o.at(5, 16), 2);
  EXPECT_EQ(o.at(5, 31), 2);
}

TEST(ExpectedResults, OfALayerThatAddsNothingIsItsInput) {
  const std::string_view text = "decoder-layer:mlen=8,rows=8,hidden=16,inter=16,heads=2,dim=8";
  const auto inputs = make_inputs(*isa::generate(text), {});
  const Matrices results = results_of(text, {{"W o", constant(16, 16, 0)}, {"W down", constant(16, 16, 0)}});
  EXPECT_EQ(results.at("Y"), inputs->at("X"));
  // And with weights it is not.
  EXPECT_NE(results_of(text, {}).at("Y"), inputs->at("X"));
}

TEST(ExpectedResults, SayWhichInputIsMissing) {
  const auto program = isa::generate("add");
  const auto results = expected_results(*program, {});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "the input X of the program add is missing");
}

TEST(ExpectedArithmetic, RoundsToEven) {
  EXPECT_EQ(to_bf16(1 + 1.0F / 256), 1);
  EXPECT_EQ(to_bf16(1 + 3.0F / 256), 1 + 4.0F / 256);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()), std::numeric_limits<float>::infinity());
  EXPECT_EQ(scalar_constant(-65504), -65536);
}

}  // namespace
}  // namespace accelscope::emulator
