// Files of task objects: the keys of their generation, the version of their level, times to the nanosecond.
#include "formats/chip_swimlane/object_writer.h"

#include <simdjson.h>

#include <set>

#include "formats/chip_swimlane/helpers.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

struct Written {
  std::string json = {};
  trace::QualityTable remarks = {};
};

Written written(const Capture& capture) {
  base::MemoryOutput out;
  auto remarks = write_objects(capture, out);
  EXPECT_TRUE(remarks) << remarks.error().to_string();
  return {std::string(out.bytes()), *remarks};
}

// One dispatch of each of two tasks at 50 MHz, on cores 0 and 1, with everything that the level has.
Capture small_run(int level) {
  Capture capture;
  capture.level = level;
  capture.frequency = base::Frequency::mhz(50);
  capture.phase_kinds = {"dispatch", "submit"};
  capture.cores.resize(2);
  for (std::size_t core = 0; core < 2; ++core) {
    CoreRows& rows = capture.cores[core];
    const auto at = static_cast<std::int64_t>(1000 + core * 500);
    rows.type = core == 0 ? CoreType::kCube : CoreType::kVector;
    rows.task = {(std::uint64_t{1} << 32U) - core};
    rows.sequence = {1};
    rows.start = {at};
    rows.end = {at + 61};
    rows.receive = {at - 1};
    rows.function = {static_cast<std::int32_t>(core) + 3};
    if (level >= 2) {
      rows.dispatch = {at - 100};
      rows.finish = {at + 70};
    }
  }
  if (level >= 2) capture.fanout = {{(std::uint64_t{1} << 32U) - 1, std::uint64_t{1} << 32U}};
  if (level >= 3) {
    capture.core_to_thread = {0, 0};
    capture.scheduler_threads = {{{.kind = 0, .start = 890, .end = 905, .loop = 1, .tasks_processed = 2}},
                                 {}};
  }
  if (level >= 4) capture.orchestrators = {{{.task = 7, .start = 850, .end = 880, .phase = 1}}};
  return capture;
}

std::set<std::string> keys_of(object members) {
  std::set<std::string> keys;
  for (const auto member : members) keys.emplace(member.key);
  return keys;
}

TEST(ObjectWriter, WritesTheKeysOfEachVersion) {
  const std::set<std::string> cores{"task_id", "func_id",       "core_id",     "core_type",
                                    "ring_id", "start_time_us", "end_time_us", "duration_us"};
  std::set<std::string> scheduled = cores;
  scheduled.insert({"dispatch_time_us", "finish_time_us", "fanout", "fanout_count"});
  const std::set<std::string> phases{"start_time_us", "end_time_us", "phase", "loop_iter", "tasks_processed"};
  for (int level = 1; level <= 4; ++level) {
    SCOPED_TRACE(level);
    const Written file = written(small_run(level));
    simdjson::dom::parser parser;
    const element root = parser.parse(file.json).value();
    EXPECT_EQ(root["version"].get_int64().value(), std::min(level, 3) - 1);
    std::set<std::string> members{"version", "tasks"};
    if (level >= 3) members.insert({"aicpu_scheduler_phases", "core_to_thread"});
    if (level >= 4) members.insert({"aicpu_orchestrator", "aicpu_orchestrator_phases"});
    EXPECT_EQ(keys_of(root.get_object().value()), members);
    for (const element task : root["tasks"].get_array())
      EXPECT_EQ(keys_of(task.get_object().value()), level == 1 ? cores : scheduled);
    if (level >= 3) {
      EXPECT_EQ(keys_of(root["aicpu_scheduler_phases"].at(0).at(0).get_object().value()), phases);
    }
    const Capture again = capture_of(file.json);
    EXPECT_EQ(again.era, Era::kObjectsByVersion0);
    EXPECT_EQ(again.level, level);
    EXPECT_TRUE(again.quality.rows().empty());
  }
}

TEST(ObjectWriter, CountsMicrosecondsFromItsFirstTimeByTask) {
  EXPECT_EQ(
      written(small_run(2)).json,
      "{\n  \"version\": 1,\n  \"tasks\": [\n"
      "    {\"task_id\": 4294967295, \"func_id\": 4, \"core_id\": 1, \"core_type\": \"aiv\", \"ring_id\": 0, "
      "\"start_time_us\": 12.000, \"end_time_us\": 13.220, \"duration_us\": 1.220, "
      "\"dispatch_time_us\": 10.000, \"finish_time_us\": 13.400, \"fanout\": [4294967296], "
      "\"fanout_count\": 1},\n"
      "    {\"task_id\": 4294967296, \"func_id\": 3, \"core_id\": 0, \"core_type\": \"aic\", \"ring_id\": 1, "
      "\"start_time_us\": 2.000, \"end_time_us\": 3.220, \"duration_us\": 1.220, "
      "\"dispatch_time_us\": 0.000, \"finish_time_us\": 3.400, \"fanout\": [], \"fanout_count\": 0}\n"
      "  ]\n}\n");
}

TEST(ObjectWriter, KeepsTimesWithinANanosecondAtAnyFrequency) {
  for (const base::Frequency frequency :
       {base::Frequency::hz(3), base::Frequency::hz(19'200'000), base::Frequency::mhz(1000),
        base::Frequency{1'000'000'000'000, 833}, base::Frequency::hz(2'400'000'001)}) {
    Capture capture = small_run(4);
    capture.frequency = frequency;
    const Capture again = capture_of(written(capture).json);
    constexpr std::int64_t kZero = 850;
    const auto is_near = [&](std::int64_t nanoseconds, std::int64_t tick) {
      const double exact = frequency.to_seconds(base::Ticks{tick - kZero}) * 1e9;
      EXPECT_LT(exact - static_cast<double>(nanoseconds), 1.0) << frequency.ticks;
      EXPECT_GE(exact - static_cast<double>(nanoseconds), -1e-3) << frequency.ticks;
    };
    for (std::size_t core = 0; core < 2; ++core) {
      is_near(again.cores[core].start[0], capture.cores[core].start[0]);
      is_near(again.cores[core].end[0], capture.cores[core].end[0]);
      is_near(again.cores[core].dispatch[0], capture.cores[core].dispatch[0]);
      is_near(again.cores[core].finish[0], capture.cores[core].finish[0]);
    }
    is_near(again.scheduler_threads[0][0].end, 905);
    is_near(again.orchestrators[0][0].start, 850);
  }
  Capture unknown = small_run(1);
  unknown.frequency = base::Frequency::unknown();
  base::MemoryOutput out;
  const auto refused = write_objects(unknown, out);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::kUsage);
}

TEST(ObjectWriter, SaysThatARunWithoutItsPhasesIsVersion1) {
  Capture capture = small_run(4);
  capture.scheduler_threads = {{}, {}};
  capture.orchestrators.clear();
  const Written file = written(capture);
  EXPECT_EQ(file.remarks.count("chip_swimlane.without_phases"), 1U);
  EXPECT_NE(file.json.find("\"version\": 1,"), std::string::npos);
  EXPECT_EQ(capture_of(file.json).level, 2);
  EXPECT_EQ(written(small_run(3)).remarks.count("chip_swimlane.without_phases"), 0U);
}

TEST(ObjectWriter, ListsCoresOnlyWhereOneIsIdle) {
  Capture capture = small_run(2);
  EXPECT_EQ(written(capture).json.find("metadata"), std::string::npos);
  capture.cores.resize(4);
  capture.cores[2].type = CoreType::kCube;
  capture.cores[3].type = CoreType::kVector;
  const Capture again = capture_of(written(capture).json);
  ASSERT_EQ(again.cores.size(), 4U);
  EXPECT_EQ(again.cores[2].type, CoreType::kCube);
  EXPECT_TRUE(again.quality.rows().empty());
}

TEST(ObjectWriter, LeavesOutTimesThatWereNotTaken) {
  Capture capture = small_run(2);
  capture.cores[0].dispatch[0] = kNoTime;
  capture.cores[0].finish[0] = kNoTime;
  capture.cores[1].finish[0] = kNoTime;
  const Capture again = capture_of(written(capture).json);
  EXPECT_TRUE(again.cores[0].dispatch.empty());
  EXPECT_EQ(again.cores[1].finish.at(0), kNoTime);
  EXPECT_EQ(again.cores[1].dispatch.at(0), 8000) << "the first start is at 0";
}

TEST(ObjectWriter, KeepsAFinishBeforeAllElse) {
  Capture capture = small_run(2);
  capture.cores[0].finish[0] = 10;
  const Capture again = capture_of(written(capture).json);
  EXPECT_EQ(again.cores[0].start[0] - again.cores[0].finish[0], 990 * 20);
}

TEST(ObjectWriter, ListsEdgesThatAReaderCanJoin) {
  Capture capture = small_run(2);
  const std::uint64_t first = capture.cores[1].task[0];
  const std::uint64_t second = capture.cores[0].task[0];
  // A second part of the producer, an unknown consumer, a producer that did not run.
  CoreRows& core = capture.cores[0];
  core.task.push_back(first);
  core.sequence.push_back(2);
  core.start.push_back(1900);
  core.end.push_back(1950);
  core.receive.push_back(1890);
  core.function.push_back(4);
  core.dispatch.push_back(1880);
  core.finish.push_back(1960);
  capture.fanout = {{first, second}, {first, 77}, {99, second}};
  const Written file = written(capture);
  const Capture again = capture_of(file.json);
  ASSERT_EQ(again.fanout.size(), 1U) << "with the first part only";
  EXPECT_EQ(again.fanout[0].from, first);
  std::uint64_t left_out = 0;
  for (const trace::QualityRow& row : file.remarks.rows())
    if (row.sentence.starts_with("Dependencies that no")) left_out += row.count;
  EXPECT_EQ(left_out, 2U);
}

TEST(ObjectWriter, WritesARunWithoutRows) {
  for (int level = 1; level <= 4; ++level) {
    Capture capture;
    capture.level = level;
    capture.frequency = base::Frequency::mhz(50);
    simdjson::dom::parser parser;
    EXPECT_EQ(parser.parse(written(capture).json).error(), simdjson::SUCCESS) << level;
  }
}

}  // namespace
}  // namespace accelscope::formats::chip_swimlane
