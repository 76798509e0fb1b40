#include "emulator/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "emulator/row_codec.h"

namespace accelscope::emulator {
namespace {

using base::ErrorCode;
using base::Result;

constexpr int kSmallestExponent = -126;

int exponent_of(double magnitude) {
  return magnitude == 0 || !std::isfinite(magnitude) ? kSmallestExponent
                                                     : std::max(std::ilogb(magnitude), kSmallestExponent);
}

std::uint64_t vector_address(const ExpectedTensor& tensor, std::uint64_t row, std::uint64_t column) {
  return tensor.address + column / tensor.block_columns * tensor.block_stride + row * tensor.row_stride +
         column % tensor.block_columns;
}

// Rows of a tensor as they are in a memory.
class Rows {
 public:
  static Result<Rows> of(const State& state, const ExpectedTensor& tensor) {
    Rows rows(state, tensor);
    if (tensor.memory == ExpectedMemory::kExternal) {
      ACCELSCOPE_TRY(rows.codec_, RowCodec::make(tensor.format));
      rows.elements_.resize(rows.codec_->element_bytes(tensor.columns));
      rows.scales_.resize(rows.codec_->scale_bytes(tensor.columns));
    } else {
      ACCELSCOPE_CHECK(rows.check_vectors());
    }
    return rows;
  }

  base::Status read(std::uint64_t row, std::span<float> values) {
    if (tensor_->memory == ExpectedMemory::kExternal) return read_external(row, values);
    for (std::uint64_t column = 0; column < values.size(); ++column)
      values[column] = state_->vectors.elements[vector_address(*tensor_, row, column)];
    return {};
  }

 private:
  Rows(const State& state, const ExpectedTensor& tensor) : state_(&state), tensor_(&tensor) {}

  base::Status check_vectors() const {
    const std::uint64_t room = state_->vectors.elements.size();
    // Addresses grow with both, so the last element is the farthest.
    if (vector_address(*tensor_, tensor_->rows - 1, tensor_->columns - 1) >= room)
      return base::fail(ErrorCode::kUsage,
                        "the expected tensor {} ends behind the vector memory, which has {} "
                        "elements",
                        tensor_->name, room);
    return {};
  }

  base::Status read_external(std::uint64_t row, std::span<float> values) {
    const std::uint64_t at = tensor_->address + row * tensor_->row_stride;
    const std::uint64_t scales_at = tensor_->scale_address + row * tensor_->scale_stride();
    for (const base::Status& status :
         {state_->external.read(at, elements_), state_->external.read(scales_at, scales_)})
      if (!status)
        return base::fail(ErrorCode::kUsage, "the expected tensor {}: {}", tensor_->name,
                          status.error().message);
    codec_->decode(elements_, scales_, values);
    return {};
  }

  const State* state_;
  const ExpectedTensor* tensor_;
  std::optional<RowCodec> codec_ = std::nullopt;
  std::vector<std::byte> elements_ = {};
  std::vector<std::byte> scales_ = {};
};

// How far apart two are, and what a step is at their place.
struct Distance {
  double error = 0;
  double steps = 0;
};

Distance distance(float expected, float got, double largest_of_block, std::uint32_t mantissa) {
  if (expected == got || (std::isnan(expected) && std::isnan(got))) return {};
  const double error = std::abs(static_cast<double>(expected) - static_cast<double>(got));
  if (!std::isfinite(error)) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    return {kInfinite, kInfinite};
  }
  const double magnitude = std::max(
      {std::abs(static_cast<double>(expected)), std::abs(static_cast<double>(got)), largest_of_block});
  return {error, std::ldexp(error, static_cast<int>(mantissa) - exponent_of(magnitude))};
}

class TensorCheck {
 public:
  TensorCheck(const Expectation& expectation, std::size_t number, const Tolerance& tolerance)
      : expectation_(expectation),
        tensor_(expectation.tensors[number]),
        number_(number),
        tolerance_(tolerance),
        expected_(tensor_.columns) {}

  void check_row(std::uint64_t row, std::span<const float> got, Comparison& all) {
    for (std::uint64_t column = 0; column < tensor_.columns; ++column)
      expected_[column] = expectation_.value(tensor_, row, column);
    const std::uint64_t block = tensor_.format.in_blocks() ? tensor_.format.block : tensor_.columns;
    for (std::uint64_t first = 0; first < tensor_.columns; first += block) {
      const std::uint64_t count = std::min(block, tensor_.columns - first);
      const double largest = tensor_.format.in_blocks() ? largest_of(first, count) : 0;
      for (std::uint64_t column = first; column < first + count; ++column)
        check(row, column, got[column], largest, all);
    }
  }

  const TensorComparison& found() const { return found_; }

 private:
  double largest_of(std::uint64_t first, std::uint64_t count) const {
    double largest = 0;
    for (std::uint64_t column = first; column < first + count; ++column)
      largest = std::max(largest, std::abs(static_cast<double>(expected_[column])));
    return largest;
  }

  void check(std::uint64_t row, std::uint64_t column, float got, double largest_of_block, Comparison& all) {
    const float expected = expected_[column];
    const Distance apart = distance(expected, got, largest_of_block, tensor_.format.element.mantissa);
    ++found_.checked;
    found_.largest_error = std::max(found_.largest_error, apart.error);
    found_.largest_steps = std::max(found_.largest_steps, apart.steps);
    const double allowed =
        tolerance_.absolute + tolerance_.relative * std::abs(static_cast<double>(expected));
    const bool near =
        std::isfinite(apart.error) && (apart.error <= allowed || apart.steps <= tolerance_.steps);
    if (apart.error == 0 || near) return;
    ++found_.different;
    if (all.first.size() < kMostDifferences) all.first.push_back({number_, row, column, expected, got});
  }

  const Expectation& expectation_;
  const ExpectedTensor& tensor_;
  std::size_t number_;
  Tolerance tolerance_;
  std::vector<float> expected_;
  TensorComparison found_ = {};
};

void add(Comparison& all, const TensorComparison& one) {
  all.checked += one.checked;
  all.different += one.different;
  all.largest_error = std::max(all.largest_error, one.largest_error);
  all.largest_steps = std::max(all.largest_steps, one.largest_steps);
  all.tensors.push_back(one);
}

}  // namespace

Result<Comparison> compare(const State& state, const Expectation& expectation, const Tolerance& tolerance) {
  Comparison all;
  std::vector<float> got;
  for (std::size_t i = 0; i < expectation.tensors.size(); ++i) {
    const ExpectedTensor& tensor = expectation.tensors[i];
    ACCELSCOPE_TRY(Rows rows, Rows::of(state, tensor));
    TensorCheck check(expectation, i, tolerance);
    got.resize(tensor.columns);
    for (std::uint64_t row = 0; row < tensor.rows; ++row) {
      ACCELSCOPE_CHECK(rows.read(row, got));
      check.check_row(row, got, all);
    }
    add(all, check.found());
  }
  return all;
}

std::string describe(const Difference& difference, const Expectation& expectation) {
  const ExpectedTensor& tensor = expectation.tensors[difference.tensor];
  const bool vector = tensor.memory == ExpectedMemory::kVector;
  const std::uint64_t at = vector ? vector_address(tensor, difference.row, difference.column)
                                  : tensor.address + difference.row * tensor.row_stride +
                                        difference.column * tensor.format.element.bits() / 8;
  return fmt::format("{}[{}, {}]: expected {}, got {} ({}, {} {})", tensor.name, difference.row,
                     difference.column, difference.expected, difference.got, name_of(tensor.memory),
                     vector ? "element" : "byte", at);
}

}  // namespace accelscope::emulator
