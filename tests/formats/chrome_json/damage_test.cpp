// Broken files: every one ends in a trace or in a message with the file and a byte, and never in a crash.
#include <random>

#include "support.h"

namespace accelscope::formats::chrome_json {
namespace {

constexpr std::string_view kSample =
    R"({"displayTimeUnit":"ns","otherData":{"k":"v"},"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"p\u00e9"}},
{"ph":"X","pid":1,"tid":2,"ts":1.5,"dur":20.25,"name":"a","cat":"c","args":{"x":[1,{"y":null}],"z":-1.5e3,"s":"\n"}},
{"ph":"B","pid":1,"tid":2,"ts":2,"name":"b"},{"ph":"E","pid":1,"tid":2,"ts":3},
{"ph":"s","pid":1,"tid":2,"ts":2,"id":1},{"ph":"f","bp":"e","pid":1,"tid":2,"ts":9,"id":1},
{"ph":"C","pid":1,"ts":4,"name":"n","args":{"v":1}},{"ph":"i","pid":1,"tid":2,"ts":5,"s":"g","name":"i"},
{"ph":"b","pid":1,"ts":1,"id2":{"local":"0x1"},"cat":"q","name":"r"},{"ph":"e","pid":1,"ts":2,"id2":{"local":"0x1"},"cat":"q"}
]})";

void expect_located(const base::Error& error, std::size_t size) {
  EXPECT_EQ(error.where.file, "test.json");
  EXPECT_EQ(error.where.kind, base::Location::Kind::kByte);
  EXPECT_LE(error.where.position, size);
  EXPECT_FALSE(error.message.empty());
}

std::string message_of(std::string_view json) {
  const auto trace = read_text(json);
  return trace ? "(no error)" : trace.error().to_string();
}

TEST(Damage, TheSampleIsWhole) {
  const Trace trace = must_read(kSample);
  EXPECT_EQ(trace.slices().size(), 3U);
  EXPECT_EQ(trace.flows().size(), 1U);
  EXPECT_TRUE(trace.quality().rows().empty());
}

TEST(Damage, AnObjectCutAnywhereIsTruncated) {
  for (std::size_t size = 0; size < kSample.size(); ++size) {
    const auto trace = read_text(kSample.substr(0, size));
    ASSERT_FALSE(trace) << size;
    expect_located(trace.error(), size);
    EXPECT_EQ(trace.error().code, base::ErrorCode::kTruncated) << size << ": " << trace.error().to_string();
  }
}

TEST(Damage, AListMayOnlyBeCutBehindAnEvent) {
  const std::size_t begin = kSample.find("[\n");
  const std::string_view list = kSample.substr(begin, kSample.size() - begin - 1);
  must_read(list);
  for (std::size_t size = 0; size < list.size(); ++size) {
    const std::string_view cut = list.substr(0, size);
    const auto trace = read_text(cut);
    // Behind an event there may be one comma, and white space.
    std::string_view rest = cut;
    const auto drop_space = [&] {
      while (!rest.empty() && (rest.back() == '\n' || rest.back() == ' ')) rest.remove_suffix(1);
    };
    drop_space();
    if (rest.ends_with(',')) rest.remove_suffix(1);
    drop_space();
    int depth = 0;
    for (const char c : rest) depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    const bool acceptable = rest.ends_with('}') && depth == 1;
    ASSERT_EQ(trace.has_value(), acceptable) << size << ": " << cut.substr(size > 30 ? size - 30 : 0);
    if (!trace) {
      expect_located(trace.error(), size);
    }
  }
}

TEST(Damage, FlippedBitsNeverCrash) {
  std::mt19937 random(3);
  std::string damaged(kSample);
  for (std::size_t byte = 0; byte < damaged.size(); ++byte) {
    for (int flips = 0; flips < 2; ++flips) {
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << random() % 8));
      if (const auto trace = read_text(damaged); !trace) expect_located(trace.error(), damaged.size());
      damaged[byte] = kSample[byte];
    }
  }
  for (int i = 0; i < 1000; ++i) {
    for (int flips = 0; flips < 4; ++flips)
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    if (const auto trace = read_text(damaged); !trace) expect_located(trace.error(), damaged.size());
    damaged = kSample;
  }
}

TEST(Damage, MessagesNameTheByteAndTheReason) {
  EXPECT_EQ(message_of(""), "test.json: byte 0: the file is empty");
  EXPECT_EQ(message_of(" \n"), "test.json: byte 0: the file holds nothing but white space");
  EXPECT_EQ(message_of("12"), "test.json: byte 0: neither a list of events nor an object around one");
  EXPECT_EQ(message_of(R"({"a":1})"), "test.json: byte 0: the object has no member 'traceEvents'");
  EXPECT_EQ(message_of(R"({"traceEvents":{}})"), "test.json: byte 15: 'traceEvents' is not a list");
  EXPECT_EQ(
      message_of(R"([{"ts":12)"),
      "test.json: byte 9: the file ends in the middle of a number, inside the event that begins at byte 1");
  EXPECT_EQ(message_of(R"([{"ph":"X)"),
            "test.json: byte 9: the file ends inside the string that begins at byte 7");
  EXPECT_EQ(message_of(R"([{"a":1} {"a":1}])"), "test.json: byte 9: a ',' or ']' is missing behind an event");
  EXPECT_EQ(message_of(R"([{"a" 1}])"), "test.json: byte 6: a ':' is missing between a key and its value");
  EXPECT_EQ(message_of(R"([{"a":}])"), "test.json: byte 6: a value is missing before '}'");
  EXPECT_EQ(message_of(R"([{"ts":01}])"), "test.json: byte 7: '01' is no JSON value");
  EXPECT_EQ(message_of(R"([{"args":{"x":nul}}])"), "test.json: byte 14: 'nul' is no JSON value");
  EXPECT_EQ(message_of(R"([{"args":{"x":NaN}}])"), "test.json: byte 14: 'NaN' is no JSON value");
  EXPECT_EQ(message_of(R"([{"a":"\q"}])"),
            "test.json: byte 7: an escape in a string that JSON does not have");
  EXPECT_EQ(message_of(R"([{"a":"\u12"}])"),
            "test.json: byte 7: an escape in a string that JSON does not have");
  EXPECT_EQ(message_of("[{\"a\":\"x\ny\"}]"),
            "test.json: byte 8: a control character inside a string; JSON wants it escaped");
  EXPECT_EQ(message_of("[{\"a\":\"x\xFFy\"}]"),
            "test.json: byte 8: this byte is not UTF-8, and JSON must be");
  EXPECT_EQ(message_of("[] []"), "test.json: byte 3: the document has ended, and something follows it");
  EXPECT_EQ(message_of(R"([{"a":1}}])"), "test.json: byte 8: a ',' or ']' is missing behind an event");
}

TEST(Damage, TheFirstProblemIsTheOneReported) {
  // A quotation mark too many turns all that follows inside out.
  const std::string rest = R"({"ph":"X","name":"b"},{"ph":"X","name":"c"}])";
  EXPECT_EQ(message_of(R"([{"ph":""X","name":"a"},)" + rest),
            "test.json: byte 9: a ',' or '}' is missing here");
  EXPECT_EQ(message_of("[{\"ph\":1x,\"name\":\"\xFF\"}]"), "test.json: byte 7: '1x' is no JSON value");
  EXPECT_EQ(message_of("[{\"ph\":1 2,\"name\":\"\n\"}]"), "test.json: byte 9: a ',' or '}' is missing here");
}

TEST(Damage, DeepNestingIsRefused) {
  const std::string open(100'000, '[');
  EXPECT_NE(message_of(open).find("nested more than 1024 deep"), std::string::npos);
  EXPECT_NE(
      message_of("[{\"args\":{\"x\":" + open + std::string(100'000, ']') + "}}]").find("nested more than"),
      std::string::npos);
  std::string objects = "[";
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_NE(message_of(objects).find("nested more than"), std::string::npos);
  must_read("[{\"args\":{\"x\":" + std::string(1000, '[') + std::string(1000, ']') + "}}]");
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
