#include "jobs/perfmon_record.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/output_file.h"
#include "findings/findings_json.h"
#include "formats/perfmon/decoder.h"
#include "formats/perfmon/intervals.h"
#include "formats/perfmon/sample_streams.h"
#include "support/recording_playback.h"
#include "support/stand_in_perfmon.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using perfmon::Register;
using tests::play_back;
using tests::StandInDevice;
using tests::StandInMonitor;

constexpr std::uint32_t kRing = 1024;

// As the encoder makes them, so many or a few more.
std::vector<std::uint32_t> sample_words(std::uint64_t count, std::uint64_t seed) {
  const std::vector<std::byte> bytes = formats::perfmon::sample_stream({.words = count, .seed = seed}).bytes;
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  return words;
}

std::vector<formats::perfmon::BusyInterval> intervals_of(const std::vector<std::uint32_t>& words) {
  formats::perfmon::IntervalList list;
  formats::perfmon::IntervalBuilder<formats::perfmon::IntervalList> builder{list};
  formats::perfmon::Decoder<> decoder;
  decoder.feed(std::as_bytes(std::span(words)), builder);
  return list.intervals;
}

class PerfmonRecord : public testing::Test {
 protected:
  PerfmonRecordOptions options() {
    PerfmonRecordOptions options{.device = device_.registers_file(),
                                 .offset = StandInDevice::kOffset,
                                 .cores = device_.cores(),
                                 .stride = StandInDevice::kStride,
                                 .memory = {.path = device_.memory_file(),
                                            .offset = StandInDevice::kMemoryOffset,
                                            .address = StandInDevice::kAddress},
                                 .start = {.ring_bytes = kRing},
                                 .duration = {30'000'000'000},
                                 .folder = folder(),
                                 .stop = &stop_};
    return options;
  }
  std::string folder() const { return device_.file("out"); }
  void start_monitor(std::uint32_t core, std::vector<std::uint32_t> words,
                     std::function<void(std::uint32_t)> after = {}, std::uint32_t burst = 200) {
    monitors_.push_back(std::make_unique<StandInMonitor>(
        device_, core, std::move(words),
        tests::StandInMonitorOptions{.folder = folder(), .burst_words = burst, .after = std::move(after)}));
  }
  // Ends the recording when all have done what they do.
  base::Result<PerfmonRecordOutcome> record(const PerfmonRecordOptions& options) {
    std::thread end([this] {
      for (const auto& monitor : monitors_) all_done_ = monitor->finish() && all_done_;
      stop_ = true;
    });
    base::Result<PerfmonRecordOutcome> outcome = record_perfmon(options);
    end.join();
    return outcome;
  }
  static const findings::Table& cores_of(const PerfmonRecordOutcome& outcome) {
    return *findings::find_table(outcome.findings.sections.front(), "cores");
  }
  static std::string text(const findings::Cell& cell) { return std::get<std::string>(cell); }
  static std::int64_t number(const findings::Cell& cell) { return std::get<std::int64_t>(cell); }

  StandInDevice device_{3};
  std::atomic<bool> stop_ = false;
  bool all_done_ = true;
  std::vector<std::unique_ptr<StandInMonitor>> monitors_ = {};
};

TEST_F(PerfmonRecord, KeepsExactlyWhatTheHardwareWrote) {
  const std::vector words{sample_words(3000, 1), sample_words(40, 2), sample_words(1000, 3)};
  std::vector<std::vector<std::uint32_t>> before;
  for (std::uint32_t core = 0; core < 3; ++core) {
    before.push_back(device_.settings(core));
    start_monitor(core, words[core]);
  }
  const auto outcome = record(options());
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  EXPECT_TRUE(all_done_);
  EXPECT_TRUE(outcome->interrupted);
  EXPECT_EQ(outcome->failure, "");
  EXPECT_EQ(outcome->first_file, device_.file("out/core0.1.bin"));
  for (std::uint32_t core = 0; core < 3; ++core) {
    EXPECT_EQ(device_.settings(core), before[core]) << core;
    const tests::PlayedBack played = play_back(folder(), core);
    EXPECT_TRUE(played.words == words[core]) << core;
    EXPECT_EQ(played.lost_bytes, 0U);
    EXPECT_EQ(intervals_of(played.words), intervals_of(words[core]));
    const auto& row = cores_of(*outcome).rows[core];
    EXPECT_EQ(text(row[1]), "stopped");
    EXPECT_EQ(number(row[4]), static_cast<std::int64_t>(4 * words[core].size()));
    EXPECT_EQ(number(row[5]), number(row[4]));
  }
  EXPECT_GT(intervals_of(words[0]).size(), 100U);
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.partial"), 1U);
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.bytes_lost"), 0U);
  // Memory behind the three rings is as it was.
  const std::string memory = tests::read_file(device_.memory_file());
  EXPECT_EQ(memory.find_first_not_of('\1', StandInDevice::kMemoryOffset + 3 * kRing), std::string::npos);
  EXPECT_EQ(memory.find_first_not_of('\1'), StandInDevice::kMemoryOffset);
}

TEST_F(PerfmonRecord, EndsByItself) {
  PerfmonRecordOptions options = this->options();
  options.duration = {20'000'000};
  options.only = "1";
  const auto before = device_.settings(1);
  const auto outcome = record_perfmon(options);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  EXPECT_FALSE(outcome->interrupted);
  EXPECT_EQ(outcome->first_file, "");
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.silent"), 1U);
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.partial"), 0U);
  ASSERT_EQ(cores_of(*outcome).rows.size(), 1U);
  EXPECT_EQ(number(cores_of(*outcome).rows[0][0]), 1);
  EXPECT_EQ(device_.settings(1), before);
  const base::MappedFile saved = base::MappedFile::open(device_.file("out/record.json")).value();
  EXPECT_EQ(findings::read_json(saved).value().kind, "perfmon record");
}

TEST_F(PerfmonRecord, WhatIsWrittenFasterThanDrainedIsCountedAsLost) {
  const std::vector<std::uint32_t> words = sample_words(1200, 1);
  start_monitor(0, words, {}, 600);  // of a ring of 256
  PerfmonRecordOptions options = this->options();
  options.only = "0";
  const auto outcome = record(options);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(all_done_);
  const auto& row = cores_of(*outcome).rows[0];
  EXPECT_EQ(number(row[4]), static_cast<std::int64_t>(4 * words.size()));
  EXPECT_EQ(number(row[4]), number(row[5]) + number(row[6]) + number(row[8]));
  EXPECT_GE(number(row[6]), 2 * 4 * (600 - 256));
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.bytes_lost"),
            static_cast<std::uint64_t>(number(row[6])));
}

TEST_F(PerfmonRecord, ACoreOfSomebodyElseIsLeftAloneAndOthersGoOn) {
  device_.set(1, Register::kBufferLength, 0x4000);
  device_.set(2, Register::kEnable, 0x5);
  const std::vector before{device_.settings(0), device_.settings(1), device_.settings(2)};
  const std::vector<std::uint32_t> words = sample_words(300, 1);
  start_monitor(0, words);
  const auto outcome = record(options());
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(play_back(folder(), 0).words == words);
  for (std::uint32_t core = 0; core < 3; ++core) EXPECT_EQ(device_.settings(core), before[core]) << core;
  EXPECT_EQ(text(cores_of(*outcome).rows[1][1]), "not started: it is set up for a buffer of somebody else");
  EXPECT_EQ(text(cores_of(*outcome).rows[2][1]), "not started: it is enabled for a channel of the driver");
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.not_started"), 2U);
}

TEST_F(PerfmonRecord, NoCoreIsAnError) {
  for (std::uint32_t core = 0; core < 3; ++core) device_.set(core, Register::kBufferLength, 0x4000);
  device_.set(1, Register::kEnable, 0x5);
  const auto before = tests::read_file(device_.registers_file());
  const auto outcome = record_perfmon(options());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "no performance monitor could be started: core 1: it is enabled for a channel of the driver; "
            "cores 0, 2: it is set up for a buffer of somebody else");
  EXPECT_TRUE(tests::read_file(device_.registers_file()) == before);
  PerfmonRecordOptions known = options();
  known.start.known_base = 0x45'0000'1230;
  known.only = "0";
  known.duration = {1'000'000};
  EXPECT_TRUE(record_perfmon(known)) << "left by a run that was killed";
}

TEST_F(PerfmonRecord, ACoreThatIsTurnedOffUnderneathIsNotTouchedAnyMore) {
  const std::vector before{device_.settings(0), device_.settings(1), device_.settings(2)};
  const std::vector<std::uint32_t> words = sample_words(200, 1);
  std::vector<std::uint32_t> taken;
  start_monitor(0, words, [&](std::uint32_t) {
    device_.set(0, Register::kEnable, 0x4);
    taken = device_.settings(0);
  });
  start_monitor(1, sample_words(2000, 2));
  const auto outcome = record(options());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(device_.settings(0), taken);
  EXPECT_EQ(device_.settings(1), before[1]);
  EXPECT_EQ(device_.settings(2), before[2]);
  EXPECT_EQ(text(cores_of(*outcome).rows[0][1]), "somebody else has turned it off");
  EXPECT_EQ(text(cores_of(*outcome).rows[1][1]), "stopped");
  EXPECT_EQ(outcome->failure, "");
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.state"), 1U);
  EXPECT_EQ(outcome->findings.quality.count("perfmon_record.ring_in_use"), 1U);
}

TEST_F(PerfmonRecord, ADeviceThatGoesAwayIsAFailureWithWhatWasThere) {
  const std::vector<std::uint32_t> words = sample_words(200, 1);
  start_monitor(0, words, [&](std::uint32_t) {
    for (std::uint32_t i = 0; i < perfmon::kRegisters; ++i)
      device_.set(0, static_cast<Register>(i), perfmon::kNoDevice);
  });
  PerfmonRecordOptions options = this->options();
  options.only = "0";
  options.stop = nullptr;
  options.every = {100'000'000};         // registers that become ones one by one are not looked at meanwhile
  const auto outcome = record(options);  // ends by itself: no core is left
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->failure, "core 0: gone: every register reads as ones");
  EXPECT_TRUE(outcome->findings.quality.has_errors());
  EXPECT_TRUE(play_back(folder(), 0).words == words);
  for (const std::uint32_t value : device_.settings(0)) EXPECT_EQ(value, perfmon::kNoDevice);
}

TEST_F(PerfmonRecord, ReplacesOnlyWhenTold) {
  PerfmonRecordOptions options = this->options();
  options.duration = {1'000'000};
  ASSERT_TRUE(base::make_folder(folder()));
  tests::write_file(device_.file("out/core7.3.bin"), "old!");
  tests::write_file(device_.file("out/core7.3.bin.regs.json"), "{}");
  tests::write_file(device_.file("out/notes.txt"), "mine");
  const auto before = tests::read_file(device_.registers_file());
  const auto refused = record_perfmon(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().to_string(), folder() + ": has recordings already; --replace removes them");
  EXPECT_TRUE(tests::read_file(device_.registers_file()) == before);
  options.replace = true;
  ASSERT_TRUE(record_perfmon(options));
  EXPECT_FALSE(std::filesystem::exists(device_.file("out/core7.3.bin")));
  EXPECT_FALSE(std::filesystem::exists(device_.file("out/core7.3.bin.regs.json")));
  EXPECT_EQ(tests::read_file(device_.file("out/notes.txt")), "mine");
}

// Wherever files cannot be written, registers are put back all the same.
TEST_F(PerfmonRecord, AFolderThatGoesAwayEndsItInOrder) {
  const auto before = device_.settings(0);
  start_monitor(0, sample_words(400, 1),
                [&](std::uint32_t) { std::filesystem::rename(folder(), device_.file("moved")); });
  PerfmonRecordOptions options = this->options();
  options.only = "0";
  options.stop = nullptr;
  const auto outcome = record_perfmon(options);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kWriteFailed);
  EXPECT_EQ(device_.settings(0), before);
}

TEST_F(PerfmonRecord, SaysWhatIsWrongBeforeAnythingIsWritten) {
  const auto registers = tests::read_file(device_.registers_file());
  const auto memory = tests::read_file(device_.memory_file());
  const auto error = [&](auto&& change) {
    PerfmonRecordOptions options = this->options();
    change(options);
    const auto outcome = record_perfmon(options);
    EXPECT_TRUE(tests::read_file(device_.registers_file()) == registers);
    EXPECT_TRUE(tests::read_file(device_.memory_file()) == memory);
    return outcome ? std::string("none") : outcome.error().to_string();
  };
  using Options = PerfmonRecordOptions;
  EXPECT_NE(error([](Options& o) { o.device = ""; }).find("no device was named"), std::string::npos);
  EXPECT_NE(error([](Options& o) { o.device = "/nowhere/bar"; }).find("cannot be opened"), std::string::npos);
  EXPECT_NE(error([](Options& o) { o.cores = 4; }).find("4 cores from 0x1010 on need"), std::string::npos);
  EXPECT_NE(error([](Options& o) { o.cores = 0; }).find("0 cores: expected"), std::string::npos);
  EXPECT_NE(error([](Options& o) { o.stride = 0; }).find("--stride"), std::string::npos);
  EXPECT_NE(error([](Options& o) { o.only = "3"; }).find("there is no core 3"), std::string::npos);
  EXPECT_NE(error([](Options& o) { o.offset = 0x1000; }).find("is not the device that was expected"),
            std::string::npos);
  EXPECT_NE(error([](Options& o) {
              o.cores = std::nullopt;
              o.chip = "no-such-chip";
            }).find("no-such-chip"),
            std::string::npos);
  EXPECT_NE(error([](Options& o) { o.memory.path = "/nowhere/memory"; }).find("cannot be opened"),
            std::string::npos);
  EXPECT_NE(error([](Options& o) { o.start.ring_bytes = 0x10000; }).find("from 0x2040 on need"),
            std::string::npos);
  for (const std::uint32_t ring : {0U, 1022U})
    EXPECT_EQ(error([&](Options& o) { o.start.ring_bytes = ring; }),
              "the length of the ring is zero, not a multiple of the word, or too small");
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{0x1002}, std::uint64_t{0xFFFF'FFFF'FFF0}, ~std::uint64_t{3}})
    EXPECT_EQ(error([&](Options& o) { o.memory.address = address; }),
              "the address of the ring is zero, not on a word, or too high for the registers")
        << address;
  EXPECT_EQ(error([](Options& o) { o.start.glitch_filter = 16; }),
            "the glitch filter does not fit its register");
  EXPECT_NE(error([](Options& o) { o.folder = ""; }).find("folder"), std::string::npos);
}

TEST_F(PerfmonRecord, NothingIsWrittenToADeviceThatReadsAsOnes) {
  tests::write_file(device_.file("gone"), std::string(0x40000, '\xFF'));
  PerfmonRecordOptions options = this->options();
  options.device = device_.file("gone");
  const auto outcome = record_perfmon(options);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().message.find("core 0 reads 0xffffffff at 0xc4"), std::string::npos);
  EXPECT_EQ(tests::read_file(device_.file("gone")).find_first_not_of('\xFF'), std::string::npos);
}

}  // namespace
}  // namespace accelscope::jobs
