// How numbers lie in a memory: each by itself (bf16, int8), or in blocks that share a scale (MX).
//
// Sizes are exact: integers all the way, and what does not fit 64 bits is said. Plain data and pure
// functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const NumberFormat format, parse_number_format("mxfp8/8"));
//   bytes_of(1'000'000, format)     // 1125000: 9 bits an element
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace accelscope::boards {

struct ElementType {
  enum class Kind : std::uint8_t { kFloat, kInteger };

  Kind kind = Kind::kFloat;
  bool sign = true;            // of floats; integers count theirs among their bits
  std::uint32_t exponent = 0;  // bits, of floats
  std::uint32_t mantissa = 0;  // bits, of floats
  std::uint32_t width = 0;     // bits, of integers

  static constexpr ElementType floating(bool sign, std::uint32_t exponent, std::uint32_t mantissa) {
    return {Kind::kFloat, sign, exponent, mantissa, 0};
  }
  static constexpr ElementType integer(std::uint32_t width) { return {Kind::kInteger, true, 0, 0, width}; }

  constexpr std::uint32_t bits() const {
    return kind == Kind::kInteger ? width : (sign ? 1U : 0U) + exponent + mantissa;
  }
  bool operator==(const ElementType&) const = default;
};

// How the scale of a block is chosen, elements are rounded, and which numbers their bits mean: as the
// modelled accelerator does, or as the OCP Microscaling specification says.
enum class BlockRule : std::uint8_t { kReference, kOcp };

struct NumberFormat {
  ElementType element = {};
  std::uint32_t block = 0;  // elements that share a scale; 0: every element stands for itself
  ElementType scale = {};   // where there are blocks
  BlockRule rule = BlockRule::kReference;

  constexpr bool in_blocks() const { return block > 0; }
  bool operator==(const NumberFormat&) const = default;
};

inline constexpr ElementType kBf16 = ElementType::floating(true, 8, 7);
inline constexpr ElementType kE4m3 = ElementType::floating(true, 4, 3);
inline constexpr ElementType kE8m0 = ElementType::floating(false, 8, 0);
// What the modelled accelerator keeps in external memory unless told: E4M3 in blocks of 8.
inline constexpr NumberFormat kPlenaMx{kE4m3, 8, kE8m0};

// With the element's share of its scale: 9 for kPlenaMx.
double bits_per_element(const NumberFormat& format);

// Rounded up to whole bytes once, not for every element; nothing where that does not fit 63 bits.
std::optional<base::Bytes> bytes_of(std::uint64_t elements, const NumberFormat& format);

// "fp32", "fp16", "bf16", "int8", "int4", the MX formats of the OCP in blocks of 32 ("mxfp8", "mxfp6",
// "mxfp4", "mxint8"; "mxfp8-e5m2", "mxfp6-e2m3" where there is a choice), any of those with another block
// ("mxfp8/8"), any plain float by its bits ("e5m10"), and any MX format by the rule of the OCP
// ("ocp-mxfp8/32"). An error lists what is known.
base::Result<NumberFormat> parse_number_format(std::string_view text);
// The names that parse_number_format() knows, for help texts.
std::span<const std::string_view> number_format_names();
// What parse_number_format() reads back: "mxfp8/8".
std::string name_of(const NumberFormat& format);

}  // namespace accelscope::boards
