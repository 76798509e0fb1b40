// Names of types, and scalars as JSON.
#include "formats/tensor_dump/data_types.h"

#include <gtest/gtest.h>

#include <bit>

namespace accelscope::formats::tensor_dump {
namespace {

using recorder::DataType;

TEST(DataTypes, HaveNamesOfTheirOwn) {
  for (std::uint32_t number = 0; number < recorder::kDataTypes; ++number) {
    const auto type = static_cast<DataType>(number);
    EXPECT_EQ(data_type_named(name_of(type)), type) << name_of(type);
  }
  EXPECT_EQ(name_of(DataType::kBfloat16), "BFLOAT16");
  EXPECT_EQ(name_of(static_cast<DataType>(200)), "TYPE_200");
  EXPECT_FALSE(data_type_named("TYPE_200"));
  EXPECT_FALSE(data_type_named("UNKNOWN"));
  EXPECT_FALSE(data_type_named("float32"));
}

TEST(DataTypes, ScalarsAreTheirValues) {
  EXPECT_EQ(scalar_json(DataType::kFloat32, std::bit_cast<std::uint32_t>(1.0F)), "1.0");
  EXPECT_EQ(scalar_json(DataType::kFloat32, std::bit_cast<std::uint32_t>(0.1F)), "0.1");
  EXPECT_EQ(scalar_json(DataType::kFloat32, std::bit_cast<std::uint32_t>(1e30F)), "1e+30");
  EXPECT_EQ(scalar_json(DataType::kFloat64, std::bit_cast<std::uint64_t>(-2.5)), "-2.5");
  EXPECT_EQ(scalar_json(DataType::kFloat16, 0x3C00), "1.0");
  EXPECT_EQ(scalar_json(DataType::kFloat16, 0xC100), "-2.5");
  EXPECT_EQ(scalar_json(DataType::kFloat16, 0x0001), "5.960464477539063e-08") << "the smallest there is";
  EXPECT_EQ(scalar_json(DataType::kFloat16, 0x7BFF), "65504.0") << "the largest";
  EXPECT_EQ(scalar_json(DataType::kBfloat16, 0x3FC0), "1.5");
  EXPECT_EQ(scalar_json(DataType::kInt8, 0xFF), "-1");
  EXPECT_EQ(scalar_json(DataType::kInt16, 0x8000), "-32768");
  EXPECT_EQ(scalar_json(DataType::kInt32, 0xFFFFFFFF), "-1");
  EXPECT_EQ(scalar_json(DataType::kInt64, ~std::uint64_t{0}), "-1");
  EXPECT_EQ(scalar_json(DataType::kUint8, 0x1FF), "255") << "what is above the type does not count";
  EXPECT_EQ(scalar_json(DataType::kUint16, 65535), "65535");
  EXPECT_EQ(scalar_json(DataType::kUint32, 0xFFFFFFFF), "4294967295");
  EXPECT_EQ(scalar_json(DataType::kUint64, ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(scalar_json(DataType::kBool, 2), "true");
  EXPECT_EQ(scalar_json(DataType::kBool, 0x100), "false");
  EXPECT_EQ(scalar_json(static_cast<DataType>(99), 7), "7");
}

TEST(DataTypes, WhatJsonLacksIsAText) {
  EXPECT_EQ(scalar_json(DataType::kFloat32, 0x7F800000), "\"inf\"");
  EXPECT_EQ(scalar_json(DataType::kFloat32, 0xFF800000), "\"-inf\"");
  EXPECT_EQ(scalar_json(DataType::kFloat32, 0x7FC00000), "\"nan\"");
  EXPECT_EQ(scalar_json(DataType::kFloat16, 0xFC00), "\"-inf\"");
  EXPECT_EQ(scalar_json(DataType::kFloat16, 0x7E00), "\"nan\"");
}

}  // namespace
}  // namespace accelscope::formats::tensor_dump
