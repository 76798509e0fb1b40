// What the parts of a program compute, written as arithmetic on matrices and not as instructions: the second
// opinion that results of the emulator are held against. Nothing of the emulator's own arithmetic is used.
//
// Every result of an instruction is rounded to bf16, to the nearest, ties to even. A product sums in floats
// with k going up, one rounding for each product and each sum, and is rounded once when it is written out; a
// sum of a row is made for each piece of `mlen` elements, from the first to the last. Pure functions, safe
// from any thread.
//
//   const Matrix y = product(x, w);
#pragma once

#include <cstdint>

#include "emulator/matrix.h"

namespace accelscope::emulator {

float to_bf16(float value);
// A constant as a program finds it: stored as float16, kept as bf16.
float scalar_constant(double value);
// e^x rounded to a float and then to bf16; beyond -88 and 88 as there.
float exponential(float x);

Matrix product(const Matrix& x, const Matrix& w);
Matrix transposed(const Matrix& matrix);
Matrix columns_of(const Matrix& matrix, std::uint32_t first, std::uint32_t count);
void put_columns(Matrix& matrix, std::uint32_t first, const Matrix& columns);

Matrix sum(const Matrix& a, const Matrix& b);
Matrix times(const Matrix& a, const Matrix& b);  // element by element
Matrix scaled(const Matrix& a, float factor);

struct NormConstants {
  float per_column = 0;  // 1 / columns
  float epsilon = 0;
};
// Rows divided by the root of their mean square, and times the first row of `weights` where there are any.
Matrix root_mean_square_norm(const Matrix& x, std::uint32_t mlen, const NormConstants& constants,
                             const Matrix* weights = nullptr);
// Rows less their mean.
Matrix centred(const Matrix& x, std::uint32_t mlen, const NormConstants& constants);

Matrix softmax(const Matrix& x, std::uint32_t mlen, float lowest);
// gate / (1 + exp(-gate)) * up.
Matrix gated(const Matrix& gate, const Matrix& up);

}  // namespace accelscope::emulator
