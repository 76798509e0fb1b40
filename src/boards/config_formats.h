// Number formats in files of settings: by name ("bf16", "mxfp8/8"), or as maps of bits, as the published
// boards have them.
//
// Plain functions, safe from any thread; what is wrong goes into the map's problems.
//
//   board.precision.weights = read_board_format(precision, "hbm_weight");
#pragma once

#include <optional>
#include <string_view>

#include "boards/config_reader.h"
#include "boards/number_format.h"

namespace accelscope::boards {

// {type: fp, sign: true, exponent: 8, mantissa: 7}, {exponent: 4, mantissa: 3, scale_exponent: 8, block: 8},
// {type: int, width: 8}, or a name.
std::optional<NumberFormat> read_board_format(ConfigMap& map, std::string_view key);

// What both files have in common: the bits of an element.
std::optional<ElementType> float_element(ConfigMap& map);
std::optional<ElementType> integer_element(ConfigMap& map);
inline constexpr ConfigRange kBlockRange{1, std::uint64_t{1} << 20U};

}  // namespace accelscope::boards
