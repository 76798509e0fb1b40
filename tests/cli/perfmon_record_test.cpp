// accelscope perfmon record, as an engineer runs it on a device; here the device is two files.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/analysis_program.h"
#include "formats/perfmon/sample_streams.h"
#include "support/recording_playback.h"
#include "support/stand_in_perfmon.h"

namespace accelscope::cli {
namespace {

using perfmon::Register;
using tests::StandInDevice;
using tests::StandInMonitor;

std::vector<std::uint32_t> sample_words(std::uint64_t count) {
  const std::vector<std::byte> bytes = formats::perfmon::sample_stream({.words = count}).bytes;
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  return words;
}

std::string hexadecimal(std::uint64_t number) {
  return fmt::format("{:#x}", number);
}

std::vector<std::string> record_words(const StandInDevice& device,
                                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{ACCELSCOPE_PROGRAM,
                                 "perfmon",
                                 "record",
                                 "--device",
                                 device.registers_file(),
                                 "--offset",
                                 hexadecimal(StandInDevice::kOffset),
                                 "--cores",
                                 std::to_string(device.cores()),
                                 "--stride",
                                 "64K",
                                 "--memory",
                                 device.memory_file(),
                                 "--memory-offset",
                                 hexadecimal(StandInDevice::kMemoryOffset),
                                 "--memory-address",
                                 hexadecimal(StandInDevice::kAddress),
                                 "--ring",
                                 "1K",
                                 "--seconds",
                                 "30",
                                 "-o",
                                 device.file("out")};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(PerfmonRecord, CtrlCEndsItInOrder) {
  const StandInDevice device(2);
  const std::vector before{device.settings(0), device.settings(1)};
  const std::vector<std::uint32_t> words = sample_words(1000);
  StandInMonitor monitor(device, 1, words, {.folder = device.file("out")});
  const ProgramResult result =
      tests::run_program(record_words(device), {.interrupt_when = [&] { return monitor.finish(); }});
  EXPECT_EQ(result.exit_code, 130) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_error, "interrupted: what was recorded until then is in"))
      << result.standard_error;
  EXPECT_EQ(device.settings(0), before[0]);
  EXPECT_EQ(device.settings(1), before[1]);
  EXPECT_TRUE(tests::play_back(device.file("out"), 1).words == words);
  EXPECT_TRUE(contains(result.standard_output, "The recording was interrupted after"));
  EXPECT_TRUE(contains(result.standard_output, "has never met"));
  EXPECT_TRUE(
      contains(result.standard_output, "next: accelscope perfmon infer " + device.file("out/core1.1.bin")))
      << result.standard_output;
  EXPECT_TRUE(contains(tests::read_file(device.file("out/record.json")), "perfmon_record.partial"));

  const std::string first = device.file("out/core1.1.bin");
  EXPECT_EQ(accelscope({"perfmon", "infer", first}).exit_code, 0);
  const ProgramResult dump = accelscope({"perfmon", "dump", first});
  EXPECT_EQ(dump.exit_code, 0);
  EXPECT_TRUE(contains(dump.standard_output, fmt::format("{:08x}", words[5]))) << dump.standard_output;

  const ProgramResult again = tests::run_program(record_words(device));
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_TRUE(contains(again.standard_error, "out: has recordings already; --replace removes them"));
}

TEST(PerfmonRecord, SpeaksJsonAndReplaces) {
  const StandInDevice device(2);
  const ProgramResult first =
      tests::run_program(record_words(device, {"--only", "1", "--seconds=0.01", "--json"}));
  ASSERT_EQ(first.exit_code, 1) << "an option is given once";
  std::vector<std::string> words = record_words(device, {"--only", "1", "--json", "--every", "500us"});
  *(std::find(words.begin(), words.end(), "--seconds") + 1) = "0.01";
  for (int round = 0; round < 2; ++round) {
    const ProgramResult result = tests::run_program(words);
    ASSERT_EQ(result.exit_code, 0) << result.standard_error;
    const findings::Findings findings = findings_in(result);
    EXPECT_EQ(findings.kind, "perfmon record");
    EXPECT_TRUE(has_row(findings, "perfmon_record.silent"));
    EXPECT_TRUE(has_row(findings, "perfmon_record.unverified"));
    if (round == 0) words.push_back("--replace");
  }
}

TEST(PerfmonRecord, ADeviceThatGoesAwayIsAFailure) {
  const StandInDevice device(1);
  StandInMonitor monitor(device, 0, sample_words(100),
                         {.folder = device.file("out"), .after = [&](auto) {
                            for (std::uint32_t i = 0; i < perfmon::kRegisters; ++i)
                              device.set(0, static_cast<Register>(i), perfmon::kNoDevice);
                          }});
  const ProgramResult result = tests::run_program(record_words(device, {"--every", "100ms"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.standard_error, "core 0: gone: every register reads as ones"))
      << result.standard_error;
  EXPECT_TRUE(std::filesystem::exists(device.file("out/core0.1.bin")));
}

TEST(PerfmonRecord, HelpNamesEveryOption) {
  const ProgramResult help = accelscope({"perfmon", "record", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  const std::string page = tests::read_file(ACCELSCOPE_CLI_PAGE);
  for (const char* option :
       {"--device",      "--offset",   "--chip",          "--cores",          "--stride",
        "--only",        "--memory",   "--memory-offset", "--memory-address", "--ring",
        "--order",       "--drain",    "--enable",        "--glitch-filter",  "--known-base",
        "--leave-armed", "--samp-wrt", "--wptr",          "--buf-len",        "--buffer",
        "--every",       "--seconds",  "--output",        "--replace",        "--json"}) {
    EXPECT_TRUE(contains(help.standard_output, option)) << option;
    EXPECT_TRUE(contains(page, option)) << option;
  }
  EXPECT_TRUE(contains(help.standard_output, "It has never met silicon."));
}

TEST(PerfmonRecord, ExplainsMistakes) {
  const StandInDevice device(2);
  const std::string registers = tests::read_file(device.registers_file());
  const auto mistake = [&](std::string_view option, const std::string& value, std::string_view expected) {
    std::vector<std::string> words = record_words(device);
    const auto at = std::find(words.begin(), words.end(), option);
    if (at != words.end() && value.empty()) {
      words.erase(at, at + 2);
    } else if (at != words.end()) {
      *(at + 1) = value;
    } else {
      words.push_back(std::string(option));
      words.push_back(value);
    }
    const ProgramResult result = tests::run_program(words);
    EXPECT_EQ(result.exit_code, 1) << option << " " << value;
    EXPECT_EQ(result.standard_output, "");
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
    EXPECT_TRUE(tests::read_file(device.registers_file()) == registers);
  };
  mistake("--device", "", "--device FILE is missing");
  mistake("--device", device.file("nowhere"), "nowhere: cannot be opened");
  mistake("--device", device.memory_file(), "memory: is not the device that was expected");
  mistake("--offset", "0", "is not the device that was expected: core 0 reads 0x00000000 at 0xc4");
  mistake("--offset", "here", "--offset here: expected a number of bytes");
  mistake("--offset", "0xg", "--offset 0xg: expected a number of bytes");
  mistake("--cores", "three", "--cores three: expected a whole number");
  mistake("--cores", "3", "3 cores from 0x1010 on need");
  mistake("--cores", "", "--stride is for --cores, which is missing");
  mistake("--chip", "a5", "--chip says where cores lie, and so do --cores and --stride");
  mistake("--only", "0-2", "there is no core 2");
  mistake("--memory", "", "--memory FILE is missing");
  mistake("--memory", device.file("nowhere"), "nowhere: cannot be opened");
  mistake("--memory-address", "", "--memory-address ADDR is missing");
  mistake("--memory-address", "0x1002", "not on a word");
  mistake("--memory-address", "0x1000000000000", "too high for the registers");
  mistake("--memory-offset", "1M", "memory: has");
  mistake("--ring", "0", "the length of the ring is zero");
  mistake("--ring", "1022", "not a multiple of the word");
  mistake("--ring", "4G", "less than 4 GiB");
  mistake("--order", "other", "other");
  mistake("--glitch-filter", "16", "the glitch filter does not fit its register");
  mistake("--every", "0", "--every 0: expected a time above zero");
  mistake("--seconds", "0", "--seconds 0: expected a number above zero");
  mistake("--output", device.memory_file(), "memory");
}

}  // namespace
}  // namespace accelscope::cli
