#include "analysis/kernel_symbol.h"

#include <gtest/gtest.h>

#include <numeric>

namespace accelscope::analysis {
namespace {

std::string joined(const std::vector<std::string_view>& parts) {
  std::string text;
  for (const std::string_view part : parts) text += (text.empty() ? "" : ",") + std::string(part);
  return text;
}

struct SymbolCase {
  const char* symbol;
  const char* types;
  const char* operation;
  const char* qualifiers;
  const char* tile;
  const char* algorithm;
  const char* arch;
  IsaClass isa;
};

TEST(KernelSymbol, IsTakenApart) {
  const SymbolCase cases[] = {
      {"xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2", "pf16,f16", "igemm", "minmax,fp16",
       "32x32c2", "", "neonsme2", IsaClass::kSme2},
      {"xnn_pf32_gemm_minmax_ukernel_32x32__neonsme", "pf32", "gemm", "minmax", "32x32", "", "neonsme",
       IsaClass::kSme},
      {"xnn_x8_transposec_ukernel__16x16_reuse_mov_zip_neon", "x8", "transposec", "", "16x16",
       "reuse_mov_zip", "neon", IsaClass::kNeon},
      {"xnn_qp8_f32_qb4w_gemm_minmax_ukernel_16x4c16s2__mlal_aarch64_neoni8mm", "qp8,f32,qb4w", "gemm",
       "minmax", "16x4c16s2", "mlal", "aarch64,neoni8mm", IsaClass::kI8mm},
      {"xnn_f32_f16_vcvt_ukernel__neonfp16_u16", "f32,f16", "vcvt", "", "u16", "", "neonfp16",
       IsaClass::kNeon},
      {"xnn_f16_f32acc_rsum_ukernel__neonfp16arith_u32_acc4", "f16,f32acc", "rsum", "", "u32", "acc4",
       "neonfp16arith", IsaClass::kNeon},
      {"xnn_f16_f32acc_rdsum_ukernel_7p7x__neonfp16arith_u64", "f16,f32acc", "rdsum", "", "7p7x", "u64",
       "neonfp16arith", IsaClass::kNeon},
      {"xnn_f16_gemm_minmax_ukernel_6x16__asm_aarch64_neonfp16arith_cortex_a75", "f16", "gemm", "minmax",
       "6x16", "cortex_a75", "asm_aarch64,neonfp16arith", IsaClass::kNeon},
      {"xnn_f16_dwconv_minmax_ukernel_3p16c__neonfp16arith", "f16", "dwconv", "minmax", "3p16c", "",
       "neonfp16arith", IsaClass::kNeon},
      {"xnn_xx_copy_ukernel__scalar_memcpy", "xx", "copy", "", "", "memcpy", "scalar", IsaClass::kScalar},
      {"xnn_xx_transposev_ukernel__1x1_scalar_memcpy", "xx", "transposev", "", "1x1", "memcpy", "scalar",
       IsaClass::kScalar},
      {"xnn_x16_pack_lh_ukernel__neonsme2", "x16", "pack_lh", "", "", "", "neonsme2", IsaClass::kSme2},
      {"xnn_qs8_qc8w_gemm_minmax_fp32_ukernel_4x16c4__neondot", "qs8,qc8w", "gemm", "minmax,fp32", "4x16c4",
       "", "neondot", IsaClass::kDot},
      {"xnn_f32_conv_hwc2chw_ukernel_3x3s2p1c3x4__neon_2x2", "f32", "conv", "hwc2chw", "3x3s2p1c3x4", "2x2",
       "neon", IsaClass::kNeon},
      {"xnn_f32_gemm_minmax_ukernel_5x16__avx512f_broadcast", "f32", "gemm", "minmax", "5x16", "broadcast",
       "avx512f", IsaClass::kX86},
      {"xnn_f32_vadd_ukernel__rvv_u8v", "f32", "vadd", "", "u8v", "", "rvv", IsaClass::kRiscV},
      {"xnn_f32_vadd_ukernel__wasmsimd_u16", "f32", "vadd", "", "u16", "", "wasmsimd", IsaClass::kWasm},
      {"xnn_f32_vadd_ukernel", "f32", "vadd", "", "", "", "", IsaClass::kOther},
  };
  for (const SymbolCase& expected : cases) {
    const KernelSymbol kernel = parse_kernel_symbol(expected.symbol);
    EXPECT_TRUE(kernel.recognised) << expected.symbol;
    EXPECT_EQ(joined(kernel.types), expected.types) << expected.symbol;
    EXPECT_EQ(kernel.operation, expected.operation) << expected.symbol;
    EXPECT_EQ(joined(kernel.qualifiers), expected.qualifiers) << expected.symbol;
    EXPECT_EQ(kernel.tile, expected.tile) << expected.symbol;
    EXPECT_EQ(kernel.algorithm, expected.algorithm) << expected.symbol;
    EXPECT_EQ(joined(kernel.arch), expected.arch) << expected.symbol;
    EXPECT_EQ(name_of(kernel.isa), name_of(expected.isa)) << expected.symbol;
    EXPECT_EQ(kernel.has_sme2, expected.isa == IsaClass::kSme2) << expected.symbol;
    EXPECT_EQ(kernel.has_sme, expected.isa == IsaClass::kSme2 || expected.isa == IsaClass::kSme);
  }
}

TEST(KernelSymbol, OfAnotherFormStillTellsWhatItNeeds) {
  const KernelSymbol kleidi = parse_kernel_symbol("kai_matmul_clamp_f32_qai8dxp1vlx4_qsi4cxp4vlx4_sme2_mopa");
  EXPECT_FALSE(kleidi.recognised);
  EXPECT_TRUE(kleidi.has_sme2);
  EXPECT_EQ(kleidi.operation, "");
  for (const char* odd :
       {"", "_", "____", "xnn_", "xnn__ukernel", "xnn_ukernel", "ukernel__neon_resmed", "xnn_f32_ukernelx"}) {
    const KernelSymbol kernel = parse_kernel_symbol(odd);
    EXPECT_FALSE(kernel.recognised) << odd;
    EXPECT_FALSE(kernel.has_sme) << odd;
  }
  EXPECT_FALSE(parse_kernel_symbol("xnn_f32_gemm_smear_ukernel_1x1__scalar").has_sme);
}

}  // namespace
}  // namespace accelscope::analysis
