// What a kernel may be given: how many tensors and numbers, read or written, of which types and shapes.
//
// A kernel's check() asks these in order and answers with the first sentence. Pure functions; the sentences
// are constants.
//
//   constexpr Signature kSignature = {"rrw", 0, 0, "add takes a and b, which it reads, and out, which it
//   writes"}; if (const char* wrong = wrong_arguments(call, kSignature)) return wrong;
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/tensor.h"

namespace accelscope::runtime {

struct Signature {
  std::string_view tensors;  // 'r' read, 'w' written, 'b' both
  std::uint32_t least_scalars;
  std::uint32_t most_scalars;
  const char* sentence;  // what is said when a call is otherwise
};

// nullptr when fine.
const char* wrong_arguments(const accelscope_kernel_call& call, const Signature& signature);
const char* not_all_floats(const accelscope_kernel_call& call);
// All floats or all integers; truth values are neither.
const char* mixed_numbers(const accelscope_kernel_call& call);

bool same_shape(const accelscope_tensor& a, const accelscope_tensor& b);
// Whether a tensor can be repeated to a shape: it lacks leading dimensions, or has one element along some.
bool repeats_to(const accelscope_tensor& tensor, const accelscope_tensor& shape);
// The other's shape without its last dimension, or with one element there.
bool has_number_per_line(const accelscope_tensor& tensor, const accelscope_tensor& lines);
// One dimension, as long as a line of the other.
bool is_one_line_of(const accelscope_tensor& tensor, const accelscope_tensor& lines);

inline double scalar_or(const accelscope_kernel_call& call, std::uint32_t which, double otherwise) {
  return which < call.scalar_count ? call.scalars[which] : otherwise;
}

}  // namespace accelscope::runtime
