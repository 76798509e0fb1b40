#include "runtime/core_table.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/virtual_machine.h"

namespace accelscope::runtime {
namespace {

using Table = CoreTable<VirtualMachine>;
constexpr std::uint32_t kAllLanes = 0b111;

const device::Chip kChip{.name = "small", .clusters = 3, .scheduler_threads = 2};

TEST(CoreTables, HaveTheClustersOfTheirThread) {
  Table first(kChip, 0);
  Table second(kChip, 1);
  std::vector<std::uint32_t> cores;
  for (const auto& core : first.cores()) cores.push_back(core.core);
  EXPECT_EQ(cores, (std::vector<std::uint32_t>{0, 3, 4, 2, 7, 8}));
  EXPECT_EQ(second.cores().size(), 3U);
  EXPECT_EQ(second.lane(0, 2).core, 6U);
}

TEST(CoreTables, KnowWhichCoreCouldTakeMore) {
  Table table(kChip, 1);
  EXPECT_EQ(table.find(Shape::kCube, 1, Room::kIdle), 0U);
  EXPECT_EQ(table.find(Shape::kVector, 2, Room::kIdle), 1U);
  EXPECT_EQ(table.find(Shape::kMix, kAllLanes, Room::kIdle), 0U);

  FedCore<VirtualMachine>& vector = table.cores()[1];
  vector.given = 1;
  EXPECT_EQ(table.find(Shape::kVector, 2, Room::kIdle), 2U);
  EXPECT_EQ(table.find(Shape::kVector, 2, Room::kPending), std::nullopt);  // not begun: its number must stay
  EXPECT_EQ(table.find(Shape::kMix, kAllLanes, Room::kIdle), std::nullopt);
  EXPECT_EQ(table.find(Shape::kMix, 0b101, Room::kIdle), 0U);

  vector.begun = 1;
  EXPECT_EQ(table.find(Shape::kVector, 2, Room::kPending), 1U);
  EXPECT_EQ(table.find(Shape::kMix, kAllLanes, Room::kPending), 0U);
  vector.given = 2;
  EXPECT_EQ(table.find(Shape::kMix, kAllLanes, Room::kPending), std::nullopt);
  EXPECT_EQ(vector.outstanding(), 2U);
}

TEST(CoreTables, TellACoreThatWaitsForItsDoorbell) {
  Table table(kChip, 1);
  FedCore<VirtualMachine>& core = table.cores()[0];
  core.given = 1;
  core.flights[1].gated = true;
  EXPECT_TRUE(core.only_gated());
  EXPECT_FALSE(core.has(Room::kPending));
  core.begun = 1;
  EXPECT_FALSE(core.only_gated());
}

}  // namespace
}  // namespace accelscope::runtime
