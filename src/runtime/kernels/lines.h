// The tensors of a call, walked line by line: the last dimension is a line, the others are walked around it.
//
// A tensor that lacks dimensions, or has one element along them, is repeated along them. Of a call in several
// blocks, each has an even part of the first dimension of what is written (the last ones less or nothing); a
// kernel that needs whole lines never splits one. Nothing is looked at but the shapes until for_each_line().
//
// Plain values; the tensors must outlive the walk. One thread each.
//
//   Walk<3> walk = elementwise_walk(call, {&a, &b, &out});
//   walk.for_each_line([&](const auto& data) { ... data[2] is where a line of out begins });
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/kernels/tiles.h"
#include "runtime/tensor.h"

namespace accelscope::runtime {

// One tensor as a walk sees it.
struct Line {
  const accelscope_tensor* tensor = nullptr;
  std::int64_t offset = 0;                                // of its first element, in elements
  std::array<std::int64_t, kMaxDimensions> strides = {};  // around the lines
  std::int64_t step = 0;                                  // along a line
  std::uint32_t length = 1;

  DataType type() const { return static_cast<DataType>(tensor->data_type); }
};

struct Share {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// A block's part of `size`.
inline Share share_of(const accelscope_kernel_call& call, std::uint32_t size) {
  const std::uint64_t each = (std::uint64_t{size} + call.blocks - 1) / call.blocks;
  const std::uint64_t first = std::min<std::uint64_t>(size, each * call.block);
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(std::min(each, size - first))};
}

template <std::size_t kTensors>
struct Walk {
  std::uint32_t dimensions = 0;
  std::array<std::uint32_t, kMaxDimensions> shape = {};  // around the lines
  std::array<Line, kTensors> lines = {};

  std::uint64_t line_count() const {
    std::uint64_t count = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) count *= shape[i];
    return count;
  }

  // Leaves the part of the outermost dimension around the lines; a single line is the first block's.
  void split_lines(const accelscope_kernel_call& call) {
    if (dimensions == 0) {
      dimensions = 1;
      shape[0] = 1;
      for (Line& line : lines) line.strides[0] = 0;
    }
    const Share share = share_of(call, shape[0]);
    shape[0] = share.count;
    for (Line& line : lines) line.offset += line.strides[0] * std::int64_t{share.first};
  }
  void split_length(const accelscope_kernel_call& call) {
    const Share share = share_of(call, lines.back().length);
    for (Line& line : lines) {
      line.length = share.count;
      line.offset += line.step * std::int64_t{share.first};
    }
  }

  // Calls visit(data) with where the line of each tensor begins, in row-major order.
  template <class Visit>
  void for_each_line(Visit&& visit) const {
    const std::uint64_t count = line_count();
    if (count == 0) return;
    std::array<std::uint32_t, kMaxDimensions> at = {};
    std::array<std::int64_t, kTensors> offsets = {};
    for (std::size_t t = 0; t < kTensors; ++t) offsets[t] = lines[t].offset;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::array<std::byte*, kTensors> data;
      for (std::size_t t = 0; t < kTensors; ++t)
        data[t] = static_cast<std::byte*>(lines[t].tensor->data) +
                  offsets[t] * std::int64_t{facts_of(lines[t].type()).bytes};
      visit(data);
      advance(at, offsets);
    }
  }

  // What the part of each tensor has: repeated elements count once.
  double bytes_of(std::size_t which) const {
    const Line& line = lines[which];
    double bytes = facts_of(line.type()).bytes;
    if (line.step != 0 || line.length == 0) bytes *= line.length;
    for (std::uint32_t i = 0; i < dimensions; ++i)
      if (line.strides[i] != 0 || shape[i] == 0) bytes *= shape[i];
    return bytes;
  }
  // So many operations for each element of the lines of one tensor, in tiles that do not care for lines.
  void add_work(double operations_per_element, const Line& elements, accelscope_kernel_work& work) const {
    for (std::size_t i = 0; i < kTensors; ++i) {
      if ((lines[i].tensor->access & 1U) != 0) work.bytes_read += bytes_of(i);
      if ((lines[i].tensor->access & 2U) != 0) work.bytes_written += bytes_of(i);
    }
    const double count = static_cast<double>(line_count()) * elements.length;
    work.vector_operations += operations_per_element * count;
    work.tiles = tiles_of_bytes(count * facts_of(elements.type()).bytes);
  }
  // The same where a line must be there as a whole before anything comes out.
  void add_work_of_whole_lines(double operations_per_element, accelscope_kernel_work& work) const {
    add_work(operations_per_element, lines[0], work);
    work.tiles = tiles_of_steps(static_cast<double>(line_count()));
  }

 private:
  void advance(std::array<std::uint32_t, kMaxDimensions>& at,
               std::array<std::int64_t, kTensors>& offsets) const {
    for (std::uint32_t d = dimensions; d-- > 0;) {
      for (std::size_t t = 0; t < kTensors; ++t) offsets[t] += lines[t].strides[d];
      if (++at[d] < shape[d]) return;
      for (std::size_t t = 0; t < kTensors; ++t) offsets[t] -= lines[t].strides[d] * std::int64_t{shape[d]};
      at[d] = 0;
    }
  }
};

// A tensor that is walked in the shape of another: dimensions count from the last, one of one element is
// repeated.
inline Line repeated_line(const accelscope_tensor& tensor, const accelscope_tensor& shape) {
  Line line{.tensor = &tensor, .length = shape.dimensions == 0 ? 1 : shape.shape[shape.dimensions - 1]};
  for (std::uint32_t back = 1; back <= std::min(tensor.dimensions, shape.dimensions); ++back) {
    const std::uint32_t d = tensor.dimensions - back;
    const std::int64_t stride = tensor.shape[d] == 1 ? 0 : tensor.strides[d];
    if (back == 1)
      line.step = stride;
    else
      line.strides[shape.dimensions - back] = stride;
  }
  return line;
}

// One number per line of another tensor: of the other's shape without its last dimension, or with one element
// there.
inline Line number_per_line(const accelscope_tensor& tensor, const accelscope_tensor& lines) {
  Line line{.tensor = &tensor};
  for (std::uint32_t d = 0; d + 1 < lines.dimensions; ++d) line.strides[d] = tensor.strides[d];
  return line;
}

template <std::size_t kTensors>
void shape_around_lines(const accelscope_tensor& tensor, Walk<kTensors>& walk) {
  walk.dimensions = tensor.dimensions > 0 ? tensor.dimensions - 1 : 0;
  std::copy_n(tensor.shape, walk.dimensions, walk.shape.begin());
}

// Whole lines, in the shape of the first one, this block's part; the others as they are described.
template <std::size_t kTensors>
Walk<kTensors> walk_over_lines(const accelscope_kernel_call& call, const std::array<Line, kTensors>& lines) {
  Walk<kTensors> walk;
  walk.lines = lines;
  shape_around_lines(*lines[0].tensor, walk);
  walk.split_lines(call);
  return walk;
}

inline Line whole_line(const accelscope_tensor& tensor) {
  return repeated_line(tensor, tensor);
}

// All in the shape of the last one, this block's part.
template <std::size_t kTensors>
Walk<kTensors> elementwise_walk(const accelscope_kernel_call& call,
                                const std::array<const accelscope_tensor*, kTensors>& tensors) {
  Walk<kTensors> walk;
  const accelscope_tensor& out = *tensors.back();
  shape_around_lines(out, walk);
  for (std::size_t i = 0; i < kTensors; ++i) walk.lines[i] = repeated_line(*tensors[i], out);
  if (out.dimensions == 1)
    walk.split_length(call);
  else
    walk.split_lines(call);
  return walk;
}

}  // namespace accelscope::runtime
