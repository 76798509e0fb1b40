#include "accelscope/perfmon/core_perfmon.h"

#include "device/perfmon_rig.h"

namespace accelscope::perfmon {
namespace {

using device::PerfmonModelOptions;
using tests::numbers;
using tests::PerfmonRig;
using tests::small_options;
using Words = std::vector<uint32_t>;

PerfmonModelOptions armed() {
  PerfmonModelOptions options = small_options();
  options.armed_cores = {0};
  return options;
}

// What a bus was told, in its order.
struct WrittenBus {
  Words offsets = {};

  uint32_t read_reg(uint32_t, uint32_t offset) {
    if (offset == 0x00C4) return 0x4;
    return offset == 0xB004 ? kA5Perfmon.firmware_length : 0;
  }
  void write_reg(uint32_t, uint32_t offset, uint32_t) { offsets.push_back(offset); }
  void barrier() {}
  void give_up(uint32_t) {}
};

TEST(CorePerfmon, ProgramsInBothOrders) {
  for (const auto& [order, expected] :
       {std::pair{&kEnableLast,
                  Words{0xB000, 0xC4, 0xB00C, 0xB010, 0xB004, 0xB01C, 0xB008, 0xB024, 0xB028, 0xB000, 0xC4}},
        std::pair{&kGlobalEnableLast, Words{0xB000, 0xB00C, 0xB010, 0xB004, 0xB008, 0xC4, 0xB000}}}) {
    WrittenBus bus;
    CorePerfmon<WrittenBus> perfmon(kA5Perfmon, bus, 0);
    // This bus forgets everything; what was written before that is noticed is the order.
    EXPECT_EQ(perfmon.start({.base = 64, .ring_bytes = 4096, .order = order}), Fault::kNotAccepted);
    ASSERT_GE(bus.offsets.size(), expected.size());
    bus.offsets.resize(expected.size());
    EXPECT_EQ(bus.offsets, expected) << order->name;
  }
}

TEST(CorePerfmon, RecordsInEveryOrderAndModeAndRestoresEverything) {
  for (const ProgrammingOrder* order : {&kEnableLast, &kGlobalEnableLast})
    for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart})
      for (const bool is_armed : {false, true}) {
        PerfmonRig rig(is_armed ? armed() : small_options(), 64);
        rig.write(Register::kWritePointer, 8);
        rig.write(Register::kGlitchFilter, 3);
        const Words before = rig.settings();
        StartConfig config = rig.config();
        config.order = order;
        config.mode = mode;
        ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
        EXPECT_EQ(rig.read(Register::kGlitchFilter), 0U);
        rig.make_words(1, 5);
        EXPECT_EQ(rig.collect(), numbers(1, 5));
        EXPECT_EQ(rig.collect(), Words{});
        rig.make_words(6, 14);
        EXPECT_EQ(rig.collect(), numbers(6, 14));
        rig.make_words(20, 2);
        const Slice rest = rig.perfmon.stop();
        EXPECT_EQ(rig.copy(rest), numbers(20, 2));
        EXPECT_TRUE(rest.final && rest.settled && rest.pointer_agrees);
        EXPECT_EQ(rig.perfmon.state(), CoreState::kStopped);
        EXPECT_EQ(rig.settings(), before);
        EXPECT_TRUE(rig.perfmon.ring_may_be_released());
        EXPECT_EQ(rig.perfmon.lost_bytes(), 0U);
        EXPECT_EQ(rig.perfmon.counted_bytes(), 84U);
      }
}

TEST(CorePerfmon, RefusesSettingsThatCannotBe) {
  PerfmonRig rig;
  const auto fault = [&](auto&& change) {
    StartConfig config = rig.config();
    change(config);
    return rig.perfmon.start(config);
  };
  EXPECT_EQ(fault([](StartConfig& c) { c.ring_bytes = 0; }), Fault::kBadLength);
  EXPECT_EQ(fault([](StartConfig& c) { c.ring_bytes = 1022; }), Fault::kBadLength);
  EXPECT_EQ(fault([](StartConfig& c) { c.base = 0; }), Fault::kBadBase);
  EXPECT_EQ(fault([](StartConfig& c) { c.base += 2; }), Fault::kBadBase);
  EXPECT_EQ(fault([](StartConfig& c) { c.base = uint64_t{1} << 48U; }), Fault::kBadBase);
  EXPECT_EQ(fault([](StartConfig& c) { c.base = (uint64_t{1} << 48U) - 512; }), Fault::kBadBase);
  EXPECT_EQ(fault([](StartConfig& c) { c.glitch_filter = 16; }), Fault::kBadGlitchFilter);
  EXPECT_EQ(fault([](StartConfig& c) {
              c.mode = DrainMode::kRestart;
              c.enable = EnableOwner::kLaunchHardware;
            }),
            Fault::kNeedsEnable);
  EXPECT_EQ(rig.bus.writes, 0U);
  PerfmonModelOptions in_flight = small_options();
  in_flight.chip.behaviour.unlanded_bytes = 512;
  in_flight.chip.behaviour.uncounted_bytes = 512;
  EXPECT_EQ(PerfmonRig(in_flight, 1024).start(), Fault::kBadLength);
  ASSERT_EQ(rig.start(), Fault::kNone);
  EXPECT_EQ(rig.start(), Fault::kAlreadyStarted);
}

// Whatever it finds: nothing is written when it is not free.
TEST(CorePerfmon, TellsWhoseTheMonitorIs) {
  PerfmonRig idle;
  EXPECT_EQ(idle.start(), Fault::kNone);

  PerfmonRig firmware(armed());
  StartConfig careful = firmware.config();
  careful.take_armed = false;
  EXPECT_EQ(firmware.perfmon.start(careful), Fault::kArmedByFirmware);
  EXPECT_EQ(firmware.bus.writes, 0U);
  EXPECT_EQ(firmware.start(), Fault::kNone);

  PerfmonRig driver(armed());
  driver.model.kickstart(0, true);
  EXPECT_EQ(driver.start(), Fault::kOwnedByDriver);
  EXPECT_EQ(driver.bus.writes, 0U);

  for (const uint32_t global : {0U, 1U}) {
    PerfmonRig foreign;
    foreign.write(Register::kBaseLow, 0x1000);
    foreign.write(Register::kBufferLength, 4096);
    foreign.write(Register::kGlobalEnable, global);
    EXPECT_EQ(foreign.start(), Fault::kOwnedBySomebody);
    EXPECT_EQ(foreign.bus.writes, 0U);
    // Unless one knows it: a run of one's own that was killed.
    StartConfig known = foreign.config();
    known.known_base = foreign.options.firmware_base / 0x1'0000'0000 * 0x1'0000'0000 + 0x1000;
    EXPECT_EQ(foreign.perfmon.start(known), Fault::kNone);
  }

  PerfmonRig gone;
  gone.model.unplug();
  EXPECT_EQ(gone.start(), Fault::kDeviceGone);
  EXPECT_EQ(gone.bus.writes, 0U);
}

TEST(CorePerfmon, SharesTheCoreWithAChannelThatKeepsItEnabled) {
  PerfmonRig rig(armed(), 64);
  rig.model.kickstart(0, true);
  const Words before = rig.settings();
  StartConfig config = rig.config();
  config.enable = EnableOwner::kLaunchHardware;
  ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
  rig.make_words(1, 5);
  EXPECT_EQ(rig.collect(), numbers(1, 5));
  rig.make_words(6, 1);
  EXPECT_EQ(rig.copy(rig.perfmon.stop()), numbers(6, 1));
  EXPECT_EQ(rig.read(Register::kEnable), 0x5U);
  // The pointer cannot be set while it is enabled; all else is as it was.
  Words after = rig.settings();
  EXPECT_EQ(after[6], 24U);
  after[6] = before[6];
  EXPECT_EQ(after, before);
  EXPECT_EQ(rig.perfmon.state(), CoreState::kStopped);
}

TEST(CorePerfmon, IsProgrammedBlindAndEnabledByTheLaunch) {
  PerfmonRig rig(armed(), 64);
  StartConfig config = rig.config();
  config.enable = EnableOwner::kLaunchHardware;
  ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
  EXPECT_EQ(rig.perfmon.drain().state, CoreState::kRunning) << "not enabled yet is not taken away";
  rig.model.kickstart(0, true);
  rig.make_words(1, 2);
  EXPECT_EQ(rig.collect(), numbers(1, 2));
  rig.model.kickstart(0, false);
  EXPECT_EQ(rig.perfmon.drain().state, CoreState::kEnableTaken);
}

TEST(CorePerfmon, DoesNotStartWhereThePointerLiesBeyondTheRing) {
  PerfmonRig rig(armed(), 64);
  rig.write(Register::kWritePointer, 4096);
  rig.model.kickstart(0, true);
  const Words before = rig.settings();
  StartConfig config = rig.config();
  config.enable = EnableOwner::kLaunchHardware;
  EXPECT_EQ(rig.perfmon.start(config), Fault::kPointerOutside);
  EXPECT_EQ(rig.settings(), before);
}

TEST(CorePerfmon, RestoresWhenTheHardwareDoesNotTakeTheSettings) {
  PerfmonModelOptions options = armed();
  options.software_can_enable = false;
  PerfmonRig rig(options);
  const Words before = rig.settings();
  EXPECT_EQ(rig.start(), Fault::kNotAccepted);
  EXPECT_EQ(rig.settings(), before);
}

TEST(CorePerfmon, LeavesACoreAloneThatWasTakenAway) {
  const auto take = [](auto&& change, CoreState expected, bool keeps_words, bool may_release) {
    PerfmonRig rig(armed(), 64);
    ASSERT_EQ(rig.start(), Fault::kNone);
    rig.make_words(1, 3);
    change(rig);
    const Words taken = rig.settings();
    const uint64_t writes = rig.bus.writes;
    const Slice slice = rig.perfmon.drain();
    EXPECT_EQ(slice.state, expected) << text_of(slice.state);
    EXPECT_EQ(rig.copy(slice), keeps_words ? numbers(1, 3) : Words{});
    EXPECT_EQ(rig.perfmon.confirm(slice).state, expected);
    EXPECT_EQ(rig.perfmon.drain().bytes, 0U);
    EXPECT_EQ(rig.perfmon.stop().state, expected);
    EXPECT_EQ(rig.bus.writes, writes) << "nothing is written to it any more";
    EXPECT_EQ(rig.settings(), taken);
    EXPECT_TRUE(rig.model.given_up(0));
    EXPECT_EQ(rig.perfmon.ring_may_be_released(), may_release);
  };
  take([](PerfmonRig& rig) { rig.model.kickstart(0, false); }, CoreState::kEnableTaken, true, false);
  take([](PerfmonRig& rig) { rig.write(Register::kGlobalEnable, 0); }, CoreState::kGlobalEnableTaken, true,
       false);
  take([](PerfmonRig& rig) { rig.write(Register::kBaseLow, 0x100); }, CoreState::kBaseTaken, false, true);
  take([](PerfmonRig& rig) { rig.write(Register::kBaseHigh, 0x100); }, CoreState::kBaseTaken, false, true);
  take([](PerfmonRig& rig) { rig.write(Register::kBufferLength, 32); }, CoreState::kLengthTaken, false,
       false);
  take([](PerfmonRig& rig) { rig.model.unplug(); }, CoreState::kDeviceGone, false, false);
}

TEST(CorePerfmon, TheSameAtTheStop) {
  for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
    PerfmonRig rig(armed(), 64);
    StartConfig config = rig.config();
    config.mode = mode;
    ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
    rig.make_words(1, 3);
    rig.write(Register::kBaseLow, 0x100);
    const uint64_t writes = rig.bus.writes;
    EXPECT_EQ(rig.perfmon.stop().state, CoreState::kBaseTaken);
    EXPECT_EQ(rig.bus.writes, writes);
  }
}

TEST(CorePerfmon, ACoreIsTakenWhileItIsPaused) {
  PerfmonRig rig(armed(), 64);
  StartConfig config = rig.config();
  config.mode = DrainMode::kRestart;
  ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
  rig.make_words(1, 3);
  const Slice slice = rig.perfmon.drain();
  EXPECT_EQ(slice.state, CoreState::kPaused);
  rig.model.kickstart(0, true);
  const uint64_t writes = rig.bus.writes;
  EXPECT_EQ(rig.perfmon.confirm(slice).state, CoreState::kEnableTaken);
  EXPECT_EQ(rig.bus.writes, writes);
}

TEST(CorePerfmon, TurnsOffAMonitorWhosePointerLeftTheRing) {
  PerfmonModelOptions options = armed();
  options.wraps_only_when_equal = true;
  PerfmonRig rig(options, 64);
  const Words before = rig.settings();
  ASSERT_EQ(rig.start(), Fault::kNone);
  rig.write(Register::kEnable, 0);
  rig.write(Register::kWritePointer, 100);
  rig.write(Register::kEnable, 1);
  EXPECT_EQ(rig.perfmon.drain().state, CoreState::kPointerOutside);
  EXPECT_EQ(rig.settings(), before);
  EXPECT_TRUE(rig.perfmon.ring_may_be_released());
}

// Nobody copies or confirms any more: the stop restores all the same, and says what it leaves.
TEST(CorePerfmon, RestoresWhenTheCollectorFailed) {
  for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
    PerfmonRig rig(armed(), 64);
    const Words before = rig.settings();
    StartConfig config = rig.config();
    config.mode = mode;
    ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
    rig.make_words(1, 3);
    EXPECT_EQ(rig.perfmon.drain().bytes, 12U);
    EXPECT_EQ(rig.perfmon.stop().bytes, 0U);
    EXPECT_EQ(rig.settings(), before);
    EXPECT_EQ(rig.perfmon.state(), CoreState::kStopped);
  }
}

TEST(CorePerfmon, StartsAgainAfterAStop) {
  PerfmonRig rig(armed(), 64);
  for (uint32_t generation = 1; generation < 4; ++generation) {
    StartConfig config = rig.config();
    config.generation = generation;
    ASSERT_EQ(rig.perfmon.start(config), Fault::kNone);
    rig.make_words(1, 3);
    const Slice slice = rig.perfmon.stop();
    EXPECT_EQ(rig.copy(slice), numbers(1, 3));
    EXPECT_EQ(slice.generation, generation);
    EXPECT_EQ(slice.first_byte, 0U);
  }
}

}  // namespace
}  // namespace accelscope::perfmon
