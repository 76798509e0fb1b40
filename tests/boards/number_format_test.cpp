#include "boards/number_format.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace accelscope::boards {
namespace {

NumberFormat format(std::string_view text) {
  const auto parsed = parse_number_format(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(NumberFormat{});
}

TEST(NumberFormat, CountsTheElementsShareOfItsScale) {
  EXPECT_DOUBLE_EQ(bits_per_element(kPlenaMx), 9.0);
  EXPECT_DOUBLE_EQ(bits_per_element(format("mxfp8")), 8.25);
  EXPECT_DOUBLE_EQ(bits_per_element(format("mxfp4")), 4.25);
  EXPECT_DOUBLE_EQ(bits_per_element(format("bf16")), 16.0);
}

TEST(NumberFormat, RoundsWholeTensorsUpToBytes) {
  EXPECT_EQ(bytes_of(8, kPlenaMx), base::Bytes{9});
  EXPECT_EQ(bytes_of(1, kPlenaMx), base::Bytes{2});
  EXPECT_EQ(bytes_of(3, format("int4")), base::Bytes{2});
  EXPECT_EQ(bytes_of(0, format("int4")), base::Bytes{0});
}

TEST(NumberFormat, SaysWhenASizeDoesNotFit) {
  EXPECT_EQ(bytes_of(std::numeric_limits<std::uint64_t>::max(), kPlenaMx), std::nullopt);
  EXPECT_TRUE(bytes_of(std::uint64_t{1} << 62U, format("mxfp4")));
}

TEST(NumberFormat, TakesAnotherBlockForMxFormatsOnly) {
  EXPECT_EQ(format("mxfp8/8"), kPlenaMx);
  EXPECT_FALSE(parse_number_format("bf16/8"));
  EXPECT_FALSE(parse_number_format("mxfp8/0"));
  EXPECT_FALSE(parse_number_format("mxfp8/"));
  EXPECT_FALSE(parse_number_format("mxfp8/99999999999"));
}

TEST(NumberFormat, TakesFloatsByTheirBits) {
  EXPECT_EQ(format("e8m7"), format("bf16"));
  EXPECT_EQ(format("e5m2").element.bits(), 8U);
  EXPECT_FALSE(parse_number_format("e0m2"));
  EXPECT_FALSE(parse_number_format("e5"));
  EXPECT_FALSE(parse_number_format("e5m"));
  EXPECT_FALSE(parse_number_format("e99m99"));
}

TEST(NumberFormat, IsNamedAsItIsRead) {
  for (const std::string_view name : number_format_names())
    EXPECT_EQ(format(name_of(format(name))), format(name));
  EXPECT_EQ(name_of(kPlenaMx), "mxfp8/8");
  EXPECT_EQ(name_of(format("e5m2")), "e5m2");
}

TEST(NumberFormat, NamesTheRuleOfBlocks) {
  NumberFormat ocp = format("mxfp8");
  ocp.rule = BlockRule::kOcp;
  EXPECT_EQ(format("ocp-mxfp8"), ocp);
  EXPECT_EQ(format("ocp-mxfp8/32"), ocp);
  EXPECT_NE(format("mxfp8"), ocp);
  EXPECT_EQ(name_of(ocp), "ocp-mxfp8");
  ocp.block = 16;
  EXPECT_EQ(name_of(ocp), "ocp-mxfp8/16");
  for (const std::string_view name : number_format_names()) {
    if (!format(name).in_blocks()) continue;
    const NumberFormat by_ocp = format("ocp-" + std::string(name));
    EXPECT_EQ(format(name_of(by_ocp)), by_ocp);
  }
  EXPECT_FALSE(parse_number_format("ocp-bf16"));
  EXPECT_FALSE(parse_number_format("ocp-"));
  EXPECT_FALSE(parse_number_format("ocp-mxfp8/"));
}

TEST(NumberFormat, SaysWhatItKnows) {
  const auto unknown = parse_number_format("mxfp9");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("did you mean `mxfp8`?"), std::string::npos)
      << unknown.error().message;
  EXPECT_NE(unknown.error().message.find("bf16"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::boards
