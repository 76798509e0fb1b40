#include "analysis/xnnpack_support.h"

#include <gtest/gtest.h>

#include "analysis/operator_name.h"

namespace accelscope::analysis {
namespace {

const XnnpackSupport& support_of(std::string_view name) {
  return xnnpack_support_of(parse_operator_name(name).family);
}

TEST(XnnpackSupport, TellsWhatTheDelegateTakes) {
  EXPECT_EQ(support_of("native_call_mul.out").level, SupportLevel::kYes);
  EXPECT_EQ(support_of("native_call_bmm.out").level, SupportLevel::kYes);
  EXPECT_EQ(support_of("native_call_mm.out").level, SupportLevel::kWithConditions);
  EXPECT_EQ(support_of("native_call_permute_copy.out").level, SupportLevel::kWithConditions);
  EXPECT_EQ(support_of("aten.mean.dim").level, SupportLevel::kWithConditions);
  EXPECT_EQ(support_of("native_call_native_layer_norm.out").level, SupportLevel::kNo);
  EXPECT_EQ(support_of("native_call_native_layer_norm.out").advice, Advice::kCustomKernel);
  EXPECT_EQ(support_of("native_call_elu.out").advice, Advice::kReplace);
  EXPECT_EQ(support_of("native_call__native_batch_norm_legit_no_training.out").advice, Advice::kFuse);
}

TEST(XnnpackSupport, SaysWhenItDoesNotKnow) {
  const XnnpackSupport& unknown = xnnpack_support_of("my_own_op");
  EXPECT_EQ(unknown.level, SupportLevel::kNotInTable);
  EXPECT_EQ(name_of(unknown.level), "not in the table");
  EXPECT_FALSE(unknown.sentence.empty());
  EXPECT_EQ(&xnnpack_support_of(""), &unknown);
}

// Rows that no name leads to would never be shown.
TEST(XnnpackSupport, CoversTheOperatorsThatPeopleMeet) {
  for (const char* name : {"add",
                           "addmm",
                           "amax",
                           "argmax",
                           "avg_pool2d",
                           "cat",
                           "clamp",
                           "clone",
                           "constant_pad_nd",
                           "convolution",
                           "cumsum",
                           "div",
                           "embedding",
                           "eq",
                           "expand_copy",
                           "full",
                           "gather",
                           "gelu",
                           "glu",
                           "grid_sampler_2d",
                           "hardtanh",
                           "index",
                           "layer_norm",
                           "linear",
                           "log_softmax",
                           "lstm",
                           "masked_fill",
                           "max_pool2d",
                           "mean",
                           "pixel_shuffle",
                           "pow",
                           "reflection_pad2d",
                           "select_copy",
                           "slice_copy",
                           "softmax",
                           "split_copy",
                           "squeeze_copy",
                           "stack",
                           "sum",
                           "topk",
                           "unsqueeze_copy",
                           "upsample_nearest2d",
                           "var",
                           "view_copy",
                           "where",
                           "_to_dim_order_copy",
                           "quantize_per_tensor",
                           "scaled_dot_product_attention",
                           "update_cache"})
    EXPECT_NE(support_of(name).level, SupportLevel::kNotInTable) << name;
}

}  // namespace
}  // namespace accelscope::analysis
