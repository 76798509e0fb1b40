#include "boards/config_formats.h"

namespace accelscope::boards {
namespace {

constexpr ConfigRange kExponentBits{0, 11};
constexpr ConfigRange kMantissaBits{0, 52};
constexpr ConfigRange kIntegerBits{1, 64};

}  // namespace

std::optional<ElementType> float_element(ConfigMap& map) {
  const bool sign = map.boolean("sign").value_or(true);
  map.complain_if_missing("exponent");
  map.complain_if_missing("mantissa");
  const auto exponent = map.integer("exponent", kExponentBits);
  const auto mantissa = map.integer("mantissa", kMantissaBits);
  if (!exponent || !mantissa) return std::nullopt;
  if (*exponent + *mantissa == 0) {
    map.problem("exponent", "a float has exponent or mantissa bits, this one has neither");
    return std::nullopt;
  }
  return ElementType::floating(sign, static_cast<std::uint32_t>(*exponent),
                               static_cast<std::uint32_t>(*mantissa));
}

std::optional<ElementType> integer_element(ConfigMap& map) {
  map.complain_if_missing("width");
  const auto width = map.integer("width", kIntegerBits);
  if (!width) return std::nullopt;
  return ElementType::integer(static_cast<std::uint32_t>(*width));
}

std::optional<NumberFormat> read_board_format(ConfigMap& map, std::string_view key) {
  const ConfigNode* value = map.find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == ConfigNode::Kind::kText) {
    auto format = parse_number_format(value->text);
    if (format) return *format;
    map.problem(key, "{}", format.error().message);
    return std::nullopt;
  }
  ConfigMap bits = map.map(key);
  const std::string type = bits.text("type").value_or("fp");
  if (type != "fp" && type != "int")
    bits.problem("type", "`fp` or `int` is expected, this is `{}`", shown(type));
  const auto element = type == "int" ? integer_element(bits) : float_element(bits);
  const auto block = bits.integer("block", kBlockRange);
  const auto scale = bits.integer("scale_exponent", {1, 11});
  if (block && !scale) bits.complain_if_missing("scale_exponent");
  if (scale && !block) bits.complain_if_missing("block");
  bits.refuse_unknown();
  if (!element) return std::nullopt;
  if (!block || !scale) return NumberFormat{*element};
  return NumberFormat{*element, static_cast<std::uint32_t>(*block),
                      ElementType::floating(false, static_cast<std::uint32_t>(*scale), 0)};
}

}  // namespace accelscope::boards
