// What comes out of a ring, and what is said about the rest.
#include <atomic>
#include <thread>

#include "accelscope/perfmon/core_perfmon.h"
#include "base/splitmix.h"
#include "device/perfmon_rig.h"

namespace accelscope::perfmon {
namespace {

using device::PerfmonModelOptions;
using tests::numbers;
using tests::PerfmonRig;
using tests::small_options;
using Words = std::vector<uint32_t>;

TEST(CorePerfmonDrain, CountersWrapAtTheirThirtyTwoBits) {
  for (const Unit unit : {Unit::kBytes, Unit::kWords}) {
    // A bus whose counter starts just below its end.
    PerfmonModelOptions options = small_options();
    options.chip.behaviour.samples_written_in = unit;
    RingAccount account(options.chip.behaviour, 64);
    const uint32_t step = unit == Unit::kWords ? 1 : 4;
    RegistersSeen seen;
    seen.samples_written = 0U - 2 * step;
    account.begin_at(seen);
    seen.samples_written += 5 * step;
    seen.write_pointer = 20;
    Slice slice;
    account.take(seen, true, slice);
    EXPECT_EQ(seen.samples_written, 3 * step);
    EXPECT_EQ(slice.bytes, 20U);
    EXPECT_EQ(slice.from, 0U);
    EXPECT_FALSE(slice.overflow);
    EXPECT_TRUE(slice.pointer_agrees);
    EXPECT_EQ(account.overwritten(slice, seen.samples_written + 12 * step), 4U);
  }
}

TEST(CorePerfmonDrain, ARingThatIsFullIsAnOverflow) {
  PerfmonRig rig(small_options(), 32);
  ASSERT_EQ(rig.start(), Fault::kNone);
  rig.make_words(1, 8);
  Slice slice = rig.perfmon.drain();
  EXPECT_TRUE(slice.overflow) << "full";
  EXPECT_EQ(slice.lost_bytes, 0U) << "but nothing is lost yet";
  EXPECT_EQ(rig.copy(slice), numbers(1, 8));
  rig.make_words(9, 11);
  slice = rig.perfmon.drain();
  EXPECT_TRUE(slice.overflow);
  EXPECT_FALSE(slice.continues);
  EXPECT_EQ(slice.lost_bytes, 12U);
  EXPECT_EQ(slice.first_byte, 44U);
  EXPECT_TRUE(slice.wrapped);
  EXPECT_EQ(rig.copy(slice), numbers(12, 8));
  rig.make_words(20, 1);
  slice = rig.perfmon.drain();
  EXPECT_TRUE(slice.continues);
  EXPECT_FALSE(slice.overflow);
  EXPECT_EQ(rig.perfmon.lost_bytes(), 12U);
}

TEST(CorePerfmonDrain, SaysWhatWasWrittenOverDuringTheCopy) {
  PerfmonRig rig(small_options(), 32);
  ASSERT_EQ(rig.start(), Fault::kNone);
  rig.make_words(1, 6);
  const Slice slice = rig.perfmon.drain();
  rig.make_words(7, 5);
  const Words copied = rig.copy(slice);
  EXPECT_EQ(copied, (Words{9, 10, 11, 4, 5, 6}));
  EXPECT_EQ(rig.perfmon.confirm(slice).overwritten_bytes, 12U);
  EXPECT_EQ(rig.perfmon.lost_bytes(), 12U);
  EXPECT_EQ(rig.collect(), numbers(7, 5));
}

TEST(CorePerfmonDrain, ACoreThatNeverWritesHasNothing) {
  PerfmonRig rig;
  ASSERT_EQ(rig.start(), Fault::kNone);
  EXPECT_EQ(rig.perfmon.drain().bytes, 0U);
  const Slice last = rig.perfmon.stop();
  EXPECT_EQ(last.bytes, 0U);
  EXPECT_TRUE(last.pointer_agrees);
}

TEST(CorePerfmonDrain, ATornWordIsHeldBackAndNamedAtTheEnd) {
  PerfmonRig rig;
  ASSERT_EQ(rig.start(), Fault::kNone);
  rig.make_words(1, 2);
  rig.model.tear(0, 0xAABBCCDD, 3);
  Slice slice = rig.perfmon.drain();
  EXPECT_EQ(slice.bytes, 8U);
  EXPECT_EQ(slice.torn_bytes, 0U);
  slice = rig.perfmon.stop();
  EXPECT_EQ(slice.bytes, 0U);
  EXPECT_EQ(slice.torn_bytes, 3U);
}

TEST(CorePerfmonDrain, WordsInFlightAreWaitedForButNotForever) {
  PerfmonModelOptions options = small_options();
  options.dma_delay = base::Cycles::max();
  options.landing_per_read = 1;
  PerfmonRig rig(options);
  ASSERT_EQ(rig.start(), Fault::kNone);
  rig.make_words(1, 100);
  const Slice rest = rig.perfmon.stop();
  EXPECT_TRUE(rest.settled);
  EXPECT_EQ(rig.copy(rest), numbers(1, 100));

  PerfmonRig slow(options);
  StartConfig hasty = slow.config();
  hasty.most_reads = 20;
  ASSERT_EQ(slow.perfmon.start(hasty), Fault::kNone);
  slow.make_words(1, 100);
  const Slice part = slow.perfmon.stop();
  EXPECT_FALSE(part.settled);
  EXPECT_LT(part.bytes, 400U);
}

TEST(CorePerfmonDrain, TheNewestBytesAreHeldBackWhereTheyMayBeOnTheirWay) {
  PerfmonModelOptions options = small_options();
  options.counted_when = device::CountedWhen::kIssued;
  options.dma_delay = base::Cycles::max();
  options.most_in_flight = 4;
  options.chip.behaviour.unlanded_bytes = 16;
  PerfmonRig rig(options, 64);
  ASSERT_EQ(rig.start(), Fault::kNone);
  Words all;
  for (uint32_t round = 0; round < 10; ++round) {
    rig.make_words(1 + 5 * round, 5);
    for (const uint32_t word : rig.collect()) all.push_back(word);
  }
  EXPECT_EQ(all, numbers(1, 46)) << "and four on their way";
  rig.model.land(0, 4);
  for (const uint32_t word : rig.copy(rig.perfmon.stop())) all.push_back(word);
  EXPECT_EQ(all, numbers(1, 50));
}

TEST(CorePerfmonDrain, CountersThatCannotBeResetAreReadOnFrom) {
  PerfmonModelOptions options = small_options();
  options.zero_clears_samples_written = false;
  PerfmonRig rig(options, 64);
  StartConfig config = rig.config();
  config.mode = DrainMode::kRestart;
  ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
  for (uint32_t round = 0; round < 10; ++round) {
    rig.make_words(1 + 5 * round, 5);
    EXPECT_EQ(rig.collect(), numbers(1 + 5 * round, 5));
  }
}

TEST(CorePerfmonDrain, ALinearBufferNeedsRestarts) {
  for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
    PerfmonModelOptions options = small_options();
    options.chip.behaviour.buffer = BufferKind::kLinear;
    PerfmonRig rig(options, 32);
    StartConfig config = rig.config();
    config.mode = mode;
    ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
    rig.make_words(1, 6);
    EXPECT_EQ(rig.collect(), numbers(1, 6));
    rig.make_words(7, 6);
    const Slice second = rig.perfmon.drain();
    const bool restarted = mode == DrainMode::kRestart;
    EXPECT_EQ(rig.copy(second), restarted ? numbers(7, 6) : numbers(7, 2));
    EXPECT_EQ(second.overflow, !restarted);
    EXPECT_EQ(second.lost_bytes, restarted ? 0U : 16U);
    rig.perfmon.confirm(second);
    rig.make_words(13, 10);
    const Slice last = rig.perfmon.stop();
    EXPECT_EQ(rig.copy(last), restarted ? numbers(13, 8) : Words{});
    EXPECT_EQ(last.lost_bytes, restarted ? 8U : 40U);
    EXPECT_EQ(rig.perfmon.lost_bytes() + rig.perfmon.counted_bytes(), 88U);
  }
}

TEST(CorePerfmonDrain, ARingThatTheMonitorCannotReachStaysAsItWas) {
  for (const bool counted : {true, false}) {
    PerfmonModelOptions options = small_options();
    options.faults_are_counted = counted;
    PerfmonRig rig(options, 64);
    rig.model.unmap(rig.base);
    ASSERT_EQ(rig.start(), Fault::kNone);
    rig.make_words(1, 3);
    EXPECT_EQ(rig.collect(), counted ? Words(3, 0) : Words{});
  }
}

// Wrong assumptions about units or the pointer show where the pointer and the counter part.
TEST(CorePerfmonDrain, SaysWhenPointerAndCounterDisagree) {
  PerfmonModelOptions options = small_options();
  options.chip.behaviour.samples_written_in = Unit::kWords;
  PerfmonRig rig(options, 64);
  PerfmonChip wrong = options.chip;
  wrong.behaviour.samples_written_in = Unit::kBytes;
  CorePerfmon<tests::CountingBus> perfmon(wrong, rig.bus, 0);
  ASSERT_EQ(perfmon.start(rig.config()), Fault::kNone);
  rig.make_words(1, 4);
  EXPECT_FALSE(perfmon.stop().pointer_agrees);
}

// A core that never waits for whoever reads: what is kept is right, and what is not is counted.
TEST(CorePerfmonDrain, DrainsWhileTheCoreWrites) {
  constexpr uint32_t kWords = 60'000;
  PerfmonModelOptions options = small_options();
  options.chip.behaviour.uncounted_bytes = 4;  // a word is stored before it is counted
  PerfmonRig rig(options, 1024);
  ASSERT_EQ(rig.start(), Fault::kNone);
  std::atomic<bool> done = false;
  std::thread core([&] {
    for (uint32_t word = 1; word <= kWords; word += 50) {
      rig.make_words(word, 50);
      std::this_thread::yield();
    }
    done = true;
  });
  uint64_t kept = 0;
  const auto keep = [&](const Slice& slice, const Words& words, uint32_t overwritten) {
    for (std::size_t i = overwritten / 4; i < words.size(); ++i)
      ASSERT_EQ(words[i], slice.first_byte / 4 + i + 1);
    kept += words.size() - overwritten / 4;
  };
  while (!done) {
    const Slice slice = rig.perfmon.drain();
    const Words words = rig.copy(slice);
    keep(slice, words, rig.perfmon.confirm(slice).overwritten_bytes);
  }
  core.join();
  const Slice rest = rig.perfmon.stop();
  keep(rest, rig.copy(rest), 0);
  EXPECT_EQ(4 * kept + rig.perfmon.lost_bytes(), 4U * kWords);
  EXPECT_GT(kept, 0U);
}

// A device whose settings are what was written and whose counters are anything.
struct RandomBus {
  uint64_t state = 0;
  uint32_t values[kRegisters] = {};

  uint32_t read_reg(uint32_t, uint32_t offset) {
    for (uint32_t i = 0; i < kRegisters; ++i) {
      if (kDefaultRegisters.places[i].offset != offset) continue;
      const auto which = static_cast<Register>(i);
      if (which == Register::kEnable) return values[i] | 0x4;
      const bool counts = which == Register::kWritePointer || which == Register::kSamples ||
                          which == Register::kSamplesWritten;
      if (!counts) return values[i];
      const uint64_t number = base::splitmix(state += base::kSplitmixStep);
      return static_cast<uint32_t>(number) >> ((number >> 32U) % 32);
    }
    return 0;
  }
  void write_reg(uint32_t, uint32_t offset, uint32_t value) {
    for (uint32_t i = 0; i < kRegisters; ++i)
      if (kDefaultRegisters.places[i].offset == offset) values[i] = value;
  }
  void barrier() {}
  void give_up(uint32_t) {}
};

TEST(CorePerfmonDrain, SlicesLieInTheRingWhateverTheCountersSay) {
  constexpr uint32_t kRing = 4096;
  std::size_t slices = 0;
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    RandomBus bus{.state = seed};
    PerfmonChip chip = kA5Perfmon;
    chip.behaviour.buffer = seed % 2 == 0 ? BufferKind::kRing : BufferKind::kLinear;
    chip.behaviour.samples_written_in = seed / 2 % 2 == 0 ? Unit::kBytes : Unit::kWords;
    chip.behaviour.pointer = seed / 4 % 2 == 0 ? PointerKind::kInRing : PointerKind::kTotal;
    chip.behaviour.unlanded_bytes = seed / 8 % 2 == 0 ? 0 : 128;
    CorePerfmon<RandomBus> perfmon(chip, bus, 0);
    const DrainMode mode = seed / 16 % 2 == 0 ? DrainMode::kReadOnly : DrainMode::kRestart;
    if (perfmon.start({.base = 4096, .ring_bytes = kRing, .mode = mode}) != Fault::kNone) continue;
    for (int i = 0; i < 20; ++i) {
      const Slice slice = i < 19 ? perfmon.drain() : perfmon.stop();
      ASSERT_LE(slice.bytes, kRing);
      ASSERT_LT(slice.from, kRing);
      ASSERT_EQ(slice.from % 4, 0U);
      ASSERT_EQ(slice.bytes % 4, 0U);
      ASSERT_LE(slice.from + slice.first_piece(kRing), kRing);
      ASSERT_LE(slice.second_piece(kRing), slice.from);
      ASSERT_LE(perfmon.confirm(slice).overwritten_bytes, slice.bytes);
      slices += slice.bytes > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(slices, 1000U);
}

// Every meaning of units, pointer and length, with slices over many turns of the ring.
TEST(CorePerfmonDrain, WorksWithEveryMeaningOfTheRegisters) {
  for (const Unit written : {Unit::kBytes, Unit::kWords})
    for (const Unit pointer_in : {Unit::kBytes, Unit::kWords})
      for (const PointerKind pointer : {PointerKind::kInRing, PointerKind::kTotal})
        for (const LengthKind length : {LengthKind::kSize, LengthKind::kLastWord})
          for (const auto wrap : {device::PointerWrap::kAtOnce, device::PointerWrap::kWithTheNextWord})
            for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
              PerfmonModelOptions options = small_options();
              options.chip.behaviour.samples_written_in = written;
              options.chip.behaviour.pointer_in = pointer_in;
              options.chip.behaviour.pointer = pointer;
              options.chip.behaviour.length = length;
              options.pointer_wrap = wrap;
              PerfmonRig rig(options, 28);
              StartConfig config = rig.config();
              config.mode = mode;
              ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
              uint32_t next = 1;
              for (uint32_t round = 0; round < 50; ++round) {
                const uint32_t count = round % 8;
                rig.make_words(next, count);
                EXPECT_EQ(rig.collect(), numbers(next, count));
                next += count;
              }
              rig.make_words(next, 3);
              const Slice last = rig.perfmon.stop();
              EXPECT_EQ(rig.copy(last), numbers(next, 3));
              EXPECT_TRUE(last.pointer_agrees);
              EXPECT_EQ(rig.perfmon.lost_bytes(), 0U);
            }
}

}  // namespace
}  // namespace accelscope::perfmon
