#include "boards/number_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/closest_name.h"
#include "base/number_in.h"

namespace accelscope::boards {
namespace {

struct Named {
  std::string_view name;
  NumberFormat format;
};

constexpr std::uint32_t kOcpBlock = 32;
constexpr std::uint32_t kLargestBlock = 1U << 20U;
constexpr std::string_view kOcpPrefix = "ocp-";

constexpr NumberFormat ocp(ElementType element) {
  return {element, kOcpBlock, kE8m0};
}

// The first name of a format is the one that name_of() gives it.
constexpr std::array kNamed{
    Named{"fp32", {ElementType::floating(true, 8, 23)}},
    Named{"fp16", {ElementType::floating(true, 5, 10)}},
    Named{"bf16", {kBf16}},
    Named{"int32", {ElementType::integer(32)}},
    Named{"int16", {ElementType::integer(16)}},
    Named{"int8", {ElementType::integer(8)}},
    Named{"int4", {ElementType::integer(4)}},
    Named{"mxfp8", ocp(kE4m3)},
    Named{"mxfp8-e4m3", ocp(kE4m3)},
    Named{"mxfp8-e5m2", ocp(ElementType::floating(true, 5, 2))},
    Named{"mxfp6", ocp(ElementType::floating(true, 3, 2))},
    Named{"mxfp6-e3m2", ocp(ElementType::floating(true, 3, 2))},
    Named{"mxfp6-e2m3", ocp(ElementType::floating(true, 2, 3))},
    Named{"mxfp4", ocp(ElementType::floating(true, 2, 1))},
    Named{"mxint8", ocp(ElementType::integer(8))},
    Named{"mxint4", ocp(ElementType::integer(4))},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kNamed.size()> names;
  for (std::size_t i = 0; i < kNamed.size(); ++i) names[i] = kNamed[i].name;
  return names;
}();

// "e5m10"
std::optional<ElementType> float_by_bits(std::string_view text) {
  const std::size_t m = text.find('m');
  if (text.empty() || text.front() != 'e' || m == std::string_view::npos) return std::nullopt;
  const auto exponent = base::number_in<std::uint32_t>(text.substr(1, m - 1));
  const auto mantissa = base::number_in<std::uint32_t>(text.substr(m + 1));
  constexpr std::uint32_t kMostExponent = 11;
  constexpr std::uint32_t kMostMantissa = 52;
  if (!exponent || !mantissa || *exponent == 0 || *exponent > kMostExponent || *mantissa > kMostMantissa)
    return std::nullopt;
  return ElementType::floating(true, *exponent, *mantissa);
}

std::string element_text(const ElementType& element) {
  if (element.kind == ElementType::Kind::kInteger) return fmt::format("int{}", element.width);
  return fmt::format("{}e{}m{}", element.sign ? "" : "u", element.exponent, element.mantissa);
}

}  // namespace

double bits_per_element(const NumberFormat& format) {
  const double share = format.in_blocks() ? static_cast<double>(format.scale.bits()) / format.block : 0;
  return format.element.bits() + share;
}

std::optional<base::Bytes> bytes_of(std::uint64_t elements, const NumberFormat& format) {
  const base::Int128 block = format.in_blocks() ? format.block : 1;
  const base::Int128 bits_of_block =
      block * format.element.bits() + (format.in_blocks() ? format.scale.bits() : 0);
  const base::Int128 divisor = 8 * block;
  const base::Int128 bytes = (elements * bits_of_block + divisor - 1) / divisor;
  if (bytes > base::Bytes::max().value) return std::nullopt;
  return base::Bytes{static_cast<std::int64_t>(bytes)};
}

base::Result<NumberFormat> parse_number_format(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool by_ocp = text.starts_with(kOcpPrefix);
  const std::size_t start = by_ocp ? kOcpPrefix.size() : 0;
  const std::string_view name = text.substr(start, slash == std::string_view::npos ? slash : slash - start);
  NumberFormat format;
  if (const auto* found =
          std::find_if(kNamed.begin(), kNamed.end(), [&](const Named& named) { return named.name == name; });
      found != kNamed.end()) {
    format = found->format;
  } else if (const auto element = float_by_bits(name)) {
    format.element = *element;
  } else {
    return base::fail(
        base::ErrorCode::kUsage,
        "unknown number format `{}`{}; known are {}, a plain float by its bits (e5m10), and any "
        "of the mx formats with another block (mxfp8/8) or by the rule of the OCP (ocp-mxfp8)",
        text, base::suggestion(name, kNames), fmt::join(kNames, ", "));
  }
  if (by_ocp) {
    if (!format.in_blocks())
      return base::fail(base::ErrorCode::kUsage, "number format `{}`: behind `{}` stands an mx format", text,
                        kOcpPrefix);
    format.rule = BlockRule::kOcp;
  }
  if (slash == std::string_view::npos) return format;
  const auto block = base::number_in<std::uint32_t>(text.substr(slash + 1));
  if (!format.in_blocks() || !block || *block == 0 || *block > kLargestBlock)
    return base::fail(base::ErrorCode::kUsage,
                      "number format `{}`: behind '/' stands the block of an mx format, from 1 to {}", text,
                      kLargestBlock);
  format.block = *block;
  return format;
}

std::span<const std::string_view> number_format_names() {
  return kNames;
}

std::string name_of(const NumberFormat& format) {
  if (format.rule == BlockRule::kOcp) {
    NumberFormat by_reference = format;
    by_reference.rule = BlockRule::kReference;
    return std::string(kOcpPrefix) + name_of(by_reference);
  }
  for (const Named& named : kNamed) {
    if (named.format == format) return std::string(named.name);
    NumberFormat other_block = named.format;
    other_block.block = format.block;
    if (named.format.in_blocks() && format.in_blocks() && other_block == format)
      return fmt::format("{}/{}", named.name, format.block);
  }
  if (!format.in_blocks()) return element_text(format.element);
  return fmt::format("{}/{} of {}", element_text(format.element), format.block, element_text(format.scale));
}

}  // namespace accelscope::boards
