// The two schemes of categories of the ExecuTorch profiling kit, as they are: for tables that must agree with
// the kit's. They are wrong about many names ("Convert" is a Convolution); analysis/operator_name.h is not.
//
// Pure functions; safe from any thread. The answers are constant texts.
//
//   kit_fine_category("Max Pooling (NHWC, F32)") == "ELEMENTWISE"    // what analyze_etdump_csv says
//   kit_coarse_category("Convert (NC, F32, F16)") == "Convolution"   // what the report says
#pragma once

#include <string>
#include <string_view>

namespace accelscope::compat {

// Lower case, separators as spaces, runs of spaces as one: what the fine scheme looks at.
std::string kit_normalised_name(std::string_view name);

// CONV, GEMM, POOL, NORM, ATTENTION, EMBEDDING, ACTIVATION, ELEMENTWISE, REDUCTION, RESHAPE, DATA_MOVEMENT,
// RESIZE, QUANT, RNN or OTHER.
std::string_view kit_fine_category(std::string_view name);

// Convolution, GEMM, Data Movement, Elementwise or Other.
std::string_view kit_coarse_category(std::string_view name);

}  // namespace accelscope::compat
