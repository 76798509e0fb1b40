#include <gtest/gtest.h>

#include <cmath>

#include "runtime/kernels/kernel_harness.h"

namespace accelscope::runtime {
namespace {

// Attention in blocks of keys, by the kernels, against the formula.
TEST(AttentionKernels, EqualTheFormulaInBlocks) {
  constexpr std::uint32_t kQueries = 5, kKeys = 12, kStep = 4, kWidth = 3;
  const double scale = 1 / std::sqrt(3.0);
  for (const std::uint32_t blocks : {1U, 2U, 8U}) {
    Tensor queries = random_tensor(DataType::kFloat32, {kQueries, kWidth}, Layout::kGaps, 1);
    Tensor accumulator = empty_tensor(DataType::kFloat32, {kQueries, kWidth}, Layout::kShuffled);
    Tensor running_max = empty_tensor(DataType::kFloat32, {kQueries}, Layout::kGaps);
    Tensor running_sum = empty_tensor(DataType::kFloat32, {kQueries, 1});
    Tensor correction = empty_tensor(DataType::kFloat32, {kQueries});
    run("fill", {{accumulator, kWritten}}, {0}, blocks);
    run("fill", {{running_max, kWritten}}, {-HUGE_VAL}, blocks);
    run("fill", {{running_sum, kWritten}}, {0}, blocks);
    std::vector<Tensor> keys, values;
    for (std::uint32_t step = 0; step < kKeys / kStep; ++step) {
      keys.push_back(random_tensor(DataType::kFloat32, {kStep, kWidth}, Layout::kDense, 10 + step));
      values.push_back(random_tensor(DataType::kFloat32, {kStep, kWidth}, Layout::kGaps, 20 + step));
      Tensor scores = empty_tensor(DataType::kFloat32, {kQueries, kStep}, Layout::kGaps);
      Tensor addend = empty_tensor(DataType::kFloat32, {kQueries, kWidth});
      run("gemm_nt", {{queries, kRead}, {keys.back(), kRead}, {scores, kWritten}}, {}, blocks);
      run("softmax_update",
          {{scores, kBoth}, {running_max, kBoth}, {running_sum, kBoth}, {correction, kWritten}}, {scale},
          blocks);
      run("gemm", {{scores, kRead}, {values.back(), kRead}, {addend, kWritten}}, {}, blocks);
      run("rescale_add", {{accumulator, kBoth}, {correction, kRead}, {addend, kRead}}, {}, blocks);
    }
    Tensor out = empty_tensor(DataType::kFloat32, {kQueries, kWidth});
    run("normalize_rows", {{accumulator, kRead}, {running_sum, kRead}, {out, kWritten}}, {}, blocks);

    for (std::uint32_t q = 0; q < kQueries; ++q) {
      double sum = 0;
      std::array<double, kWidth> weighted = {};
      for (std::uint32_t k = 0; k < kKeys; ++k) {
        double score = 0;
        for (std::uint32_t i = 0; i < kWidth; ++i)
          score += queries.at(q * kWidth + i) * keys[k / kStep].at(k % kStep * kWidth + i);
        const double weight = std::exp(score * scale);
        sum += weight;
        for (std::uint32_t i = 0; i < kWidth; ++i)
          weighted[i] += weight * values[k / kStep].at(k % kStep * kWidth + i);
      }
      for (std::uint32_t i = 0; i < kWidth; ++i)
        EXPECT_NEAR(out.at(q * kWidth + i), weighted[i] / sum, 1e-5) << blocks << " blocks";
    }
  }
}

TEST(AttentionKernels, BearMaskedScores) {
  Tensor scores = empty_tensor(DataType::kFloat32, {1, 2});
  Tensor largest = empty_tensor(DataType::kFloat32, {1});
  Tensor sum = empty_tensor(DataType::kFloat32, {1});
  Tensor correction = empty_tensor(DataType::kFloat32, {1});
  for (Tensor* tensor : {&scores, &largest}) run("fill", {{*tensor, kWritten}}, {-HUGE_VAL});
  run("fill", {{sum, kWritten}}, {0});
  run("softmax_update", {{scores, kBoth}, {largest, kBoth}, {sum, kBoth}, {correction, kWritten}});
  EXPECT_EQ(scores.at(0), 0);
  EXPECT_EQ(sum.at(0), 0);
  EXPECT_EQ(correction.at(0), 1);
  scores.set(0, 2);
  scores.set(1, -HUGE_VAL);
  run("softmax_update", {{scores, kBoth}, {largest, kBoth}, {sum, kBoth}, {correction, kWritten}});
  EXPECT_EQ(scores.at(0), 1);
  EXPECT_EQ(scores.at(1), 0);
  EXPECT_EQ(largest.at(0), 2);
  EXPECT_EQ(sum.at(0), 1);
  EXPECT_EQ(correction.at(0), 0);
}

TEST(AttentionKernels, SayWhatIsWrong) {
  Tensor a = empty_tensor(DataType::kFloat32, {4, 3});
  Tensor four = empty_tensor(DataType::kFloat32, {4});
  Tensor three = empty_tensor(DataType::kFloat32, {3});
  EXPECT_EQ(complaint("softmax_update", {{a, kBoth}, {four, kBoth}, {four, kBoth}, {four, kWritten}}), "");
  EXPECT_NE(complaint("softmax_update", {{a, kBoth}, {four, kBoth}, {three, kBoth}, {four, kWritten}})
                .find("running_sum"),
            std::string::npos);
  EXPECT_NE(complaint("softmax_update", {{a, kRead}, {four, kBoth}, {four, kBoth}, {four, kWritten}})
                .find("softmax_update takes"),
            std::string::npos);
  EXPECT_NE(complaint("rescale_add", {{a, kBoth}, {three, kRead}, {a, kRead}}).find("correction"),
            std::string::npos);
  EXPECT_NE(complaint("normalize_rows", {{a, kRead}, {four, kRead}, {four, kWritten}}).find("same shape"),
            std::string::npos);
}

}  // namespace
}  // namespace accelscope::runtime
