// Views as what they are, sets of elements, and random ones: what tests of overlaps compare with.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "runtime/tensor.h"

namespace accelscope::runtime {

template <class Visit>
void for_each_element(const TensorView& view, Visit&& visit, std::uint32_t dimension, std::uint64_t at) {
  if (dimension == view.dimensions) {
    visit(at);
    return;
  }
  for (std::uint32_t i = 0; i < view.shape[dimension]; ++i)
    for_each_element(view, visit, dimension + 1, at + std::uint64_t{i} * view.strides[dimension]);
}

inline std::set<std::uint64_t> elements_of(const TensorView& view) {
  std::set<std::uint64_t> elements;
  for_each_element(
      view, [&](std::uint64_t element) { elements.insert(element); }, 0, view.start);
  return elements;
}

inline std::string in_words(const TensorView& view) {
  const auto first = [&](const auto& all) {
    return fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(view.dimensions), ", ");
  };
  return fmt::format("{} + [{}] by [{}]", view.start, first(view.shape), first(view.strides));
}

// Any strides, few elements. `below(n)` gives a number from 0 to n - 1.
template <class Below>
TensorView random_view(Below&& below) {
  TensorView view{.dimensions = below(5), .start = below(40)};
  for (std::uint32_t i = 0; i < view.dimensions; ++i) {
    view.shape[i] = below(12) == 0 ? below(2) : 1 + below(5);
    view.strides[i] = below(4) == 0 ? below(30) : below(8);
  }
  return view;
}

// Some of the rows, columns and so on of a row-major grid, perhaps every second or third.
template <std::size_t kSize, class Below>
TensorView random_box(const std::array<std::uint32_t, kSize>& grid, Below&& below) {
  TensorView view{.dimensions = kSize};
  std::uint32_t stride = 1;
  for (std::size_t i = kSize; i-- > 0;) {
    const std::uint32_t first = below(grid[i]);
    const std::uint32_t step = 1 + (below(3) == 0 ? below(3) : 0);
    view.start += std::uint64_t{first} * stride;
    view.shape[i] = 1 + below((grid[i] - first - 1) / step + 1);
    view.strides[i] = step * stride;
    stride *= grid[i];
  }
  return view;
}

}  // namespace accelscope::runtime
