#include "analysis/kernel_match.h"

#include <gtest/gtest.h>

namespace accelscope::analysis {
namespace {

bool fits(std::string_view symbol, std::string_view name) {
  return serves(parse_kernel_symbol(symbol), demand_of(parse_operator_name(name)));
}

TEST(KernelMatch, ComparesOperationAndTypes) {
  constexpr std::string_view kPackedIgemm = "xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2";
  EXPECT_TRUE(fits(kPackedIgemm, "Convolution (NHWC, PF16) IGEMM #2"));
  EXPECT_FALSE(fits(kPackedIgemm, "Convolution (NHWC, F16) IGEMM #2"));
  EXPECT_FALSE(fits(kPackedIgemm, "Convolution (NHWC, PF16) GEMM #2"));
  EXPECT_FALSE(fits(kPackedIgemm, "Convolution (NHWC, PF32) IGEMM #2"));
  constexpr std::string_view kDynamic = "xnn_qd8_f32_qc8w_gemm_minmax_ukernel_4x16c4__neondot";
  EXPECT_TRUE(fits(kDynamic, "Fully Connected (NC, QD8, F32, QC8W) GEMM #1"));
  EXPECT_TRUE(fits(kDynamic, "Fully Connected (NC, QDU8, F32, QC8W) GEMM #1"));
  EXPECT_FALSE(fits(kDynamic, "Fully Connected (NC, QD8, F32, QC4W) GEMM #1"));
  EXPECT_FALSE(fits(kDynamic, "Fully Connected (NC, QD8, F16, QC8W) GEMM #1"));
  EXPECT_TRUE(
      fits("xnn_x16_transposec_ukernel__8x8_reuse_multi_zip_neon", "Transpose (ND, X16) Transpose #1"));
  EXPECT_TRUE(fits("xnn_xx_transposev_ukernel__1x1_scalar_memcpy", "Transpose (ND, X16) Transpose #1"));
  EXPECT_TRUE(fits("xnn_f32_f16_vcvt_ukernel__neonfp16_u16", "Convert (NC) #1"));
  EXPECT_TRUE(fits("xnn_f16_f32acc_rsum_ukernel__neonfp16arith_u32_acc4", "Mean (ND) Reduce #1"));
  EXPECT_FALSE(fits(kDynamic, "native_call_mm.out"));
  EXPECT_FALSE(fits(kDynamic, "Unheard Of (NC, QD8) #1"));
  EXPECT_FALSE(fits("not a symbol", "Convert (NC) #1"));
}

TEST(KernelMatch, SeesPackedKernelsBehindPlainNamesWhenAsked) {
  const KernelSymbol packed = parse_kernel_symbol("xnn_pf32_gemm_minmax_ukernel_32x32__neonsme2");
  const KernelDemand plain = demand_of(parse_operator_name("Fully Connected (NC, F32) GEMM #1"));
  EXPECT_FALSE(serves(packed, plain));
  EXPECT_TRUE(serves_packed_or_plain(packed, plain));
  const KernelSymbol quantised =
      parse_kernel_symbol("xnn_qp8_f32_qc4w_gemm_minmax_ukernel_16x64c4__neonsme2");
  EXPECT_TRUE(serves_packed_or_plain(
      quantised, demand_of(parse_operator_name("Fully Connected (NC, QD8, F32, QC4W) GEMM #1"))));
}

}  // namespace
}  // namespace accelscope::analysis
