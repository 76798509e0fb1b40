#include "emulator/minifloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace accelscope::emulator {
namespace {

using boards::ElementType;

constexpr std::uint32_t kFloatMantissa = 23;
constexpr std::uint32_t kFloatExponent = 8;
constexpr float kTiny = 1e-9F;  // what the reference adds before it takes a logarithm

constexpr std::uint32_t ones(std::uint32_t count) {
  return count >= 32 ? 0xFFFFFFFFU : (1U << count) - 1;
}

struct Fields {
  bool negative = false;
  std::uint32_t exponent = 0;
  std::uint32_t mantissa = 0;
};

Fields split(std::uint32_t bits, const ElementType& type) {
  return {type.sign && ((bits >> (type.exponent + type.mantissa)) & 1U) != 0,
          (bits >> type.mantissa) & ones(type.exponent), bits & ones(type.mantissa)};
}

std::uint32_t join(const Fields& fields, const ElementType& type) {
  const std::uint32_t sign = type.sign && fields.negative ? 1U << (type.exponent + type.mantissa) : 0;
  return sign | (fields.exponent << type.mantissa) | fields.mantissa;
}

int bias_of(const ElementType& type) {
  return (1 << (type.exponent - 1)) - 1;
}

// 2^exponent, for exponents of normal floats.
float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << kFloatMantissa);
}

float magnitude_of(std::uint32_t mantissa, bool normal, int exponent, const ElementType& type) {
  const std::uint32_t steps = mantissa + (normal ? 1U << type.mantissa : 0);
  return std::ldexp(static_cast<float>(steps), exponent - static_cast<int>(type.mantissa));
}

// Towards zero, and of that the lowest bits.
std::uint32_t integer_bits(float value, std::uint32_t width) {
  if (std::isnan(value)) return 0;
  constexpr float kMost = 0x1p62F;
  const auto whole = static_cast<std::int64_t>(std::clamp(value, -kMost, kMost));
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(whole)) & ones(width);
}

std::uint32_t no_number(const ElementType& type) {
  const std::uint32_t quiet = type.mantissa == 0 ? 0 : 1U << (type.mantissa - 1);
  return join({false, ones(type.exponent), quiet}, type);
}

// The upper bits of a float, rounded to the nearest, ties to even.
std::uint32_t rounded_float_bits(float value, std::uint32_t mantissa) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t dropped = kFloatMantissa - mantissa;
  // Already of the type, or without room for a carry.
  if ((bits & ones(dropped)) == 0) return bits >> dropped;
  if (std::isnan(value)) return (bits >> dropped) | (mantissa == 0 ? 0 : 1U << (mantissa - 1));
  return (bits + (ones(dropped) >> 1U) + ((bits >> dropped) & 1U)) >> dropped;
}

// The reference takes the exponent's difference from itself, not from the bias: nothing between zero and
// infinity is left.
std::uint32_t broken_cast(float value, const ElementType& type) {
  const Fields from = split(rounded_float_bits(value, type.mantissa),
                            ElementType::floating(true, kFloatExponent, type.mantissa));
  const std::uint32_t largest = ones(type.exponent);
  const std::uint32_t down = (from.exponent - largest) >> 1U;
  if (from.exponent <= down) return join({from.negative, 0, 0}, type);
  return join({from.negative, std::min(from.exponent - down, largest), from.mantissa}, type);
}

// Half to even, of what is left after all below a quarter was cut off.
float hardware_rounded(float value) {
  return std::nearbyint(std::floor(4 * value) / 4);
}

bool is_float(const ElementType& type, std::uint32_t exponent, std::uint32_t mantissa) {
  return type == ElementType::floating(true, exponent, mantissa);
}

// The largest number's bits, without a sign.
std::uint32_t ocp_largest(const ElementType& type) {
  if (is_float(type, 5, 2)) return 0x7B;
  if (is_float(type, 4, 3)) return 0x7E;
  return ones(type.exponent + type.mantissa);
}

constexpr double kIntegerOne = 64;  // INT8 has six bits behind the point

}  // namespace

float reference_value(std::uint32_t bits, const ElementType& type) {
  if (type.kind == ElementType::Kind::kInteger) return static_cast<float>(bits);
  const Fields fields = split(bits, type);
  if (type.exponent == kFloatExponent)
    return std::bit_cast<float>(((fields.negative ? 1U : 0U) << 31U) | (fields.exponent << kFloatMantissa) |
                                (fields.mantissa << (kFloatMantissa - type.mantissa)));
  float magnitude = 0;
  if (fields.exponent == ones(type.exponent))
    magnitude = fields.mantissa == 0 ? std::numeric_limits<float>::infinity()
                                     : std::numeric_limits<float>::quiet_NaN();
  else
    magnitude = magnitude_of(fields.mantissa, fields.exponent != 0,
                             static_cast<int>(fields.exponent) - bias_of(type), type);
  return fields.negative ? -magnitude : magnitude;
}

std::uint32_t reference_bits(float value, const ElementType& type) {
  if (type.kind == ElementType::Kind::kInteger) return integer_bits(value, type.width);
  if (type.exponent != kFloatExponent) return broken_cast(value, type);
  return rounded_float_bits(value, type.mantissa) & ones(type.bits());
}

int reference_exponent(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const int exponent = static_cast<int>(bits >> kFloatMantissa) - 127;
  // Only there can the logarithm, rounded to 24 bits, reach the next whole number.
  constexpr std::uint32_t kJustBelow = 0x7FFF00;
  if (exponent < 128 && (bits & kJustBelow) == kJustBelow)
    return static_cast<int>(std::floor(static_cast<float>(std::log2(static_cast<double>(value)))));
  return exponent;
}

std::uint32_t reference_block_bits(float value, const ElementType& type) {
  if (type.kind == ElementType::Kind::kInteger) return integer_bits(value, type.width);
  if (std::isnan(value)) return no_number(type);
  if (value == 0) return 0;
  const float magnitude = std::fabs(value);
  const int bias = bias_of(type);
  const int largest = static_cast<int>(ones(type.exponent)) - 1 - bias;
  const int raw = reference_exponent(magnitude + kTiny);
  const int exponent = std::clamp(raw, -bias, largest);
  const float ratio = exponent < 127 ? magnitude * power_of_two(-exponent) : std::ldexp(magnitude, -exponent);
  const auto steps = static_cast<float>(1U << type.mantissa);
  const float fraction = hardware_rounded((exponent == -bias ? ratio : ratio - 1) * steps);
  const float most = steps - 1;
  const auto mantissa = static_cast<std::uint32_t>(raw > largest ? most : std::clamp(fraction, 0.0F, most));
  return join({std::signbit(value), static_cast<std::uint32_t>(exponent + bias), mantissa}, type);
}

bool is_ocp_element(const ElementType& type) {
  return type == ElementType::integer(8) || is_float(type, 5, 2) || is_float(type, 4, 3) ||
         is_float(type, 3, 2) || is_float(type, 2, 3) || is_float(type, 2, 1);
}

bool ocp_has_no_number(const ElementType& type) {
  return is_float(type, 5, 2) || is_float(type, 4, 3);
}

int ocp_largest_exponent(const ElementType& type) {
  if (type.kind == ElementType::Kind::kInteger) return 0;
  return static_cast<int>(ocp_largest(type) >> type.mantissa) - bias_of(type);
}

float ocp_value(std::uint32_t bits, const ElementType& type) {
  if (type.kind == ElementType::Kind::kInteger)
    return static_cast<float>(static_cast<std::int8_t>(bits)) / static_cast<float>(kIntegerOne);
  const Fields fields = split(bits, type);
  const std::uint32_t unsigned_bits = bits & ones(type.exponent + type.mantissa);
  float magnitude = 0;
  if (unsigned_bits <= ocp_largest(type))
    magnitude = magnitude_of(fields.mantissa, fields.exponent != 0,
                             std::max(1, static_cast<int>(fields.exponent)) - bias_of(type), type);
  else
    magnitude = is_float(type, 5, 2) && fields.mantissa == 0 ? std::numeric_limits<float>::infinity()
                                                             : std::numeric_limits<float>::quiet_NaN();
  return fields.negative ? -magnitude : magnitude;
}

std::uint32_t ocp_bits(double value, const ElementType& type) {
  if (type.kind == ElementType::Kind::kInteger) {
    const double steps = std::isnan(value) ? 0 : std::nearbyint(value * kIntegerOne);
    return static_cast<std::uint32_t>(static_cast<int>(std::clamp(steps, -128.0, 127.0))) & 0xFFU;
  }
  const std::uint32_t sign = std::signbit(value) ? 1U << (type.exponent + type.mantissa) : 0;
  if (std::isnan(value)) return sign | ones(type.exponent + type.mantissa);
  const std::uint32_t largest = ocp_largest(type);
  const double magnitude = std::fabs(value);
  if (magnitude >= static_cast<double>(ocp_value(largest, type))) return sign | largest;
  const int smallest = 1 - bias_of(type);
  const int exponent = magnitude == 0 ? smallest : std::max(smallest, std::ilogb(magnitude));
  // A carry of the fraction counts the exponent up, and the first normal number follows the last below them.
  const auto steps = static_cast<std::uint32_t>(
      std::nearbyint(std::ldexp(magnitude, static_cast<int>(type.mantissa) - exponent)));
  return sign | (steps + (static_cast<std::uint32_t>(exponent - smallest) << type.mantissa));
}

}  // namespace accelscope::emulator
