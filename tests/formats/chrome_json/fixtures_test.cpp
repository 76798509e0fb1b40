// Traces that other tools wrote.
#include <filesystem>

#include "support.h"

namespace accelscope::formats::chrome_json {
namespace {

TEST(Fixtures, SwimlaneTracesAreReadWithoutLoss) {
  const std::filesystem::path root = std::filesystem::path(ACCELSCOPE_FIXTURES_DIR) / "swimlane";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "no conformance data beside the checkout";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().filename() != "merged_swimlane.json") continue;
    const auto file = base::MappedFile::open(entry.path());
    ASSERT_TRUE(file);
    ASSERT_TRUE(looks_like_chrome_json(file->text())) << entry.path();
    const auto trace = read(*file, {});
    ASSERT_TRUE(trace) << trace.error().to_string();
    EXPECT_GT(trace->slices().size(), 0U) << entry.path();
    EXPECT_EQ(trace->quality().count("chrome.flow_without_partner"), 0U) << entry.path();
    EXPECT_EQ(trace->quality().count("chrome.flow_outside_slices"), 0U) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
