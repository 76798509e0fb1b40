#include "runtime/tensor_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/random_programs.h"

namespace accelscope::runtime {
namespace {

using Findings = OracleMap::Findings;

TensorView range(std::uint64_t start, std::uint32_t count, std::uint32_t buffer = 0) {
  return contiguous_view(buffer, std::array{count}, start);
}

Findings found(const TensorMap& map, const TensorView& view, Access access) {
  Findings findings;
  map.find(view, access, [&](std::uint64_t task) { findings.insert(task); });
  return findings;
}

TEST(TensorMaps, FindAllThreeKindsOfConflict) {
  TensorMap map(8);
  ASSERT_TRUE(map.insert(range(0, 10), Access::kOutput, 1));
  ASSERT_TRUE(map.insert(range(5, 2), Access::kInput, 2));
  EXPECT_EQ(found(map, range(5, 10), Access::kInput), (Findings{1})) << "read after write";
  EXPECT_EQ(found(map, range(5, 10), Access::kOutput), (Findings{1, 2}))
      << "write after write and after read";
  EXPECT_EQ(found(map, range(5, 10), Access::kInOut), (Findings{1, 2}));
  EXPECT_EQ(found(map, range(10, 10), Access::kInOut), Findings{});
  EXPECT_EQ(found(map, range(0, 10, 1), Access::kInOut), Findings{}) << "another buffer";
  EXPECT_EQ(found(map, range(0, 0), Access::kInOut), Findings{});
}

TEST(TensorMaps, DropWhatAWriteCovers) {
  TensorMap map(8);
  ASSERT_TRUE(map.insert(range(0, 10), Access::kOutput, 1));
  ASSERT_TRUE(map.insert(range(2, 2), Access::kInput, 2));
  ASSERT_TRUE(map.insert(range(20, 2), Access::kInput, 3));
  ASSERT_TRUE(map.insert(range(0, 8), Access::kOutput, 4)) << "covers the read, not the write";
  EXPECT_EQ(map.live(), 3U);
  ASSERT_TRUE(map.insert(range(0, 30), Access::kInput, 5)) << "a read covers nothing";
  EXPECT_EQ(map.live(), 4U);
  ASSERT_TRUE(map.insert(range(0, 30), Access::kInOut, 6, TensorMap::Drop::kNothing));
  EXPECT_EQ(map.live(), 5U);
  ASSERT_TRUE(map.insert(range(0, 30), Access::kInOut, 7));
  EXPECT_EQ(map.live(), 1U);
  EXPECT_EQ(found(map, range(25, 1), Access::kInput), (Findings{7}));
}

TEST(TensorMaps, AreFullWhenTheyAreFull) {
  TensorMap map(2);
  ASSERT_TRUE(map.insert(range(0, 1), Access::kOutput, 1));
  ASSERT_TRUE(map.insert(range(1, 1), Access::kOutput, 2));
  EXPECT_FALSE(map.insert(range(2, 1), Access::kOutput, 3));
  EXPECT_EQ(map.live(), 2U);
  EXPECT_TRUE(map.insert(range(9, 0), Access::kOutput, 3)) << "nothing needs no room";
  EXPECT_TRUE(map.insert(range(0, 1), Access::kOutput, 3)) << "what is covered makes room";
  map.forget([](std::uint64_t task) { return task == 2; });
  EXPECT_EQ(map.live(), 1U);
  EXPECT_TRUE(map.insert(range(2, 1), Access::kOutput, 4));
  EXPECT_EQ(found(map, range(0, 10), Access::kInput), (Findings{3, 4}));
  TensorMap none(0);
  EXPECT_FALSE(none.insert(range(0, 1), Access::kInput, 1));
}

// Who writes down all dependencies finds also those of tasks that are long done; room is made nevertheless.
TEST(TensorMaps, FindWhatIsRetiredIfItIsKept) {
  constexpr std::uint64_t kTasks = 1000;
  TensorMap map(10, TensorMap::Retired::kKept);
  for (std::uint64_t task = 0; task < kTasks; ++task) {
    if (map.live() == map.capacity()) {
      EXPECT_FALSE(map.insert(range(task, 1), Access::kOutput, task));
      map.forget([&](std::uint64_t id) { return id + 3 < task; });
      EXPECT_EQ(map.live(), 3U);
    }
    ASSERT_TRUE(map.insert(range(task, 1), Access::kOutput, task));
  }
  EXPECT_EQ(map.capacity(), 10U);
  EXPECT_EQ(found(map, range(0, kTasks), Access::kInput).size(), kTasks);
  // A write that covers only what is kept makes no room, and what it covers is gone all the same.
  map.forget([](std::uint64_t) { return true; });
  EXPECT_EQ(map.live(), 0U);
  for (std::uint64_t i = 0; i < 10; ++i)
    ASSERT_TRUE(map.insert(range(5000 + i, 1), Access::kInput, kTasks + i));
  EXPECT_FALSE(map.insert(range(0, kTasks), Access::kOutput, 2 * kTasks));
  EXPECT_EQ(found(map, range(0, kTasks), Access::kInput).size(), kTasks) << "nothing has changed";
  map.forget([](std::uint64_t task) { return task == kTasks; });
  ASSERT_TRUE(map.insert(range(0, kTasks), Access::kOutput, 2 * kTasks));
  EXPECT_EQ(found(map, range(0, kTasks), Access::kInput), Findings{2 * kTasks});
  EXPECT_EQ(map.live(), 10U);
}

// Each entry once, in the order of the ranges, however many there are and in whatever order they came and
// went.
TEST(TensorMaps, KeepThousandsOfEntriesOfOneBuffer) {
  constexpr std::uint32_t kTiles = 5000;
  TensorMap map(2 * kTiles);
  for (std::uint32_t i = 0; i < kTiles; ++i)
    ASSERT_TRUE(map.insert(range(std::uint64_t{i} * 7919 % kTiles * 10, 10), Access::kOutput, i));
  map.forget([](std::uint64_t task) { return task % 3 == 0; });
  EXPECT_EQ(map.live(), kTiles - (kTiles + 2) / 3);
  std::vector<std::uint64_t> starts;
  map.find(range(0, 10 * kTiles), Access::kInput, [&](std::uint64_t task) {
    EXPECT_NE(task % 3, 0U);
    starts.push_back(task * 7919 % kTiles);
  });
  EXPECT_EQ(starts.size(), map.live());
  EXPECT_TRUE(std::is_sorted(starts.begin(), starts.end()));
  EXPECT_TRUE(std::adjacent_find(starts.begin(), starts.end()) == starts.end());
}

// Before each task, those that its edges reach, directly or through others.
class Reached {
 public:
  explicit Reached(std::size_t tasks) : tasks_(tasks), reached_(tasks * tasks, false) {}

  void add_edge(std::size_t from, std::size_t to) {
    reached_[to * tasks_ + from] = true;
    for (std::size_t i = 0; i < from; ++i)
      if (reached_[from * tasks_ + i]) reached_[to * tasks_ + i] = true;
  }
  bool reaches(std::size_t from, std::size_t to) const { return reached_[to * tasks_ + from]; }

 private:
  std::size_t tasks_;
  std::vector<bool> reached_;
};

// Exact: what is found is what the oracle finds. Sound: a task waits, through others if need be, for every
// task that is not retired and touches one of its elements when one of the two writes it.
void check_program(std::uint32_t seed, std::size_t& edges, std::size_t& dropped) {
  const std::vector<ProgramTask> tasks = random_program(seed);
  TensorMap map(256);
  OracleMap oracle;
  TensorMap keeping(256, TensorMap::Retired::kKept);
  OracleMap never_forgets;
  Reached reached(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const ProgramTask& task = tasks[i];
    map.forget([&](std::uint64_t id) { return id < task.retired; });
    oracle.forget_below(task.retired);
    keeping.forget([&](std::uint64_t id) { return id < task.retired; });
    for (std::size_t a = 0; a < task.arguments.size() && !task.manual; ++a) {
      const Argument& argument = task.arguments[a];
      const Findings findings = found(map, argument.view, argument.access);
      ASSERT_EQ(findings, oracle.find(argument, task.elements[a])) << "program " << seed << ", task " << i;
      ASSERT_EQ(found(keeping, argument.view, argument.access),
                never_forgets.find(argument, task.elements[a]))
          << "program " << seed << ", task " << i;
      for (const std::uint64_t producer : findings) reached.add_edge(producer, i);
      edges += findings.size();
    }
    for (std::size_t a = 0; a < task.arguments.size(); ++a) {
      const Argument& argument = task.arguments[a];
      const std::size_t before = map.live() + (element_count(argument.view) > 0 ? 1 : 0);
      ASSERT_TRUE(map.insert(argument.view, argument.access, i,
                             task.manual ? TensorMap::Drop::kNothing : TensorMap::Drop::kCovered));
      oracle.insert(argument, task.elements[a], i, !task.manual);
      ASSERT_TRUE(keeping.insert(argument.view, argument.access, i,
                                 task.manual ? TensorMap::Drop::kNothing : TensorMap::Drop::kCovered));
      never_forgets.insert(argument, task.elements[a], i, !task.manual);
      dropped += before - map.live();
    }
    ASSERT_EQ(map.live(), oracle.live()) << "program " << seed << ", task " << i;
    ASSERT_EQ(keeping.live(), oracle.live()) << "program " << seed << ", task " << i;
    for (std::size_t earlier = task.retired; earlier < i && !task.manual; ++earlier)
      ASSERT_TRUE(!conflict(tasks[earlier], task) || reached.reaches(earlier, i))
          << "program " << seed << ": task " << i << " does not wait for task " << earlier;
  }
}

TEST(TensorMaps, EqualABruteForceOracleOnRandomPrograms) {
  std::size_t edges = 0;
  std::size_t dropped = 0;
  for (std::uint32_t seed = 0; seed < 1000 && !HasFatalFailure(); ++seed) check_program(seed, edges, dropped);
  EXPECT_GT(edges, 50'000U) << "the programs have conflicts";
  EXPECT_GT(dropped, 5'000U) << "and covered entries";
}

}  // namespace
}  // namespace accelscope::runtime
