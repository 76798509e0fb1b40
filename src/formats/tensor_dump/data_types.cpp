#include "formats/tensor_dump/data_types.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cmath>

#include "base/half_float.h"

namespace accelscope::formats::tensor_dump {
namespace {

using recorder::DataType;

constexpr std::array<std::string_view, recorder::kDataTypes> kNames = {
    "FLOAT32", "FLOAT16", "BFLOAT16", "INT64",  "INT32",  "INT16", "INT8",
    "UINT8",   "BOOL",    "FLOAT64",  "UINT16", "UINT32", "UINT64"};

// As short as it reads back, and never without a point: it is a float.
template <class Float>
std::string float_json(Float value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <class Integer>
std::string integer_json(std::uint64_t bits) {
  return fmt::format("{}", static_cast<Integer>(bits));
}

}  // namespace

std::string name_of(DataType type) {
  const auto number = static_cast<std::size_t>(type);
  return number < kNames.size() ? std::string(kNames[number]) : fmt::format("TYPE_{}", number);
}

std::optional<DataType> data_type_named(std::string_view name) {
  for (std::size_t number = 0; number < kNames.size(); ++number)
    if (kNames[number] == name) return static_cast<DataType>(number);
  return std::nullopt;
}

std::string scalar_json(DataType type, std::uint64_t bits) {
  switch (type) {
    case DataType::kFloat32:
      return float_json(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case DataType::kFloat16:
      return float_json(static_cast<double>(base::float_of_float16(static_cast<std::uint16_t>(bits))));
    case DataType::kBfloat16:
      return float_json(base::float_of_bfloat16(static_cast<std::uint16_t>(bits)));
    case DataType::kFloat64:
      return float_json(std::bit_cast<double>(bits));
    case DataType::kInt8:
      return integer_json<std::int8_t>(bits);
    case DataType::kInt16:
      return integer_json<std::int16_t>(bits);
    case DataType::kInt32:
      return integer_json<std::int32_t>(bits);
    case DataType::kInt64:
      return integer_json<std::int64_t>(bits);
    case DataType::kUint8:
      return integer_json<std::uint8_t>(bits);
    case DataType::kUint16:
      return integer_json<std::uint16_t>(bits);
    case DataType::kUint32:
      return integer_json<std::uint32_t>(bits);
    case DataType::kBool:
      return (bits & 0xFFU) != 0 ? "true" : "false";
    case DataType::kUint64:
    case DataType::kUnknown:
      break;
  }
  return integer_json<std::uint64_t>(bits);
}

}  // namespace accelscope::formats::tensor_dump
