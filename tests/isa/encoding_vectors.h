// Lines and the words that the reference assembler makes of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace accelscope::isa {

struct EncodingVector {
  std::string_view text;
  std::uint32_t word;
};

inline constexpr auto kEncodingVectors = std::to_array<EncodingVector>({
    {"S_ADDI_INT gp1, gp0, 128", 0x00200062},
    {"S_LUI_INT gp3, 64", 0x000100E5},
    {"S_ADD_INT gp4, gp5, gp6", 0x00019521},
    {"C_SET_ADDR_REG a1, gp0, gp1", 0x0000406B},
    {"C_SET_SCALE_REG gp2", 0x000000AC},
    {"C_SET_STRIDE_REG gp3", 0x000000ED},
    {"C_SET_V_MASK_REG gp5", 0x0000016E},
    {"C_LOOP_START gp4, 16", 0x0000412F},
    {"C_LOOP_END gp4", 0x00000130},
    {"C_BREAK", 0x00000034},
    {"H_PREFETCH_M gp2, gp3, a1, 1, 0", 0x00044CA8},
    {"H_PREFETCH_V gp4, gp3, a0, 1, 0", 0x00040D29},
    {"H_STORE_V gp1, gp2, a2, 1, 1", 0x0044886A},
    {"M_MM 0, gp2, gp4", 0x00010801},
    {"M_TMM 0, gp2, gp4", 0x00010802},
    {"M_BTMM 0, gp2, gp4", 0x00010804},
    {"M_MM_WO gp1, gp0, 0", 0x00000046},
    {"M_MM_WO gp1, gp7, 5", 0x00015C46},
    {"M_BMM_WO gp3, 16", 0x000040C5},
    {"V_ADD_VV gp1, gp2, gp3", 0x0000C84D},
    {"V_MUL_VF gp1, gp2, f3, 1", 0x0004C852},
    {"V_SUB_VF gp2, gp1, f0, 0, 1", 0x00400490},
    {"V_EXP_V gp2, gp1, 0", 0x00000493},
    {"V_EXP_V gp2, gp1, 1", 0x00004493},
    {"V_RED_MAX f1, gp2, 0", 0x00000856},
    {"V_RED_SUM f3, gp2", 0x000008D5},
    {"V_SHFT_V gp1, gp2, gp3", 0x0000C872},
    {"V_TOPK gp1, gp2, gp3, 1", 0x0004C877},
    {"S_LD_FP f1, gp0, 1", 0x0000405E},
    {"S_MAP_V_FP gp1, gp0, 4", 0x00010060},
    {"S_EXP_FP f1, f2", 0x0000085B},
});
static_assert(kEncodingVectors.size() == 31);

}  // namespace accelscope::isa
