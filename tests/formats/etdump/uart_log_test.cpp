// Dumps printed by boards, good and broken.
#include "formats/etdump/uart_log.h"

#include "formats/etdump/helpers.h"
#include "formats/etdump/sample_dumps.h"

namespace accelscope::formats::etdump {
namespace {

using base::ErrorCode;
using base::Location;

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string with_prefix(const std::string& text, std::string_view prefix) {
  return fmt::format("{}{}", prefix, replace_all(text, "\n", fmt::format("\n{}", prefix)));
}

void expect_toy(std::string_view log) {
  ASSERT_TRUE(looks_like_uart_log(log));
  ASSERT_FALSE(looks_like_etdump(log));
  const auto trace = read_bytes(log);
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->runs().size(), 11U);
}

base::Error log_error(std::string_view log) {
  const auto result = read_bytes(log);
  EXPECT_FALSE(result);
  return result ? base::Error{} : result.error();
}

const Dump& toy() {
  static const Dump kToy = toy_dump(ToySpeed::kFast);
  return kToy;
}

TEST(UartLog, IsReadLikeTheFileItHolds) {
  expect_toy("booting\n" + write_uart_log(toy()) + "done\n");
}

TEST(UartLog, WithWindowsLineEnds) {
  expect_toy(replace_all(write_uart_log(toy(), 76), "\n", "\r\n"));
}

TEST(UartLog, WrappedLikeATerminal) {
  expect_toy(write_uart_log(toy(), 80));
}

TEST(UartLog, WithTheContinuationSignOfAShell) {
  std::string log = write_uart_log(toy(), 80);
  const std::size_t begin = log.find("echo");
  const std::size_t end = log.find('"', begin + 6);
  expect_toy(log.substr(0, begin) + replace_all(log.substr(begin, end - begin), "\n", "\\\n") +
             log.substr(end));
}

TEST(UartLog, WithSomethingInFrontOfEveryLine) {
  expect_toy(with_prefix(write_uart_log(toy()), "[12:00:01.250] "));
  expect_toy(with_prefix(write_uart_log(toy(), 100), "[12:00:01.250] telnet: "));
}

TEST(UartLog, EveryDumpIsRead) {
  const auto trace = read_bytes(write_uart_log(toy()) + "second try\n" + write_uart_log(quirks_dump()));
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->runs().size(), 12U);
  EXPECT_EQ(quality_count(*trace, "etdump.several_dumps"), 2U);
}

TEST(UartLog, TheDebugBufferIsLeftOutAndSaidSo) {
  const auto trace =
      read_bytes("# Writing debug_buffer.bin [base64]\necho \"AAAA\" | base64 -d >debug_buffer.bin\n" +
                 write_uart_log(toy()));
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(quality_count(*trace, "etdump.debug_buffer_ignored"), 1U);
}

TEST(UartLog, TheAdviceToCountCyclesIsFollowed) {
  const std::string log =
      write_uart_log(toy()) + "inspector --source_time_scale cycles --target_time_scale cycles\n";
  const auto trace = read_bytes(log);
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_FALSE(trace->clock_of(trace::TrackId{1}).frequency.known());
  EXPECT_EQ(quality_count(*trace, "etdump.unit_assumed"), 1U);
  const auto given = read_bytes(log, {.time_unit = TimeUnit::nanoseconds()});
  ASSERT_TRUE(given);
  EXPECT_TRUE(given->clock_of(trace::TrackId{1}).frequency.known());
}

TEST(UartLog, AnAnnouncementWithoutADumpNamesItsLine) {
  const base::Error error = log_error("one\n# Writing etdump.bin [base64]\nthree\n");
  EXPECT_EQ(error.code, ErrorCode::kMalformed);
  EXPECT_EQ(error.where, Location::line(kTestFile, 2));
}

TEST(UartLog, AForeignCharacterNamesItsLine) {
  std::string log = write_uart_log(toy(), 80);
  const std::size_t third_line = log.find('\n', log.find("echo")) + 1;
  log.insert(third_line, "INFO: still alive\n");
  const base::Error error = log_error(log);
  EXPECT_EQ(error.code, ErrorCode::kMalformed);
  EXPECT_EQ(error.where, Location::line(kTestFile, 4));
}

TEST(UartLog, ALogThatEndsEarlyIsTruncated) {
  const std::string log = write_uart_log(toy(), 80);
  const base::Error error = log_error(log.substr(0, log.size() / 2));
  EXPECT_EQ(error.code, ErrorCode::kTruncated);
  EXPECT_EQ(error.where, Location::line(kTestFile, 3));
}

TEST(UartLog, MissingCharactersAreNoticed) {
  const std::string log = write_uart_log(toy());
  const std::size_t text = log.find("echo \"") + 6;
  for (const std::size_t missing : {1U, 3U, 4U}) {
    std::string damaged = log;
    damaged.erase(text + 40, missing);
    const base::Error error = log_error(damaged);
    EXPECT_EQ(error.where, Location::line(kTestFile, 3)) << error.to_string();
  }
}

TEST(UartLog, ADumpThatIsNoneNamesItsLine) {
  const base::Error error =
      log_error("# Writing etdump.bin [base64]\necho \"AAAA\" | base64 -d >etdump.bin\n");
  EXPECT_EQ(error.where, Location::line(kTestFile, 2));
  EXPECT_EQ(error.code, ErrorCode::kTruncated);
}

TEST(UartLog, EveryCutIsAnErrorOrATrace) {
  const std::string log = write_uart_log({{execute_block({execute(0, 10)})}}, 16);
  for (std::size_t size = 0; size < log.size(); ++size) {
    const auto result = read_bytes(std::string_view(log).substr(0, size));
    EXPECT_TRUE(result || result.error().where.file == kTestFile);
  }
}

}  // namespace
}  // namespace accelscope::formats::etdump
