#include "compat/kit_categories.h"

#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/mapped_file.h"

namespace accelscope::compat {
namespace {

struct Row {
  const char* name;
  const char* fine;
  const char* coarse;
};

// Right and wrong, as the kit has it.
constexpr Row kRows[] = {
    {"Convolution (NHWC, F32) IGEMM #1", "CONV", "Convolution"},
    {"Convert (NC, F32, QD8)", "OTHER", "Convolution"},
    {"Deconvolution (NHWC, F32)", "OTHER", "Convolution"},
    {"Deconvolution (NHWC, F32) IGEMM #1", "CONV", "Convolution"},
    {"Depthwise Convolution 2D", "CONV", "Convolution"},
    {"conv_transpose2d", "CONV", "Convolution"},
    {"convtranspose2d", "CONV", "Convolution"},
    {"IGEMM", "CONV", "GEMM"},
    {"implicit_gemm linear", "CONV", "GEMM"},
    {"pointwise", "CONV", "Other"},
    {"Fully Connected (NC, F32)", "GEMM", "Other"},
    {"fullyconnected", "GEMM", "Other"},
    {"native_call_addmm.out", "GEMM", "Elementwise"},
    {"Batch Matrix Multiply (NC, F32)", "ELEMENTWISE", "Elementwise"},
    {"Resize Bilinear (NHWC)", "RESIZE", "GEMM"},
    {"native_call_max_pool2d_with_indices.out", "POOL", "Other"},
    {"maxpool2d", "POOL", "Other"},
    {"Average Pooling (NHWC, F32)", "OTHER", "Other"},
    {"Max Pooling (NHWC, F32)", "ELEMENTWISE", "Other"},
    {"layernorm", "NORM", "Other"},
    {"layer_norm", "OTHER", "Other"},
    {"flash_attn", "ATTENTION", "Other"},
    {"flashattn", "OTHER", "Other"},
    {"native_call_embedding.out", "EMBEDDING", "Other"},
    {"LeakyReLU (NC)", "ACTIVATION", "Elementwise"},
    {"leaky_relu", "ACTIVATION", "Elementwise"},
    {"hard_tanh", "ACTIVATION", "Elementwise"},
    {"HardSwish (NC)", "OTHER", "Elementwise"},
    {"hard_swish", "ACTIVATION", "Elementwise"},
    {"VGF_DISPATCH_AND_WAIT", "ELEMENTWISE", "Other"},
    {"EthosUBackend::execute()", "OTHER", "Elementwise"},
    {"native_call_sum.IntList_out", "REDUCTION", "Other"},
    {"native_call_view_copy.out", "RESHAPE", "Data Movement"},
    {"native_call_cat.out", "DATA_MOVEMENT", "Other"},
    {"index_select", "DATA_MOVEMENT", "Other"},
    {"native_call_quantize_per_tensor.out", "QUANT", "Other"},
    {"native_call_lstm.input_out", "RNN", "Other"},
    {"paddle", "OTHER", "Data Movement"},
    {"caf\xC3\xA9"
     "add",
     "OTHER", "Elementwise"},
    {"DELEGATE_CALL", "OTHER", "Other"},
    {"", "OTHER", "Other"},
};

TEST(KitCategories, AreTheKits) {
  for (const Row& row : kRows) {
    EXPECT_EQ(kit_fine_category(row.name), row.fine) << row.name;
    EXPECT_EQ(kit_coarse_category(row.name), row.coarse) << row.name;
  }
}

TEST(KitCategories, NormaliseLikeTheKit) {
  EXPECT_EQ(kit_normalised_name("native_call__softmax.out"), "native call softmax out");
  EXPECT_EQ(kit_normalised_name("  A::B \t-c/  "), "a b c");
  EXPECT_EQ(kit_normalised_name("__"), "");
}

TEST(KitCategories, GiveTheGoldenTable) {
  const auto file = base::MappedFile::open(std::string(ACCELSCOPE_FIXTURES_DIR) +
                                           "/executorch/case4_categories/categories_golden.csv");
  if (!file) GTEST_SKIP() << "the conformance data is not beside this checkout";
  base::CsvReader reader(file->path(), file->text());
  ASSERT_TRUE(reader.next());
  std::size_t rows = 0;
  while (reader.next()) {
    ASSERT_EQ(reader.cells().size(), 4U);
    const std::string name(reader.cells()[0]);
    EXPECT_EQ(kit_normalised_name(name), reader.cells()[1]) << name;
    EXPECT_EQ(kit_fine_category(name), reader.cells()[2]) << name;
    EXPECT_EQ(kit_coarse_category(name), reader.cells()[3]) << name;
    ++rows;
  }
  EXPECT_TRUE(reader.status());
  EXPECT_EQ(rows, 320U);
}

}  // namespace
}  // namespace accelscope::compat
