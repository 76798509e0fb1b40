#include "emulator/program_inputs.h"

#include <cmath>
#include <cstddef>
#include <string_view>

#include "base/splitmix.h"
#include "boards/number_format.h"
#include "emulator/row_codec.h"

namespace accelscope::emulator {
namespace {

using isa::TensorContent;

// Draws numbers one after the other.
class Source {
 public:
  explicit Source(std::uint64_t seed) : state_(base::splitmix(seed)) {}

  std::uint64_t next() { return base::splitmix(state_ += base::kSplitmixStep); }
  // Of mean 0 and variance 1. A sum of twelve needs no function that machines could disagree about.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += base::fraction_of(next());
    return sum;
  }
  // One of -most, ..., most.
  int small(int most) { return static_cast<int>(next() % static_cast<std::uint64_t>(2 * most + 1)) - most; }

 private:
  std::uint64_t state_;
};

// Column of weights: at most so many that are not 0, each +-2^-3. With inputs from -2 to 2 a sum is then a
// multiple of 1/8 below 16, which has 8 bits.
constexpr std::uint32_t kMostTerms = 64;
constexpr float kExactWeight = 0.125F;
constexpr int kLargestExactValue = 2;
// Far below any score, and a power of two.
constexpr float kMasked = -16384;

void fill_weights(Matrix& matrix, InputKind kind, Source& source) {
  const std::uint32_t period = (matrix.rows + kMostTerms - 1) / kMostTerms;
  const double deviation = 1 / std::sqrt(static_cast<double>(matrix.rows));
  for (std::uint32_t row = 0; row < matrix.rows; ++row)
    for (std::uint32_t column = 0; column < matrix.columns; ++column) {
      float& value = matrix.at(row, column);
      if (kind == InputKind::kRandom)
        value = static_cast<float>(source.normal() * deviation);
      else if ((row + column) % period == 0)
        value = source.next() % 2 == 0 ? kExactWeight : -kExactWeight;
    }
}

void fill_norm_weights(Matrix& matrix, InputKind kind, Source& source) {
  for (float& value : matrix.row(0))
    value = kind == InputKind::kRandom ? static_cast<float>(1 + 0.1 * source.normal())
                                       : std::ldexp(1.0F, source.small(1));
}

void fill_values(Matrix& matrix, InputKind kind, Source& source) {
  for (float& value : matrix.values)
    value = kind == InputKind::kRandom ? static_cast<float>(source.normal())
                                       : static_cast<float>(source.small(kLargestExactValue));
}

// Of [left, right]: [-right, left].
Matrix turned(const Matrix& x) {
  Matrix result(x.rows, x.columns);
  const std::uint32_t half = x.columns / 2;
  for (std::uint32_t row = 0; row < x.rows; ++row)
    for (std::uint32_t column = 0; column < half; ++column) {
      result.at(row, column) = -x.at(row, column + half);
      result.at(row, column + half) = x.at(row, column);
    }
  return result;
}

// Both columns of a pair turn by the same angle; exact ones by quarter turns.
void fill_turns(Matrix& matrix, const InputOptions& options, bool sine) {
  const std::uint32_t half = matrix.columns / 2;
  constexpr std::array<float, 5> kQuarterTurns{0, 1, 0, -1, 0};  // sines; cosines are one ahead
  for (std::uint32_t row = 0; row < matrix.rows; ++row)
    for (std::uint32_t column = 0; column < matrix.columns; ++column) {
      const std::uint32_t pair = column % half;
      const double angle = row * std::pow(options.rope_theta, -static_cast<double>(pair) / half);
      if (options.kind == InputKind::kExact)
        matrix.at(row, column) = kQuarterTurns[(row + pair) % 4 + (sine ? 0 : 1)];
      else
        matrix.at(row, column) = static_cast<float>(sine ? std::sin(angle) : std::cos(angle));
    }
}

void fill_rotation(Matrix& matrix) {
  const std::uint32_t half = matrix.columns / 2;
  for (std::uint32_t column = 0; column < half; ++column) {
    matrix.at(column + half, column) = -1;
    matrix.at(column, column + half) = 1;
  }
}

void fill_mask(Matrix& matrix) {
  for (std::uint32_t row = 0; row < matrix.rows; ++row)
    for (std::uint32_t column = row + 1; column < matrix.columns; ++column) matrix.at(row, column) = kMasked;
}

base::Result<Matrix> contents_of(const isa::ProgramTensor& tensor, const Matrices& others,
                                 const InputOptions& options, Source& source) {
  Matrix matrix(tensor.rows, tensor.columns);
  switch (tensor.content) {
    case TensorContent::kValues:
      fill_values(matrix, options.kind, source);
      break;
    case TensorContent::kWeights:
      fill_weights(matrix, options.kind, source);
      break;
    case TensorContent::kNormWeights:
      fill_norm_weights(matrix, options.kind, source);
      break;
    case TensorContent::kTurned:
      matrix = turned(others.at("X"));
      break;
    case TensorContent::kCosine:
      fill_turns(matrix, options, false);
      break;
    case TensorContent::kSine:
      fill_turns(matrix, options, true);
      break;
    case TensorContent::kRotation:
      fill_rotation(matrix);
      break;
    case TensorContent::kCausalMask:
      fill_mask(matrix);
      break;
  }
  return as_stored(matrix);
}

}  // namespace

base::Result<Matrix> as_stored(const Matrix& matrix) {
  ACCELSCOPE_TRY(const RowCodec codec, RowCodec::make(boards::kPlenaMx));
  Matrix stored(matrix.rows, matrix.columns);
  std::vector<std::byte> elements(codec.element_bytes(matrix.columns));
  std::vector<std::byte> scales(codec.scale_bytes(matrix.columns));
  for (std::uint32_t row = 0; row < matrix.rows; ++row) {
    codec.encode(matrix.row(row), elements, scales);
    codec.decode(elements, scales, stored.row(row));
  }
  return stored;
}

base::Result<Matrices> make_inputs(const isa::GeneratedProgram& program, const InputOptions& options) {
  Matrices inputs;
  std::uint64_t number = 0;
  for (const isa::ProgramTensor& tensor : program.tensors) {
    if (tensor.place != isa::TensorPlace::kExternal || tensor.role != isa::TensorRole::kInput) continue;
    Source source(options.seed + base::kSplitmixStep * ++number);
    ACCELSCOPE_TRY(Matrix contents, contents_of(tensor, inputs, options, source));
    inputs.emplace(tensor.name, std::move(contents));
  }
  return inputs;
}

}  // namespace accelscope::emulator
