// The kinds of work that an operator can be: the rows of every breakdown of a model's time.
//
// Compile-time constants and pure functions; safe from any thread, nothing is owned.
//
//   name_of(Category::kElementwise) == "Elementwise & Activation"
//   is_compute(Category::kGemm) == true
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accelscope::analysis {

// In the order in which breakdowns list them.
enum class Category : std::uint8_t {
  kConvolution,
  kGemm,
  kAttention,
  kDataMovement,
  kConvertQuantise,
  kElementwise,
  kNormalisation,
  kPoolingReduction,
  kEmbeddingIndex,
  kResize,
  kControl,
  kDelegateOverhead,
  kOperatorCallOverhead,
  kFramework,
  kOther,
};
inline constexpr std::size_t kCategoryCount = 15;

constexpr std::string_view name_of(Category category) {
  constexpr std::string_view kNames[kCategoryCount] = {"Convolution",
                                                       "GEMM",
                                                       "Attention",
                                                       "Data Movement",
                                                       "Convert/Quantise",
                                                       "Elementwise & Activation",
                                                       "Normalisation",
                                                       "Pooling/Reduction",
                                                       "Embedding/Index",
                                                       "Resize",
                                                       "Control",
                                                       "Delegate overhead",
                                                       "Operator-call overhead",
                                                       "Framework",
                                                       "Other"};
  return kNames[static_cast<std::size_t>(category)];
}

// Work that matrix units are built for, and that a faster kernel can make faster.
constexpr bool is_compute(Category category) {
  return category == Category::kConvolution || category == Category::kGemm ||
         category == Category::kAttention;
}

}  // namespace accelscope::analysis
