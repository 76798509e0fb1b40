#include "emulator/row_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/half_float.h"
#include "emulator/minifloat.h"

namespace accelscope::emulator {
namespace {

using boards::BlockRule;
using boards::ElementType;
using boards::NumberFormat;

constexpr std::uint32_t kTableBits = 8;
constexpr int kLargestScale = 127;

bool is_bf16(const NumberFormat& format) {
  return !format.in_blocks() && format.element == boards::kBf16;
}

base::Status check_element(const NumberFormat& format) {
  const ElementType& element = format.element;
  const bool fits = element.kind == ElementType::Kind::kInteger
                        ? element.width >= 1 && element.width <= 32
                        : element.exponent >= 1 && element.exponent <= 8 && element.mantissa <= 23;
  if (fits) return {};
  return base::fail(
      base::ErrorCode::kUsage,
      "{}: an element that a memory keeps has 1 to 8 bits of exponent and up to 23 of mantissa, "
      "or is an integer of 1 to 32 bits",
      name_of(format));
}

base::Status check_blocks(const NumberFormat& format) {
  const ElementType& scale = format.scale;
  if (scale.kind != ElementType::Kind::kFloat || scale.sign || scale.mantissa != 0 || scale.exponent == 0 ||
      scale.exponent > kTableBits)
    return base::fail(base::ErrorCode::kUsage,
                      "{}: a scale that a memory keeps is a power of two of 1 to 8 bits", name_of(format));
  if (format.rule == BlockRule::kReference) return {};
  if (is_ocp_element(format.element) && scale == boards::kE8m0) return {};
  return base::fail(
      base::ErrorCode::kUsage,
      "{}: formats of the OCP have elements of E5M2, E4M3, E3M2, E2M3, E2M1 or INT8, and scales "
      "of E8M0",
      name_of(format));
}

// Bits that lie behind each other, lowest first; those beyond the end are zero.
std::uint32_t take_bits(std::span<const std::byte> bytes, std::size_t place, std::uint32_t width) {
  const std::size_t first = place / 8;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 5 && first + i < bytes.size(); ++i)
    word |= std::to_integer<std::uint64_t>(bytes[first + i]) << (8 * i);
  return static_cast<std::uint32_t>((word >> (place % 8)) & ((std::uint64_t{1} << width) - 1));
}

// Into bytes that were zero.
void put_bits(std::span<std::byte> bytes, std::size_t place, std::uint32_t bits) {
  if (bits <= 0xFF && place % 8 == 0 && place / 8 < bytes.size()) {
    bytes[place / 8] |= static_cast<std::byte>(bits);
    return;
  }
  const std::uint64_t word = std::uint64_t{bits} << (place % 8);
  for (std::size_t i = 0; i < 5 && place / 8 + i < bytes.size(); ++i)
    bytes[place / 8 + i] |= static_cast<std::byte>(word >> (8 * i));
}

float ocp_factor(std::uint32_t bits) {
  if (bits == 0xFF) return std::numeric_limits<float>::quiet_NaN();
  return std::ldexp(1.0F, static_cast<int>(bits) - kLargestScale);
}

float largest_magnitude(std::span<const float> values) {
  float most = 0;
  for (const float value : values)
    most = std::max(most, std::fabs(value));  // what is no number is passed over
  return most;
}

// The exponent of a block's scale, before its bias.
int reference_scale(float most, const ElementType& scale) {
  const int bias = (1 << (scale.exponent - 1)) - 1;
  const int largest = (1 << scale.exponent) - 2 - bias;
  return std::clamp(reference_exponent(most + 1e-9F), -bias, largest);
}

int ocp_scale(float most, const ElementType& element) {
  if (most == 0) return -kLargestScale;
  const float finite = std::min(most, std::numeric_limits<float>::max());
  return std::clamp(std::ilogb(finite) - ocp_largest_exponent(element), -kLargestScale, kLargestScale);
}

ByteFloat shape_of(const ElementType& element, const std::vector<float>& values) {
  const auto* special =
      std::find_if(values.data(), values.data() + 128, [](float value) { return !std::isfinite(value); });
  const std::uint32_t bias = (1U << (element.exponent - 1)) - 1;
  return {static_cast<int>(element.mantissa), (127 - bias) << 23U, values[1],
          static_cast<std::uint32_t>(special - values.data())};
}

bool any_is_no_number(std::span<const float> values) {
  return std::any_of(values.begin(), values.end(), [](float value) { return std::isnan(value); });
}

}  // namespace

base::Result<RowCodec> RowCodec::make(const NumberFormat& format) {
  ACCELSCOPE_CHECK(check_element(format));
  if (format.in_blocks()) ACCELSCOPE_CHECK(check_blocks(format));
  return RowCodec(format);
}

RowCodec::RowCodec(const NumberFormat& format) : format_(format), kernels_(&best_kernels()) {
  const bool by_ocp = format.in_blocks() && format.rule == BlockRule::kOcp;
  if (format.element.bits() <= kTableBits)
    for (std::uint32_t bits = 0; bits < 1U << format.element.bits(); ++bits)
      values_.push_back(by_ocp ? ocp_value(bits, format.element) : reference_value(bits, format.element));
  has_shape_ = format.element.kind == ElementType::Kind::kFloat && format.element.sign &&
               format.element.bits() == kTableBits && format.element.mantissa > 0;
  if (has_shape_) shape_ = shape_of(format.element, values_);
  if (format.in_blocks())
    for (std::uint32_t bits = 0; bits < 1U << format.scale.bits(); ++bits)
      factors_.push_back(by_ocp ? ocp_factor(bits) : reference_value(bits, format.scale));
}

std::size_t RowCodec::element_bytes(std::size_t count) const {
  return (count * format_.element.bits() + 7) / 8;
}

std::size_t RowCodec::scale_bytes(std::size_t count) const {
  return format_.in_blocks() ? (count / format_.block * format_.scale.bits() + 7) / 8 : 0;
}

float RowCodec::value_of(std::uint32_t bits) const {
  return bits < values_.size() ? values_[bits] : reference_value(bits, format_.element);
}

void RowCodec::decode(std::span<const std::byte> elements, std::span<const std::byte> scales,
                      std::span<float> values) const {
  const std::size_t count = values.size();
  const bool complete = elements.size() >= element_bytes(count) && scales.size() >= scale_bytes(count);
  if (complete && is_bf16(format_)) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto low = std::to_integer<std::uint32_t>(elements[2 * i]);
      const auto high = std::to_integer<std::uint32_t>(elements[2 * i + 1]);
      values[i] = std::bit_cast<float>((high << 24U) | (low << 16U));
    }
    return;
  }
  const bool by_bytes = format_.in_blocks() && format_.element.bits() == 8 && format_.scale.bits() == 8;
  if (!complete || !by_bytes || count % format_.block != 0) return decode_any(elements, scales, values);
  kernels_->look_up({.elements = reinterpret_cast<const std::uint8_t*>(elements.data()),
                     .values = values_.data(),
                     .shape = has_shape_ ? &shape_ : nullptr,
                     .scales = reinterpret_cast<const std::uint8_t*>(scales.data()),
                     .factors = factors_.data(),
                     .block = format_.block,
                     .out = values.data(),
                     .count = count});
}

void RowCodec::decode_any(std::span<const std::byte> elements, std::span<const std::byte> scales,
                          std::span<float> values) const {
  const std::uint32_t width = format_.element.bits();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(take_bits(elements, i * width, width));
  if (!format_.in_blocks()) return;
  const std::size_t whole = values.size() / format_.block * format_.block;
  const std::uint32_t scale_width = format_.scale.bits();
  for (std::size_t i = 0; i < whole; ++i)
    values[i] *= factors_[take_bits(scales, i / format_.block * scale_width, scale_width)];
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end(), 0.0F);
}

std::uint32_t RowCodec::encode_block(std::span<const float> values, std::size_t first,
                                     std::span<std::byte> elements) const {
  const ElementType& element = format_.element;
  const std::uint32_t width = element.bits();
  const float most = largest_magnitude(values);
  if (format_.rule == BlockRule::kOcp) {
    if (!ocp_has_no_number(element) && any_is_no_number(values)) return 0xFF;
    const int exponent = ocp_scale(most, element);
    for (std::size_t i = 0; i < values.size(); ++i)
      put_bits(elements, (first + i) * width, ocp_bits(std::ldexp(double{values[i]}, -exponent), element));
    return static_cast<std::uint32_t>(exponent + kLargestScale);
  }
  if (most == 0 && !any_is_no_number(values)) return 0;
  const int exponent = reference_scale(most, format_.scale);
  const float scale = std::ldexp(1.0F, exponent);
  for (std::size_t i = 0; i < values.size(); ++i)
    put_bits(elements, (first + i) * width, reference_block_bits(values[i] / scale, element));
  return static_cast<std::uint32_t>(exponent + (1 << (format_.scale.exponent - 1)) - 1);
}

void RowCodec::encode(std::span<const float> values, std::span<std::byte> elements,
                      std::span<std::byte> scales) const {
  std::fill(elements.begin(), elements.end(), std::byte{});
  std::fill(scales.begin(), scales.end(), std::byte{});
  if (!format_.in_blocks()) {
    const std::uint32_t width = format_.element.bits();
    for (std::size_t i = 0; i < values.size(); ++i)
      put_bits(elements, i * width, reference_bits(values[i], format_.element));
    return;
  }
  for (std::size_t block = 0; (block + 1) * format_.block <= values.size(); ++block) {
    const std::size_t first = block * format_.block;
    const std::uint32_t scale = encode_block(values.subspan(first, format_.block), first, elements);
    put_bits(scales, block * format_.scale.bits(), scale);
  }
}

float RowCodec::rounded(float value) const {
  round({&value, 1});
  return value;
}

void RowCodec::round(std::span<float> values) const {
  if (is_bf16(format_)) {
    kernels_->round[static_cast<std::size_t>(Rounding::kBf16)](values.data(), values.data(), values.size());
    return;
  }
  for (float& value : values) value = value_of(reference_bits(value, format_.element));
  kernels_->round[static_cast<std::size_t>(Rounding::kNone)](values.data(), values.data(), values.size());
}

}  // namespace accelscope::emulator
