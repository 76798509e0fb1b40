#include "formats/chip_run/task_index.h"

#include <gtest/gtest.h>

namespace accelscope::formats::chip_run {
namespace {

using trace::TaskId;

constexpr std::uint64_t id(std::uint64_t ring, std::uint64_t position) {
  return (ring << 32U) | position;
}

struct Numbered {
  TaskIndex index;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;  // id and marks, by task
};

Numbered number(const std::vector<std::pair<std::uint64_t, std::uint32_t>>& mentions) {
  Numbered result;
  for (const auto& [task, marks] : mentions) result.index.see(task);
  result.index.settle();
  for (const auto& [task, marks] : mentions) result.index.mark(task, marks);
  result.index.number([&](std::uint64_t task, std::uint32_t marks) {
    result.rows.emplace_back(task, marks);
    return static_cast<TaskId>(result.rows.size() - 1);
  });
  return result;
}

TEST(TaskIndex, NumbersByRingAndPositionAndJoinsMarks) {
  const Numbered result = number({{id(1, 3), 1}, {id(0, 7), 2}, {id(1, 1), 4}, {id(1, 3), 8}, {id(0, 2), 0}});
  EXPECT_EQ(result.rows, (std::vector<std::pair<std::uint64_t, std::uint32_t>>{
                             {id(0, 2), 0}, {id(0, 7), 2}, {id(1, 1), 4}, {id(1, 3), 9}}));
  EXPECT_EQ(result.index.find(id(0, 7)), TaskId{1});
  EXPECT_EQ(result.index.find(id(1, 3)), TaskId{3});
  EXPECT_EQ(result.index.find(id(0, 3)), TaskId::kNone);
  EXPECT_EQ(result.index.find(id(0, 8)), TaskId::kNone);
  EXPECT_EQ(result.index.find(id(0, 1)), TaskId::kNone);
  EXPECT_EQ(result.index.find(id(2, 7)), TaskId::kNone);
}

// Positions at both ends of 32 bits do not cost 16 GB, and many rings do not cost time.
TEST(TaskIndex, KeepsSparseAndManyRingsInOrder) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> mentions = {
      {id(1, 0xFFFFFFFF), 1}, {id(1, 0), 1}, {id(2, 5), 1}, {~std::uint64_t{0}, 1}};
  for (std::uint64_t ring = 100; ring < 200; ++ring) mentions.emplace_back(id(ring, ring), 3);
  Numbered result = number(mentions);
  ASSERT_EQ(result.rows.size(), mentions.size());
  EXPECT_TRUE(std::is_sorted(result.rows.begin(), result.rows.end()));
  for (std::uint32_t row = 0; row < result.rows.size(); ++row)
    EXPECT_EQ(result.index.find(result.rows[row].first), TaskId{row});
  EXPECT_EQ(result.index.find(id(1, 1)), TaskId::kNone);
}

TEST(TaskIndex, ManyAtOnceAreTheSameAsOneByOne) {
  // Dense and sparse rings, mixed; more rings than it looks through.
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 5000; ++i) ids.push_back(id(i / 7 % 3, i));
  for (std::uint64_t ring = 10; ring < 60; ++ring) ids.push_back(id(ring, ring * 1'000'003 % 0xFFFFFFFF));
  ids.push_back(id(1, 0xFFFFFFFF));
  std::vector<std::pair<std::uint64_t, std::uint32_t>> mentions;
  mentions.reserve(ids.size());
  for (const std::uint64_t one : ids) mentions.emplace_back(one, 2);
  const Numbered single = number(mentions);

  TaskIndex many;
  many.see(ids);
  many.settle();
  many.mark(ids, 2);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;
  many.number([&](std::uint64_t task, std::uint32_t marks) {
    rows.emplace_back(task, marks);
    return static_cast<TaskId>(rows.size() - 1);
  });
  EXPECT_EQ(rows, single.rows);
  ids.push_back(id(0, 77'777));  // of a known ring, but never seen
  ids.push_back(id(99, 1));
  std::vector<TaskId> found;
  many.find(ids, found);
  ASSERT_EQ(found.size(), ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(found[i], single.index.find(ids[i])) << ids[i];
  EXPECT_EQ(found.back(), TaskId::kNone);
}

TEST(TaskIndex, TakesFurtherTasksThatWereSeen) {
  TaskIndex index;
  index.see(id(0, 1));
  index.see(id(0, 9));
  index.settle();
  index.mark(id(0, 1), 0);
  index.number([](std::uint64_t, std::uint32_t) { return TaskId{0}; });
  EXPECT_EQ(index.find(id(0, 9)), TaskId::kNone);
  index.add(id(0, 9), TaskId{1});
  EXPECT_EQ(index.find(id(0, 9)), TaskId{1});
}

}  // namespace
}  // namespace accelscope::formats::chip_run
