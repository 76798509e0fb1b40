// A build directory like the compiler's for one layer of a small model: 9 weights, 4 regions of keys and
// values (one a head and kind), 6 activations. The sizes are ours.
//
//   write_clm60m_build(folder.path());
#pragma once

#include <fstream>
#include <string>

namespace accelscope::boards {

inline constexpr const char* kClm60mAddresses = R"({
  "X": 0, "POS": 110592, "COS": 221184, "SIN": 239616, "MASK": 258048, "Y": 331776,
  "W_q_0": 442368, "W_k_0": 608256, "W_v_0": 663552, "W_o_0": 718848,
  "W_ln1_0": 884736, "W_gate_0": 885184, "W_up_0": 1493440, "W_down_0": 2101696, "W_ln2_0": 2709952,
  "K_stored_0_h0": 2710400, "K_stored_0_h1": 2728832, "V_stored_0_h0": 2747264, "V_stored_0_h1": 2765696
})";
inline constexpr const char* kClm60mSizes = R"({
  "X": 110592, "POS": 110592, "COS": 18432, "SIN": 18432, "MASK": 73728, "Y": 110592,
  "W_q_0": 165888, "W_k_0": 55296, "W_v_0": 55296, "W_o_0": 165888,
  "W_ln1_0": 432, "W_gate_0": 608256, "W_up_0": 608256, "W_down_0": 608256, "W_ln2_0": 432,
  "K_stored_0_h0": 18432, "K_stored_0_h1": 18432, "V_stored_0_h0": 18432
})";
// The one that hbm_sizes.json leaves out: 256 tokens of 64.
inline constexpr const char* kClm60mLayouts = R"({
  "V_stored_0_h1": {"logical_shape": [250, 64], "storage_shape": [256, 64], "format": "mxfp8"}
})";

inline void write_clm60m_build(const std::string& folder) {
  std::ofstream(folder + "/hbm_addrs.json") << kClm60mAddresses;
  std::ofstream(folder + "/hbm_sizes.json") << kClm60mSizes;
  std::ofstream(folder + "/tensor_layouts.json") << kClm60mLayouts;
}

}  // namespace accelscope::boards
