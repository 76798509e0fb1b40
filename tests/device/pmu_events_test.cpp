#include "device/pmu_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "formats/pmu_csv/pmu_csv.h"
#include "support/temporary_folder.h"

namespace accelscope::device {
namespace {

TEST(PmuEvents, FitTheCounters) {
  for (const PmuFamily family : {PmuFamily::kA2A3, PmuFamily::kA5}) {
    std::uint32_t last = 0;
    for (const PmuGroup& group : pmu_groups(family)) {
      EXPECT_GT(group.type, last);
      last = group.type;
      EXPECT_LE(group.events.size(), family == PmuFamily::kA5 ? 10U : 8U);
      std::set<std::string_view> names;
      for (const PmuEvent& event : group.events) EXPECT_TRUE(names.insert(event.name).second) << event.name;
    }
  }
  EXPECT_EQ(pmu_group(PmuFamily::kA5, 8).name, "L2_CACHE");
  EXPECT_EQ(pmu_group(PmuFamily::kA5, 3).name, "PIPE") << "a group that there is not";
}

// A report knows the groups by their numbers, and that the six pipes are shares of the total.
TEST(PmuEvents, AreUnderstoodByReports) {
  for (const PmuFamily family : {PmuFamily::kA2A3, PmuFamily::kA5}) {
    for (const PmuGroup& group : pmu_groups(family))
      EXPECT_EQ(formats::pmu_csv::event_group_name(static_cast<std::int32_t>(group.type)), group.name);
    const std::span<const PmuEvent> pipes = pmu_group(family, kDefaultPmuGroup).events;
    for (const PmuEvent& event : pipes.first(6))
      EXPECT_TRUE(formats::pmu_csv::is_busy_counter(event.name)) << event.name;
  }
}

TEST(PmuEvents, AreDocumented) {
  const std::string page = tests::read_file(ACCELSCOPE_SOURCE_DIR "/docs/costs.md");
  const std::string table = page.substr(page.find("| group |"));
  for (const PmuFamily family : {PmuFamily::kA2A3, PmuFamily::kA5})
    for (const PmuGroup& group : pmu_groups(family))
      EXPECT_NE(table.find("\n| " + std::to_string(group.type) + " `" + std::string(group.name) + "` |"),
                std::string::npos)
          << group.name;
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')),
            2 + pmu_groups(PmuFamily::kA5).size())
      << "and no others";
}

TEST(PmuEvents, ShowWhatACallDid) {
  const PmuCounts counts = {.total_cycles = 1000,
                            .vector_busy = 1,
                            .cube_busy = 2,
                            .scalar_busy = 3,
                            .mte1_busy = 4,
                            .mte2_busy = 5,
                            .mte3_busy = 6,
                            .bytes_read = 1000,
                            .bytes_written = 100,
                            .on_cube = false};
  const auto values = [&](PmuFamily family, std::uint32_t type) {
    std::vector<std::uint64_t> all;
    for (const PmuEvent& event : pmu_group(family, type).events) all.push_back(pmu_value(event, counts));
    return all;
  };
  using Values = std::vector<std::uint64_t>;
  EXPECT_EQ(values(PmuFamily::kA2A3, 2), (Values{1, 2, 3, 4, 5, 6, 0, 32}));
  EXPECT_EQ(values(PmuFamily::kA5, 2), (Values{1, 2, 3, 4, 5, 6, 32, 0, 0}));
  EXPECT_EQ(values(PmuFamily::kA2A3, 4), (Values{4, 32, 0, 0, 8, 1, 8, 1}));
  EXPECT_EQ(pmu_group(PmuFamily::kA2A3, 2).events[0].name, "vec_busy_cycles");
}

}  // namespace
}  // namespace accelscope::device
