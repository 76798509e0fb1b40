#include "runtime/kernels/arguments.h"

#include <algorithm>

#include "runtime/kernels/elements.h"

namespace accelscope::runtime {
namespace {

bool has_access(const accelscope_tensor& tensor, char access) {
  const std::uint32_t needed = access == 'r' ? 1U : access == 'w' ? 2U : 3U;
  return (tensor.access & needed) == needed;
}

template <class Wanted>
bool all_types(const accelscope_kernel_call& call, Wanted&& wanted) {
  return std::all_of(call.tensors, call.tensors + call.tensor_count, [&](const accelscope_tensor& tensor) {
    return wanted(static_cast<DataType>(tensor.data_type));
  });
}

}  // namespace

const char* wrong_arguments(const accelscope_kernel_call& call, const Signature& signature) {
  if (call.tensor_count != signature.tensors.size()) return signature.sentence;
  if (call.scalar_count < signature.least_scalars || call.scalar_count > signature.most_scalars)
    return signature.sentence;
  if (call.blocks == 0 || call.block >= call.blocks) return "there is no such block of this call";
  for (std::uint32_t i = 0; i < call.tensor_count; ++i) {
    const accelscope_tensor& tensor = call.tensors[i];
    if (!has_access(tensor, signature.tensors[i])) return signature.sentence;
    if (tensor.dimensions > kMaxDimensions) return "a tensor has more than five dimensions";
    if (tensor.data_type >= kDataTypes.size()) return "a tensor has a data type that there is not";
  }
  return nullptr;
}

const char* not_all_floats(const accelscope_kernel_call& call) {
  return all_types(call, is_floating) ? nullptr : "all tensors must be of floats: f32, f16 or bf16";
}

const char* mixed_numbers(const accelscope_kernel_call& call) {
  const auto is_integer = [](DataType type) { return !is_floating(type) && type != DataType::kBool; };
  return all_types(call, is_floating) || all_types(call, is_integer)
             ? nullptr
             : "all tensors must be of floats, or all of integers: `cast` makes one of the other";
}

bool same_shape(const accelscope_tensor& a, const accelscope_tensor& b) {
  return a.dimensions == b.dimensions && std::equal(a.shape, a.shape + a.dimensions, b.shape);
}

bool repeats_to(const accelscope_tensor& tensor, const accelscope_tensor& shape) {
  if (tensor.dimensions > shape.dimensions) return false;
  const std::uint32_t missing = shape.dimensions - tensor.dimensions;
  for (std::uint32_t i = 0; i < tensor.dimensions; ++i)
    if (tensor.shape[i] != 1 && tensor.shape[i] != shape.shape[missing + i]) return false;
  return true;
}

bool has_number_per_line(const accelscope_tensor& tensor, const accelscope_tensor& lines) {
  const std::uint32_t around = lines.dimensions > 0 ? lines.dimensions - 1 : 0;
  if (tensor.dimensions == lines.dimensions && tensor.dimensions > 0) {
    if (tensor.shape[around] != 1) return false;
  } else if (tensor.dimensions != around) {
    return false;
  }
  return std::equal(tensor.shape, tensor.shape + around, lines.shape);
}

bool is_one_line_of(const accelscope_tensor& tensor, const accelscope_tensor& lines) {
  return tensor.dimensions == 1 && lines.dimensions > 0 &&
         tensor.shape[0] == lines.shape[lines.dimensions - 1];
}

}  // namespace accelscope::runtime
