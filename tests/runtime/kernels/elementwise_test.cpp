#include <gtest/gtest.h>

#include <cmath>

#include "runtime/kernels/kernel_harness.h"

namespace accelscope::runtime {
namespace {

constexpr std::array kFloats = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16};
const std::vector<std::vector<std::uint32_t>> kShapes = {
    {}, {1}, {7}, {5, 3}, {3, 1, 4}, {2, 0, 3}, {2, 3, 2, 1, 5}};

// Every type, shape, layout and number of blocks, with an element's expected value.
template <class Expected>
void check_unary(const char* name, Expected&& expected, std::vector<double> scalars = {}) {
  std::uint32_t seed = 0;
  for (const DataType type : kFloats)
    for (const auto& shape : kShapes)
      for (const Layout layout : kLayouts)
        for (const std::uint32_t blocks : {1U, 2U, 9U}) {
          Tensor in = random_tensor(type, shape, layout, ++seed);
          Tensor out = empty_tensor(type, shape, kLayouts[seed % 3]);
          run(name, {{in, kRead}, {out, kWritten}}, scalars, blocks);
          for (std::size_t i = 0; i < out.size(); ++i) expect_near(out, i, expected(in.at(i)));
          ASSERT_FALSE(testing::Test::HasFailure()) << name;
        }
}

TEST(ElementwiseKernels, WithOneInput) {
  check_unary("exp", [](double x) { return std::exp(x); });
  check_unary("relu", [](double x) { return x > 0 ? x : 0; });
  check_unary("sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); });
  check_unary("silu", [](double x) { return x / (1 + std::exp(-x)); });
  check_unary("gelu", [](double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * std::pow(x, 3))));
  });
  check_unary("scale", [](double x) { return 2 * x + 0.5; }, {2, 0.5});
  check_unary("scale", [](double x) { return 3 * x; }, {3});
  check_unary("copy", [](double x) { return x; });
}

TEST(ElementwiseKernels, InverseRoot) {
  Tensor in = random_tensor(DataType::kFloat32, {33}, Layout::kGaps, 1);
  for (std::size_t i = 0; i < in.size(); ++i) in.set(i, in.at(i) + 4.5);
  Tensor out = empty_tensor(DataType::kFloat32, {33});
  run("rsqrt", {{in, kRead}, {out, kWritten}}, {}, 2);
  for (std::size_t i = 0; i < out.size(); ++i) expect_near(out, i, 1 / std::sqrt(in.at(i)));
}

double by_name(const std::string& name, double a, double b) {
  if (name == "add") return a + b;
  if (name == "sub") return a - b;
  if (name == "mul") return a * b;
  if (name == "div") return a / b;
  return std::max(a, b);
}

TEST(ElementwiseKernels, WithTwoInputs) {
  std::uint32_t seed = 100;
  for (const std::string name : {"add", "sub", "mul", "div", "maximum"})
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt64}) {
      if (name == "div" && type >= DataType::kInt64) continue;
      for (const auto& shape : kShapes)
        for (const std::uint32_t blocks : {1U, 3U}) {
          ++seed;
          Tensor a = random_tensor(type, shape, kLayouts[seed % 3], seed);
          Tensor b = random_tensor(type, shape, kLayouts[seed / 3 % 3], seed + 1000);
          for (std::size_t i = 0; i < b.size(); ++i)
            if (b.at(i) == 0) b.set(i, 1);
          Tensor out = empty_tensor(type, shape, kLayouts[seed / 9 % 3]);
          run(name, {{a, kRead}, {b, kRead}, {out, kWritten}}, {}, blocks);
          for (std::size_t i = 0; i < out.size(); ++i) expect_near(out, i, by_name(name, a.at(i), b.at(i)));
          ASSERT_FALSE(HasFailure()) << name;
        }
    }
}

TEST(ElementwiseKernels, RepeatTheSecondInput) {
  const std::vector<std::uint32_t> shape = {4, 3, 5};
  Tensor a = random_tensor(DataType::kFloat32, shape, Layout::kShuffled, 1);
  const auto check = [&](std::vector<std::uint32_t> b_shape, auto&& number_in_b) {
    Tensor b = random_tensor(DataType::kFloat32, std::move(b_shape), Layout::kGaps, 2);
    Tensor out = empty_tensor(DataType::kFloat32, shape);
    run("sub", {{a, kRead}, {b, kRead}, {out, kWritten}}, {}, 3);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out.at(i), a.at(i) - b.at(number_in_b(i / 15, i / 5 % 3, i % 5)));
  };
  using Index = std::size_t;
  check({}, [](Index, Index, Index) { return Index{0}; });
  check({1}, [](Index, Index, Index) { return Index{0}; });
  check({5}, [](Index, Index, Index k) { return k; });
  check({3, 1}, [](Index, Index j, Index) { return j; });
  check({4, 1, 5}, [](Index i, Index, Index k) { return i * 5 + k; });
  check({1, 3, 5}, [](Index, Index j, Index k) { return j * 5 + k; });
}

TEST(ElementwiseKernels, WorkInPlaceAndOnLongLines) {
  Tensor a = random_tensor(DataType::kFloat32, {5000}, Layout::kGaps, 1);
  const Tensor before = a;
  run("add", {{a, kBoth}, {a, kBoth}, {a, kBoth}}, {}, 1);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a.at(i), 2 * before.at(i)) << i;
  run("fill", {{a, kWritten}}, {0.25}, 3);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a.at(i), 0.25) << i;
}

TEST(ElementwiseKernels, KeepIntegersWithinTheirTypes) {
  Tensor a = empty_tensor(DataType::kInt8, {3});
  Tensor b = empty_tensor(DataType::kInt8, {3});
  Tensor out = empty_tensor(DataType::kInt8, {3});
  const std::array<std::array<int, 3>, 3> cases = {{{100, 100, 127}, {-100, -100, -128}, {3, -5, -2}}};
  for (std::size_t i = 0; i < 3; ++i) {
    a.set(i, cases[i][0]);
    b.set(i, cases[i][1]);
  }
  run("add", {{a, kRead}, {b, kRead}, {out, kWritten}});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(out.at(i), cases[i][2]);

  Tensor large = empty_tensor(DataType::kInt64, {1});
  large.put(0, std::numeric_limits<std::int64_t>::max());
  run("add", {{large, kBoth}, {large, kBoth}, {large, kBoth}});
  EXPECT_EQ(large.raw<std::int64_t>(0), -2) << "64 bits wrap";
}

TEST(ElementwiseKernels, Cast) {
  Tensor floats = empty_tensor(DataType::kFloat32, {2, 4}, Layout::kGaps);
  const std::array<double, 8> values = {-1.75, 2.5, 300, -300, std::nan(""), HUGE_VAL, 0, 65535.5};
  for (std::size_t i = 0; i < 8; ++i) floats.set(i, values[i]);
  const auto cast_to = [&](DataType type) {
    Tensor out = empty_tensor(type, {2, 4});
    run("cast", {{floats, kRead}, {out, kWritten}}, {}, 2);
    std::vector<double> results;
    for (std::size_t i = 0; i < 8; ++i) results.push_back(out.at(i));
    return results;
  };
  EXPECT_EQ(cast_to(DataType::kInt8), (std::vector<double>{-1, 2, 127, -128, 0, 127, 0, 127}));
  EXPECT_EQ(cast_to(DataType::kUInt8), (std::vector<double>{0, 2, 255, 0, 0, 255, 0, 255}));
  EXPECT_EQ(cast_to(DataType::kInt32), (std::vector<double>{-1, 2, 300, -300, 0, 2147483647, 0, 65535}));
  EXPECT_EQ(cast_to(DataType::kBool), (std::vector<double>{1, 1, 1, 1, 1, 1, 0, 1}));
  EXPECT_EQ(cast_to(DataType::kBFloat16)[1], 2.5);
  Tensor longs = empty_tensor(DataType::kInt64, {1});
  longs.put(0, (std::int64_t{1} << 53) + 1);
  Tensor shorter = empty_tensor(DataType::kInt32, {1});
  run("cast", {{longs, kRead}, {shorter, kWritten}});
  EXPECT_EQ(shorter.at(0), 2147483647);
}

// A number just above the middle between two of 16 bits, which a float, or a double, would take for the
// middle.
TEST(ElementwiseKernels, RoundOnceTo16Bits) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    const double step = type == DataType::kFloat16 ? 0x1p-10 : 0x1p-7;
    Tensor out = empty_tensor(type, {1});
    run("fill", {{out, kWritten}}, {1 + step / 2});
    EXPECT_EQ(out.at(0), 1);
    run("fill", {{out, kWritten}}, {1 + step / 2 + 0x1p-40});
    EXPECT_EQ(out.at(0), 1 + step);
    run("fill", {{out, kWritten}}, {-1 - step / 2 - 0x1p-40});
    EXPECT_EQ(out.at(0), -1 - step);
  }
  Tensor out = empty_tensor(DataType::kBFloat16, {5});
  Tensor ints = empty_tensor(DataType::kInt32, {5});
  constexpr std::int32_t kMiddle = (1 << 30) + (1 << 22);
  const std::array<std::int32_t, 5> numbers = {kMiddle - 1, kMiddle, kMiddle + 1, -kMiddle - 1,
                                               std::numeric_limits<std::int32_t>::min()};
  for (std::size_t i = 0; i < 5; ++i) ints.put(i, numbers[i]);
  run("cast", {{ints, kRead}, {out, kWritten}});
  const std::array<double, 5> expected = {0x1p30, 0x1p30, 0x1.02p30, -0x1.02p30, -0x1p31};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(out.at(i), expected[i]) << numbers[i];

  Tensor longs = empty_tensor(DataType::kInt64, {5});
  constexpr std::int64_t kLongMiddle = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  const std::array<std::int64_t, 5> long_numbers = {kLongMiddle - 1, kLongMiddle, kLongMiddle + 1,
                                                    -kLongMiddle - 1,
                                                    std::numeric_limits<std::int64_t>::min()};
  for (std::size_t i = 0; i < 5; ++i) longs.put(i, long_numbers[i]);
  run("cast", {{longs, kRead}, {out, kWritten}});
  const std::array<double, 5> long_expected = {0x1p62, 0x1p62, 0x1.02p62, -0x1.02p62, -0x1p63};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(out.at(i), long_expected[i]) << long_numbers[i];
}

TEST(ElementwiseKernels, CopyAndFillEveryType) {
  for (const DataTypeFacts& facts : kDataTypes) {
    Tensor in = random_tensor(facts.type, {4, 5}, Layout::kShuffled, 1);
    Tensor out = empty_tensor(facts.type, {4, 5}, Layout::kGaps);
    run("copy", {{in, kRead}, {out, kWritten}}, {}, 3);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(out.at(i), in.at(i)) << facts.name;
    run("fill", {{out, kWritten}}, {1}, 2);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(out.at(i), 1) << facts.name;
  }
  Tensor none = empty_tensor(DataType::kFloat32, {1});
  Tensor copied = empty_tensor(DataType::kFloat32, {1});
  none.put(0, std::uint32_t{0x7FA00001});  // what is no number, and signals it
  run("copy", {{none, kRead}, {copied, kWritten}});
  EXPECT_EQ(copied.raw<std::uint32_t>(0), 0x7FA00001U);
}

TEST(ElementwiseKernels, SayWhatIsWrong) {
  Tensor a = empty_tensor(DataType::kFloat32, {4, 3});
  Tensor b = empty_tensor(DataType::kFloat32, {4});
  Tensor ints = empty_tensor(DataType::kInt32, {4, 3});
  Tensor truths = empty_tensor(DataType::kBool, {4, 3});
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(complaint("add", {{a, kRead}, {a, kRead}}), "add takes a and b")) << "too few";
  EXPECT_TRUE(contains(complaint("add", {{a, kRead}, {a, kRead}, {a, kRead}}), "which it writes"))
      << "only read";
  EXPECT_TRUE(contains(complaint("add", {{a, kRead}, {a, kRead}, {a, kWritten}}, {1}), "add takes"))
      << "a number";
  EXPECT_TRUE(
      contains(complaint("add", {{a, kRead}, {b, kRead}, {a, kWritten}}), "b must have the shape of a"));
  EXPECT_TRUE(contains(complaint("add", {{b, kRead}, {b, kRead}, {a, kWritten}}),
                       "a and out must have the same shape"));
  EXPECT_TRUE(contains(complaint("add", {{a, kRead}, {ints, kRead}, {a, kWritten}}), "cast"));
  EXPECT_TRUE(contains(complaint("add", {{truths, kRead}, {truths, kRead}, {truths, kWritten}}), "cast"));
  EXPECT_EQ(complaint("add", {{ints, kRead}, {ints, kRead}, {ints, kWritten}}), "");
  EXPECT_TRUE(contains(complaint("div", {{ints, kRead}, {ints, kRead}, {ints, kWritten}}), "floats"));
  EXPECT_TRUE(contains(complaint("exp", {{ints, kRead}, {ints, kWritten}}), "floats"));
  EXPECT_TRUE(contains(complaint("scale", {{a, kRead}, {a, kWritten}}), "a factor"));
  EXPECT_TRUE(contains(complaint("copy", {{a, kRead}, {ints, kWritten}}), "same type"));
  EXPECT_TRUE(contains(complaint("fill", {{a, kWritten}}), "a number"));
  EXPECT_TRUE(contains(complaint("copy", {{a, kRead}, {a, kWritten}}, {}, 0), "block"));
}

TEST(ElementwiseKernels, SayWhatTheyDo) {
  Tensor a = empty_tensor(DataType::kFloat16, {6, 10});
  Tensor line = empty_tensor(DataType::kFloat16, {10});
  Tensor out = empty_tensor(DataType::kFloat32, {6, 10});
  const accelscope_kernel_work whole = work("add", {{a, kRead}, {line, kRead}, {out, kWritten}});
  EXPECT_EQ(whole.vector_operations, 60);
  EXPECT_EQ(whole.bytes_read, 120 + 20);
  EXPECT_EQ(whole.bytes_written, 240);
  const accelscope_kernel_work split = work("add", {{a, kRead}, {line, kRead}, {out, kWritten}}, {}, 4);
  EXPECT_EQ(split.vector_operations, 60);
  EXPECT_EQ(split.bytes_read, 120 + 3 * 20)
      << "each of three blocks that have something to do reads the line";
  EXPECT_EQ(split.bytes_written, 240);
  EXPECT_EQ(work("spin", {{a, kRead}}, {2.5}, 2).nanoseconds, 5000);
  EXPECT_EQ(work("empty", {{a, kRead}}).bytes_read, 0);
}

}  // namespace
}  // namespace accelscope::runtime
