// The operators of ATen, the edge dialect and ExecuTorch's own libraries (quantized_decomposed,
// dim_order_ops, the llama operators), without what only tells variants apart: the names here have no leading
// '_' or "native_" and mostly no "_copy", no trailing '_' and no overload.
//
// A constant table, in two files by first letter; safe from any thread, nothing is owned.
//
//   const NameRow* row = find_aten_op("layer_norm");   // Category::kNormalisation
#pragma once

#include "analysis/name_table.h"

namespace accelscope::analysis {

// Exactly this name; the rules of operator_name.h decide which names to ask for.
const NameRow* find_aten_ops_a_to_l(std::string_view lower_name);
const NameRow* find_aten_ops_m_to_z(std::string_view lower_name);

inline const NameRow* find_aten_op(std::string_view lower_name) {
  return lower_name < "m" ? find_aten_ops_a_to_l(lower_name) : find_aten_ops_m_to_z(lower_name);
}

}  // namespace accelscope::analysis
