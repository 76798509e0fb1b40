// What is written reads back the same.
#include "formats/name_map/name_map_writer.h"

#include <gtest/gtest.h>

namespace accelscope::formats::name_map {
namespace {

TEST(NameMapWriter, RoundTrips) {
  const NameMap full{.functions = {{0, "MATMUL"}, {12, "say \"hi\"\n"}}, .orchestrator = "main"};
  for (const NameMap& names : {NameMap{}, full}) {
    base::MemoryOutput out;
    write_name_map(names, out);
    EXPECT_TRUE(looks_like_name_map(out.bytes()));
    const auto again = read_name_map(base::MappedFile::from_memory("name_map.json", out.bytes()));
    ASSERT_TRUE(again) << again.error().to_string();
    EXPECT_EQ(again->functions, names.functions);
    EXPECT_EQ(again->orchestrator, names.orchestrator);
  }
}

}  // namespace
}  // namespace accelscope::formats::name_map
