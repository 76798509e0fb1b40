// Numbers in rows and columns, row by row: what a tensor holds, wherever and however it lies. Plain data.
//
//   Matrix y(2, 3);
//   y.at(1, 2) = 0.5F;
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace accelscope::emulator {

struct Matrix {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::vector<float> values = {};

  Matrix() = default;
  Matrix(std::uint32_t row_count, std::uint32_t column_count)
      : rows(row_count), columns(column_count), values(std::size_t{row_count} * column_count) {}

  float& at(std::uint32_t row, std::uint32_t column) { return values[std::size_t{row} * columns + column]; }
  float at(std::uint32_t row, std::uint32_t column) const {
    return values[std::size_t{row} * columns + column];
  }
  std::span<float> row(std::uint32_t number) {
    return std::span(values).subspan(std::size_t{number} * columns, columns);
  }
  std::span<const float> row(std::uint32_t number) const {
    return std::span(values).subspan(std::size_t{number} * columns, columns);
  }
  bool operator==(const Matrix&) const = default;
};

// By the names of tensors.
using Matrices = std::map<std::string, Matrix, std::less<>>;

}  // namespace accelscope::emulator
