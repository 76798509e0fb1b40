#include "formats/etdump/base64.h"

#include <gtest/gtest.h>

namespace accelscope::formats::etdump {
namespace {

TEST(Base64, EncodesWithPadding) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("M"), "TQ==");
  EXPECT_EQ(encode_base64("Ma"), "TWE=");
  EXPECT_EQ(encode_base64("Man"), "TWFu");
  EXPECT_EQ(encode_base64("\xFB\xFF\xFE"), "+//+");
}

TEST(Base64, DecodesWhatItEncodes) {
  std::string bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(decode_base64(encode_base64(bytes)), bytes) << length;
    bytes += static_cast<char>(length * 37);
  }
}

TEST(Base64, PaddingIsOptional) {
  EXPECT_EQ(decode_base64("TQ"), "M");
}

TEST(Base64, RefusesWhatIsNotBase64) {
  EXPECT_FALSE(decode_base64("TW-u"));
  EXPECT_FALSE(decode_base64("TW u"));
  EXPECT_FALSE(decode_base64("T=Fu"));
  EXPECT_FALSE(decode_base64("TWFuT"));
}

}  // namespace
}  // namespace accelscope::formats::etdump
