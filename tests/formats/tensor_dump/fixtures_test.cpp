// A dump of the runtime's own: its manifest is in order, and says what another parser finds in it.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>

#include "formats/tensor_dump/manifest.h"

namespace accelscope::formats::tensor_dump {
namespace {

TEST(TensorDumpFixture, IsInOrder) {
  const std::string folder =
      std::string(ACCELSCOPE_FIXTURES_DIR) +
      "/swimlane/a2a3sim/vector_all/TestVectorExample_default_20261115_194311/args_dump/";
  const std::string path = folder + "args_dump.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(looks_like_manifest(file->text()));
  const auto manifest = read_manifest(*file);
  ASSERT_TRUE(manifest) << manifest.error().to_string();
  const trace::QualityTable faults =
      check(*manifest, path, std::filesystem::file_size(folder + manifest->binary));
  for (const trace::QualityRow& row : faults.rows()) ADD_FAILURE() << row.id << ": " << row.sentence;
  simdjson::dom::parser parser;
  const simdjson::dom::element other = parser.load(path);
  std::size_t at = 0;
  for (const simdjson::dom::element argument : other["args"].get_array()) {
    const Argument& read = manifest->arguments.at(at++);
    EXPECT_EQ(read.task, std::stoull(std::string(argument["task_id"].get_string().value()), nullptr, 16));
    EXPECT_EQ(read.index, argument["arg_index"].get_uint64().value());
    EXPECT_EQ(read.bin_offset, argument["bin_offset"].get_uint64().value());
    EXPECT_EQ(read.bin_size, argument["bin_size"].get_uint64().value());
    EXPECT_EQ(read.data_type, argument["dtype"].get_string().value());
    EXPECT_EQ(read.is_scalar, !read.value.empty());
  }
  EXPECT_EQ(at, 18U);
  // Written by us, it says the same.
  base::MemoryOutput out;
  write_manifest(*manifest, out);
  const auto again = read_manifest(base::MappedFile::from_memory("again", out.bytes()));
  ASSERT_TRUE(again);
  ASSERT_EQ(again->arguments.size(), manifest->arguments.size());
  for (std::size_t i = 0; i < again->arguments.size(); ++i) {
    Argument argument = again->arguments[i];
    argument.place = manifest->arguments[i].place;
    EXPECT_EQ(argument, manifest->arguments[i]);
  }
  EXPECT_EQ(again->counts, manifest->counts);
}

}  // namespace
}  // namespace accelscope::formats::tensor_dump
