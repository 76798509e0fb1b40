// The document around the events, and the values inside them.
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "support.h"

namespace accelscope::formats::chrome_json {
namespace {

constexpr std::string_view kEvent = R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a"})";

TEST(Document, IsRecognisedByItsContent) {
  EXPECT_TRUE(looks_like_chrome_json(R"({"traceEvents":[]})"));
  EXPECT_TRUE(
      looks_like_chrome_json("\xEF\xBB\xBF {\"schemaVersion\":1,\"x\":{\"y\":[1]},\n\"traceEvents\" : ["));
  EXPECT_TRUE(looks_like_chrome_json(R"([ {"name":"a","ph":"X"})"));
  EXPECT_TRUE(looks_like_chrome_json("[]"));
  EXPECT_FALSE(looks_like_chrome_json(""));
  EXPECT_FALSE(looks_like_chrome_json("["));
  EXPECT_FALSE(looks_like_chrome_json(R"({"events":{"traceEvents":[]}})"));
  EXPECT_FALSE(looks_like_chrome_json(R"({"note":"\"traceEvents\":"})"));
  EXPECT_FALSE(looks_like_chrome_json(R"([{"args":{"ph":"X"}}])"));
  EXPECT_FALSE(looks_like_chrome_json(R"("traceEvents")"));
  EXPECT_FALSE(looks_like_chrome_json(std::string(100, '\0')));
}

TEST(Document, BothFormsGiveTheSameSlices) {
  const std::string list = "[" + std::string(kEvent) + "]";
  EXPECT_EQ(must_read(list).slices().size(), 1U);
  EXPECT_EQ(must_read("\xEF\xBB\xBF\n" + list + "\n").slices().size(), 1U);
  const Trace trace = must_read("{\"displayTimeUnit\":\"ms\",\"traceEvents\":" + list + "}");
  EXPECT_EQ(trace.slices().size(), 1U);
  ASSERT_EQ(trace.sources().size(), 1U);
  EXPECT_EQ(trace.sources()[0].format, "chrome-json");
  EXPECT_EQ(trace.sources()[0].path, "test.json");
}

TEST(Document, MembersBesideTheEventsBecomeFacts) {
  const Trace trace = must_read(
      R"({"schemaVersion":1,"traceEvents":[],"otherData":{"version":"1.0","n":18446744073709551615},
          "metadata":{"a b":[1, {"c": "d e"}],"ok":true},"stackFrames":{"1":{}},"systemTraceEvents":"lines","last":null})");
  ASSERT_EQ(trace.facts().size(), 6U);
  const auto key = [&](std::size_t i) { return trace.text(trace.facts()[i].key); };
  EXPECT_EQ(key(0), "schemaVersion");
  EXPECT_EQ(trace.facts()[0].value, Value::of_int(1));
  EXPECT_EQ(key(1), "version");
  EXPECT_EQ(trace.text(trace.facts()[1].value.as_text()), "1.0");
  EXPECT_EQ(trace.facts()[2].value, Value::of_uint(~std::uint64_t{0}));
  EXPECT_EQ(trace.facts()[3].value.type, ValueType::kJson);
  EXPECT_EQ(trace.text(trace.facts()[3].value.as_text()), R"([1,{"c":"d e"}])");
  EXPECT_EQ(trace.facts()[4].value, Value::of_bool(true));
  EXPECT_EQ(trace.facts()[5].value, Value::null());
  EXPECT_EQ(trace.quality().count("chrome.ignored_section"), 2U);
}

TEST(Document, AListMayLackItsEnd) {
  for (const std::string tail : {"", ",", "\n", " ,\n "}) {
    const Trace trace = must_read("[" + std::string(kEvent) + tail);
    EXPECT_EQ(trace.slices().size(), 1U);
    EXPECT_EQ(trace.quality().count("chrome.cut_tail"), 1U);
  }
  const Trace trace = must_read("[" + std::string(kEvent) + ",]");
  EXPECT_EQ(trace.quality().count("chrome.cut_tail"), 0U);
  EXPECT_EQ(trace.quality().count("chrome.trailing_comma"), 1U);
}

TEST(Document, ArgumentsKeepTheirTypes) {
  const Trace trace = must_read_events(
      R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a","args":{"i":9007199254740993,"u":18446744073709551615,
          "min":-9223372036854775808,"wide":123456789012345678901234567890,"d":2.5,"t":true,"f":false,"nil":null,
          "s":"text","empty":"","long":"a text of more than sixteen bytes","nested":{ "x" : [ 1, "y z" ] },"list":[],
          "esc":"tab\t quote\" \u00e9 \ud83d\ude00 \ud800","":1}})");
  const SliceId a{0};
  EXPECT_EQ(arg_of(trace, a, "i"), Value::of_int(9007199254740993));
  EXPECT_EQ(arg_of(trace, a, "u"), Value::of_uint(18446744073709551615U));
  EXPECT_EQ(arg_of(trace, a, "min"), Value::of_int(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(text_arg(trace, a, "wide"), "123456789012345678901234567890");
  EXPECT_EQ(arg_of(trace, a, "d"), Value::of_double(2.5));
  EXPECT_EQ(arg_of(trace, a, "t"), Value::of_bool(true));
  EXPECT_EQ(arg_of(trace, a, "f"), Value::of_bool(false));
  EXPECT_EQ(arg_of(trace, a, "nil"), Value::null());
  EXPECT_EQ(text_arg(trace, a, "s"), "text");
  EXPECT_EQ(text_arg(trace, a, "empty"), "");
  EXPECT_EQ(text_arg(trace, a, "long"), "a text of more than sixteen bytes");
  EXPECT_EQ(text_arg(trace, a, "nested"), R"({"x":[1,"y z"]})");
  EXPECT_EQ(arg_of(trace, a, "nested").type, ValueType::kJson);
  EXPECT_EQ(text_arg(trace, a, "list"), "[]");
  EXPECT_EQ(text_arg(trace, a, "esc"), "tab\t quote\" \xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBD");
  EXPECT_EQ(trace.args().size(), 15U);
}

TEST(Document, ArgumentsCanBeLeftOut) {
  const std::string events =
      R"([{"args":{"x":1},"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a"},
          {"args":{"value":5},"ph":"C","pid":1,"ts":1,"name":"c"},
          {"args":{"name":"main"},"ph":"M","pid":1,"tid":1,"name":"thread_name"}])";
  const Trace trace = must_read(events, {.keep_args = false});
  EXPECT_EQ(trace.args().size(), 0U);
  EXPECT_EQ(trace.counters().size(), 1U);
  EXPECT_NE(track_named(trace, "main"), TrackId::kNone);
}

TEST(Document, OddFieldsAreTolerated) {
  const Trace trace = must_read_events(
      R"({"ph":"X","ph":"X","pid":1,"pid":2,"tid":null,"ts":"12.5","dur":{"no":1},"name":7,"cat":["x"],"cname":"good",
          "args":"just text","tts":3,"\u0074dur":4,"sf":12})");
  ASSERT_EQ(trace.slices().size(), 1U);
  EXPECT_EQ(start_of(trace, SliceId{0}).value, 12'500);
  EXPECT_EQ(trace.text(trace.slices().name[0]), "7");
  EXPECT_EQ(trace.track(trace.track(trace.slices().track[0]).parent).external_id, 2);
  EXPECT_EQ(text_arg(trace, SliceId{0}, "args"), "just text");
  EXPECT_EQ(arg_of(trace, SliceId{0}, "tts"), Value::of_int(3));
  EXPECT_EQ(arg_of(trace, SliceId{0}, "tdur"), Value::of_int(4));
  EXPECT_EQ(trace.quality().count("chrome.ignored_fields"), 1U);
  EXPECT_EQ(trace.quality().count("chrome.missing_duration"), 1U);
}

TEST(Document, TimesAreRoundedAtBothEnds) {
  const Trace trace = must_read_events(
      R"({"ph":"X","pid":1,"tid":1,"ts":0.0004,"dur":0.0004,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":1.5e6,"dur":1E-3,"name":"b"},
         {"ph":"X","pid":1,"tid":1,"ts":1e300,"dur":1,"name":"c"},{"ph":"X","pid":1,"tid":1,"ts":5,"dur":1e300,"name":"d"})");
  EXPECT_EQ(start_of(trace, slice_named(trace, "a")).value, 0);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "a")).value, 1);
  EXPECT_EQ(start_of(trace, slice_named(trace, "b")).value, 1'500'000'000);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "b")).value, 1);
  EXPECT_EQ(slice_named(trace, "c"), SliceId::kNone);
  EXPECT_TRUE(has_flag(flags_of(trace, slice_named(trace, "d")), SliceFlag::kEndUnknown));
  EXPECT_EQ(trace.quality().count("chrome.rounded_time"), 1U);
  EXPECT_EQ(trace.quality().count("chrome.time_out_of_range"), 2U);
}

TEST(Document, MoreThanFourGigabytesAreRefusedAtOnce) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "accelscope_chrome_json_sparse.json";
  const int descriptor = ::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
  ASSERT_GE(descriptor, 0);
  const bool sparse = ::ftruncate(descriptor, off_t{6} << 30) == 0;
  ::close(descriptor);
  if (sparse) {
    const auto file = base::MappedFile::open(path);
    ASSERT_TRUE(file);
    const auto trace = read(*file, {});
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().code, base::ErrorCode::kTooLarge);
    EXPECT_NE(trace.error().to_string().find("4 GiB"), std::string::npos);
  }
  std::filesystem::remove(path);
  if (!sparse) GTEST_SKIP() << "no sparse file of 6 GB can be made here";
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
