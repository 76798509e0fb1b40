#include "base/json_writer.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace accelscope::base {
namespace {

template <class Write>
std::string written(const Write& write, JsonWriter::Style style = JsonWriter::Style::kCompact) {
  MemoryOutput out;
  JsonWriter json(out, style);
  write(json);
  return std::string(out.bytes());
}

std::string quoted(std::string_view text) {
  MemoryOutput out;
  append_json_string(out, text);
  return std::string(out.bytes());
}

void write_sample(JsonWriter& json) {
  json.begin_object();
  json.member("name", "toy").member("count", 3).member("ok", true);
  json.key("runs")
      .begin_array()
      .value(1.5)
      .null()
      .begin_object()
      .end_object()
      .begin_array()
      .end_array()
      .end_array();
  json.key("nested").begin_object().member("x", std::string("y")).end_object();
  json.key("raw").raw("[1,2]");
  json.end_object();
}

TEST(JsonWriter, WritesCompactly) {
  EXPECT_EQ(written(write_sample),
            R"({"name":"toy","count":3,"ok":true,"runs":[1.5,null,{},[]],"nested":{"x":"y"},"raw":[1,2]})");
}

TEST(JsonWriter, IndentsByTwo) {
  EXPECT_EQ(written(write_sample, JsonWriter::Style::kIndented), R"({
  "name": "toy",
  "count": 3,
  "ok": true,
  "runs": [
    1.5,
    null,
    {},
    []
  ],
  "nested": {
    "x": "y"
  },
  "raw": [1,2]
})");
}

TEST(JsonWriter, AScalarIsADocument) {
  EXPECT_EQ(written([](JsonWriter& json) { json.value("x"); }), "\"x\"");
  EXPECT_EQ(written([](JsonWriter& json) { json.value(false); }), "false");
  EXPECT_EQ(written([](JsonWriter& json) { json.null(); }, JsonWriter::Style::kIndented), "null");
}

TEST(JsonWriter, EscapesWhatMustBe) {
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(quoted(std::string_view("\0\x01\x1F\x7F", 4)), "\"\\u0000\\u0001\\u001f\x7F\"");
  EXPECT_EQ(quoted("\xC3\xA9 \xF0\x9F\x98\x80"), "\"\xC3\xA9 \xF0\x9F\x98\x80\"");
}

TEST(JsonWriter, EscapesKeysToo) {
  EXPECT_EQ(written([](JsonWriter& json) { json.begin_object().member("a\"\n", 1).end_object(); }),
            R"({"a\"\n":1})");
}

TEST(JsonWriter, RepairsTextThatIsNotUtf8) {
  EXPECT_EQ(quoted("a\xFF\"\xC3"), "\"a\xEF\xBF\xBD\\\"\xEF\xBF\xBD\"");
}

TEST(JsonWriter, IntegersAreExact) {
  EXPECT_EQ(
      written([](JsonWriter& json) {
        json.begin_array();
        json.value(std::numeric_limits<std::int64_t>::min()).value(std::numeric_limits<std::int64_t>::max());
        json.value(std::numeric_limits<std::uint64_t>::max())
            .value(std::uint8_t{200})
            .value(std::int8_t{-100});
        json.value(0).value(-1L).value(7U);
        json.end_array();
      }),
      "[-9223372036854775808,9223372036854775807,18446744073709551615,200,-100,0,-1,7]");
}

TEST(JsonWriter, WhatJsonHasNoNumberForIsNull) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.begin_array();
              json.value(std::nan("")).value(INFINITY).value(-INFINITY);
              json.end_array();
              // also behind a key, where nothing may be missing
            }),
            "[null,null,null]");
  EXPECT_EQ(written([](JsonWriter& json) { json.begin_object().member("x", std::nan("")).end_object(); }),
            R"({"x":null})");
}

TEST(JsonWriter, DoublesReadBackToTheSameBits) {
  std::vector<double> numbers{0.0,
                              -0.0,
                              1.0,
                              0.1,
                              1.0 / 3,
                              1e22,
                              1e23,
                              0x1p63,
                              -0x1p63,
                              0x1p64,
                              366659762311242645504.0,
                              -1e-7,
                              123456789012345680.0,
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::lowest(),
                              std::numeric_limits<double>::min(),
                              std::numeric_limits<double>::denorm_min()};
  std::mt19937_64 random(13);
  while (numbers.size() < 2'000) {
    const std::uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  simdjson::dom::parser parser;
  for (const double number : numbers) {
    const std::string text = written([&](JsonWriter& json) { json.begin_array().value(number).end_array(); });
    EXPECT_EQ(std::strtod(text.c_str() + 1, nullptr), number) << text;
    EXPECT_LE(text.size(), 26U) << text;
    EXPECT_EQ(parser.parse(text).error(), simdjson::SUCCESS) << text;
  }
  EXPECT_EQ(written([](JsonWriter& json) { json.value(0.1); }), "0.1");
  EXPECT_EQ(written([](JsonWriter& json) { json.value(1e300); }), "1e+300");
}

// A random document, and the scalars and keys in it in the order in which they were written.
struct RandomDocument {
  using Scalar = std::variant<std::string, std::int64_t, std::uint64_t, double, bool, std::monostate>;

  std::mt19937_64 random;
  std::vector<Scalar> scalars;

  std::string text() {
    constexpr std::string_view kLetters = "a\"\\\n\x01 {}[]:,z";
    std::string made;
    for (auto length = random() % 12; length > 0; --length) made += kLetters[random() % kLetters.size()];
    return made + (random() % 4 == 0 ? "\xC3\xA9" : "");
  }

  void write(JsonWriter& json, int depth) {
    const auto put = [&](auto value) {
      json.value(value);
      scalars.emplace_back(value);
    };
    switch (depth == 0 ? random() % 2 : random() % (depth < 6 ? 8 : 6)) {
      case 0: {
        json.begin_object();
        for (auto members = random() % 5; members > 0; --members) {
          scalars.emplace_back(text());
          json.key(std::get<std::string>(scalars.back()));
          write(json, depth + 1);
        }
        json.end_object();
        return;
      }
      case 1: {
        json.begin_array();
        for (auto items = random() % 5; items > 0; --items) write(json, depth + 1);
        json.end_array();
        return;
      }
      case 2:
        return put(text());
      case 3:
        return put(-static_cast<std::int64_t>(random() >> 1U));
      case 4:
        return put(random() | (std::uint64_t{1} << 63U));
      case 5:
        return put(static_cast<double>(random()) * 1.25e-10 + 0.5);
      case 6:
        return put(random() % 2 == 0);
      default:
        json.null();
        scalars.emplace_back(std::monostate());
    }
  }
};

void collect(simdjson::dom::element element, std::vector<RandomDocument::Scalar>& scalars) {
  switch (element.type()) {
    case simdjson::dom::element_type::OBJECT:
      for (const auto member : simdjson::dom::object(element)) {
        scalars.emplace_back(std::string(member.key));
        collect(member.value, scalars);
      }
      return;
    case simdjson::dom::element_type::ARRAY:
      for (const auto item : simdjson::dom::array(element)) collect(item, scalars);
      return;
    case simdjson::dom::element_type::STRING:
      scalars.emplace_back(std::string(std::string_view(element)));
      return;
    case simdjson::dom::element_type::INT64:
      scalars.emplace_back(std::int64_t(element));
      return;
    case simdjson::dom::element_type::UINT64:
      scalars.emplace_back(std::uint64_t(element));
      return;
    case simdjson::dom::element_type::DOUBLE:
      scalars.emplace_back(double(element));
      return;
    case simdjson::dom::element_type::BOOL:
      scalars.emplace_back(bool(element));
      return;
    case simdjson::dom::element_type::NULL_VALUE:
      scalars.emplace_back(std::monostate());
  }
}

TEST(JsonWriter, AnotherParserReadsWhatWasWritten) {
  simdjson::dom::parser parser;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const auto style = seed % 2 == 0 ? JsonWriter::Style::kCompact : JsonWriter::Style::kIndented;
    RandomDocument document{std::mt19937_64(seed), {}};
    const std::string text = written([&](JsonWriter& json) { document.write(json, 0); }, style);
    simdjson::dom::element root;
    ASSERT_EQ(parser.parse(text).get(root), simdjson::SUCCESS) << text;
    std::vector<RandomDocument::Scalar> read;
    collect(root, read);
    ASSERT_TRUE(read == document.scalars) << text;
  }
}

}  // namespace
}  // namespace accelscope::base
