#include "runtime/tensor.h"

#include <algorithm>

namespace accelscope::runtime {

std::optional<DataType> data_type_named(std::string_view name) {
  const auto* found = std::ranges::find(kDataTypes, name, &DataTypeFacts::name);
  if (found == kDataTypes.end()) return std::nullopt;
  return found->type;
}

bool can_be_contiguous(std::span<const std::uint32_t> shape) {
  std::uint64_t row = 1;
  for (std::size_t i = shape.size(); i-- > 1;) {
    row *= shape[i];
    if (row > 0xFFFFFFFF) return false;
  }
  return true;
}

TensorView contiguous_view(std::uint32_t buffer, std::span<const std::uint32_t> shape, std::uint64_t start) {
  TensorView view{.buffer = buffer, .dimensions = static_cast<std::uint32_t>(shape.size()), .start = start};
  std::uint32_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    view.shape[i] = shape[i];
    view.strides[i] = stride;
    stride *= shape[i];
  }
  return view;
}

}  // namespace accelscope::runtime
