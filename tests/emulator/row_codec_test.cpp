// Number formats, bit for bit: the reference's by published vectors and a literal account of its rule, those
// of the OCP by looking for the nearest of all numbers that there are.
#include "emulator/row_codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/half_float.h"
#include "base/splitmix.h"
#include "emulator/every_processor.h"
#include "emulator/minifloat.h"

namespace accelscope::emulator {
namespace {

using boards::BlockRule;
using boards::ElementType;
using boards::NumberFormat;
using ByteVector = std::vector<std::uint8_t>;

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

RowCodec codec(const NumberFormat& format) {
  auto made = RowCodec::make(format);
  EXPECT_TRUE(made) << name_of(format);
  return *std::move(made);
}

struct Encoded {
  ByteVector scales;
  ByteVector elements;
  bool operator==(const Encoded&) const = default;
};

Encoded encode(const RowCodec& codec, const std::vector<float>& values) {
  Encoded made{ByteVector(codec.scale_bytes(values.size())), ByteVector(codec.element_bytes(values.size()))};
  codec.encode(values, std::as_writable_bytes(std::span(made.elements)),
               std::as_writable_bytes(std::span(made.scales)));
  return made;
}

std::vector<float> decode(const RowCodec& codec, const Encoded& encoded, std::size_t count) {
  std::vector<float> values(count, -1);
  codec.decode(std::as_bytes(std::span(encoded.elements)), std::as_bytes(std::span(encoded.scales)), values);
  return values;
}

NumberFormat mx(ElementType element, std::uint32_t block, BlockRule rule = BlockRule::kReference) {
  return {element, block, boards::kE8m0, rule};
}

TEST(RowCodec, ReadsTheReferencesMinifloats) {
  EXPECT_EQ(reference_value(0x01, boards::kE4m3), 0x1p-10F);
  EXPECT_EQ(reference_value(0x04, boards::kE4m3), 0.00390625F);
  EXPECT_EQ(reference_value(0x07, boards::kE4m3), 0.0068359375F);
  EXPECT_EQ(reference_value(0x08, boards::kE4m3), 0.015625F);
  EXPECT_EQ(reference_value(0x77, boards::kE4m3), 240.0F);
  EXPECT_EQ(reference_value(0xF8, boards::kE4m3), -kInfinite);
  EXPECT_TRUE(std::isnan(reference_value(0x79, boards::kE4m3)));
  EXPECT_EQ(reference_value(0, boards::kE8m0), 0.0F);
  EXPECT_EQ(reference_value(1, boards::kE8m0), 0x1p-126F);
  EXPECT_EQ(reference_value(127, boards::kE8m0), 1.0F);
  EXPECT_EQ(reference_value(255, boards::kE8m0), kInfinite);
  EXPECT_EQ(reference_value(0xFF, ElementType::integer(8)), 255.0F);
  EXPECT_EQ(reference_value(0x3C00, ElementType::floating(true, 5, 10)), 1.0F);
}

TEST(RowCodec, KeepsBf16AsItIs) {
  const RowCodec bf16 = codec({boards::kBf16});
  for (std::uint32_t bits = 0; bits < 65'536; ++bits) {
    const float value = base::float_of_bfloat16(static_cast<std::uint16_t>(bits));
    const Encoded encoded = encode(bf16, {value});
    ASSERT_EQ(encoded.elements[0] | (encoded.elements[1] << 8U), static_cast<int>(bits));
    const float back = decode(bf16, encoded, 1)[0];
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back), bits << 16U);
  }
}

TEST(RowCodec, RoundsToBf16) {
  const RowCodec bf16 = codec({boards::kBf16});
  EXPECT_EQ(bf16.rounded(1.0F + 0x1p-8F), 1.0F);
  EXPECT_EQ(bf16.rounded(1.0F + 3 * 0x1p-8F), 1.0F + 2 * 0x1p-7F);
  EXPECT_EQ(bf16.rounded(std::numeric_limits<float>::max()), kInfinite);
  EXPECT_EQ(bf16.rounded(0x1p-133F), 0x1p-133F);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(bf16.rounded(-kNone)), 0x7FC00000U);
}

TEST(RowCodec, EncodesTheReferencesBlocks) {
  EXPECT_EQ(encode(codec(mx(boards::kE4m3, 4)), {0.5F, 1, 2, 4}), (Encoded{{129}, {0x20, 0x28, 0x30, 0x38}}));
  const RowCodec plena = codec(boards::kPlenaMx);
  const Encoded tenths = encode(plena, {.1F, -.2F, .3F, -.4F, .5F, -.6F, .7F, -.8F});
  EXPECT_EQ(tenths, (Encoded{{126}, {0x25, 0xAD, 0x32, 0xB5, 0x38, 0xBA, 0x3B, 0xBD}}));
  EXPECT_EQ(decode(plena, tenths, 8),
            (std::vector<float>{.1015625F, -.203125F, .3125F, -.40625F, .5F, -.625F, .6875F, -.8125F}));
  EXPECT_EQ(encode(plena, {.001F, .003F, -.007F, .011F, .013F, .9F, -1, .05F}),
            (Encoded{{127}, {0x01, 0x03, 0x87, 0x07, 0x07, 0x36, 0xB8, 0x15}}));
  EXPECT_EQ(encode(plena, std::vector<float>(8)), (Encoded{{0}, ByteVector(8)}));
}

TEST(RowCodec, RoundsAsTheReferencesHardware) {
  const auto bits = [](float value) { return reference_block_bits(value, boards::kE4m3); };
  EXPECT_EQ(bits(1.0F), 0x38U);
  EXPECT_EQ(bits(1.875F), 0x3FU);
  EXPECT_EQ(bits(-1.0F), 0xB8U);
  EXPECT_EQ(bits(1.0625F), 0x38U);
  EXPECT_EQ(bits(1.0859375F), 0x38U);
  EXPECT_EQ(bits(1.1875F), 0x3AU);
  EXPECT_EQ(bits(1.328125F), 0x3AU);
  EXPECT_EQ(bits(-1.1875F), 0xBAU);
  EXPECT_EQ(bits(1.97F), 0x3FU) << "saturates, for there is no carry";
  EXPECT_EQ(bits(0x1p-7F * 1.9F), 0x07U);
  EXPECT_EQ(bits(1000.0F), 0x77U);
}

// The rule as it is written down, by logarithms.
std::uint32_t literally(float y, int exponent_bits, int mantissa_bits) {
  if (y == 0) return 0;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int largest = (1 << exponent_bits) - 2 - bias;
  const auto log = static_cast<float>(std::log2(static_cast<double>(std::fabs(y) + 1e-9F)));
  const int raw = static_cast<int>(std::floor(log));
  const int exponent = std::min(std::max(raw, -bias), largest);
  const float r = std::fabs(y) / std::exp2(static_cast<float>(exponent));
  const float steps = std::exp2(static_cast<float>(mantissa_bits));
  const float v = exponent != -bias ? (r - 1) * steps : r * steps;
  float q = std::rint(std::floor(4 * v) / 4);
  q = std::min(std::max(q, 0.0F), steps - 1);
  if (raw > largest) q = steps - 1;
  const std::uint32_t sign = std::signbit(y) ? 1U << static_cast<unsigned>(exponent_bits + mantissa_bits) : 0;
  return sign | (static_cast<std::uint32_t>(exponent + bias) << static_cast<unsigned>(mantissa_bits)) |
         static_cast<std::uint32_t>(q);
}

TEST(RowCodec, RoundsAsTheReferencesRuleSays) {
  struct Type {
    int exponent;
    int mantissa;
  };
  for (const Type& type : {Type{4, 3}, Type{5, 2}, Type{3, 2}, Type{2, 3}, Type{2, 1}})
    for (std::uint64_t i = 0; i < 40'000; ++i) {
      const std::uint64_t word = base::splitmix(i * base::kSplitmixStep);
      const auto exponent = static_cast<int>(word % 40) - 36;
      const auto fraction = static_cast<float>(1 + base::fraction_of(word));
      const float value = std::ldexp((word & 64U) != 0 ? fraction : -fraction, exponent);
      ASSERT_EQ(reference_block_bits(value, ElementType::floating(true, static_cast<unsigned>(type.exponent),
                                                                  static_cast<unsigned>(type.mantissa))),
                literally(value, type.exponent, type.mantissa))
          << value;
    }
}

TEST(RowCodec, TakesLogarithmsInThirtyTwoBits) {
  EXPECT_EQ(reference_exponent(1.0F), 0);
  EXPECT_EQ(reference_exponent(std::nextafter(2.0F, 0.0F)), 0);
  EXPECT_EQ(reference_exponent(std::nextafter(0x1p20F, 0.0F)), 20) << "19.99999991 is 20 in a float";
  EXPECT_EQ(reference_exponent(0x1p20F * 0.999F), 19);
  for (int exponent = -29; exponent < 128; ++exponent)
    for (float down = 1; down > 0.99F; down = std::nextafter(down, 0.0F) - (1 - down) * 0.3F) {
      const float value = std::ldexp(down, exponent);
      const auto log = static_cast<float>(std::log2(static_cast<double>(value)));
      ASSERT_EQ(reference_exponent(value), static_cast<int>(std::floor(log))) << value;
    }
}

TEST(RowCodec, CastsPlainNarrowFloatsAsBrokenAsTheReference) {
  EXPECT_EQ(encode(codec({boards::kE4m3}), {0, .5F, 1, 1.875F, -1}).elements,
            (ByteVector{0x00, 0x78, 0x78, 0x7F, 0xF8}));
}

TEST(RowCodec, CutsIntegersAndForgetsTheirSign) {
  const RowCodec int8 = codec({ElementType::integer(8)});
  const Encoded encoded = encode(int8, {1.9F, -1.9F, 300, 0, kNone});
  EXPECT_EQ(encoded.elements, (ByteVector{1, 0xFF, 300 - 256, 0, 0}));
  EXPECT_EQ(decode(int8, encoded, 5), (std::vector<float>{1, 255, 44, 0, 0}));
  EXPECT_EQ(encode(codec(mx(ElementType::integer(8), 2)), {3, -2}), (Encoded{{128}, {1, 0xFF}}));
}

TEST(RowCodec, PacksTheLowestBitsFirst) {
  EXPECT_EQ(encode(codec({ElementType::integer(4)}), {1, 2, 3}).elements, (ByteVector{0x21, 0x03}));
  EXPECT_EQ(encode(codec({ElementType::integer(6)}), {1, 2, 3, 4}).elements, (ByteVector{0x81, 0x30, 0x10}));
  const RowCodec six = codec({ElementType::integer(6)});
  EXPECT_EQ(decode(six, {{}, {0x81, 0x30, 0x10}}, 4), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(six.element_bytes(3), 3U);
}

TEST(RowCodec, TakesMissingBytesForZero) {
  const RowCodec plena = codec(boards::kPlenaMx);
  std::vector<float> expected(16, 0.0F);
  expected[0] = expected[1] = 1;
  EXPECT_EQ(decode(plena, {{127}, {0x38, 0x38}}, 16), expected);
  const RowCodec halves = codec(mx(boards::kE4m3, 8));
  EXPECT_EQ(decode(halves, {{127}, ByteVector(12, 0x38)}, 12),
            (std::vector<float>{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}))
      << "behind the last whole block there is no scale";
}

TEST(RowCodec, DecodesRowsOfAllBlocksAlike) {
  for (const std::uint32_t block : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 24U, 96U}) {
    const std::size_t count = 2 * 96;
    Encoded row{ByteVector(count / block), ByteVector(count)};
    for (std::size_t i = 0; i < row.scales.size(); ++i)
      row.scales[i] = static_cast<std::uint8_t>(base::splitmix(i) % 256);
    for (std::size_t i = 0; i < count; ++i)
      row.elements[i] = static_cast<std::uint8_t>(base::splitmix(i + 7777) % 256);
    const std::size_t whole = count / block * block;
    const std::vector<float> decoded = decode(codec(mx(boards::kE4m3, block)), row, whole);
    for (std::size_t i = 0; i < whole; ++i) {
      const float expected = reference_value(row.elements[i], boards::kE4m3) *
                             reference_value(row.scales[i / block], boards::kE8m0);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(decoded[i])) << block << ' ' << i;
      else
        ASSERT_EQ(decoded[i], expected) << block << ' ' << i;
    }
  }
}

// Rows of bytes are worked out many at once; every byte must mean there what it means alone.
TEST(RowCodec, WorksOutEveryByteOnEveryProcessor) {
  for_every_processor([](std::string_view processor) {
    for (const BlockRule rule : {BlockRule::kReference, BlockRule::kOcp})
      for (const ElementType& element :
           {boards::kE4m3, ElementType::floating(true, 5, 2), ElementType::integer(8)})
        for (const std::uint32_t block : {4U, 8U, 32U}) {
          Encoded row{ByteVector(512 / block, 127), ByteVector(512)};
          for (std::size_t i = 0; i < 512; ++i)
            row.elements[i] = static_cast<std::uint8_t>(i < 256 ? i : base::splitmix(i) % 256);
          const std::vector<float> decoded = decode(codec(mx(element, block, rule)), row, 512);
          for (std::size_t i = 0; i < 512; ++i) {
            const std::uint32_t bits = row.elements[i];
            const float one =
                rule == BlockRule::kOcp ? ocp_value(bits, element) : reference_value(bits, element);
            ASSERT_TRUE(std::isnan(one)
                            ? std::isnan(decoded[i])
                            : std::bit_cast<std::uint32_t>(one) == std::bit_cast<std::uint32_t>(decoded[i]))
                << processor << ' ' << bits << ' ' << one << ' ' << decoded[i];
          }
        }
  });
}

TEST(RowCodec, RefusesWhatNoMemoryKeeps) {
  EXPECT_FALSE(RowCodec::make({ElementType::floating(true, 11, 52)}));
  EXPECT_FALSE(RowCodec::make({ElementType::integer(64)}));
  EXPECT_FALSE(RowCodec::make({boards::kE4m3, 8, ElementType::integer(8)}));
  EXPECT_FALSE(RowCodec::make({boards::kE4m3, 8, boards::kE4m3}));
  EXPECT_FALSE(RowCodec::make(mx(ElementType::integer(4), 32, BlockRule::kOcp)));
}

struct OcpType {
  std::string_view name;
  ElementType element;
  float largest;
  int largest_exponent;
};
const std::vector<OcpType> kOcpTypes{{"E5M2", ElementType::floating(true, 5, 2), 57'344, 15},
                                     {"E4M3", boards::kE4m3, 448, 8},
                                     {"E3M2", ElementType::floating(true, 3, 2), 28, 4},
                                     {"E2M3", ElementType::floating(true, 2, 3), 7.5F, 2},
                                     {"E2M1", ElementType::floating(true, 2, 1), 6, 2},
                                     {"INT8", ElementType::integer(8), 127.0F / 64, 0}};

// What the bits of an OCP element mean, from the tables of its specification.
double ocp_number(std::uint32_t bits, const ElementType& type) {
  if (type.kind == ElementType::Kind::kInteger) return (bits < 128 ? double(bits) : double(bits) - 256) / 64;
  const unsigned e = type.exponent;
  const unsigned m = type.mantissa;
  const std::uint32_t exponent = (bits >> m) & ((1U << e) - 1);
  const std::uint32_t mantissa = bits & ((1U << m) - 1);
  const double sign = ((bits >> (e + m)) & 1U) != 0 ? -1 : 1;
  if (e == 5 && exponent == 31) return mantissa == 0 ? sign * HUGE_VAL : NAN;
  if (e == 4 && exponent == 15 && mantissa == 7) return NAN;
  const int bias = (1 << (e - 1)) - 1;
  const double fraction = mantissa / double(1U << m);
  if (exponent == 0) return sign * fraction * std::pow(2.0, 1 - bias);
  return sign * (1 + fraction) * std::pow(2.0, double(exponent) - bias);
}

// Of all finite numbers the nearest; of two the one whose last bit is 0.
double nearest(double value, const ElementType& type) {
  double best = NAN;
  std::uint32_t best_bits = 0;
  for (std::uint32_t bits = 0; bits < 1U << type.bits(); ++bits) {
    const double number = ocp_number(bits, type);
    if (!std::isfinite(number)) continue;
    const double distance = std::fabs(number - value);
    const double least = std::fabs(best - value);
    if (std::isnan(best) || distance < least ||
        (distance == least && number != best && (bits & 1U) == 0 && (best_bits & 1U) == 1)) {
      best = number;
      best_bits = bits;
    }
  }
  return best;
}

TEST(OcpFormats, MeanWhatTheSpecificationSays) {
  for (const OcpType& type : kOcpTypes) {
    EXPECT_EQ(ocp_largest_exponent(type.element), type.largest_exponent) << type.name;
    float largest = 0;
    for (std::uint32_t bits = 0; bits < 1U << type.element.bits(); ++bits) {
      const float value = ocp_value(bits, type.element);
      const double expected = ocp_number(bits, type.element);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(value)) << type.name << ' ' << bits;
      else
        EXPECT_EQ(static_cast<double>(value), expected) << type.name << ' ' << bits;
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
    EXPECT_EQ(largest, type.largest) << type.name;
  }
}

TEST(OcpFormats, EncodeToTheNearest) {
  for (const OcpType& type : kOcpTypes) {
    const RowCodec ocp = codec(mx(type.element, 4, BlockRule::kOcp));
    for (std::uint64_t i = 0; i < 1500; ++i) {
      std::vector<float> block(4);
      for (std::uint64_t j = 0; j < 4; ++j) {
        const std::uint64_t word = base::splitmix((4 * i + j) * base::kSplitmixStep);
        // Few bits of fraction, so that ties come up.
        const float fraction = 1 + static_cast<float>(word % 64) / 64;
        block[j] = std::ldexp((word & 64U) != 0 ? fraction : -fraction,
                              static_cast<int>((word >> 8U) % 12) - 3 + static_cast<int>(i % 3) * 40);
      }
      const double most = std::fabs(*std::max_element(
          block.begin(), block.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); }));
      const int scale = static_cast<int>(std::floor(std::log2(most))) - type.largest_exponent;
      const Encoded encoded = encode(ocp, block);
      ASSERT_EQ(encoded.scales[0], scale + 127) << type.name;
      const std::vector<float> back = decode(ocp, encoded, 4);
      for (std::size_t j = 0; j < 4; ++j)
        ASSERT_EQ(static_cast<double>(back[j]),
                  nearest(block[j] / std::pow(2.0, scale), type.element) * std::pow(2.0, scale))
            << type.name << ' ' << block[j];
    }
  }
}

TEST(OcpFormats, EncodeWhatTheyDecode) {
  for (const OcpType& type : kOcpTypes)
    for (std::uint32_t bits = 0; bits < 1U << type.element.bits(); ++bits) {
      const float value = ocp_value(bits, type.element);
      if (!std::isfinite(value)) continue;
      EXPECT_EQ(ocp_bits(value, type.element), bits) << type.name;
    }
}

TEST(OcpFormats, SaturateAndKeepWhatIsNoNumber) {
  const RowCodec fp8 = codec(mx(boards::kE4m3, 2, BlockRule::kOcp));
  EXPECT_EQ(encode(fp8, {1.99F, 1}), (Encoded{{119}, {0x7E, 0x78}})) << "509 is beyond 448";
  EXPECT_TRUE(std::isnan(decode(fp8, encode(fp8, {kNone, 1}), 2)[0]));
  EXPECT_EQ(decode(fp8, encode(fp8, {kNone, 1}), 2)[1], 1.0F);
  EXPECT_EQ(decode(fp8, encode(fp8, {-kInfinite, 0}), 2)[0], -448.0F * 0x1p119F);
  const RowCodec fp4 = codec(mx(ElementType::floating(true, 2, 1), 2, BlockRule::kOcp));
  EXPECT_EQ(encode(fp4, {kNone, 1}).scales[0], 0xFF)
      << "the block is no number, for its elements cannot be none";
  EXPECT_TRUE(std::isnan(decode(fp4, encode(fp4, {kNone, 1}), 2)[1]));
  EXPECT_EQ(decode(fp8, {{0}, {0x38, 0}}, 2)[0], 0x1p-127F);
  EXPECT_EQ(encode(fp8, {0, 0}), (Encoded{{0}, {0, 0}}));
}

}  // namespace
}  // namespace accelscope::emulator
