// Types of elements under the names that manifests have for them, and scalars as the JSON that stands there.
//
// Pure functions, safe from any thread.
//
//   name_of(DataType::kFloat32)                        // "FLOAT32"
//   scalar_json(DataType::kFloat16, 0x3C00)            // "1.0"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "accelscope/recorder/tensor_types.h"

namespace accelscope::formats::tensor_dump {

// "TYPE_200" for a number that no type has.
std::string name_of(recorder::DataType type);
std::optional<recorder::DataType> data_type_named(std::string_view name);

// The value in the lowest bytes of `bits`. JSON has no infinities and no NaN: those are texts. Of a type that
// is not known, all bits as an integer.
std::string scalar_json(recorder::DataType type, std::uint64_t bits);

}  // namespace accelscope::formats::tensor_dump
