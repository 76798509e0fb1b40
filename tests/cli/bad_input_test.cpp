// Bad input is normal input: a message that names the file, the place and the reason; exit code 1; nothing
// left behind.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "formats/etdump/etdump_writer.h"
#include "formats/etdump/sample_dumps.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "support/without_root.h"

namespace accelscope::cli {
namespace {

using tests::ProgramResult;
using tests::read_file;
using tests::run_program;
using tests::TemporaryFolder;
using tests::write_file;

// Far above what a small input needs, sanitizers included, and far below what an unbounded read would take.
constexpr long kBoundedKilobytes = 600'000;

// Converts and validates `input`; both must fail in the same orderly way. Returns the message of convert.
std::string expect_refused(const TemporaryFolder& folder, const std::string& input,
                           const std::string& program = ACCELSCOPE_PROGRAM) {
  const std::string output = folder.file("out.pftrace");
  const ProgramResult converted = run_program({program, "convert", input, "-o", output});
  const ProgramResult validated = run_program({program, "validate", input});
  for (const ProgramResult& result : {converted, validated}) {
    EXPECT_EQ(result.exit_code, 1) << result.standard_error;
    EXPECT_NE(result.standard_error.find(input), std::string::npos) << result.standard_error;
    EXPECT_EQ(result.standard_output, "");
    EXPECT_LT(result.peak_kilobytes, kBoundedKilobytes);
  }
  EXPECT_FALSE(std::filesystem::exists(output));
  for (const std::string& name : folder.names()) EXPECT_EQ(name.find("partial"), std::string::npos) << name;
  return converted.standard_error;
}

std::string expect_refused_bytes(std::string_view name, std::string_view bytes) {
  const TemporaryFolder folder;
  write_file(folder.file(name), bytes);
  return expect_refused(folder, folder.file(name));
}

TEST(BadInput, EmptyFile) {
  EXPECT_NE(expect_refused_bytes("empty.etdump", "").find("is empty"), std::string::npos);
}

TEST(BadInput, MissingFile) {
  const TemporaryFolder folder;
  EXPECT_NE(expect_refused(folder, folder.file("absent.etdump")).find("No such file"), std::string::npos);
}

TEST(BadInput, Directory) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("in"));
  EXPECT_NE(expect_refused(folder, folder.file("in")).find("is a directory"), std::string::npos);
}

TEST(BadInput, UnreadableFile) {
  const TemporaryFolder folder;
  write_file(folder.file("secret.json"), "[]");
  chmod(folder.file("secret.json").c_str(), 0);
  chmod(folder.path().c_str(), 0777);
  // Another user may not be allowed into the folder of the checkout, such as /root.
  const std::string program = folder.file("accelscope");
  std::filesystem::copy_file(ACCELSCOPE_PROGRAM, program);
  const tests::WithoutRoot user;
  if (!user.active()) GTEST_SKIP() << "root may read everything";
  EXPECT_NE(expect_refused(folder, folder.file("secret.json"), program).find("Permission denied"),
            std::string::npos);
}

TEST(BadInput, UnknownBytes) {
  const std::string message = expect_refused_bytes("noise.bin", std::string(1000, '\x7f'));
  EXPECT_NE(message.find("known formats"), std::string::npos) << message;
}

TEST(BadInput, DummyDumpOfTheKit) {
  expect_refused_bytes("mac.etdump", "dummy-etdump\n\n\n");
}

TEST(BadInput, TruncatedDumpSaysHowMuchIsMissing) {
  const std::string whole =
      formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast));
  const std::string message =
      expect_refused_bytes("cut.etdump", std::string_view(whole).substr(0, whole.size() / 2));
  EXPECT_NE(message.find("byte"), std::string::npos) << message;
}

TEST(BadInput, SparseFilesOfSixGigabytes) {
  const std::string dump =
      formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast));
  for (const std::string_view head :
       {std::string_view(), std::string_view("[{\"ph\":\"X\",\"ts\":1"),
        std::string_view("{\"traceEvents\":["), std::string_view("\xff\xff\xff\x7f\x08\0\0\0ED00", 12)}) {
    const TemporaryFolder folder;
    const std::string input = folder.file("huge");
    write_file(input, head);
    if (truncate(input.c_str(), std::int64_t{6} << 30) != 0) GTEST_SKIP() << "no sparse files here";
    expect_refused(folder, input);
  }
}

TEST(BadInput, JsonThatEndsInsideANumber) {
  const std::string message = expect_refused_bytes(
      "cut.json", R"({"traceEvents":[{"ph":"X","pid":1,"tid":1,"name":"a","ts":10,"dur":12)");
  EXPECT_NE(message.find("byte"), std::string::npos) << message;
}

TEST(BadInput, CsvWithoutANeededColumn) {
  const std::string message = expect_refused_bytes(
      "toy_exec_all_runs_timeline.csv",
      "model_id,name,type,delegate_backend,start_us,pct_total,node_id,run_index,block\r\n");
  EXPECT_NE(message.find("duration_ms"), std::string::npos) << message;
  EXPECT_NE(message.find(":1"), std::string::npos) << message;
}

TEST(BadInput, CsvWithABadNumberNamesTheLine) {
  const std::string message = expect_refused_bytes(
      "toy_timeline.csv",
      "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n"
      "toy,Method::execute,Method::execute,portable,0.0,1.0,0.001,100.0,0,0,Execute\r\n"
      "toy,Method::execute,Method::execute,portable,0.0,1.0,banana,100.0,0,1,Execute\r\n");
  EXPECT_NE(message.find(":3"), std::string::npos) << message;
}

TEST(BadInput, OutputsThatCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string input = folder.file("toy.etdump");
  write_file(input,
             formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast)));
  const auto convert_to = [&](const std::string& output) {
    return run_program({ACCELSCOPE_PROGRAM, "convert", input, "--to", "perfetto", "-o", output});
  };
  EXPECT_EQ(convert_to(folder.file("no/such/folder.pftrace")).exit_code, 1);
  EXPECT_EQ(convert_to(folder.path()).exit_code, 1);
  EXPECT_EQ(convert_to("/dev/full").exit_code, 1);
  const ProgramResult over_input = convert_to(input);
  EXPECT_EQ(over_input.exit_code, 1);
  EXPECT_NE(over_input.standard_error.find("overwritten"), std::string::npos);
  EXPECT_EQ(read_file(input),
            formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast)));
}

TEST(BadInput, AFailedConversionKeepsTheOldOutput) {
  const TemporaryFolder folder;
  write_file(folder.file("out.pftrace"), "what was there before");
  write_file(folder.file("bad.json"), "[{\"ph\":\"X\",");
  const ProgramResult result =
      run_program({ACCELSCOPE_PROGRAM, "convert", folder.file("bad.json"), "-o", folder.file("out.pftrace")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(read_file(folder.file("out.pftrace")), "what was there before");
}

}  // namespace
}  // namespace accelscope::cli
