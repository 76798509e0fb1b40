// The words of a manifest, for its reader, its writer and its check. For manifest_*.cpp only.
#pragma once

#include <algorithm>
#include <string_view>

#include "formats/tensor_dump/manifest.h"

namespace accelscope::formats::tensor_dump {

inline constexpr std::string_view kRoles[] = {"input", "output", "inout"};              // by TensorRole
inline constexpr std::string_view kStages[] = {"before_dispatch", "after_completion"};  // by TensorStage
inline constexpr std::string_view kKinds[] = {"tensor", "scalar"};                      // by is_scalar

// A number that has none is taken for the last.
template <std::size_t kCount, class Number>
constexpr std::string_view word_of(const std::string_view (&words)[kCount], Number number) {
  return words[std::min(static_cast<std::size_t>(number), kCount - 1)];
}

struct CountKey {
  std::string_view key;
  std::uint64_t Counts::*count;
};

// In the order of a manifest.
inline constexpr CountKey kCountKeys[] = {
    {"total_args", &Counts::total},         {kStages[0], &Counts::before},    {kStages[1], &Counts::after},
    {"input_args", &Counts::input},         {"output_args", &Counts::output}, {"inout_args", &Counts::inout},
    {"truncated_args", &Counts::truncated},
};

}  // namespace accelscope::formats::tensor_dump
