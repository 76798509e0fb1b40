// The path of a long run, found in little memory, against one that keeps everything.
#include "emulator/critical_path.h"

#include <gtest/gtest.h>

#include <array>

#include "emulator/path_log.h"
#include "emulator/test_runs.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;

std::vector<Operation> operations_of_all_units() {
  std::vector<Operation> operations(isa::kUnits);
  for (std::size_t i = 0; i < operations.size(); ++i) operations[i].unit = static_cast<isa::Unit>(i);
  return operations;
}

// Each node waits for one of the last few, as in a run.
CriticalPath random_path(std::span<const Operation> operations, std::uint64_t seed, std::size_t most) {
  Dice dice(seed);
  PathLog log(operations, {10}, most);
  std::vector<NodeId> ids;
  std::vector<Picoseconds> starts;
  Picoseconds start{};
  for (int i = 0; i < 3000; ++i) {
    const std::size_t back = ids.empty() ? 0 : dice.below(static_cast<std::uint32_t>(ids.size()));
    const auto reason = back + 1 == ids.size() ? PathLog::Reason::kOrder
                        : dice.below(4) == 0   ? PathLog::Reason::kRecovered
                                               : PathLog::Reason::kWait;
    ids.push_back(log.add(dice.below(isa::kUnits), start, ids.empty() ? 0 : ids[back], reason));
    start += {10 + dice.below(5)};
    if (ids.size() > 12) ids.erase(ids.begin() + dice.below(12));
    if (!log.full()) continue;
    std::vector<NodeId*> used;
    used.reserve(ids.size());
    for (NodeId& id : ids) used.push_back(&id);
    log.keep(used);
  }
  EXPECT_TRUE(most > 3000 || log.size() < 1500);
  return log.finish(ids.front(), start);
}

TEST(PathLog, ForgettingChangesNothing) {
  const std::vector<Operation> operations = operations_of_all_units();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CriticalPath all = random_path(operations, seed, 100'000);
    const CriticalPath folded = random_path(operations, seed, 64);
    EXPECT_EQ(all.total, folded.total);
    EXPECT_EQ(all.by_unit, folded.by_unit);
    EXPECT_EQ(all.issue, folded.issue);
    EXPECT_EQ(all.by_instruction, folded.by_instruction);
  }
}

TEST(PathLog, OneWayIsFoldedUpToItsEnd) {
  const std::vector<Operation> operations = operations_of_all_units();
  PathLog log(operations, {10}, 4);
  NodeId last = 0;
  for (std::uint32_t i = 0; i < 5; ++i)
    last = log.add(i, {std::int64_t{i} * 100}, last, PathLog::Reason::kWait);
  std::array<NodeId*, 1> used{&last};
  log.keep(used);
  EXPECT_EQ(log.size(), 1U);
  const CriticalPath path = log.finish(last, {500});
  for (const Picoseconds time : path.by_unit) EXPECT_EQ(time.value, 100);
}

TEST(CriticalPath, OfALongRunSumsUp) {
  EmulationOptions options;
  options.machine = small_timed_machine();
  options.rules = Rules::kCompat;
  options.timing = TimingMode::kOverlap;
  options.costs = CostTable::kRtl;
  const Emulation done = run(program_of("S_ADDI_INT gp2, gp0, 512\n"
                                        "C_LOOP_START gp1, 40000\n"
                                        "V_EXP_V gp0, gp0\n"
                                        "S_EXP_FP f1, f1\n"
                                        "M_MM 0, gp0, gp2\n"
                                        "C_LOOP_END gp1\n"),
                             options, std::make_unique<FixedMemory>(100));
  const CriticalPath& path = *done.critical_path;
  Picoseconds sum = path.issue;
  for (const Picoseconds time : path.by_unit) sum += time;
  EXPECT_EQ(sum, done.latency);
  EXPECT_EQ(path.total, done.latency);
  // A row that waits for itself is what everything waits for.
  EXPECT_GT(path.by_instruction[2].value, done.latency.value * 9 / 10);
}

}  // namespace
}  // namespace accelscope::emulator
