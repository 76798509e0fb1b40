#include "emulator/expected_arithmetic.h"

#include <algorithm>
#include <cmath>

#include "base/half_float.h"

namespace accelscope::emulator {
namespace {

template <class Combine>
Matrix combined(const Matrix& a, const Matrix& b, Combine combine) {
  Matrix result(a.rows, a.columns);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = to_bf16(combine(a.values[i], b.values[i]));
  return result;
}

// Added piece by piece to a number that is rounded after each.
template <class Term>
float sum_of_row(std::span<const float> row, std::uint32_t mlen, Term term) {
  float total = 0;
  for (std::size_t first = 0; first < row.size(); first += mlen) {
    float piece = 0;
    for (const float value : row.subspan(first, mlen)) piece += term(value);
    total = to_bf16(total + piece);
  }
  return total;
}

void softmax_row(std::span<float> row, std::uint32_t mlen, float lowest) {
  float largest = lowest;
  for (const float value : row) largest = std::max(largest, value);
  for (float& value : row) value = exponential(to_bf16(value - largest));
  const float total = sum_of_row(row, mlen, [](float value) { return value; });
  const float factor = to_bf16(1 / total);
  for (float& value : row) value = to_bf16(value * factor);
}

}  // namespace

float to_bf16(float value) {
  return base::float_of_bfloat16(base::bfloat16_bits(value));
}

float scalar_constant(double value) {
  return to_bf16(base::float_of_float16(base::float16_bits(value)));
}

float exponential(float x) {
  return to_bf16(static_cast<float>(std::exp(static_cast<double>(std::clamp(x, -88.0F, 88.0F)))));
}

Matrix product(const Matrix& x, const Matrix& w) {
  Matrix result(x.rows, w.columns);
  for (std::uint32_t i = 0; i < x.rows; ++i) {
    const std::span<float> sums = result.row(i);
    for (std::uint32_t k = 0; k < x.columns; ++k) {
      const float factor = x.at(i, k);
      const std::span<const float> terms = w.row(k);
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += factor * terms[j];
    }
    for (float& value : sums) value = to_bf16(value);
  }
  return result;
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.columns, matrix.rows);
  for (std::uint32_t row = 0; row < matrix.rows; ++row)
    for (std::uint32_t column = 0; column < matrix.columns; ++column)
      result.at(column, row) = matrix.at(row, column);
  return result;
}

Matrix columns_of(const Matrix& matrix, std::uint32_t first, std::uint32_t count) {
  Matrix result(matrix.rows, count);
  for (std::uint32_t row = 0; row < matrix.rows; ++row)
    std::ranges::copy(matrix.row(row).subspan(first, count), result.row(row).begin());
  return result;
}

void put_columns(Matrix& matrix, std::uint32_t first, const Matrix& columns) {
  for (std::uint32_t row = 0; row < matrix.rows; ++row)
    std::ranges::copy(columns.row(row), matrix.row(row).subspan(first).begin());
}

Matrix sum(const Matrix& a, const Matrix& b) {
  return combined(a, b, [](float x, float y) { return x + y; });
}

Matrix times(const Matrix& a, const Matrix& b) {
  return combined(a, b, [](float x, float y) { return x * y; });
}

Matrix scaled(const Matrix& a, float factor) {
  return combined(a, a, [&](float x, float) { return x * factor; });
}

Matrix root_mean_square_norm(const Matrix& x, std::uint32_t mlen, const NormConstants& constants,
                             const Matrix* weights) {
  Matrix result = x;
  for (std::uint32_t row = 0; row < x.rows; ++row) {
    const float squares = sum_of_row(x.row(row), mlen, [](float value) { return to_bf16(value * value); });
    const float mean = to_bf16(to_bf16(squares * constants.per_column) + constants.epsilon);
    const float factor = to_bf16(1 / to_bf16(std::sqrt(mean)));
    for (std::uint32_t column = 0; column < x.columns; ++column) {
      float& value = result.at(row, column);
      value = to_bf16(value * factor);
      if (weights != nullptr) value = to_bf16(value * weights->at(0, column));
    }
  }
  return result;
}

Matrix centred(const Matrix& x, std::uint32_t mlen, const NormConstants& constants) {
  Matrix result = x;
  for (std::uint32_t row = 0; row < x.rows; ++row) {
    const float total = sum_of_row(x.row(row), mlen, [](float value) { return value; });
    const float mean = to_bf16(total * constants.per_column);
    for (float& value : result.row(row)) value = to_bf16(value - mean);
  }
  return result;
}

Matrix softmax(const Matrix& x, std::uint32_t mlen, float lowest) {
  Matrix result = x;
  for (std::uint32_t row = 0; row < x.rows; ++row) softmax_row(result.row(row), mlen, lowest);
  return result;
}

Matrix gated(const Matrix& gate, const Matrix& up) {
  return combined(gate, up, [](float x, float y) {
    const float denominator = to_bf16(exponential(to_bf16(0 - x)) + 1);
    return to_bf16(x * to_bf16(1 / denominator)) * y;
  });
}

}  // namespace accelscope::emulator
