// Kernels against plain loops, and against each other on every kind of processor, bit for bit.
#include "emulator/kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/half_float.h"
#include "base/splitmix.h"
#include "emulator/every_processor.h"

namespace accelscope::emulator {
namespace {

using Row = std::vector<float>;

constexpr std::uint32_t kNoNumber = 0x7FC00000;

std::vector<std::uint32_t> bits(const Row& row) {
  std::vector<std::uint32_t> made;
  for (const float value : row) made.push_back(std::bit_cast<std::uint32_t>(value));
  return made;
}

// Any bits at all, and often the special ones.
Row any_row(std::size_t count, std::uint64_t seed) {
  constexpr std::uint32_t kSpecial[] = {0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                        0xFFC12345, 0x7F800001, 0x00000001, 0x80012345, 0x7F7FFFFF,
                                        0x3F800000, 0x3F808000, 0x3F818000, 0x42B00000};
  Row made;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t word = base::splitmix((seed * 1000 + i) * base::kSplitmixStep);
    const std::uint32_t special = kSpecial[(word >> 40U) % std::size(kSpecial)];
    made.push_back(std::bit_cast<float>(word % 4 == 0 ? special : static_cast<std::uint32_t>(word >> 8U)));
  }
  return made;
}

float plainly(RowOperation what, float a, float b) {
  switch (what) {
    case RowOperation::kAdd:
      return a + b;
    case RowOperation::kSubtract:
      return a - b;
    case RowOperation::kSubtractFrom:
      return b - a;
    case RowOperation::kMultiply:
      return a * b;
    case RowOperation::kMaximum:
      return std::isnan(a) || std::isnan(b) ? NAN : (a > b ? a : b);
    case RowOperation::kMinimum:
      return std::isnan(a) || std::isnan(b) ? NAN : (a < b ? a : b);
  }
  return 0;
}

std::uint32_t plainly_rounded(Rounding rounding, float value) {
  if (std::isnan(value)) return kNoNumber;
  if (rounding == Rounding::kNone) return std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint32_t>(base::bfloat16_bits(value)) << 16U;
}

TEST(Kernels, AreThereForMoreThanOneProcessor) {
  std::set<std::string> names;
  for_every_processor([&](std::string_view name) { names.emplace(name); });
  EXPECT_GE(names.size(), 2U) << "nothing is compared on a processor that can do only the least";
}

TEST(Kernels, CalculateRowsAsPlainLoopsDo) {
  for_every_processor([](std::string_view name) {
    const Kernels& kernels = best_kernels();
    for (const std::size_t count : {1U, 3U, 4U, 8U, 15U, 16U, 64U, 77U})
      for (std::size_t what = 0; what < kRowOperations; ++what)
        for (const Rounding rounding : {Rounding::kNone, Rounding::kBf16}) {
          const Row a = any_row(count, what + 1);
          const Row b = any_row(count, what + 100);
          const auto operation = static_cast<RowOperation>(what);
          std::vector<std::uint32_t> of_two;
          std::vector<std::uint32_t> with_scalar;
          for (std::size_t i = 0; i < count; ++i) {
            of_two.push_back(plainly_rounded(rounding, plainly(operation, a[i], b[i])));
            with_scalar.push_back(plainly_rounded(rounding, plainly(operation, a[i], b[0])));
          }
          Row out(count);
          const auto at = static_cast<std::size_t>(rounding);
          kernels.of_two[what][at](a.data(), b.data(), out.data(), count);
          ASSERT_EQ(bits(out), of_two) << name << ' ' << what << ' ' << count;
          kernels.with_scalar[what][at](a.data(), b[0], out.data(), count);
          ASSERT_EQ(bits(out), with_scalar) << name << ' ' << what << ' ' << count;
          out = a;
          kernels.of_two[what][at](out.data(), b.data(), out.data(), count);
          ASSERT_EQ(bits(out), of_two) << name << ", in place";
        }
  });
}

TEST(Kernels, RoundAndDivideAsPlainLoopsDo) {
  for_every_processor([](std::string_view name) {
    for (std::uint64_t seed = 0; seed < 200; ++seed)
      for (const Rounding rounding : {Rounding::kNone, Rounding::kBf16}) {
        const Row a = any_row(67, seed);
        std::vector<std::uint32_t> rounded;
        std::vector<std::uint32_t> divided;
        for (const float value : a) {
          rounded.push_back(plainly_rounded(rounding, value));
          divided.push_back(plainly_rounded(rounding, 1 / value));
        }
        Row out(a.size());
        best_kernels().round[static_cast<std::size_t>(rounding)](a.data(), out.data(), a.size());
        ASSERT_EQ(bits(out), rounded) << name;
        best_kernels().reciprocal[static_cast<std::size_t>(rounding)](a.data(), out.data(), a.size());
        ASSERT_EQ(bits(out), divided) << name;
      }
  });
}

TEST(Kernels, MultiplyInTheDocumentedOrder) {
  const auto number = [](std::uint64_t i) {
    const std::uint64_t word = base::splitmix(i * base::kSplitmixStep);
    return std::ldexp(static_cast<float>(base::fraction_of(word) - 0.5), static_cast<int>(word % 11));
  };
  for_every_processor([&](std::string_view name) {
    for (const std::size_t rows : {1U, 3U, 4U, 8U, 13U})
      for (const std::size_t columns : {1U, 3U, 4U, 5U, 8U, 16U, 24U, 32U, 45U})
        for (const std::size_t depth : {0U, 1U, 16U, 33U}) {
          constexpr std::size_t kStep = 50;
          for (const std::size_t a_depth_step : {1U, 2U}) {
            Row a(rows * 2 * kStep);
            Row b(depth * kStep + kStep);
            Row c(rows * kStep);
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = number(i);
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = number(i + 12345);
            for (std::size_t i = 0; i < c.size(); ++i) c[i] = number(i + 99999);
            Row expected = c;
            for (std::size_t i = 0; i < rows; ++i)
              for (std::size_t j = 0; j < columns; ++j)
                for (std::size_t k = 0; k < depth; ++k) {
                  const float product = a[i * 2 * kStep + k * a_depth_step] * b[k * kStep + j];
                  expected[i * kStep + j] += product;
                }
            best_kernels().multiply(
                {rows, columns, depth, a.data(), 2 * kStep, a_depth_step, b.data(), kStep, c.data(), kStep});
            ASSERT_EQ(bits(c), bits(expected)) << name << ' ' << rows << ' ' << columns << ' ' << depth;
          }
        }
  });
}

// Results that lie behind each other, as those of an accumulator do.
TEST(Kernels, MultiplyBlocksInTheDocumentedOrder) {
  const auto number = [](std::uint64_t i) {
    const std::uint64_t word = base::splitmix(i * base::kSplitmixStep);
    return std::ldexp(static_cast<float>(base::fraction_of(word) - 0.5), static_cast<int>(word % 11));
  };
  for_every_processor([&](std::string_view name) {
    for (const std::size_t side : {2U, 4U, 8U, 16U})
      for (const std::size_t depth : {4U, 7U, 8U, 64U}) {
        Row a(side * depth);
        Row b(side * depth);
        Row c(side * side);
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = number(i);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = number(i + 12345);
        for (std::size_t i = 0; i < c.size(); ++i) c[i] = number(i + 99999);
        Row expected = c;
        for (std::size_t i = 0; i < side; ++i)
          for (std::size_t j = 0; j < side; ++j)
            for (std::size_t k = 0; k < depth; ++k) {
              const float product = a[i * depth + k] * b[k * side + j];
              expected[i * side + j] += product;
            }
        best_kernels().multiply({side, side, depth, a.data(), depth, 1, b.data(), side, c.data(), side});
        ASSERT_EQ(bits(c), bits(expected)) << name << ' ' << side << ' ' << depth;
      }
  });
}

TEST(Kernels, LookUpBlocksOfAllSizes) {
  Row values;
  Row factors;
  std::vector<std::uint8_t> elements;
  std::vector<std::uint8_t> scales;
  for (std::uint32_t i = 0; i < 256; ++i) {
    values.push_back(static_cast<float>(i) - 100);
    factors.push_back(std::ldexp(1.0F, static_cast<int>(i) - 128));
    elements.push_back(static_cast<std::uint8_t>(i * 37));
    scales.push_back(static_cast<std::uint8_t>(i * 11 + 3));
  }
  for_every_processor([&](std::string_view name) {
    for (const std::size_t block : {1U, 2U, 4U, 6U, 8U, 16U, 24U, 32U, 64U}) {
      const std::size_t count = 256 / block * block;
      Row expected;
      for (std::size_t i = 0; i < count; ++i)
        expected.push_back(values[elements[i]] * factors[scales[i / block]]);
      Row out(count);
      best_kernels().look_up({.elements = elements.data(),
                              .values = values.data(),
                              .scales = scales.data(),
                              .factors = factors.data(),
                              .block = block,
                              .out = out.data(),
                              .count = count});
      ASSERT_EQ(bits(out), bits(expected)) << name << ' ' << block;
    }
  });
}

}  // namespace
}  // namespace accelscope::emulator
