#include "views/time_scale.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "trace/trace_builder.h"
#include "views/four_clocks.h"
#include "views/time_notes.h"

namespace accelscope::views {
namespace {

using base::Frequency;
using trace::ClockId;
using trace::QualityTable;
using trace::Ticks;
using trace::Trace;
using trace::TraceBuilder;
using trace::TrackId;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

// One clock, one track, one slice.
Trace slice_of(Frequency frequency, std::int64_t start, std::int64_t duration) {
  TraceBuilder builder;
  const ClockId clock = builder.add_clock({builder.intern("clock"), frequency});
  const TrackId track = builder.add_track({.name = builder.intern("track"), .clock = clock});
  builder.add_slice({.track = track, .start = Ticks{start}, .duration = Ticks{duration}});
  auto trace = std::move(builder).finish();
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

Timeline timeline_of(const Trace& trace, std::int64_t stretch = 1) {
  auto timeline = Timeline::make(trace, stretch);
  EXPECT_TRUE(timeline) << timeline.error().to_string();
  return *std::move(timeline);
}

QualityTable notes_of(const Trace& trace, std::int64_t stretch = 1, DrawnRows drawn = DrawnRows::kAll) {
  return time_notes(trace, timeline_of(trace, stretch), drawn);
}

TEST(TimeScale, RoundsDownAfterStretching) {
  const Trace trace = slice_of({2'400'000'000, 2}, 1, 4);  // 833 1/3 ps a tick
  const auto drawn = [&](std::int64_t stretch, std::int64_t ticks) {
    return timeline_of(trace, stretch).nanoseconds(ClockId{0}, Ticks{ticks});
  };
  EXPECT_EQ(drawn(1, 1), 0);
  EXPECT_EQ(drawn(1, 5), 4);
  EXPECT_EQ(drawn(1, -1), -1);
  EXPECT_EQ(drawn(1000, 1), 833);
  EXPECT_EQ(drawn(1000, 5), 4166);
  EXPECT_EQ(drawn(1000, -1), -834);
  EXPECT_EQ(drawn(3000, 1), 2500);
  EXPECT_EQ(notes_of(trace).count("time.rounded_below_ns"), 1U);
  EXPECT_EQ(notes_of(trace).count("time.stretched"), 0U);
  EXPECT_EQ(notes_of(trace, 3000).count("time.rounded_below_ns"), 0U);
  EXPECT_EQ(notes_of(trace, 3000).count("time.stretched"), 1U);
}

TEST(TimeScale, AgreesWithTheFrequencyAndKnowsWhatItRounds) {
  std::mt19937_64 random(11);
  for (const Frequency frequency :
       {Frequency::nanoseconds(), Frequency::mhz(50), Frequency::mhz(1200), Frequency{3'200'000'000, 3},
        Frequency::hz(1), Frequency::hz(32'768), Frequency{9'192'631'770, 1}}) {
    const Trace trace = slice_of(frequency, 0, 1);
    const Timeline timeline = timeline_of(trace);
    const TimeScale& scale = timeline.scale(ClockId{0});
    for (int i = 0; i < 2000; ++i) {
      const Ticks time{static_cast<std::int64_t>(random()) >> (random() % 64)};
      ASSERT_EQ(scale.nanoseconds(time), frequency.to_nanoseconds(time).value);
      const base::Int128 product = static_cast<base::Int128>(time.value) * 1'000'000'000 * frequency.seconds;
      ASSERT_EQ(scale.rounds(time), product % frequency.ticks != 0);
    }
  }
}

TEST(TimeScale, MapsRelatedClocksAndDrawsOthersAsTheyAre) {
  const Trace trace = test::four_clocks_trace();
  const Timeline timeline = timeline_of(trace);
  EXPECT_EQ(timeline.nanoseconds(ClockId{0}, Ticks{10}), 10);
  EXPECT_EQ(timeline.nanoseconds(ClockId{1}, Ticks{10}), 1200);
  EXPECT_EQ(timeline.nanoseconds(ClockId{2}, Ticks{540}), 1400);
  EXPECT_EQ(timeline.nanoseconds(ClockId{3}, Ticks{3}), 3);
  EXPECT_EQ(timeline_of(trace, 1000).nanoseconds(ClockId{2}, Ticks{540}), 1'400'000);
  const QualityTable notes = notes_of(trace);
  EXPECT_EQ(notes.count("time.mapped_clock"), 2U);
  EXPECT_EQ(notes.count("time.unrelated_clock"), 1U);
  EXPECT_EQ(notes.count("time.unknown_unit"), 1U);
  EXPECT_EQ(notes.count("time.rounded_below_ns"), 0U);
}

TEST(TimeScale, RefusesImpossibleStretches) {
  const Trace trace = slice_of(Frequency::nanoseconds(), 0, 1);
  for (const std::int64_t stretch : {std::int64_t{0}, std::int64_t{-5}, std::int64_t{1'000'000'001}}) {
    const auto timeline = Timeline::make(trace, stretch);
    ASSERT_FALSE(timeline);
    EXPECT_EQ(timeline.error().code, base::ErrorCode::kUsage);
  }
  const Trace slow = slice_of({1, 1'000'000'000}, 0, 1);
  EXPECT_TRUE(Timeline::make(slow, 1));
  EXPECT_FALSE(Timeline::make(slow, 1'000));
}

TEST(TimeScale, SaysWhenTimesDoNotFit) {
  EXPECT_EQ(notes_of(slice_of(Frequency::nanoseconds(), kLeast, kMost)).count("time.out_of_range"), 0U);
  const Trace late = slice_of(Frequency::nanoseconds(), 1'700'000'000'000'000'000, 5);
  EXPECT_EQ(notes_of(late).count("time.out_of_range"), 0U);
  EXPECT_EQ(notes_of(late, 1000).count("time.out_of_range"), 1U);
  EXPECT_TRUE(notes_of(late, 1000).has_errors());
  EXPECT_EQ(timeline_of(late, 1000).nanoseconds(ClockId{0}, Ticks{1'700'000'000'000'000'000}), kMost);
  // The slice begins in range, and so does the one before it.
  EXPECT_EQ(notes_of(slice_of(Frequency::hz(1000), 0, kMost)).count("time.out_of_range"), 1U);
  EXPECT_EQ(notes_of(slice_of(Frequency::hz(1000), kLeast, 1)).count("time.out_of_range"), 1U);
}

TEST(TimeNotes, SpeakOnlyOfWhatIsDrawn) {
  TraceBuilder builder;
  builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
  const ClockId odd = builder.add_clock({builder.intern("odd"), Frequency::mhz(1200)});
  const TrackId counter =
      builder.add_track({.name = builder.intern("power"), .kind = trace::TrackKind::kCounter, .clock = odd});
  builder.add_counter(counter, Ticks{1}, std::int64_t{5});
  builder.add_counter(counter, Ticks{6}, std::int64_t{5});
  builder.add_counter(counter, Ticks{7}, std::int64_t{5});
  const TrackId states =
      builder.add_track({.name = builder.intern("engine"), .kind = trace::TrackKind::kStates, .clock = odd});
  builder.add_state(states, Ticks{0}, Ticks{1}, builder.intern("busy"), trace::StringId::kEmpty);
  builder.add_instant({.track = states, .time = Ticks{3}, .name = builder.intern("mark")});
  const auto trace = std::move(builder).finish();
  ASSERT_TRUE(trace);
  const QualityTable all = notes_of(*trace);
  EXPECT_EQ(all.count("time.unrelated_clock"), 2U);
  EXPECT_EQ(all.count("time.rounded_below_ns"), 4U);  // of 1, 6, 7, 3 and 0 to 1 only the 6 is whole
  EXPECT_TRUE(notes_of(*trace, 1, DrawnRows::kSlices).rows().empty());
}

TEST(TimeNotes, OfPartsAddUpAndTracksCountOnce) {
  const Trace trace = slice_of(Frequency::mhz(1200), 1, 2);
  const Timeline timeline = timeline_of(trace, 1);
  TimeNotes both(trace, timeline, DrawnRows::kAll);
  both.add_part(trace);
  TimeNotes other(trace, timeline, DrawnRows::kAll);
  other.add_part(trace);
  both.add(other);
  EXPECT_EQ(both.notes().count("time.rounded_below_ns"), 2 * other.notes().count("time.rounded_below_ns"));
  EXPECT_GT(other.notes().count("time.rounded_below_ns"), 0U);
  const Trace late = slice_of(Frequency::hz(1000), 0, kMost);
  const Timeline late_timeline = timeline_of(late, 1);
  TimeNotes nothing(late, late_timeline, DrawnRows::kAll);
  TimeNotes too_late(late, late_timeline, DrawnRows::kAll);
  too_late.add_part(late);
  nothing.add(too_late);
  nothing.add(too_late);
  EXPECT_EQ(nothing.notes().count("time.out_of_range"), 1U);
}

}  // namespace
}  // namespace accelscope::views
