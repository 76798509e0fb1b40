#include "device/perfmon_model.h"

#include <thread>

#include "device/chip_file.h"
#include "device/perfmon_rig.h"

namespace accelscope::device {
namespace {

using base::Cycles;
using formats::perfmon::bit_of;
using perfmon::BufferKind;
using perfmon::LengthKind;
using perfmon::PointerKind;
using perfmon::Unit;
using tests::numbers;
using tests::PerfmonRig;
using tests::Register;
using tests::small_options;

// Registers set by hand, so that only the model is tested.
void start_by_hand(PerfmonRig& rig) {
  rig.write(Register::kBaseLow, static_cast<std::uint32_t>(rig.base));
  rig.write(Register::kBaseHigh, static_cast<std::uint32_t>(rig.base >> 32U));
  rig.write(Register::kBufferLength, rig.options.chip.behaviour.length_register(rig.ring_bytes));
  rig.write(Register::kGlobalEnable, 1);
  rig.write(Register::kEnable, 1);
}

std::vector<std::uint32_t> words_in(PerfmonRig& rig) {
  std::vector<std::uint32_t> words(rig.ring_bytes / 4);
  rig.memory->copy_words(rig.ring, words);
  return words;
}

TEST(PerfmonModel, HasTheRegistersThatFirmwareLeaves) {
  PerfmonModelOptions options;
  options.cores = 2;
  options.armed_cores = {1};
  const auto memory = mapped_memory();
  PerfmonModel model(*memory, options);
  EXPECT_EQ(model.read32(0, 0x00C4), 0x4U);
  EXPECT_EQ(model.read32(0, 0xB000), 0U);
  EXPECT_EQ(model.read32(1, 0xB000), 1U);
  EXPECT_EQ(model.read32(1, 0xB004), 0x3FFFFFCU);
  EXPECT_EQ(model.read32(0, 0xB00C), static_cast<std::uint32_t>(options.firmware_base));
  EXPECT_EQ(model.read32(0, 0xB010), static_cast<std::uint32_t>(options.firmware_base >> 32U));
  EXPECT_EQ(model.read32(0, 0x1234), 0U) << "no such register";
  EXPECT_EQ(model.read32(2, 0xB000), perfmon::kNoDevice) << "no such core";
}

TEST(PerfmonModel, FirmwareArmsEighteenOfTheCoresOfAnA5) {
  const Chip chip = load_chip("a5").value();
  const std::vector<std::uint32_t> armed = cores_armed_by_firmware(chip);
  EXPECT_EQ(chip.cores(), 108U);
  EXPECT_EQ(armed.size(), 18U);
  EXPECT_EQ(armed.front(), 0U);
  EXPECT_EQ(armed.back(), chip.vector_core(35, 1));
}

TEST(PerfmonModel, BitsThatAreNotThereDoNotStick) {
  PerfmonRig rig;
  rig.write(Register::kGlitchFilter, 0xFF);
  EXPECT_EQ(rig.read(Register::kGlitchFilter), 0xFU);
  rig.write(Register::kBaseHigh, 0xABCD1234);
  EXPECT_EQ(rig.read(Register::kBaseHigh), 0x1234U);
  rig.write(Register::kGlobalEnable, 0xFFFFFFFE);
  EXPECT_EQ(rig.read(Register::kGlobalEnable), 0U);
  rig.write(Register::kEnable, 0xFFFFFFFF);
  EXPECT_EQ(rig.read(Register::kEnable), 0x5U);
  rig.write(Register::kEnable, 0);
  EXPECT_EQ(rig.read(Register::kEnable), 0x4U);
  rig.model.write32(0, 0x1234, 5);
  rig.model.write32(9, 0xB000, 1);
}

TEST(PerfmonModel, ThePointerIsWrittenOnlyWhileTheCoreIsOff) {
  PerfmonRig rig;
  rig.write(Register::kWritePointer, 64);
  EXPECT_EQ(rig.read(Register::kWritePointer), 64U);
  rig.write(Register::kEnable, 1);
  rig.write(Register::kWritePointer, 0);
  EXPECT_EQ(rig.read(Register::kWritePointer), 64U);
  rig.write(Register::kEnable, 0);
  rig.write(Register::kWritePointer, 0);
  EXPECT_EQ(rig.read(Register::kWritePointer), 0U);
}

TEST(PerfmonModel, CountersAreClearedAsTheirRulesSay) {
  for (const bool clears : {true, false}) {
    auto options = small_options();
    options.zero_clears_samples_written = clears;
    PerfmonRig rig(options);
    start_by_hand(rig);
    rig.make_words(1, 3);
    EXPECT_EQ(rig.read(Register::kSamples), 3U);
    EXPECT_EQ(rig.read(Register::kSamplesWritten), 12U);
    rig.write(Register::kSamples, 0);
    EXPECT_EQ(rig.read(Register::kSamples), 3U) << "cannot be written";
    rig.write(Register::kSamplesClear, 0);
    EXPECT_EQ(rig.read(Register::kSamples), 3U) << "a zero clears nothing";
    rig.write(Register::kSamplesClear, 1);
    EXPECT_EQ(rig.read(Register::kSamples), 0U);
    EXPECT_EQ(rig.read(Register::kSamplesClear), 0U);
    rig.write(Register::kSamplesWritten, 7);
    EXPECT_EQ(rig.read(Register::kSamplesWritten), 12U) << "only a zero does anything";
    rig.write(Register::kSamplesWritten, 0);
    EXPECT_EQ(rig.read(Register::kSamplesWritten), clears ? 0U : 12U);
  }
}

TEST(PerfmonModel, BaseAndLengthChangeWhileItRuns) {
  PerfmonRig rig(small_options(), 64);
  start_by_hand(rig);
  rig.make_words(1, 1);
  rig.write(Register::kBaseLow, static_cast<std::uint32_t>(rig.base) + 32);
  rig.make_words(2, 1);
  EXPECT_EQ(words_in(rig)[0], 1U);
  EXPECT_EQ(words_in(rig)[9], 2U) << "the pointer goes on";
  rig.write(Register::kBufferLength, 8);
  rig.make_words(3, 1);
  EXPECT_EQ(words_in(rig)[8], 3U) << "a pointer at the new end begins again";
}

TEST(PerfmonModel, SamplesOnlyWhileBothEnablesAreOn) {
  PerfmonRig rig;
  start_by_hand(rig);
  const PipeMask busy = bit_of(Pipe::kVec);
  for (const auto& [enable, global] : {std::pair{0U, 0U}, {0U, 1U}, {1U, 0U}}) {
    rig.write(Register::kEnable, enable);
    rig.write(Register::kGlobalEnable, global);
    ASSERT_TRUE(rig.model.set_busy(0, Cycles{10}, busy));
    ASSERT_TRUE(rig.model.mark(0, Cycles{10}, Pipe::kVec, 1));
    ASSERT_TRUE(rig.model.set_busy(0, Cycles{10}, 0));
    EXPECT_EQ(rig.read(Register::kSamples), 0U);
  }
  EXPECT_EQ(rig.model.counts(0).unsampled, 9U);
  rig.write(Register::kGlobalEnable, 1);
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{20}, busy));
  EXPECT_EQ(rig.read(Register::kSamples), 5U) << "a stamp and a state";
}

TEST(PerfmonModel, ALaunchOverwritesTheEnable) {
  for (const bool owns : {true, false}) {
    auto options = small_options();
    options.launch_owns_enable = owns;
    PerfmonRig rig(options);
    rig.model.kickstart(0, true);
    EXPECT_EQ(rig.read(Register::kEnable), owns ? 0x5U : 0x4U);
    rig.write(Register::kEnable, 1);
    rig.model.kickstart(0, false);
    EXPECT_EQ(rig.read(Register::kEnable), owns ? 0x4U : 0x5U);
  }
  auto options = small_options();
  options.software_can_enable = false;
  PerfmonRig rig(options);
  rig.write(Register::kEnable, 1);
  EXPECT_EQ(rig.read(Register::kEnable), 0x4U);
}

TEST(PerfmonModel, CountsInBytesOrWords) {
  for (const Unit unit : {Unit::kBytes, Unit::kWords}) {
    auto options = small_options();
    options.chip.behaviour.samples_written_in = unit;
    options.chip.behaviour.pointer_in = unit;
    PerfmonRig rig(options, 32);
    start_by_hand(rig);
    rig.make_words(1, 11);
    const std::uint32_t scale = unit == Unit::kBytes ? 4 : 1;
    EXPECT_EQ(rig.read(Register::kSamplesWritten), 11 * scale);
    EXPECT_EQ(rig.read(Register::kWritePointer), 3 * scale);
    EXPECT_EQ(rig.read(Register::kSamples), 11U);
    EXPECT_EQ(words_in(rig), (std::vector<std::uint32_t>{9, 10, 11, 4, 5, 6, 7, 8}));
  }
}

TEST(PerfmonModel, ThePointerIsAPlaceOrASum) {
  auto options = small_options();
  options.chip.behaviour.pointer = PointerKind::kTotal;
  PerfmonRig rig(options, 32);
  start_by_hand(rig);
  rig.make_words(1, 11);
  EXPECT_EQ(rig.read(Register::kWritePointer), 44U);
  EXPECT_EQ(words_in(rig)[2], 11U);
}

TEST(PerfmonModel, ThePointerWrapsAtOnceOrWithTheNextWord) {
  for (const PointerWrap wrap : {PointerWrap::kAtOnce, PointerWrap::kWithTheNextWord}) {
    auto options = small_options();
    options.pointer_wrap = wrap;
    PerfmonRig rig(options, 16);
    start_by_hand(rig);
    rig.make_words(1, 4);
    EXPECT_EQ(rig.read(Register::kWritePointer), wrap == PointerWrap::kAtOnce ? 0U : 16U);
    rig.make_words(5, 1);
    EXPECT_EQ(rig.read(Register::kWritePointer), 4U);
    EXPECT_EQ(words_in(rig)[0], 5U);
  }
}

TEST(PerfmonModel, APointerBeyondTheEndBeginsAgainOrRunsAway) {
  for (const bool only_equal : {false, true}) {
    auto options = small_options();
    options.wraps_only_when_equal = only_equal;
    PerfmonRig rig(options, 64);
    rig.write(Register::kWritePointer, 40);
    start_by_hand(rig);
    rig.write(Register::kBufferLength, 32);
    rig.make_words(1, 1);
    EXPECT_EQ(words_in(rig)[0], only_equal ? 0U : 1U);
    EXPECT_EQ(words_in(rig)[10], only_equal ? 1U : 0U);
  }
}

TEST(PerfmonModel, ALinearBufferStopsAtItsEnd) {
  auto options = small_options();
  options.chip.behaviour.buffer = BufferKind::kLinear;
  PerfmonRig rig(options, 16);
  start_by_hand(rig);
  rig.make_words(1, 6);
  EXPECT_EQ(words_in(rig), numbers(1, 4));
  EXPECT_EQ(rig.read(Register::kWritePointer), 16U);
  EXPECT_EQ(rig.read(Register::kSamplesWritten), 16U);
  EXPECT_EQ(rig.read(Register::kSamples), 6U);
  EXPECT_EQ(rig.model.counts(0).words_dropped, 2U);
}

TEST(PerfmonModel, TheLengthIsASizeOrTheLastWord) {
  auto options = small_options();
  options.chip.behaviour.length = LengthKind::kLastWord;
  PerfmonRig rig(options, 16);
  start_by_hand(rig);
  EXPECT_EQ(rig.read(Register::kBufferLength), 12U);
  rig.make_words(1, 5);
  EXPECT_EQ(words_in(rig), (std::vector<std::uint32_t>{5, 2, 3, 4}));
}

TEST(PerfmonModel, ALengthOfZeroHoldsNothing) {
  PerfmonRig rig;
  start_by_hand(rig);
  rig.write(Register::kBufferLength, 0);
  rig.make_words(1, 2);
  EXPECT_EQ(rig.model.counts(0).words_dropped, 2U);
  EXPECT_EQ(rig.read(Register::kSamplesWritten), 0U);
}

TEST(PerfmonModel, AddressesAreVirtualOrPhysical) {
  for (const BaseAddress kind : {BaseAddress::kVirtual, BaseAddress::kPhysical}) {
    auto options = small_options();
    options.base_address = kind;
    PerfmonRig rig(options);
    start_by_hand(rig);
    rig.make_words(1, 1);
    EXPECT_EQ(words_in(rig)[0], 1U);
    // The other kind leads nowhere.
    const std::uint64_t other = kind == BaseAddress::kVirtual ? rig.base + options.physical_offset
                                                              : rig.base - options.physical_offset;
    rig.write(Register::kBaseHigh, static_cast<std::uint32_t>(other >> 32U));
    rig.make_words(2, 1);
    EXPECT_EQ(rig.model.counts(0).words_faulted, 1U);
  }
}

TEST(PerfmonModel, MemoryIsMappedForTheStreamThatWrites) {
  for (const MemoryStream stream : {MemoryStream::kOfTheCore, MemoryStream::kItsOwn}) {
    auto options = small_options();
    options.stream = stream;
    PerfmonRig rig(options);
    start_by_hand(rig);
    rig.make_words(1, 1);
    EXPECT_EQ(rig.model.counts(0).words_landed, 1U);
    const MemoryStream wrong =
        stream == MemoryStream::kItsOwn ? MemoryStream::kOfTheCore : MemoryStream::kItsOwn;
    const std::uint64_t other = rig.model.map(rig.ring, rig.ring_bytes, wrong);
    rig.write(Register::kBaseLow, static_cast<std::uint32_t>(other));
    rig.make_words(2, 1);
    EXPECT_EQ(rig.model.counts(0).words_faulted, 1U);
  }
}

TEST(PerfmonModel, WordsToUnmappedMemoryAreCountedOrNot) {
  for (const bool counted : {true, false}) {
    auto options = small_options();
    options.faults_are_counted = counted;
    PerfmonRig rig(options);
    start_by_hand(rig);
    rig.model.unmap(rig.base);
    rig.make_words(1, 3);
    EXPECT_EQ(rig.model.counts(0).words_faulted, 3U);
    EXPECT_EQ(rig.read(Register::kSamplesWritten), counted ? 12U : 0U);
    EXPECT_EQ(words_in(rig)[0], 0U);
  }
}

TEST(PerfmonModel, WordsInFlightAreCountedWhenTheyLeaveOrArrive) {
  for (const CountedWhen when : {CountedWhen::kIssued, CountedWhen::kLanded}) {
    auto options = small_options();
    options.counted_when = when;
    options.dma_delay = Cycles{100};
    PerfmonRig rig(options);
    start_by_hand(rig);
    ASSERT_TRUE(rig.model.idle(0, Cycles{10}));
    rig.make_words(1, 3);
    EXPECT_EQ(rig.model.in_flight(0), 3U);
    EXPECT_EQ(words_in(rig)[0], 0U);
    EXPECT_EQ(rig.read(Register::kSamplesWritten), when == CountedWhen::kIssued ? 12U : 0U);
    rig.model.land(0, 1);
    EXPECT_EQ(words_in(rig)[0], 1U);
    EXPECT_EQ(words_in(rig)[1], 0U);
    ASSERT_TRUE(rig.model.idle(0, Cycles{109}));
    EXPECT_EQ(rig.model.in_flight(0), 2U);
    ASSERT_TRUE(rig.model.idle(0, Cycles{110}));
    EXPECT_EQ(rig.model.in_flight(0), 0U);
    EXPECT_EQ(rig.read(Register::kSamplesWritten), 12U);
    EXPECT_EQ(rig.read(Register::kWritePointer), 12U);
  }
}

TEST(PerfmonModel, OnlySoManyWordsAreInFlight) {
  auto options = small_options();
  options.dma_delay = Cycles::max();
  options.most_in_flight = 2;
  PerfmonRig rig(options);
  start_by_hand(rig);
  rig.make_words(1, 5);
  EXPECT_EQ(rig.model.in_flight(0), 2U);
  EXPECT_EQ(rig.read(Register::kSamplesWritten), 12U);
}

TEST(PerfmonModel, ATornWordIsTheLast) {
  PerfmonRig rig;
  start_by_hand(rig);
  rig.make_words(1, 1);
  rig.model.tear(0, 0xAABBCCDD, 2);
  rig.make_words(3, 1);
  EXPECT_EQ(rig.read(Register::kSamplesWritten), 6U);
  EXPECT_EQ(words_in(rig)[1], 0x0000CCDDU);
  EXPECT_EQ(words_in(rig)[2], 0U);
}

TEST(PerfmonModel, AnIdleCoreMakesNoiseIfItShould) {
  auto options = small_options();
  PerfmonRig quiet(options);
  start_by_hand(quiet);
  ASSERT_TRUE(quiet.model.idle(0, Cycles{1000}));
  EXPECT_EQ(quiet.read(Register::kSamples), 0U);
  options.noise_period = Cycles{100};
  options.noise_length = Cycles{3};
  PerfmonRig noisy(options);
  start_by_hand(noisy);
  ASSERT_TRUE(noisy.model.idle(0, Cycles{1000}));
  EXPECT_EQ(noisy.read(Register::kSamples), 4U + 2 * 9) << "a stamp, and nine times on and off";
}

TEST(PerfmonModel, TheGlitchFilterKeepsBackWhatIsTooShort) {
  PerfmonRig rig;
  start_by_hand(rig);
  rig.write(Register::kGlitchFilter, 5);
  const PipeMask vec = bit_of(Pipe::kVec);
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{10}, vec));
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{14}, 0));  // four cycles: not told
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{20}, vec));
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{25}, 0));    // five: told
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{27}, vec));  // a pause of two: not told
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{40}, 0));
  ASSERT_TRUE(rig.model.idle(0, Cycles{100}));
  EXPECT_EQ(rig.model.counts(0).filtered, 4U);
  EXPECT_EQ(rig.read(Register::kSamples), 4U + 2);
  EXPECT_EQ(words_in(rig)[4] & 0xFFFFU, 0U) << "told with its stamp";
  EXPECT_EQ(words_in(rig)[0] & 0xFFFFU, 25U) << "five cycles late";
  EXPECT_EQ(words_in(rig)[5] & 0xFFFFU, 20U) << "and as late at its end: from 20 to 40";
}

TEST(PerfmonModel, TimeDoesNotGoBack) {
  PerfmonRig rig;
  ASSERT_TRUE(rig.model.set_busy(0, Cycles{10}, 1));
  EXPECT_FALSE(rig.model.set_busy(0, Cycles{9}, 0));
  EXPECT_FALSE(rig.model.mark(0, Cycles{9}, Pipe::kVec, 0));
}

TEST(PerfmonModel, AnUnpluggedDeviceReadsAsOnes) {
  PerfmonRig rig;
  rig.model.unplug();
  for (const std::uint32_t value : rig.settings()) EXPECT_EQ(value, perfmon::kNoDevice);
  rig.write(Register::kEnable, 1);
}

TEST(PerfmonModel, ACounterIsSeenAfterItsWords) {
  PerfmonRig rig(small_options(), 1U << 16U);
  start_by_hand(rig);
  constexpr std::uint32_t kWords = 10'000;
  std::thread core([&] { rig.make_words(1, kWords); });
  std::uint32_t seen = 0;
  std::vector<std::uint32_t> words(1);
  while (seen < kWords) {
    seen = rig.read(Register::kSamplesWritten) / 4;
    if (seen == 0) continue;
    rig.memory->copy_words(rig.ring + std::uint64_t{seen - 1} * 4, words);
    ASSERT_EQ(words[0], seen);
  }
  core.join();
}

}  // namespace
}  // namespace accelscope::device
