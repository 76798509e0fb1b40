#include "runtime/buffer_content.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace accelscope::runtime {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::uint16_t half_bits(DataType type, double value) {
  std::array<std::byte, 2> place{};
  store(type, value, place.data());
  return std::bit_cast<std::uint16_t>(place);
}

double half(DataType type, std::uint16_t bits) {
  return load(type, std::bit_cast<std::array<std::byte, 2>>(bits).data());
}

double through(DataType type, double value) {
  std::array<std::byte, 8> place{};
  store(type, value, place.data());
  return load(type, place.data());
}

Buffer buffer_of(DataType type, std::uint64_t elements, BufferContent content) {
  return {.name = "x", .type = type, .elements = elements, .content = std::move(content)};
}

std::vector<double> filled(const Buffer& buffer) {
  std::vector<std::byte> memory(bytes_of(buffer), std::byte{0xAA});
  fill(buffer, memory);
  std::vector<double> values;
  for (std::uint64_t i = 0; i < buffer.elements; ++i)
    values.push_back(load(buffer.type, memory.data() + i * facts_of(buffer.type).bytes));
  return values;
}

TEST(Halves, AreWhatTheStandardSays) {
  EXPECT_EQ(half_bits(DataType::kFloat16, 0.0), 0x0000);
  EXPECT_EQ(half_bits(DataType::kFloat16, -0.0), 0x8000);
  EXPECT_EQ(half_bits(DataType::kFloat16, 1.0), 0x3C00);
  EXPECT_EQ(half_bits(DataType::kFloat16, -2.0), 0xC000);
  EXPECT_EQ(half_bits(DataType::kFloat16, 65504.0), 0x7BFF);
  EXPECT_EQ(half_bits(DataType::kFloat16, 65519.99), 0x7BFF);
  EXPECT_EQ(half_bits(DataType::kFloat16, 65520.0), 0x7C00);
  EXPECT_EQ(half_bits(DataType::kFloat16, -1e300), 0xFC00);
  EXPECT_EQ(half_bits(DataType::kFloat16, 0x1p-14), 0x0400);
  EXPECT_EQ(half_bits(DataType::kFloat16, 0x1p-24), 0x0001);
  EXPECT_EQ(half_bits(DataType::kFloat16, 0x1p-25), 0x0000);  // half of the smallest: to even
  EXPECT_EQ(half_bits(DataType::kFloat16, 0x1.8p-24), 0x0002);
  EXPECT_EQ(half_bits(DataType::kFloat16, 1 + 0x1p-11), 0x3C00);  // a tie, to even
  EXPECT_EQ(half_bits(DataType::kFloat16, 1 + 0x1.8p-10), 0x3C02);
  EXPECT_EQ(half_bits(DataType::kFloat16, 1 + 0x1p-11 + 0x1p-40),
            0x3C01);  // f32 in between would lose the rest
  EXPECT_EQ(half_bits(DataType::kBFloat16, 1.0), 0x3F80);
  EXPECT_EQ(half_bits(DataType::kBFloat16, 3.0e38), 0x7F62);
  EXPECT_EQ(half_bits(DataType::kBFloat16, 1 + 0x1p-8), 0x3F80);
  EXPECT_EQ(half_bits(DataType::kBFloat16, 1 + 0x1p-8 + 0x1p-50), 0x3F81);
  EXPECT_EQ(half_bits(DataType::kBFloat16, 3.4e38), 0x7F80);
  EXPECT_EQ(half_bits(DataType::kBFloat16, 1e-45), 0x0000);
  EXPECT_TRUE(std::isnan(half(DataType::kFloat16, half_bits(DataType::kFloat16, std::nan("")))));
  EXPECT_TRUE(std::isnan(half(DataType::kBFloat16, half_bits(DataType::kBFloat16, std::nan("")))));
}

TEST(Halves, EveryPatternComesBack) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16})
    for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
      const double value = half(type, static_cast<std::uint16_t>(bits));
      if (std::isnan(value)) continue;
      ASSERT_EQ(half_bits(type, value), bits) << value;
    }
}

TEST(Halves, BetweenTwoNeighboursTheNearerIsTaken) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16})
    for (std::uint16_t bits = 0; bits < 0x7B00; bits = static_cast<std::uint16_t>(bits + 7)) {
      const double low = half(type, bits);
      const double high = half(type, static_cast<std::uint16_t>(bits + 1));
      ASSERT_EQ(half_bits(type, low + (high - low) * 0.49), bits);
      ASSERT_EQ(half_bits(type, low + (high - low) * 0.51), bits + 1);
      ASSERT_EQ(half_bits(type, low + (high - low) * 0.5) % 2, 0);
    }
}

TEST(Integers, AreRoundedDownAndStayInTheirRange) {
  EXPECT_EQ(through(DataType::kInt8, -1.5), -2);
  EXPECT_EQ(through(DataType::kInt8, 300), 127);
  EXPECT_EQ(through(DataType::kInt8, -300), -128);
  EXPECT_EQ(through(DataType::kUInt8, -1), 0);
  EXPECT_EQ(through(DataType::kUInt8, 255.9), 255);
  EXPECT_EQ(through(DataType::kUInt8, 256), 255);
  EXPECT_EQ(through(DataType::kInt16, 40000), 32767);
  EXPECT_EQ(through(DataType::kInt32, kInfinite), 2147483647.0);
  EXPECT_EQ(through(DataType::kInt32, std::nan("")), 0);
  EXPECT_EQ(through(DataType::kInt64, -kInfinite), -0x1p63);
  EXPECT_EQ(through(DataType::kInt64, 1e300), 0x1p63);  // the largest, as a double
  EXPECT_EQ(through(DataType::kBool, 0.25), 1);
  EXPECT_EQ(through(DataType::kBool, 0), 0);
}

TEST(Types, SayWhatFits) {
  EXPECT_TRUE(fits(DataType::kFloat16, 0.1));
  EXPECT_FALSE(fits(DataType::kFloat16, 1e6));
  EXPECT_TRUE(fits(DataType::kFloat32, 1e30));
  EXPECT_FALSE(fits(DataType::kFloat32, 1e39));
  EXPECT_TRUE(fits(DataType::kInt8, -128));
  EXPECT_FALSE(fits(DataType::kInt8, 128));
  EXPECT_FALSE(fits(DataType::kInt8, 0.5));
  EXPECT_FALSE(fits(DataType::kInt64, 0x1p63));
  EXPECT_TRUE(fits(DataType::kInt64, -0x1p63));
  EXPECT_FALSE(fits(DataType::kBool, 2));
  EXPECT_FALSE(fits(DataType::kFloat32, kInfinite));
}

TEST(Buffers, BeginAsTheirContentSays) {
  EXPECT_EQ(filled(buffer_of(DataType::kFloat32, 2, {})), (std::vector<double>{0, 0}));
  EXPECT_EQ(filled(buffer_of(DataType::kBFloat16, 2, {.fill = Fill::kConstant, .base = 1.5})),
            (std::vector<double>{1.5, 1.5}));
  EXPECT_EQ(filled(buffer_of(DataType::kInt16, 3, {.fill = Fill::kCounting, .base = -1, .step = 2})),
            (std::vector<double>{-1, 1, 3}));
  EXPECT_EQ(filled(buffer_of(DataType::kUInt8, 2, {.fill = Fill::kValues, .values = {7, 9}})),
            (std::vector<double>{7, 9}));
}

// As docs/graph.md has them: every reader of the format must come to these.
TEST(RandomNumbers, AreThoseOfTheFormat) {
  EXPECT_EQ(random_number(0, 0), 0x1.c4415072f63b9p-1);
  EXPECT_EQ(random_number(0, 1), 0x1.b9e279aa86e58p-2);
  EXPECT_EQ(random_number(7, 0), 0x1.0c77123e98157p-1);
  double sum = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) sum += random_number(3, i);
  EXPECT_NEAR(sum / 10'000, 0.5, 0.01);
}

TEST(RandomNumbers, OfIntegersAreAllBelowTheEnd) {
  const auto bits = filled(buffer_of(DataType::kBool, 1000, {.fill = Fill::kRandom, .step = 2, .seed = 5}));
  const double trues = std::accumulate(bits.begin(), bits.end(), 0.0);
  EXPECT_GT(trues, 400);
  EXPECT_LT(trues, 600);
  for (const double value :
       filled(buffer_of(DataType::kInt8, 1000, {.fill = Fill::kRandom, .base = -2, .step = 4, .seed = 5}))) {
    EXPECT_GE(value, -2);
    EXPECT_LT(value, 2);
  }
}

TEST(Expectations, NameTheFirstDifferencesAndCountThemAll) {
  const Buffer buffer = buffer_of(DataType::kFloat32, 12, {.fill = Fill::kCounting, .step = 1});
  std::vector<std::byte> memory(bytes_of(buffer));
  fill(buffer, memory);
  Expectation expectation{.view = contiguous_view(0, std::array<std::uint32_t, 2>{2, 3}, 1)};
  expectation.view.strides[0] = 6;
  expectation.values = {1, 2, 3, 7, 8, 9};
  EXPECT_EQ(compare(expectation, buffer.type, memory).differing, 0U);

  expectation.values = {1, 2.5, 3, 7, 8, std::nan("")};
  const Comparison comparison = compare(expectation, buffer.type, memory);
  EXPECT_EQ(comparison.compared, 6U);
  EXPECT_EQ(comparison.differing, 2U);
  EXPECT_EQ(in_words(comparison, expectation, "x"),
            "x: 2 of 6 elements differ by up to nan: [0, 1] is 2, expected 2.5; [1, 2] is 9, expected nan");

  expectation.values = {1, 2.5, 3, 7, 8, 9};
  expectation.absolute = 0.25;
  expectation.relative = 0.1;
  EXPECT_EQ(compare(expectation, buffer.type, memory).differing, 0U);  // 0.5 <= 0.25 + 0.25
  expectation.relative = 0.099;
  EXPECT_EQ(compare(expectation, buffer.type, memory).differing, 1U);
}

TEST(Expectations, ShowAFewOfManyDifferences) {
  const Buffer buffer = buffer_of(DataType::kInt32, 100, {});
  const std::vector<std::byte> memory(bytes_of(buffer));
  const Expectation expectation{.view = contiguous_view(0, std::array<std::uint32_t, 1>{100}),
                                .values = std::vector<double>(100, 3)};
  const Comparison comparison = compare(expectation, buffer.type, memory);
  EXPECT_EQ(comparison.differing, 100U);
  EXPECT_EQ(comparison.first.size(), Comparison::kShown);
  EXPECT_TRUE(in_words(comparison, expectation, "x").ends_with("[4] is 0, expected 3; ..."));
}

}  // namespace
}  // namespace accelscope::runtime
