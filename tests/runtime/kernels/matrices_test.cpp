#include <gtest/gtest.h>

#include <cmath>

#include "runtime/kernels/kernel_harness.h"

namespace accelscope::runtime {
namespace {

struct Sizes {
  std::uint32_t rows, depth, columns;
};
// Odd ones, empty ones, and one beyond every block of the implementation.
constexpr std::array kSizes = {Sizes{1, 1, 1}, Sizes{3, 5, 7}, Sizes{8, 4, 16},   Sizes{2, 0, 3},
                               Sizes{0, 2, 3}, Sizes{3, 2, 0}, Sizes{17, 131, 5}, Sizes{130, 131, 263}};

// The documented order: from the first to the last along the inner dimension, in float.
float product(const std::vector<float>& a, const std::vector<float>& b, const Sizes& sizes, std::size_t row,
              std::size_t column, bool transposed, float sum) {
  for (std::size_t k = 0; k < sizes.depth; ++k) {
    const std::size_t in_b = transposed ? column * sizes.depth + k : k * sizes.columns + column;
    const float one = a[row * sizes.depth + k] * b[in_b];
    sum += one;
  }
  return sum;
}

std::vector<float> values_of(const Tensor& tensor) {
  std::vector<float> values;
  for (std::size_t i = 0; i < tensor.size(); ++i) values.push_back(static_cast<float>(tensor.at(i)));
  return values;
}

// Numbers of which sums depend on their order.
void scatter(Tensor& tensor, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, static_cast<float>(random()) / 4e9F * std::pow(2.0F, static_cast<float>(random() % 9)) - 8);
}

void check(const char* name, bool transposed, bool add, DataType type, Layout layout, std::uint32_t blocks) {
  for (const Sizes& sizes : kSizes) {
    // The large one takes time; one layout is enough to see its blocks.
    if (sizes.rows > 100 && (layout != Layout::kGaps || blocks == 1)) continue;
    const std::vector<std::uint32_t> b_shape = transposed
                                                   ? std::vector<std::uint32_t>{sizes.columns, sizes.depth}
                                                   : std::vector<std::uint32_t>{sizes.depth, sizes.columns};
    Tensor a = empty_tensor(type, {sizes.rows, sizes.depth}, layout);
    Tensor b = empty_tensor(type, b_shape, layout);
    Tensor out = empty_tensor(DataType::kFloat32, {sizes.rows, sizes.columns}, layout);
    scatter(a, 1);
    scatter(b, 2);
    scatter(out, 3);
    const std::vector<float> a_values = values_of(a);
    const std::vector<float> b_values = values_of(b);
    const std::vector<float> before = values_of(out);
    run(name, {{a, kRead}, {b, kRead}, {out, kBoth}}, {}, blocks);
    for (std::size_t i = 0; i < sizes.rows; ++i)
      for (std::size_t j = 0; j < sizes.columns; ++j) {
        const std::size_t number = i * sizes.columns + j;
        const float start = add ? before[number] : 0.0F;
        ASSERT_EQ(out.at(number), product(a_values, b_values, sizes, i, j, transposed, start))
            << name << " " << sizes.rows << "x" << sizes.depth << "x" << sizes.columns << " at " << i << ", "
            << j;
      }
  }
}

TEST(MatrixKernels, EqualTheNaiveProductBitByBit) {
  for (const Layout layout : kLayouts)
    for (const std::uint32_t blocks : {1U, 3U}) {
      check("gemm", false, false, DataType::kFloat32, layout, blocks);
      check("gemm_add", false, true, DataType::kFloat32, layout, blocks);
      check("gemm_nt", true, false, DataType::kFloat32, layout, blocks);
    }
  check("gemm", false, false, DataType::kFloat16, Layout::kDense, 1);
  check("gemm_add", false, true, DataType::kBFloat16, Layout::kGaps, 2);
  check("gemm_nt", true, false, DataType::kFloat16, Layout::kShuffled, 200);
}

TEST(MatrixKernels, RoundTheResultOnce) {
  // 1 + 300 * 2^-11 is more than 1 in f16 only if it is added up in something wider.
  Tensor a = empty_tensor(DataType::kFloat16, {1, 301});
  Tensor b = empty_tensor(DataType::kFloat16, {301, 1});
  Tensor out = empty_tensor(DataType::kFloat16, {1, 1});
  run("fill", {{a, kWritten}}, {1});
  run("fill", {{b, kWritten}}, {std::ldexp(1, -12)});
  b.set(0, 1);
  run("gemm", {{a, kRead}, {b, kRead}, {out, kWritten}});
  EXPECT_EQ(out.at(0),
            base::float_of_float16(base::float16_bits(static_cast<float>(1 + 300 * std::ldexp(1, -12)))));
}

TEST(MatrixKernels, SayWhatIsWrongAndWhatTheyDo) {
  Tensor a = empty_tensor(DataType::kFloat16, {4, 3});
  Tensor b = empty_tensor(DataType::kFloat16, {3, 5});
  Tensor out = empty_tensor(DataType::kFloat32, {4, 5});
  Tensor line = empty_tensor(DataType::kFloat32, {4});
  EXPECT_EQ(complaint("gemm", {{a, kRead}, {b, kRead}, {out, kWritten}}), "");
  EXPECT_NE(complaint("gemm", {{a, kRead}, {b, kRead}, {line, kWritten}}).find("two dimensions"),
            std::string::npos);
  EXPECT_NE(
      complaint("gemm", {{b, kRead}, {a, kRead}, {out, kWritten}}).find("as many columns as b has rows"),
      std::string::npos);
  EXPECT_NE(complaint("gemm", {{a, kRead}, {b, kRead}, {b, kWritten}}).find("out must have"),
            std::string::npos);
  EXPECT_NE(complaint("gemm_nt", {{a, kRead}, {b, kRead}, {out, kWritten}}).find("transposed"),
            std::string::npos);
  EXPECT_NE(complaint("gemm_add", {{a, kRead}, {b, kRead}, {out, kWritten}}).find("reads and writes"),
            std::string::npos);
  const accelscope_kernel_work whole = work("gemm_add", {{a, kRead}, {b, kRead}, {out, kBoth}});
  EXPECT_EQ(whole.multiply_adds, 60);
  EXPECT_EQ(whole.bytes_read, 24 + 30 + 80);
  EXPECT_EQ(whole.bytes_written, 80);
  const accelscope_kernel_work split = work("gemm", {{a, kRead}, {b, kRead}, {out, kWritten}}, {}, 6);
  EXPECT_EQ(split.multiply_adds, 60);
  EXPECT_EQ(split.bytes_read, 24 + 4 * 30) << "each block that has rows reads all of b";
}

}  // namespace
}  // namespace accelscope::runtime
