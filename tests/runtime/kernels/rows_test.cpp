#include <gtest/gtest.h>

#include <cmath>

#include "runtime/kernels/kernel_harness.h"

namespace accelscope::runtime {
namespace {

using Values = std::vector<double>;

const std::vector<std::vector<std::uint32_t>> kRowShapes = {{1}, {6}, {5, 3}, {4, 1}, {3, 2, 33}, {0, 4}};
constexpr std::array kRowFloats = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16};

std::size_t lines_of(const Tensor& tensor) {
  return tensor.row() == 0 ? 0 : tensor.size() / tensor.row();
}

Values line_of(const Tensor& tensor, std::size_t line) {
  Values values;
  for (std::size_t i = 0; i < tensor.row(); ++i) values.push_back(tensor.at(line * tensor.row() + i));
  return values;
}

// Calls check(in, layout, blocks) for every type, shape, layout and number of blocks.
template <class Check>
void for_every_case(Check&& check) {
  std::uint32_t seed = 0;
  for (const DataType type : kRowFloats)
    for (const auto& shape : kRowShapes)
      for (const Layout layout : kLayouts)
        for (const std::uint32_t blocks : {1U, 2U, 7U}) {
          ++seed;
          Tensor in = random_tensor(type, shape, layout, seed);
          check(in, kLayouts[seed % 3], blocks);
          ASSERT_FALSE(testing::Test::HasFailure());
        }
}

TEST(RowKernels, Reduce) {
  for_every_case([](Tensor& in, Layout layout, std::uint32_t blocks) {
    std::vector<std::uint32_t> shape = in.shape;
    shape.back() = 1;
    Tensor sum = empty_tensor(in.type, shape, layout);
    shape.pop_back();
    Tensor largest = empty_tensor(in.type, shape, layout);
    run("reduce_sum", {{in, kRead}, {sum, kWritten}}, {}, blocks);
    run("reduce_max", {{in, kRead}, {largest, kWritten}}, {}, blocks);
    for (std::size_t i = 0; i < lines_of(in); ++i) {
      const Values line = line_of(in, i);
      expect_near(sum, i, std::accumulate(line.begin(), line.end(), 0.0));
      EXPECT_EQ(largest.at(i), *std::max_element(line.begin(), line.end()));
    }
  });
}

TEST(RowKernels, ReduceIntegersAndNothing) {
  Tensor in = random_tensor(DataType::kInt32, {3, 50}, Layout::kGaps, 1);
  Tensor sum = empty_tensor(DataType::kInt64, {3});
  run("reduce_sum", {{in, kRead}, {sum, kWritten}}, {}, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    const Values line = line_of(in, i);
    EXPECT_EQ(sum.at(i), std::accumulate(line.begin(), line.end(), 0.0));
  }
  Tensor empty = empty_tensor(DataType::kFloat32, {2, 0});
  Tensor out = empty_tensor(DataType::kFloat32, {2});
  run("reduce_sum", {{empty, kRead}, {out, kWritten}});
  EXPECT_EQ(out.at(1), 0);
  run("reduce_max", {{empty, kRead}, {out, kWritten}});
  EXPECT_EQ(out.at(1), -HUGE_VAL);
}

TEST(RowKernels, Softmax) {
  for_every_case([](Tensor& in, Layout layout, std::uint32_t blocks) {
    Tensor out = empty_tensor(in.type, in.shape, layout);
    run("softmax", {{in, kRead}, {out, kWritten}}, {}, blocks);
    for (std::size_t i = 0; i < lines_of(in); ++i) {
      double sum = 0;
      for (const double value : line_of(in, i)) sum += std::exp(value);
      for (std::size_t j = 0; j < in.row(); ++j)
        expect_near(out, i * in.row() + j, std::exp(in.at(i * in.row() + j)) / sum);
    }
  });
  Tensor large = empty_tensor(DataType::kFloat32, {2});
  large.set(0, 3e38);
  large.set(1, 3e38);
  run("softmax", {{large, kBoth}, {large, kBoth}});
  EXPECT_EQ(large.at(0), 0.5) << "no overflow, and in place";
}

TEST(RowKernels, LayerNorm) {
  for_every_case([](Tensor& in, Layout layout, std::uint32_t blocks) {
    const auto length = static_cast<std::uint32_t>(in.row());
    Tensor gain = random_tensor(DataType::kFloat32, {length}, layout, 5);
    Tensor bias = random_tensor(in.type, {length}, layout, 6);
    Tensor out = empty_tensor(in.type, in.shape, layout);
    run("layer_norm", {{in, kRead}, {gain, kRead}, {bias, kRead}, {out, kWritten}}, {0.5}, blocks);
    for (std::size_t i = 0; i < lines_of(in); ++i) {
      const Values line = line_of(in, i);
      const double mean = std::accumulate(line.begin(), line.end(), 0.0) / length;
      double variance = 0;
      for (const double value : line) variance += std::pow(value - mean, 2) / length;
      for (std::size_t j = 0; j < length; ++j)
        expect_near(out, i * length + j,
                    (line[j] - mean) / std::sqrt(variance + 0.5) * gain.at(j) + bias.at(j));
    }
  });
}

TEST(RowKernels, RmsNorm) {
  for_every_case([](Tensor& in, Layout layout, std::uint32_t blocks) {
    const auto length = static_cast<std::uint32_t>(in.row());
    Tensor gain = random_tensor(in.type, {length}, layout, 5);
    Tensor out = empty_tensor(DataType::kFloat32, in.shape, layout);
    run("rms_norm", {{in, kRead}, {gain, kRead}, {out, kWritten}}, {0.25}, blocks);
    for (std::size_t i = 0; i < lines_of(in); ++i) {
      double squares = 0;
      for (const double value : line_of(in, i)) squares += value * value;
      for (std::size_t j = 0; j < length; ++j)
        expect_near(out, i * length + j,
                    in.at(i * length + j) / std::sqrt(squares / length + 0.25) * gain.at(j));
    }
  });
}

TEST(RowKernels, MarkTheLargest) {
  Tensor scores = empty_tensor(DataType::kFloat32, {2, 6}, Layout::kGaps);
  const Values values = {3, 1, 3, 3, -1, 7, std::nan(""), -HUGE_VAL, 0, 0, 0, 0};
  for (std::size_t i = 0; i < values.size(); ++i) scores.set(i, values[i]);
  Tensor mask = empty_tensor(DataType::kBFloat16, {2, 6}, Layout::kShuffled);
  const auto marked = [&](double k) {
    run("top_k_mask", {{scores, kRead}, {mask, kWritten}}, {k}, 2);
    Values all = line_of(mask, 0);
    for (const double value : line_of(mask, 1)) all.push_back(value);
    return all;
  };
  EXPECT_EQ(marked(3), (Values{1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0})) << "ties go to the lower index";
  EXPECT_EQ(marked(0), Values(12, 0));
  EXPECT_EQ(marked(6), Values(12, 1));
  EXPECT_EQ(marked(1e9), Values(12, 1));
  EXPECT_NE(complaint("top_k_mask", {{scores, kRead}, {mask, kWritten}}, {1.5}), "");
  EXPECT_NE(complaint("top_k_mask", {{scores, kRead}, {mask, kWritten}}, {-1}), "");
  EXPECT_NE(complaint("top_k_mask", {{scores, kRead}, {mask, kWritten}}, {std::nan("")}), "");
}

TEST(RowKernels, SayWhatIsWrong) {
  Tensor a = empty_tensor(DataType::kFloat32, {4, 3});
  Tensor four = empty_tensor(DataType::kFloat32, {4});
  Tensor three = empty_tensor(DataType::kFloat32, {3});
  Tensor ints = empty_tensor(DataType::kInt16, {4, 3});
  EXPECT_EQ(complaint("reduce_sum", {{a, kRead}, {four, kWritten}}), "");
  EXPECT_NE(complaint("reduce_sum", {{a, kRead}, {three, kWritten}}).find("without its last dimension"),
            std::string::npos);
  EXPECT_NE(complaint("softmax", {{a, kRead}, {four, kWritten}}).find("same shape"), std::string::npos);
  EXPECT_NE(complaint("softmax", {{ints, kRead}, {ints, kWritten}}).find("floats"), std::string::npos);
  EXPECT_EQ(complaint("rms_norm", {{a, kRead}, {three, kRead}, {a, kWritten}}), "");
  EXPECT_NE(complaint("rms_norm", {{a, kRead}, {four, kRead}, {a, kWritten}}).find("gain"),
            std::string::npos);
  EXPECT_NE(complaint("rms_norm", {{a, kRead}, {three, kRead}, {a, kWritten}}, {-1}).find("negative"),
            std::string::npos);
}

TEST(RowKernels, SayWhatTheyDo) {
  Tensor a = empty_tensor(DataType::kFloat32, {6, 10});
  Tensor six = empty_tensor(DataType::kFloat32, {6});
  const accelscope_kernel_work reduce = work("reduce_sum", {{a, kRead}, {six, kWritten}}, {}, 4);
  EXPECT_EQ(reduce.vector_operations, 60);
  EXPECT_EQ(reduce.bytes_read, 240);
  EXPECT_EQ(reduce.bytes_written, 24);
  EXPECT_EQ(work("softmax", {{a, kRead}, {a, kWritten}}, {}, 4).vector_operations, 720);
}

}  // namespace
}  // namespace accelscope::runtime
