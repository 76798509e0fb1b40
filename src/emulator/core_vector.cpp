// The vector unit: one row an instruction.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "emulator/core.h"
#include "emulator/core_faults.h"
#include "emulator/core_scalar.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using isa::opcode;

constexpr float kMostExponent = 88;
constexpr std::uint64_t kMaskBits = 32;

float clamped(float value) {
  return std::isnan(value) ? value : std::clamp(value, -kMostExponent, kMostExponent);
}

// One after the other, upwards.
float sum_of(const float* values, std::uint64_t count) {
  float sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) sum += values[i];
  return sum;
}

// By an order of bits in which -0 is below 0, so that it does not matter which comes first.
float maximum_of(const float* values, std::uint64_t count) {
  const auto turned = [](std::int32_t bits) { return bits ^ ((bits >> 31) & 0x7FFFFFFF); };
  std::int32_t most = std::numeric_limits<std::int32_t>::min();
  std::int32_t most_magnitude = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::int32_t>(values[i]);
    most_magnitude = std::max(most_magnitude, bits & 0x7FFFFFFF);
    most = std::max(most, turned(bits));
  }
  constexpr std::int32_t kInfinity = 0x7F800000;
  if (most_magnitude > kInfinity) return std::numeric_limits<float>::quiet_NaN();
  return std::bit_cast<float>(turned(most));
}

}  // namespace

Fault Core::carry_out_vector(const Operation& operation) {
  switch (operation.opcode) {
    case opcode("V_ADD_VV"):
      return of_two_rows(operation, RowOperation::kAdd);
    case opcode("V_ADD_VF"):
      return of_row_and_scalar(operation, RowOperation::kAdd);
    case opcode("V_SUB_VV"):
      return of_two_rows(operation, RowOperation::kSubtract);
    case opcode("V_SUB_VF"):
      return of_row_and_scalar(operation,
                               operation.funct1 == 0 ? RowOperation::kSubtract : RowOperation::kSubtractFrom);
    case opcode("V_MUL_VV"):
      return of_two_rows(operation, RowOperation::kMultiply);
    case opcode("V_MUL_VF"):
      return of_row_and_scalar(operation, RowOperation::kMultiply);
    case opcode("V_MAX_VF"):
      return of_row_and_scalar(operation, RowOperation::kMaximum);
    case opcode("V_MIN_VF"):
      return of_row_and_scalar(operation, RowOperation::kMinimum);
    case opcode("V_EXP_V"):
      return exponential(operation);
    case opcode("V_RECI_V"):
      return reciprocal(operation);
    case opcode("V_RED_SUM"):
      return reduce_sum(operation);
    case opcode("V_RED_MAX"):
      return reduce_maximum(operation);
    case opcode("V_SHFT_V"):
      return shift(operation);
    case opcode("V_TOPK"):
      return route(operation);
    default:
      return unknown(operation);
  }
}

std::uint64_t Core::slice_count() const {
  return (machine_->vlen + machine_->hlen - 1) / machine_->hlen;
}

bool Core::slice_chosen(std::uint64_t slice) const {
  return slice < kMaskBits && ((state_.registers.mask >> slice) & 1U) != 0;
}

// Of the elements that the instruction calculates with, as written rows have them.
Fault Core::chosen_bits(const Operation& operation, std::uint64_t& bits) const {
  bits = state_.vectors.written.all;
  if (operation.rs3 == 0) return {};
  if (strict() && slice_count() > kMaskBits)
    return fault("a row has {} slices of HLEN ({}) elements, more than the mask register has bits",
                 slice_count(), machine_->hlen);
  bits = 0;
  for (std::uint64_t slice = 0; slice < std::min(slice_count(), kMaskBits); ++slice)
    if (slice_chosen(slice)) bits |= state_.vectors.written.bits(slice * machine_->hlen, machine_->hlen);
  bits &= state_.vectors.written.all;
  return {};
}

// calculate(first, count) for what the mask chooses, copy(first, count) for the rest.
template <class Calculate, class Copy>
void Core::by_slices(const Operation& operation, const Calculate& calculate, const Copy& copy) {
  if (operation.rs3 == 0) return calculate(std::uint64_t{0}, machine_->vlen);
  for (std::uint64_t slice = 0; slice < slice_count(); ++slice) {
    const std::uint64_t first = slice * machine_->hlen;
    const std::uint64_t count = std::min(machine_->hlen, machine_->vlen - first);
    if (slice_chosen(slice))
      calculate(first, count);
    else
      copy(first, count);
  }
}

// What was copied is as good as it was before.
void Core::mark_result(std::uint64_t out, std::uint64_t a, std::uint64_t chosen) {
  LazyArray<std::uint64_t>& rows = state_.vectors.written.rows;
  rows[out] = chosen | (rows[a] & ~chosen);
}

Fault Core::of_two_rows(const Operation& operation, RowOperation what) {
  std::uint64_t out = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t chosen = 0;
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rd), 1, out));
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rs1), 1, a));
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rs2), 1, b));
  ACCELSCOPE_STOP_AT(chosen_bits(operation, chosen));
  if (strict()) {
    ACCELSCOPE_STOP_AT(check_written(address_in(operation.rs1), a, chosen));
    ACCELSCOPE_STOP_AT(check_written(address_in(operation.rs2), b, chosen));
  }
  const auto kernel = kernels_->of_two[static_cast<std::size_t>(what)][static_cast<std::size_t>(rounding_)];
  float* to = state_.vectors.row(out);
  const float* from = state_.vectors.row(a);
  const float* other = state_.vectors.row(b);
  by_slices(
      operation,
      [&](std::uint64_t first, std::uint64_t count) {
        kernel(from + first, other + first, to + first, count);
        if (rounds_by_codec_) round_row(to + first, count);
      },
      [&](std::uint64_t first, std::uint64_t count) { std::copy_n(from + first, count, to + first); });
  mark_result(out, a, chosen);
  return {};
}

// Of an instruction with one row in and one out.
Fault Core::find_rows_used(const Operation& operation, RowsUsed& rows) const {
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rd), 1, rows.out));
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rs1), 1, rows.a));
  ACCELSCOPE_STOP_AT(chosen_bits(operation, rows.chosen));
  if (!strict()) return {};
  return check_written(address_in(operation.rs1), rows.a, rows.chosen);
}

Fault Core::of_row_and_scalar(const Operation& operation, RowOperation what) {
  if (operation.rs2 >= kFloatRegisters) return no_float_register(operation.rs2);
  RowsUsed rows;
  ACCELSCOPE_STOP_AT(find_rows_used(operation, rows));
  const auto kernel =
      kernels_->with_scalar[static_cast<std::size_t>(what)][static_cast<std::size_t>(rounding_)];
  float* to = state_.vectors.row(rows.out);
  const float* from = state_.vectors.row(rows.a);
  const float scalar = state_.registers.f[operation.rs2];
  by_slices(
      operation,
      [&](std::uint64_t first, std::uint64_t count) {
        kernel(from + first, scalar, to + first, count);
        if (rounds_by_codec_) round_row(to + first, count);
      },
      [&](std::uint64_t first, std::uint64_t count) { std::copy_n(from + first, count, to + first); });
  mark_result(rows.out, rows.a, rows.chosen);
  return {};
}

Fault Core::check_unclamped(const Operation& operation, std::uint64_t row) const {
  const float* values = state_.vectors.row(row);
  for (std::uint64_t i = 0; i < machine_->vlen; ++i)
    if (!slice_chosen(i / machine_->hlen) && std::fabs(values[i]) > kMostExponent)
      return fault(
          "element {} of the row at vector address {} is {}: the mask leaves it out, but V_EXP_V would "
          "clamp it to {} all the same",
          i, address_in(operation.rs1).text(), values[i], std::copysign(kMostExponent, values[i]));
  return {};
}

Fault Core::exponential(const Operation& operation) {
  RowsUsed rows;
  ACCELSCOPE_STOP_AT(find_rows_used(operation, rows));
  if (strict() && operation.rs3 != 0) ACCELSCOPE_STOP_AT(check_unclamped(operation, rows.a));
  float* to = state_.vectors.row(rows.out);
  const float* from = state_.vectors.row(rows.a);
  const float* table = exponentials_->data();
  by_slices(
      operation,
      [&](std::uint64_t first, std::uint64_t count) {
        if (rounding_ == Rounding::kBf16) {
          for (std::uint64_t i = first; i < first + count; ++i)
            to[i] = table[std::bit_cast<std::uint32_t>(from[i]) >> 16U];
          return;
        }
        for (std::uint64_t i = first; i < first + count; ++i)
          to[i] = static_cast<float>(std::exp(static_cast<double>(clamped(from[i]))));
        round_row(to + first, count);
      },
      [&](std::uint64_t first, std::uint64_t count) {
        std::transform(from + first, from + first + count, to + first, clamped);
      });
  mark_result(rows.out, rows.a, rows.chosen);
  return {};
}

Fault Core::reciprocal(const Operation& operation) {
  RowsUsed rows;
  ACCELSCOPE_STOP_AT(find_rows_used(operation, rows));
  float* to = state_.vectors.row(rows.out);
  const float* from = state_.vectors.row(rows.a);
  by_slices(
      operation,
      [&](std::uint64_t first, std::uint64_t count) {
        kernels_->reciprocal[static_cast<std::size_t>(rounding_)](from + first, to + first, count);
        if (rounds_by_codec_) round_row(to + first, count);
      },
      [&](std::uint64_t first, std::uint64_t count) { std::copy_n(from + first, count, to + first); });
  mark_result(rows.out, rows.a, rows.chosen);
  return {};
}

Fault Core::find_reduced(const Operation& operation, std::uint64_t& row) const {
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rs1), 1, row));
  if (!strict()) return {};
  if (operation.rs3 != 0)
    return fault(
        "a masked reduction does not reduce the chosen slices: the hardware's result has nothing to do "
        "with the mask");
  return check_written(address_in(operation.rs1), row, state_.vectors.written.all);
}

Fault Core::reduce_sum(const Operation& operation) {
  if (operation.rd == 0) return {};
  if (operation.rd >= kFloatRegisters) return no_float_register(operation.rd);
  std::uint64_t row = 0;
  ACCELSCOPE_STOP_AT(find_reduced(operation, row));
  const float* values = state_.vectors.row(row);
  float sum = 0;
  if (operation.rs3 == 0) {
    sum = sum_of(values, machine_->vlen);
  } else {
    // The reference puts the sum of a chosen slice into all its elements, and then sums the row.
    rows_.assign(values, values + machine_->vlen);
    by_slices(
        operation,
        [&](std::uint64_t first, std::uint64_t count) {
          std::fill_n(rows_.data() + first, count, sum_of(values + first, count));
        },
        [](std::uint64_t, std::uint64_t) {});
    sum = sum_of(rows_.data(), machine_->vlen);
  }
  float& into = state_.registers.f[operation.rd];
  into = rounded_to_bf16(into + sum);
  return {};
}

Fault Core::reduce_maximum(const Operation& operation) {
  if (operation.rd == 0) return {};
  if (operation.rd >= kFloatRegisters) return no_float_register(operation.rd);
  std::uint64_t row = 0;
  ACCELSCOPE_STOP_AT(find_reduced(operation, row));
  // The reference's mask changes nothing.
  float& into = state_.registers.f[operation.rd];
  const std::array<float, 2> both{into, maximum_of(state_.vectors.row(row), machine_->vlen)};
  into = rounded_to_bf16(maximum_of(both.data(), both.size()));
  return {};
}

Fault Core::shift(const Operation& operation) {
  std::uint64_t out = 0;
  std::uint64_t a = 0;
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rd), 1, out));
  ACCELSCOPE_STOP_AT(find_rows(address_in(operation.rs1), 1, a));
  const std::uint64_t distance = std::min<std::uint64_t>(gp(operation.rs2), machine_->vlen);
  const std::uint64_t kept = machine_->vlen - distance;
  WrittenRows& written = state_.vectors.written;
  if (strict()) ACCELSCOPE_STOP_AT(check_written(address_in(operation.rs1), a, written.bits(0, kept)));
  float* to = state_.vectors.row(out);
  const float* from = state_.vectors.row(a);
  std::copy_backward(from, from + kept, to + machine_->vlen);
  std::fill_n(to, distance, 0.0F);
  written.rows[out] = written.all;
  return {};
}

}  // namespace accelscope::emulator
