// The pieces that operator_name.h puts together: each looks at a name in one way and says what it found.
//
// Pure functions over views; safe from any thread. What they return points into the text that was given or
// into constant tables.
//
//   const XnnpackName parts = split_xnnpack_name("Convolution (NHWC, F32) IGEMM #3");
//   const NameRow* row = find_op("_native_batch_norm_legit_no_training.out");
//   const NameRow* best = find_by_words("conv2d_dw_3x3_texture3d_half");
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/name_table.h"

namespace accelscope::analysis {

std::string lower_case(std::string_view text);
std::string_view trimmed(std::string_view text);

struct XnnpackName {
  std::string_view type;
  std::string_view layout;
  std::vector<std::string_view> tags;  // data types
  std::string_view ukernel;
  std::uint32_t number = 0;
  bool has_parenthesis = false;  // and what is in it are layouts and data types
};
XnnpackName split_xnnpack_name(std::string_view name);

// An operator of ATen or a related library, and where it says so, the library.
struct OpName {
  std::string_view op;  // without namespace and overload: "_to_copy"
  std::string_view library;
  const NameRow* row = nullptr;
};
OpName find_op(std::string_view name);

// The family and category of the most telling word; nullptr when no word is known.
const NameRow* find_by_words(std::string_view text);

// Which of two kinds of work gives a fused operator its name: the lower rank.
int rank_of(Category category);

}  // namespace accelscope::analysis
