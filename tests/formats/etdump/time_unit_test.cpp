#include "formats/etdump/time_unit.h"

#include "formats/etdump/helpers.h"

namespace accelscope::formats::etdump {
namespace {

using base::Frequency;

TEST(TimeUnit, ReadsEveryUnit) {
  EXPECT_EQ(parse_time_unit("ns")->frequency, Frequency::nanoseconds());
  EXPECT_EQ(parse_time_unit("us")->frequency, Frequency::mhz(1));
  EXPECT_EQ(parse_time_unit("µs")->frequency, Frequency::mhz(1));
  EXPECT_EQ(parse_time_unit("ms")->frequency, Frequency::khz(1));
  EXPECT_EQ(parse_time_unit("s")->frequency, Frequency::hz(1));
  EXPECT_FALSE(parse_time_unit("cycles")->frequency.known());
  EXPECT_EQ(parse_time_unit("cycles:1.2GHz")->frequency, Frequency::mhz(1200));
}

TEST(TimeUnit, RefusesOthersAndSaysWhatIsAllowed) {
  for (const char* text : {"", "minutes", "cycles:", "cycles:fast", "cycles:0Hz", "NS"}) {
    const auto unit = parse_time_unit(text);
    ASSERT_FALSE(unit) << text;
    EXPECT_EQ(unit.error().code, base::ErrorCode::kUsage) << text;
  }
  EXPECT_NE(parse_time_unit("minutes").error().message.find("cycles"), std::string::npos);
}

const Dump& one_run() {
  static const Dump kDump{{execute_block({execute(100, 900)})}};
  return kDump;
}

TEST(TimeUnit, IsAssumedAndSaidSo) {
  const trace::Trace trace = read_dump(one_run());
  EXPECT_EQ(trace.clock_of(trace::TrackId{1}).frequency, Frequency::nanoseconds());
  EXPECT_EQ(quality_count(trace, "etdump.unit_assumed"), 1U);
}

TEST(TimeUnit, GivenIsNotAssumed) {
  const trace::Trace trace = read_dump(one_run(), {.time_unit = *parse_time_unit("us")});
  EXPECT_EQ(trace.clock_of(trace::TrackId{1}).frequency, Frequency::mhz(1));
  EXPECT_EQ(quality_count(trace, "etdump.unit_assumed"), 0U);
  EXPECT_EQ(trace.slices().duration[0].value, 800) << "ticks are kept as they are";
}

TEST(TimeUnit, CyclesOfUnknownSpeedAreSaidSo) {
  const trace::Trace unknown = read_dump(one_run(), {.time_unit = TimeUnit::cycles()});
  EXPECT_FALSE(unknown.clock_of(trace::TrackId{1}).frequency.known());
  EXPECT_EQ(quality_count(unknown, "etdump.unknown_frequency"), 1U);
  const trace::Trace known = read_dump(one_run(), {.time_unit = *parse_time_unit("cycles:400MHz")});
  EXPECT_EQ(quality_count(known, "etdump.unknown_frequency"), 0U);
}

}  // namespace
}  // namespace accelscope::formats::etdump
