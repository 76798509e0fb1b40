#include "compat/python_text.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "compat/kit_host.h"
#include "compat/pandas_float.h"

namespace accelscope::compat {
namespace {

TEST(PythonText, PrintsFixedDecimals) {
  EXPECT_EQ(fixed(0.125, 2), "0.12");
  EXPECT_EQ(fixed(10.0475, 3), "10.047");
  EXPECT_EQ(fixed(-std::nan(""), 2), "nan");
  EXPECT_EQ(fixed(std::numeric_limits<double>::infinity(), 2), "inf");
  EXPECT_EQ(fixed(1.5, 1, 6), "   1.5");
}

TEST(PythonText, CountsCharactersNotBytes) {
  EXPECT_EQ(padded("Größe", 7), "Größe  ");
  EXPECT_EQ(padded("模型", 3), "模型 ");
  EXPECT_EQ(padded("long enough", 3), "long enough");
  EXPECT_EQ(shortened("ööööö", 5, 2), "ööööö");
  EXPECT_EQ(shortened("öööööö", 5, 2), "öö...");
}

TEST(PythonText, WritesJsonInAscii) {
  EXPECT_EQ(python_json_string("a\"\\\n\t\x01\x7f/"), R"("a\"\\\n\t\u0001\u007f/")");
  EXPECT_EQ(python_json_string("größe 模 😀"), R"("gr\u00f6\u00dfe \u6a21 \ud83d\ude00")");
  EXPECT_EQ(python_json_string("\xff"), R"("\ufffd")");
}

TEST(PandasFloat, LooksAtSeventeenDigitsZerosIncluded) {
  EXPECT_EQ(pandas_float("0.5"), 0.5);
  EXPECT_EQ(pandas_float("12.176066500000001"), 12.1760665);  // 17 digits are more than a double holds
  EXPECT_EQ(pandas_float("0.009999999999999787"), 0.0099999999999997);
  EXPECT_EQ(pandas_float("123456789012345678"), 123456789012345680.0);
  EXPECT_EQ(pandas_float("-2.5e-05"), -2.5e-05);
  EXPECT_EQ(pandas_float("+1e3"), 1000.0);
  EXPECT_EQ(pandas_float("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(pandas_float("1e-400"), 0.0);
  EXPECT_EQ(pandas_float("1e-700"), 0.0);
}

TEST(PandasFloat, KnowsWhatIsMissingAndWhatIsNoNumber) {
  for (const char* missing : {"", "nan", "NaN", "NA", "null"}) {
    const auto value = pandas_float(missing);
    ASSERT_TRUE(value) << missing;
    EXPECT_TRUE(std::isnan(*value)) << missing;
  }
  EXPECT_EQ(pandas_float("-inf"), -std::numeric_limits<double>::infinity());
  for (const char* wrong : {"abc", "1.2.3", "1e", "1e+-5", "-", ".", "1 ms", "0x10", "1e99999999999"})
    EXPECT_FALSE(pandas_float(wrong)) << wrong;
}

TEST(KitHost, NamesTimesAsPythonDoes) {
  using std::chrono::microseconds;
  using std::chrono::system_clock;
  const system_clock::time_point time{std::chrono::seconds(1794771521) + microseconds(244037)};
  EXPECT_EQ(kit_utc_time(time), "2026-11-15T19:38:41.244037+00:00");
  EXPECT_EQ(kit_utc_time(system_clock::time_point{std::chrono::seconds(0)}), "1970-01-01T00:00:00+00:00");
  EXPECT_EQ(kit_local_time(time).size(), std::string_view("2026-11-15 19:38:41").size());
  EXPECT_FALSE(kit_host().architecture.empty());
}

}  // namespace
}  // namespace accelscope::compat
