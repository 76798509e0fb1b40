#include "analysis/operator_name.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace accelscope::analysis {
namespace {

std::string_view category_text(std::string_view name) {
  return name_of(parse_operator_name(name).category);
}

TEST(Category, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kCategoryCount; ++i) names.insert(name_of(static_cast<Category>(i)));
  EXPECT_EQ(names.size(), kCategoryCount);
  EXPECT_EQ(name_of(Category::kOther), "Other");
  EXPECT_EQ(name_of(Category::kConvertQuantise), "Convert/Quantise");
}

TEST(OperatorName, TakesAnXnnpackNameApart) {
  const OperatorName op = parse_operator_name("Fully Connected (NC, QD8, F32, QC8W) GEMM #12");
  EXPECT_EQ(op.type, "Fully Connected");
  EXPECT_EQ(op.layout, "NC");
  EXPECT_EQ(op.types.input, "QD8");
  EXPECT_EQ(op.types.output, "F32");
  EXPECT_EQ(op.types.weights, "QC8W");
  EXPECT_EQ(op.ukernel, "GEMM");
  EXPECT_EQ(op.number, 12U);
  EXPECT_EQ(op.family, "fully_connected");
  EXPECT_EQ(op.category, Category::kGemm);
  EXPECT_EQ(op.library, "XNNPACK");
  EXPECT_EQ(op.match, NameMatch::kExact);
  EXPECT_FALSE(op.packed);
}

TEST(OperatorName, KnowsPackedTypes) {
  const OperatorName convolution = parse_operator_name("Convolution (NHWC, PF16) IGEMM #2");
  EXPECT_TRUE(convolution.packed);
  EXPECT_EQ(convolution.sme_evidence, SmeEvidence::kImplied);
  EXPECT_EQ(convolution.types.input, "PF16");
  EXPECT_EQ(convolution.types.weights, "F16");
  EXPECT_EQ(convolution.types.output, "F16");
  EXPECT_EQ(convolution.family, parse_operator_name("Convolution (NHWC, F16) IGEMM #1").family);
  const OperatorName quantised = parse_operator_name("Convolution (NHWC, PQS8, QS8, QC8W) IGEMM #1");
  EXPECT_EQ(quantised.sme_evidence, SmeEvidence::kImplied);
  EXPECT_EQ(quantised.types.output, "QS8");
  EXPECT_EQ(quantised.types.weights, "QC8W");
  EXPECT_EQ(parse_operator_name("Fully Connected (NC, QP8, F32, QC4W) GEMM #1").sme_evidence,
            SmeEvidence::kPossible);
  EXPECT_EQ(parse_operator_name("Fully Connected (NC, F32) GEMM #1").sme_evidence, SmeEvidence::kNone);
  const OperatorName pack = parse_operator_name("Pack LH (X8) #1");
  EXPECT_EQ(pack.category, Category::kDataMovement);
  EXPECT_EQ(pack.family, "pack_lh");
  EXPECT_EQ(pack.layout, "");
  EXPECT_EQ(pack.types.input, "X8");
  EXPECT_TRUE(pack.packed);
}

TEST(OperatorName, ReadsDataTypesOfOlderAndOddForms) {
  const OperatorName convert = parse_operator_name("Convert (NC, F32, QD8) #1");
  EXPECT_EQ(convert.types.input, "F32");
  EXPECT_EQ(convert.types.output, "QD8");
  EXPECT_EQ(convert.types.weights, "");
  const OperatorName per_channel = parse_operator_name("Convolution (NHWC, QC8)");
  EXPECT_EQ(per_channel.types.input, "QS8");
  EXPECT_EQ(per_channel.types.weights, "QC8");
  const OperatorName mixed = parse_operator_name("Batch Matrix Multiply (NC, BF16_F32)");
  EXPECT_EQ(mixed.types.input, "BF16");
  EXPECT_EQ(mixed.types.output, "F32");
  const OperatorName add = parse_operator_name("Add (ND, F32) #1");
  EXPECT_EQ(add.types.input, "F32");
  EXPECT_EQ(add.types.weights, "");
  const OperatorName average =
      parse_operator_name("Average Pooling (NHWC, F32) Pixelwise Average Pooling #1");
  EXPECT_EQ(average.ukernel, "Pixelwise Average Pooling");
}

// Every type that XNNPACK names, and how older releases spelled some of them.
TEST(OperatorName, KnowsEveryXnnpackType) {
  const std::vector<std::pair<Category, std::vector<std::string>>> types = {
      {Category::kPoolingReduction,
       {"ArgMax Pooling", "Average Pooling", "Max Pooling", "Global Average Pooling", "Mean", "Mean Squared",
        "Reduce Max", "Reduce Min", "Sum", "Unpooling"}},
      {Category::kGemm, {"Batch Matrix Multiply", "Fully Connected", "Dynamic Fully Connected"}},
      {Category::kConvolution, {"Convolution", "Deconvolution", "Depthwise Convolution 2D"}},
      {Category::kConvertQuantise, {"Convert"}},
      {Category::kResize, {"Resize Bilinear"}},
      {Category::kAttention, {"RoPE"}},
      {Category::kNormalisation, {"Normalize"}},
      {Category::kDataMovement,
       {"Constant Pad", "Copy", "Depth To Space", "Pack LH", "Slice", "Space To Depth", "Transpose",
        "Static Reshape", "Static Expand Dims", "Fuse Dims", "Split Dims"}},
      {Category::kElementwise,
       {"Softmax",
        "Reciprocal Square Root",
        "Add",
        "Divide",
        "Multiply",
        "Subtract",
        "Copy Sign",
        "Squared Difference",
        "PReLU",
        "Minimum",
        "Maximum",
        "Modulus",
        "ATan2",
        "Power",
        "Bitwise And",
        "Bitwise Or",
        "Bitwise Xor",
        "Bitwise Not",
        "Shift Left",
        "Shift Right Logical",
        "Shift Right Arithmetic",
        "Abs",
        "ApproxGELU",
        "Bankders Rounding",
        "Bankers Rounding",
        "Ceiling",
        "Clamp",
        "ELU",
        "Exp",
        "Floor",
        "GELU",
        "HardSwish",
        "Hardswish",
        "LeakyReLU",
        "Leaky ReLU",
        "Log",
        "Negate",
        "Sigmoid",
        "Square",
        "Square Root",
        "TanH",
        "Tanh",
        "Cube Root",
        "Cosine",
        "Sine",
        "Count Leading Zeros",
        "Population Count",
        "Sign",
        "Binary Elementwise",
        "Unary Elementwise"}}};
  for (const auto& [category, names] : types) {
    for (const std::string& type : names) {
      for (const char* form : {" (NC)", " (ND, F32)", " (NHWC, F16) #3", " #1"}) {
        const std::string name = type + form;
        const OperatorName op = parse_operator_name(name);
        EXPECT_EQ(name_of(op.category), name_of(category)) << name;
        EXPECT_EQ(op.match, NameMatch::kExact) << name;
        EXPECT_EQ(op.library, "XNNPACK") << name;
        EXPECT_EQ(op.type, type) << name;
      }
    }
  }
}

// Names that judging by parts of words, or by the first word that fits, gets wrong.
TEST(OperatorName, GetsRightWhatSubstringsGetWrong) {
  EXPECT_EQ(category_text("Convert (NC, F32, QD8)"), "Convert/Quantise");
  EXPECT_EQ(category_text("Resize Bilinear (NHWC)"), "Resize");
  EXPECT_EQ(category_text("native_call_upsample_bilinear2d.vec_out"), "Resize");
  EXPECT_NE(category_text("EthosUBackend::execute()"), "Elementwise & Activation");
  EXPECT_EQ(category_text("native_call_addmm.out"), "GEMM");
  EXPECT_EQ(category_text("Max Pooling (NHWC, F32)"), "Pooling/Reduction");
  EXPECT_EQ(category_text("Reduce Max (ND)"), "Pooling/Reduction");
  EXPECT_EQ(category_text("Average Pooling (NHWC, F16)"), "Pooling/Reduction");
  EXPECT_EQ(category_text("Deconvolution (NHWC, F32) Subconv2D #1"), "Convolution");
  EXPECT_EQ(category_text("layer_norm"), "Normalisation");
  EXPECT_EQ(category_text("batch_norm"), "Normalisation");
  EXPECT_EQ(category_text("native_call_native_group_norm.out"), "Normalisation");
  EXPECT_EQ(category_text("Batch Matrix Multiply (NC, F16)"), "GEMM");
  EXPECT_EQ(category_text("Subtract (ND)"), "Elementwise & Activation");
  EXPECT_EQ(category_text("Copy Sign (ND)"), "Elementwise & Activation");
  EXPECT_EQ(category_text("Pack LH (X16)"), "Data Movement");
  EXPECT_EQ(category_text("RoPE (NTHC, F16)"), "Attention");
  EXPECT_NE(category_text("VGF_DISPATCH_AND_WAIT"), "Elementwise & Activation");
  EXPECT_EQ(category_text("Fully Connected (NC, F32)"), "GEMM");
  EXPECT_EQ(category_text("Softmax (NC, F32)"), "Elementwise & Activation");
  EXPECT_EQ(category_text("native_call_mean.out"), "Pooling/Reduction");
  EXPECT_EQ(category_text("Slice (ND, X8)"), "Data Movement");
  EXPECT_EQ(category_text("native_call_cat.out"), "Data Movement");
  EXPECT_EQ(category_text("ETVK_RESIZE"), "Delegate overhead");
}

TEST(OperatorName, FindsAtenOperatorsHoweverTheyAreSpelled) {
  for (const char* name : {"native_call__native_batch_norm_legit_no_training.out",
                           "aten._native_batch_norm_legit_no_training.default", "aten::batch_norm",
                           "native_batch_norm", "torch.ops.aten.batch_norm.default"}) {
    EXPECT_EQ(parse_operator_name(name).family, "batch_norm") << name;
    EXPECT_EQ(parse_operator_name(name).match, NameMatch::kExact) << name;
  }
  for (const char* name :
       {"native_call_permute_copy.out", "aten.permute_copy.default", "aten.permute.default",
        "native_call_transpose_copy.int_out", "native_call_t_copy.out"})
    EXPECT_EQ(parse_operator_name(name).family, "transpose") << name;
  EXPECT_EQ(parse_operator_name("native_call_copy_").family, "copy");
  EXPECT_EQ(parse_operator_name("native_call_index_put_").family, "index_put");
  EXPECT_EQ(parse_operator_name("native_call___and__.Scalar").family, "bitwise_and");
  EXPECT_EQ(parse_operator_name("dim_order_ops::_to_dim_order_copy.out").library, "dim_order_ops");
  EXPECT_EQ(parse_operator_name("native_call_quantize_per_tensor.out").library, "quantized_decomposed");
  EXPECT_EQ(parse_operator_name("native_call_custom_sdpa.out").library, "llama");
  EXPECT_EQ(parse_operator_name("native_call_add.out").library, "ATen");
  EXPECT_EQ(parse_operator_name("add").library, "");
  const OperatorName node = parse_operator_name("aten_convolution_default:OpId_3 (cycles)");
  EXPECT_EQ(node.family, "convolution");
  EXPECT_EQ(node.library, "QNN");
  EXPECT_EQ(parse_operator_name("aten_add_tensor_7").family, "add");
  EXPECT_EQ(parse_operator_name("aten_view_copy_default").family, "view");
}

TEST(OperatorName, KnowsPhasesOfBackendsAndOfTheRuntime) {
  EXPECT_EQ(category_text("Method::execute"), "Framework");
  EXPECT_EQ(category_text("Program::load_method"), "Framework");
  EXPECT_EQ(category_text("DELEGATE_CALL"), "Delegate overhead");
  EXPECT_EQ(category_text("OPERATOR_CALL"), "Operator-call overhead");
  EXPECT_EQ(category_text("JF_CALL"), "Control");
  EXPECT_EQ(category_text("ETVK_COPY_INPUTS"), "Data Movement");
  EXPECT_EQ(parse_operator_name("VGF_COPY_OUTPUTS").family, "copy_out");
  const OperatorName npu = parse_operator_name("+EthosUBackend::execute()NPU");
  EXPECT_EQ(npu.family, "backend_dispatch");
  EXPECT_EQ(npu.library, "Ethos-U");
  EXPECT_TRUE(npu.known());
  const OperatorName later = parse_operator_name("VGF_INIT_SOMETHING_NEW");
  EXPECT_EQ(later.category, Category::kFramework);
  EXPECT_EQ(later.match, NameMatch::kWords);
  const OperatorName shader = parse_operator_name("{conv2d_dw_3x3_texture3d_half, \"dispatch_id\": 4}");
  EXPECT_EQ(shader.type, "conv2d_dw_3x3_texture3d_half");
  EXPECT_EQ(shader.category, Category::kConvolution);
  EXPECT_EQ(shader.library, "Vulkan");
}

TEST(OperatorName, JudgesByWholeWordsOnlyAtLast) {
  const OperatorName later = parse_operator_name("Quantum Convolution (NHWC, F32) IGEMM #1");
  EXPECT_EQ(later.category, Category::kConvolution);
  EXPECT_EQ(later.match, NameMatch::kWords);
  EXPECT_EQ(category_text("fused_conv_hard_swish"), "Convolution");
  EXPECT_EQ(category_text("MyLayerNormKernel"), "Normalisation");
  EXPECT_EQ(category_text("Multi-Head Attention"), "Attention");
  EXPECT_EQ(category_text("QuantizeLinear"), "Convert/Quantise");
  for (const char* name : {"converse", "subtle", "DISPATCH_AND_WAIT", "additional time", "paddle", "address"})
    EXPECT_FALSE(parse_operator_name(name).known()) << name;
}

TEST(OperatorName, LeavesOddNamesAsTheyAre) {
  const std::string long_name(1'000'000, 'x');
  const std::string many_words = [] {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += "word ";
    return text;
  }();
  for (const std::string& name :
       {std::string(), std::string("#"), std::string("# 1"), std::string(" #"), std::string("(((("),
        std::string("a,b,\"c\""), std::string("\xE6\xB7\xB1\xE5\xBA\xA6"), std::string("\xFF\xFE"),
        std::string(3, '\0'), std::string("()"), std::string("x (y"), std::string("native_call_"),
        std::string("aten_"), std::string("::"), std::string("{"), std::string("____"), long_name,
        many_words}) {
    const OperatorName op = parse_operator_name(name);
    EXPECT_FALSE(op.known()) << name.substr(0, 40);
    EXPECT_EQ(op.category, Category::kOther);
    EXPECT_EQ(op.number, 0U);
  }
  EXPECT_EQ(parse_operator_name("Add (ND) #99999999999").number, 0U);
  EXPECT_EQ(parse_operator_name("mystery").family, "mystery");
  EXPECT_EQ(parse_operator_name("mystery").type, "mystery");
}

TEST(Classify, AsksTheOperatorsWhereTheNameSaysNothing) {
  const OperatorName fused = classify("fused_block_3", "['aten.relu.default', 'aten.convolution.default']");
  EXPECT_EQ(fused.category, Category::kConvolution);
  EXPECT_EQ(fused.match, NameMatch::kOpTypes);
  EXPECT_EQ(fused.type, "fused_block_3");
  EXPECT_EQ(classify("x", "aten.mm.default").category, Category::kGemm);
  EXPECT_FALSE(classify("x", "[]").known());
  EXPECT_FALSE(classify("x", "").known());
  EXPECT_EQ(classify("native_call_add.out", "aten.mm.default").category, Category::kElementwise);
}

}  // namespace
}  // namespace accelscope::analysis
