// Pipe schedules through the model, the rings and the decoder: what comes out is what went in, to the tick.
#include "device/perfmon_rig.h"
#include "device/pipe_patterns.h"
#include "formats/perfmon/busy_sums.h"
#include "formats/perfmon/decoder.h"
#include "formats/perfmon/intervals.h"

namespace accelscope::device {
namespace {

using base::Cycles;
using base::Ticks;
using formats::perfmon::BusyWindow;
using formats::perfmon::ClockRatio;
using formats::perfmon::kPipes;
using tests::PerfmonRig;
using tests::Slice;
using tests::small_options;

struct Call {
  PipeSchedule schedule = {};
  std::int64_t start = 0;
};

// Kernels of both kinds, with pauses from nothing to more than a delta holds.
std::vector<Call> some_calls(std::int64_t unit = 1) {
  std::vector<Call> calls;
  std::int64_t now = 1000 * unit;
  for (std::uint32_t i = 0; i < 24; ++i) {
    const PipeSchedule pattern =
        i % 2 == 0 ? gemm_schedule({.tiles = 3 + i, .buffers = 1 + i % 3})
                   : sequence(scalar_schedule(7), vector_schedule({.tiles = 2 + i, .buffers = 1 + i % 2}));
    const std::int64_t length = (i % 5 == 4 ? 400'000 + i : pattern.length + 13 * i) * unit;
    calls.push_back({scaled(pattern, Cycles{length}), now});
    now += length + (i % 4 == 3 ? 1'000'003 : 20 * i) * unit;
  }
  return calls;
}

struct Recorded {
  std::vector<BusyWindow> windows = {};
  formats::perfmon::Counters counters = {};
  std::size_t slices_that_wrap = 0;
};

Recorded record(PerfmonRig& rig, const std::vector<Call>& calls, perfmon::DrainMode mode,
                ClockRatio ratio = {}, std::int64_t late = 0) {
  Recorded recorded;
  for (const Call& call : calls)
    recorded.windows.push_back({.begin = ratio.ticks_in(Cycles{call.start + late}),
                                .end = ratio.ticks_in(Cycles{call.start + call.schedule.length + late})});
  formats::perfmon::BusySums sums(recorded.windows);
  formats::perfmon::Decoder<> decoder(ratio);
  const auto feed = [&](const Slice& slice, const std::vector<std::uint32_t>& words) {
    if (!slice.continues) decoder.resynchronise(sums);
    decoder.feed(std::as_bytes(std::span(words)), sums);
    recorded.slices_that_wrap += slice.wrapped ? 1 : 0;
    EXPECT_EQ(slice.lost_bytes, 0U);
  };
  perfmon::StartConfig config = rig.config();
  config.mode = mode;
  config.glitch_filter = static_cast<std::uint32_t>(late);
  EXPECT_EQ(rig.perfmon.start(config), perfmon::Fault::kNone);
  for (const Call& call : calls) {
    EXPECT_TRUE(rig.model.run(0, Cycles{call.start}, call.schedule));
    const Slice slice = rig.perfmon.drain();
    const std::vector<std::uint32_t> words = rig.copy(slice);
    EXPECT_EQ(rig.perfmon.confirm(slice).overwritten_bytes, 0U);
    feed(slice, words);
  }
  EXPECT_TRUE(rig.model.idle(0, Cycles{calls.back().start + calls.back().schedule.length + 100}));
  const Slice rest = rig.perfmon.stop();
  feed(rest, rig.copy(rest));
  decoder.finish(sums);
  sums.finish(decoder.time());
  recorded.counters = decoder.counters();
  return recorded;
}

void expect_identity(const Recorded& recorded, const std::vector<Call>& calls, ClockRatio ratio = {}) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto busy = busy_of(calls[i].schedule);
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      EXPECT_EQ(recorded.windows[i].busy[pipe], ratio.ticks_in(Cycles{busy[pipe]}))
          << "call " << i << ", pipe " << pipe;
  }
}

TEST(PerfmonIdentity, BusyTimesAreThoseOfTheScheduleToTheTick) {
  const std::vector<Call> calls = some_calls();
  PerfmonRig rig(small_options(), 4096);
  const Recorded recorded = record(rig, calls, perfmon::DrainMode::kReadOnly);
  expect_identity(recorded, calls);
  EXPECT_GT(recorded.slices_that_wrap, 0U);
  EXPECT_GT(recorded.counters.stamps, 5U);
  EXPECT_EQ(recorded.counters.undatable, 0U);
}

TEST(PerfmonIdentity, AlsoWhenTheMonitorIsRestartedAtEveryTask) {
  const std::vector<Call> calls = some_calls();
  PerfmonRig rig(small_options(), 4096);
  const Recorded recorded = record(rig, calls, perfmon::DrainMode::kRestart);
  expect_identity(recorded, calls);
  EXPECT_EQ(rig.model.counts(0).starts, calls.size());
}

TEST(PerfmonIdentity, AlsoWithNoiseBetweenTheTasks) {
  PerfmonModelOptions options = small_options();
  options.noise_period = Cycles{5000};
  options.noise_length = Cycles{7};
  const std::vector<Call> calls = some_calls();
  PerfmonRig rig(options, 8192);
  const Recorded recorded = record(rig, calls, perfmon::DrainMode::kReadOnly);
  expect_identity(recorded, calls);
}

TEST(PerfmonIdentity, AlsoWithAFilterThatIsShorterThanEveryPhase) {
  const std::vector<Call> calls = some_calls();
  for (const std::int64_t filter : {1, 3}) {
    PerfmonRig rig(small_options(), 4096);
    const Recorded recorded = record(rig, calls, perfmon::DrainMode::kReadOnly, {}, filter);
    EXPECT_EQ(rig.model.counts(0).filtered, 0U);
    expect_identity(recorded, calls);
  }
}

TEST(PerfmonIdentity, AlsoWhenWordsTakeTheirTime) {
  for (const CountedWhen counted : {CountedWhen::kLanded, CountedWhen::kIssued}) {
    PerfmonModelOptions options = small_options();
    options.counted_when = counted;
    options.dma_delay = Cycles{90};
    options.most_in_flight = 16;
    if (counted == CountedWhen::kIssued) options.chip.behaviour.unlanded_bytes = 64;
    const std::vector<Call> calls = some_calls();
    PerfmonRig rig(options, 4096);
    expect_identity(record(rig, calls, perfmon::DrainMode::kReadOnly), calls);
  }
}

TEST(PerfmonIdentity, AlsoWithAClockOfAnotherFrequency) {
  // 33 cycles of the core are a tick; everything happens on ticks, so that nothing is rounded.
  const ClockRatio ratio{.ticks = 1, .cycles = 33};
  std::vector<Call> calls = some_calls(1);
  for (Call& call : calls) {
    call.start *= 33;
    call.schedule.length *= 33;
    for (PipePhase& phase : call.schedule.phases) phase = {phase.pipe, phase.begin * 33, phase.end * 33};
  }
  PerfmonModelOptions options = small_options();
  options.words.ratio = ratio;
  PerfmonRig rig(options, 65536);
  expect_identity(record(rig, calls, perfmon::DrainMode::kReadOnly, ratio), calls, ratio);
}

TEST(PerfmonIdentity, MarksComeBackWithTheirTimes) {
  PerfmonRig rig;
  ASSERT_EQ(rig.start(), perfmon::Fault::kNone);
  const PipeSchedule schedule{.length = 100,
                              .phases = {{Pipe::kVec, 10, 90}},
                              .marks = {{Pipe::kVec, 1, 10}, {Pipe::kMte2, 4095, 50}, {Pipe::kSu, 0, 100}}};
  rig.model.set_block(0, 0x1234);
  ASSERT_TRUE(rig.model.run(0, Cycles{500}, schedule));
  formats::perfmon::IntervalList list;
  formats::perfmon::IntervalBuilder builder(list);
  formats::perfmon::Decoder<> decoder;
  const std::vector<std::uint32_t> words = rig.collect();
  decoder.feed(std::as_bytes(std::span(words)), builder);
  using formats::perfmon::Mark;
  EXPECT_EQ(list.marks,
            (std::vector<Mark>{
                {Ticks{510}, Pipe::kVec, 1}, {Ticks{550}, Pipe::kMte2, 4095}, {Ticks{600}, Pipe::kSu, 0}}));
  ASSERT_EQ(list.intervals.size(), 1U);
  EXPECT_EQ(list.intervals[0].begin, Ticks{510});
  EXPECT_EQ(list.intervals[0].end, Ticks{590});
  EXPECT_EQ((words[0] >> 16U) & 0xFFU, 0x34U);
  EXPECT_EQ((words[1] >> 16U) & 0xFFU, 0x12U);
}

}  // namespace
}  // namespace accelscope::device
