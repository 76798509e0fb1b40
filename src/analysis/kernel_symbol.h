// The parts of a microkernel's symbol: "xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2" works on
// pf16 and f16, is an igemm with qualifiers minmax and fp16, computes tiles of 32x32c2, and needs SME2.
//
//   xnn_ <data type>* <operation> <qualifier>* ukernel <tile>? __ <tile, algorithm or instruction set>*
//
// Pure functions; safe from any thread. Views point into the symbol, which must outlive the result.
//
//   const KernelSymbol kernel = parse_kernel_symbol("xnn_x8_transposec_ukernel__16x16_reuse_mov_zip_neon");
//   kernel.operation == "transposec";   kernel.tile == "16x16";   kernel.isa == IsaClass::kNeon
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accelscope::analysis {

// The most demanding instruction set that a kernel's name mentions.
enum class IsaClass : std::uint8_t {
  kOther,
  kScalar,
  kHexagon,
  kWasm,
  kRiscV,
  kX86,
  kNeon,
  kDot,
  kI8mm,
  kSve,
  kSme,
  kSme2,
};
std::string_view name_of(IsaClass isa);

struct KernelSymbol {
  std::vector<std::string_view> types;  // "pf16", "f16"
  std::string_view operation;           // "igemm"; empty when the symbol has another form
  std::vector<std::string_view> qualifiers;
  std::string_view tile;               // "32x32c2", "3p16c", "u16"; empty: none
  std::string algorithm;               // "reuse_mov_zip", "cortex_a75"
  std::vector<std::string_view> arch;  // "asm_aarch64", "neonfp16arith"
  IsaClass isa = IsaClass::kOther;
  bool has_sme = false;  // SME2 is SME, too
  bool has_sme2 = false;
  bool recognised = false;  // it has the form above
};

KernelSymbol parse_kernel_symbol(std::string_view symbol);

}  // namespace accelscope::analysis
