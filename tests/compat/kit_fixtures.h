// What the tests on the kit's own outputs share: where they lie, and how to read them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/mapped_file.h"
#include "compat/kit_csv.h"
#include "support/temporary_folder.h"

namespace accelscope::compat {

inline std::filesystem::path kit_fixtures() {
  return std::filesystem::path(ACCELSCOPE_FIXTURES_DIR) / "executorch";
}

inline bool has_kit_fixtures() {
  std::error_code ignored;
  return std::filesystem::exists(kit_fixtures(), ignored);
}

#define SKIP_WITHOUT_KIT_FIXTURES() \
  if (!has_kit_fixtures()) GTEST_SKIP() << "the conformance data is not beside this checkout"

inline std::string fixture_text(const std::filesystem::path& path) {
  return tests::read_file((kit_fixtures() / path).string());
}

inline KitTimeline fixture_timeline(const std::filesystem::path& path) {
  const auto file = base::MappedFile::open((kit_fixtures() / path).string());
  EXPECT_TRUE(file) << path;
  if (!file) return {};
  auto timeline = read_kit_timeline(*file);
  EXPECT_TRUE(timeline) << path;
  return timeline ? std::move(*timeline) : KitTimeline{};
}

inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// A timeline CSV in memory.
inline base::Result<KitTimeline> timeline_of(std::string_view csv) {
  return read_kit_timeline(base::MappedFile::from_memory("test.csv", csv));
}

}  // namespace accelscope::compat
