#include "base/json_cursor.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace accelscope::base {
namespace {

// The text with the readable bytes behind it that a mapped file has; those bytes must never matter.
struct Padded {
  explicit Padded(std::string text) : size(text.size()), bytes(std::move(text) + std::string(64, '7')) {}
  std::string_view view() const { return {bytes.data(), size}; }
  std::size_t size;
  std::string bytes;
};

std::string error_of(const JsonCursor& json) {
  const Status status = json.status();
  return status ? "" : status.error().to_string();
}

TEST(JsonCursor, WalksObjectsAndArrays) {
  const Padded text(
      R"( {"a" : [1, 2,3] ,"skip":{"x":[{},"]}\"",null,-1.5e3]},"b":"t\u00e9xt","c":[],"d":{}} )");
  JsonCursor json(text.view(), "f.json");
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> keys;
  std::string b;
  json.begin_object();
  while (json.next_key()) {
    keys.emplace_back(json.key());
    if (json.key() == "a") {
      json.begin_array();
      while (json.next_element()) numbers.push_back(json.unsigned_integer());
    } else if (json.key() == "b") {
      b = json.string();
    } else if (json.key() == "c") {
      json.begin_array();
      EXPECT_FALSE(json.next_element());
    } else {
      json.skip_value();
    }
  }
  json.expect_end();
  EXPECT_EQ(error_of(json), "");
  EXPECT_EQ(keys, (std::vector<std::string>{"a", "skip", "b", "c", "d"}));
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(b, "t\xC3\xA9xt");
}

TEST(JsonCursor, ReadsIntegersExactly) {
  const auto unsigned_of = [](const std::string& text) {
    const Padded padded(text);
    JsonCursor json(padded.view(), "f");
    const std::uint64_t value = json.unsigned_integer();
    json.expect_end();
    return json.ok() ? std::to_string(value) : error_of(json);
  };
  EXPECT_EQ(unsigned_of("0"), "0");
  EXPECT_EQ(unsigned_of("9007199254740993"), "9007199254740993");
  EXPECT_EQ(unsigned_of("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(unsigned_of("18446744073709551616"), "f: byte 0: the number does not fit 64 bits");
  EXPECT_EQ(unsigned_of("100000000000000000000"), "f: byte 0: the number does not fit 64 bits");
  for (const char* bad : {"-1", "1.5", "1e3", "01", "x", "", "\"1\"", "+1"})
    EXPECT_EQ(unsigned_of(bad), "f: byte 0: an integer that is not negative is expected here") << bad;
  // Far from the end of the text eight digits are read at once.
  const std::string blanks(40, ' ');
  std::string digits;
  for (int count = 1; count <= 20; ++count) {
    digits += static_cast<char>('0' + (count * 7) % 10);
    // 20 digits that begin with 7 do not fit.
    EXPECT_EQ(unsigned_of(digits + blanks),
              count < 20 ? digits : "f: byte 0: the number does not fit 64 bits");
  }
  EXPECT_EQ(unsigned_of("18446744073709551615" + blanks), "18446744073709551615");
  EXPECT_EQ(unsigned_of("0" + blanks), "0");
  for (const char* bad : {"-1", "12345678.5", "1e3", "01", "00000000", "x", "\"1\"", "+1"})
    EXPECT_EQ(unsigned_of(bad + blanks), "f: byte 0: an integer that is not negative is expected here")
        << bad;
}

TEST(JsonCursor, ReadsRowsOfIntegers) {
  const auto row_of = [](const std::string& text) {
    const Padded padded(text);
    JsonCursor json(padded.view(), "f");
    std::array<std::uint64_t, 3> values{};
    const std::size_t count = json.unsigned_row(values);
    json.expect_end();
    if (!json.ok()) return error_of(json);
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += std::to_string(values[i]) + ";";
    return result;
  };
  // The same with the end of the text near, where every byte is looked at, and far.
  for (const std::string& tail : {std::string(), std::string(120, ' ')}) {
    EXPECT_EQ(row_of("[1,22,333]" + tail), "1;22;333;");
    EXPECT_EQ(row_of("[1, 18446744073709551615, 0]" + tail), "1;18446744073709551615;0;");
    EXPECT_EQ(row_of(" [ 1 ,\n2 ] " + tail), "1;2;");
    EXPECT_EQ(row_of("[71440870157,12345678,123456789012345678]" + tail),
              "71440870157;12345678;123456789012345678;");
    EXPECT_EQ(row_of("[]" + tail), "");
    EXPECT_EQ(row_of(" [1,2,3,4]" + tail), "f: byte 1: this row has more than 3 columns");
    EXPECT_EQ(row_of("[1,-2]" + tail), "f: byte 3: an integer that is not negative is expected here");
    EXPECT_EQ(row_of("[1,2.5]" + tail), "f: byte 3: an integer that is not negative is expected here");
    EXPECT_EQ(row_of("[1,02]" + tail), "f: byte 3: an integer that is not negative is expected here");
    EXPECT_EQ(row_of("[1,]" + tail), "f: byte 3: a value is expected behind the comma");
    EXPECT_EQ(row_of("[1 2]" + tail), "f: byte 3: a comma or ']' is expected here");
    EXPECT_EQ(row_of("{}" + tail), "f: byte 0: an array is expected here");
  }
  EXPECT_EQ(row_of("[1,2"), "f: byte 4: the file ends inside an array");
  EXPECT_EQ(row_of("[1,"), "f: byte 3: an integer that is not negative is expected here");
}

TEST(JsonCursor, ReadsSignedIntegersToTheirLimits) {
  const auto signed_of = [](const std::string& text) {
    const Padded padded(text);
    JsonCursor json(padded.view(), "f");
    const std::int64_t value = json.integer();
    return json.ok() ? value : 42;
  };
  EXPECT_EQ(signed_of("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(signed_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(signed_of("-1"), -1);
  EXPECT_EQ(signed_of("9223372036854775808"), 42);
  EXPECT_EQ(signed_of("-9223372036854775809"), 42);
  EXPECT_EQ(signed_of("- 1"), 42);
}

TEST(JsonCursor, ScalesDecimalsWithoutADouble) {
  const auto scaled = [](const std::string& text) {
    const Padded padded(text);
    JsonCursor json(padded.view(), "f");
    const std::int64_t value = json.scaled_decimal(3);
    return json.ok() ? value : -77;
  };
  EXPECT_EQ(scaled("12.340"), 12340);
  EXPECT_EQ(scaled("12"), 12000);
  EXPECT_EQ(scaled("12.3456"), 12345);
  EXPECT_EQ(scaled("-0.001"), -1);
  EXPECT_EQ(scaled("0.1"), 100);
  EXPECT_EQ(scaled("1e3"), -77);
  EXPECT_EQ(scaled("99999999999999999999"), -77);
  EXPECT_EQ(scaled("1."), -77);
}

TEST(JsonCursor, NamesThePlaceOfTheFirstFaultAndStaysThere) {
  const Padded text(R"({"a":[1,2,x],"b":3})");
  JsonCursor json(text.view(), "f.json", 100);
  json.begin_object();
  EXPECT_TRUE(json.next_key());
  json.begin_array();
  int elements = 0;
  while (json.next_element()) {
    json.unsigned_integer();
    ++elements;
  }
  EXPECT_EQ(elements, 3);
  EXPECT_FALSE(json.next_key());
  EXPECT_EQ(json.string(), "");
  EXPECT_EQ(json.kind(), JsonKind::kNothing);
  EXPECT_EQ(error_of(json), "f.json: byte 110: an integer that is not negative is expected here");
}

TEST(JsonCursor, RefusesWhatIsNoJson) {
  for (const char* bad :
       {"[1,]", "[1 2]", "[1", "[", "", "[\"a", R"(["\q"])", "[1]]", "[,1]", "[1,,2]", "[}"}) {
    const Padded text(bad);
    JsonCursor json(text.view(), "f");
    json.begin_array();
    while (json.next_element())
      if (json.kind() == JsonKind::kString)
        json.string();
      else
        json.integer();
    json.expect_end();
    EXPECT_FALSE(json.ok()) << bad;
  }
  for (const char* bad : {"{\"a\" 1}", "{a:1}", "{\"a\":1,}", "{\"a\":", "{\"a\"", "{"}) {
    const Padded text(bad);
    JsonCursor json(text.view(), "f");
    json.begin_object();
    while (json.next_key()) json.integer();
    EXPECT_FALSE(json.ok()) << bad;
  }
}

TEST(JsonCursor, SkipsDeepValuesButNotWithoutEnd) {
  const Padded deep("[" + std::string(400, '[') + std::string(400, ']') + "]");
  JsonCursor json(deep.view(), "f");
  json.skip_value();
  json.expect_end();
  EXPECT_TRUE(json.ok()) << error_of(json);
  const Padded too_deep(std::string(100'000, '['));
  JsonCursor endless(too_deep.view(), "f");
  endless.skip_value();
  EXPECT_EQ(endless.status().error().code, ErrorCode::kTooLarge);
}

TEST(JsonCursor, GoesOnBehindWhatAnotherCursorRead) {
  const Padded text(R"({"rows": [[1, 2], [3]], "next": 4})");
  JsonCursor first(text.view(), "f");
  first.begin_object();
  ASSERT_TRUE(first.next_key());
  const std::size_t rows = text.view().find("[[");
  JsonCursor second(text.view().substr(rows), "f", rows);
  second.skip_value();
  EXPECT_EQ(second.offset(), text.view().find(", \"next\""));
  first.skip_value_to(second.offset());
  EXPECT_EQ(first.value_offset(), rows);
  ASSERT_TRUE(first.next_key());
  EXPECT_EQ(first.key(), "next");
  EXPECT_EQ(first.unsigned_integer(), 4U);
  EXPECT_FALSE(first.next_key());
  first.expect_end();
  EXPECT_TRUE(first.ok()) << error_of(first);
}

TEST(JsonCursor, ReadsTheOtherScalars) {
  const Padded text(R"([true,false,null,1.25,{"k":[1]}])");
  JsonCursor json(text.view(), "f");
  json.begin_array();
  EXPECT_TRUE(json.next_element());
  EXPECT_TRUE(json.boolean());
  EXPECT_TRUE(json.next_element());
  EXPECT_FALSE(json.boolean());
  EXPECT_TRUE(json.next_element());
  EXPECT_TRUE(json.take_null());
  EXPECT_TRUE(json.next_element());
  EXPECT_FALSE(json.take_null());
  EXPECT_DOUBLE_EQ(json.number(), 1.25);
  EXPECT_TRUE(json.next_element());
  EXPECT_EQ(json.raw_value(), R"({"k":[1]})");
  EXPECT_FALSE(json.next_element());
  EXPECT_TRUE(json.ok());
}

TEST(JsonCursor, TakesAnErrorOfItsCaller) {
  const Padded text("[5]");
  JsonCursor json(text.view(), "f");
  json.begin_array();
  EXPECT_TRUE(json.next_element());
  json.unsigned_integer();
  json.fail_here(ErrorCode::kMalformed, "five is too many");
  EXPECT_EQ(error_of(json), "f: byte 1: five is too many");
}

}  // namespace
}  // namespace accelscope::base
