// Tensor dumps through the program: from a recording to files, and what `validate` says of good and bad ones.
#include <gtest/gtest.h>
#include <simdjson.h>

#include "base/output_file.h"
#include "cli/analysis_program.h"
#include "compat/kit_fixtures.h"
#include "formats/chip_run/sample_recordings.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using compat::replaced;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

class TensorDumpProgram : public testing::Test {
 protected:
  void SetUp() override {
    base::MemoryOutput out;
    ASSERT_TRUE(formats::chip_run::record_everything(out));
    write_file(recording, std::string(out.bytes()));
  }
  ProgramResult convert(const std::string& output) {
    return accelscope({"convert", recording, "--to", "tensor-dump", "-o", output});
  }
  // What is wrong, after this change of the manifest.
  std::string complaints(const std::string& from, const std::string& to) {
    const std::string path = dump + "/args_dump.json";
    const std::string before = read_file(path);
    EXPECT_TRUE(contains(before, from)) << from;
    write_file(path, replaced(before, from, to));
    const ProgramResult result = accelscope({"validate", dump});
    EXPECT_EQ(result.exit_code, 1) << result.standard_output;
    write_file(path, before);
    return result.standard_output + result.standard_error;
  }

  TemporaryFolder folder;
  std::string recording = folder.file("run.astrace");
  std::string dump = folder.file("args_dump");
};

TEST_F(TensorDumpProgram, WritesAFolderThatValidates) {
  const ProgramResult converted = convert(dump);
  ASSERT_EQ(converted.exit_code, 0) << converted.standard_error;
  EXPECT_TRUE(contains(converted.standard_error, "6 arguments")) << converted.standard_error;
  EXPECT_TRUE(contains(converted.standard_error, "tensor_dump.bytes_missing"));
  EXPECT_EQ(read_file(dump + "/args.bin").size(), 254U);
  EXPECT_TRUE(contains(read_file(dump + "/args_dump.json"), R"("run_dir": "args_dump")"));
  for (const std::string& path : {dump, dump + "/", dump + "/args_dump.json"}) {
    const ProgramResult validated = accelscope({"validate", path});
    EXPECT_EQ(validated.exit_code, 0) << validated.standard_output << validated.standard_error;
    EXPECT_TRUE(
        contains(validated.standard_output, "arguments: 6, tasks: 2, tensors: 5 with 254 B, scalars: 1"))
        << validated.standard_output;
  }
  const std::string first = read_file(dump + "/args_dump.json") + read_file(dump + "/args.bin");
  ASSERT_EQ(convert(dump).exit_code, 0) << "it may be written again";
  EXPECT_EQ(read_file(dump + "/args_dump.json") + read_file(dump + "/args.bin"), first);
}

TEST_F(TensorDumpProgram, ValidatesAsJson) {
  ASSERT_EQ(convert(dump).exit_code, 0);
  const ProgramResult validated = accelscope({"validate", dump, "--json"});
  EXPECT_EQ(validated.exit_code, 0);
  simdjson::dom::parser parser;
  const simdjson::dom::element json = parser.parse(validated.standard_output);
  EXPECT_EQ(json["schema"].get_string().value(), "accelscope.tensor_dump/1");
  EXPECT_EQ(json["binary_bytes"].get_uint64().value(), 254U);
  EXPECT_EQ(json["contents"]["truncated"].get_uint64().value(), 2U);
  EXPECT_EQ(json["quality"].at(0)["id"].get_string().value(), "tensor_dump.truncated");
}

TEST_F(TensorDumpProgram, SaysWhatDoesNotFit) {
  ASSERT_EQ(convert(dump).exit_code, 0);
  EXPECT_TRUE(contains(complaints("\"total_args\": 6", "\"total_args\": 7"), "total_args is 7"));
  EXPECT_TRUE(contains(complaints("\"bin_offset\":190", "\"bin_offset\":191"), "tensor_dump.outside_binary"));
  EXPECT_TRUE(contains(complaints("\"bin_size\":30", "\"bin_size\":32"), "tensor_dump.size_differs"));
  EXPECT_TRUE(contains(complaints("\"bin_file\": \"args.bin\"", "\"bin_file\": \"other.bin\""),
                       "tensor_dump.no_binary"));
  EXPECT_TRUE(contains(complaints("\"shape\":[3,5]", "\"shape\":[3,5"), "byte"));
  fs::resize_file(dump + "/args.bin", 100);
  const ProgramResult cut = accelscope({"validate", dump});
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_TRUE(contains(cut.standard_output, "beyond the end of the binary. (2 times)"))
      << cut.standard_output;
}

TEST_F(TensorDumpProgram, RefusesWhatHasNoTensors) {
  // A trace that was saved from the recording has none.
  ASSERT_EQ(accelscope({"convert", recording, "-o", folder.file("saved.astrace")}).exit_code, 0);
  write_file(folder.file("toy.etdump"), write_etdump(formats::etdump::toy_dump(ToySpeed::kFast)));
  for (const char* input : {"saved.astrace", "toy.etdump"}) {
    const ProgramResult result =
        accelscope({"convert", folder.file(input), "--to", "tensor-dump", "-o", dump});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.standard_error, "is not a recording")) << result.standard_error;
  }
  base::MemoryOutput out;
  formats::capture::RecordingWriter writer(out, {.clock = base::Frequency::mhz(50)});
  ASSERT_TRUE(writer.finish({}));
  write_file(recording, std::string(out.bytes()));
  const ProgramResult empty = convert(dump);
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_TRUE(contains(empty.standard_error, "dump_tensor_enable")) << empty.standard_error;
  EXPECT_FALSE(fs::exists(dump)) << "nothing is left";
}

TEST_F(TensorDumpProgram, RefusesOutputsThatCannotBe) {
  EXPECT_TRUE(contains(convert("-").standard_error, "a folder of two files"));
  write_file(folder.file("file"), "x");
  EXPECT_EQ(convert(folder.file("file")).exit_code, 1);
  EXPECT_EQ(read_file(folder.file("file")), "x");
  EXPECT_EQ(convert(folder.file("no/such/folder")).exit_code, 1);
  const ProgramResult two = accelscope({"convert", recording, recording, "--to", "tensor-dump", "-o", dump});
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_TRUE(contains(two.standard_error, "from one recording")) << two.standard_error;
  const ProgramResult stretched =
      accelscope({"convert", recording, "--to", "tensor-dump", "--stretch", "2", "-o", dump});
  EXPECT_EQ(stretched.exit_code, 1);
  // The recording under the name of the binary.
  fs::create_directory(dump);
  fs::copy_file(recording, dump + "/args.bin");
  const ProgramResult itself = accelscope({"convert", dump + "/args.bin", "--to", "tensor-dump", "-o", dump});
  EXPECT_EQ(itself.exit_code, 1);
  EXPECT_TRUE(contains(itself.standard_error, "would be overwritten")) << itself.standard_error;
}

TEST_F(TensorDumpProgram, IsNoTrace) {
  ASSERT_EQ(convert(dump).exit_code, 0);
  const ProgramResult report = accelscope({"report", dump + "/args_dump.json"});
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_TRUE(contains(report.standard_error, "is the manifest of a tensor dump")) << report.standard_error;
}

TEST_F(TensorDumpProgram, ARecordingSaysThatItHasThem) {
  const ProgramResult validated = accelscope({"validate", recording});
  EXPECT_TRUE(contains(validated.standard_output, "recording.tensors_not_shown"))
      << validated.standard_output;
}

}  // namespace
}  // namespace accelscope::cli
