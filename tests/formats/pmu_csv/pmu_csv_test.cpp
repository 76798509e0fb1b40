#include "formats/pmu_csv/pmu_csv.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace accelscope::formats::pmu_csv {
namespace {

const std::string kHeader =
    "thread_id,core_id,task_id,func_id,core_type,pmu_total_cycles,vec_busy_cycles,icache_miss,event_type\n";

base::Result<PmuTable> read(std::string_view text) {
  return read_pmu(base::MappedFile::from_memory("pmu.csv", text));
}

TEST(PmuCsv, ReadsRows) {
  const auto pmu =
      read(kHeader + "0,8,0x0000000100000001,3,1,18446744073709551615,40,7,2\r\n1,9,17,-1,0,9,8,7,2\n");
  ASSERT_TRUE(pmu) << pmu.error().to_string();
  EXPECT_EQ(pmu->counters, (std::vector<std::string>{"vec_busy_cycles", "icache_miss"}));
  ASSERT_EQ(pmu->rows.size(), 2U);
  const PmuRow& row = pmu->rows[0];
  EXPECT_EQ(row.thread, 0);
  EXPECT_EQ(row.core, 8);
  EXPECT_EQ(row.task, 4294967297U);
  EXPECT_EQ(row.function, 3);
  EXPECT_EQ(row.core_type, 1);
  EXPECT_EQ(row.total_cycles, 18446744073709551615U);
  EXPECT_EQ(row.values, (std::vector<std::uint64_t>{40, 7}));
  EXPECT_EQ(row.event_type, 2);
  EXPECT_EQ(pmu->rows[1].task, 17U);
  EXPECT_EQ(pmu->rows[1].function, -1);
  EXPECT_TRUE(pmu->quality.rows().empty());
}

TEST(PmuCsv, ColumnsMayStandInAnyOrderAndBeAbsent) {
  const auto pmu = read("pmu_total_cycles,a,task_id,core_id,b\n9,1,0xff,3,2\n");
  ASSERT_TRUE(pmu) << pmu.error().to_string();
  ASSERT_EQ(pmu->rows.size(), 1U);
  EXPECT_EQ(pmu->counters, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(pmu->rows[0].values, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(pmu->rows[0].task, 255U);
  EXPECT_EQ(pmu->rows[0].core, 3);
  EXPECT_EQ(pmu->rows[0].function, -1);
  EXPECT_TRUE(pmu->quality.rows().empty());
}

TEST(PmuCsv, NotesWhatIsOdd) {
  const auto empty = read(kHeader);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->quality.count("pmu_csv.no_rows"), 1U);
  const auto zero = read(kHeader + "0,8,0x0,0,1,0,0,0,3\n0,8,0x1,0,1,0,0,0,2\n");
  ASSERT_TRUE(zero);
  EXPECT_EQ(zero->quality.count("pmu_csv.all_zero"), 2U);
  EXPECT_EQ(zero->quality.count("pmu_csv.unknown_event_group"), 1U);
}

TEST(PmuCsv, RefusesBadInput) {
  const std::vector<std::tuple<std::string, std::uint64_t, std::string>> inputs = {
      {"", 0, "empty"},
      {"core_id,task_id,x\n", 1, "no column 'pmu_total_cycles'"},
      {"core_id,pmu_total_cycles\n", 1, "no column 'task_id'"},
      {"task_id,pmu_total_cycles\n", 1, "no column 'core_id'"},
      {"core_id,task_id,pmu_total_cycles,x,x\n", 1, "two columns 'x'"},
      {"core_id,core_id,task_id,pmu_total_cycles\n", 1, "two columns 'core_id'"},
      {"core_id,task_id,pmu_total_cycles,,x\n", 1, "column 4 of the header"},
      {kHeader + "0,8,0x0,0,1,9,8,2\n", 2, "8 cells, the header 9"},
      {kHeader + "0,8,0x0,0,1,9,8,7,2\n0,8,0x0,0,1,9,8,7,2,5\n", 3, "10 cells, the header 9"},
      {kHeader + "0,8,0x0,0,1,18446744073709551616,8,7,2\n", 2, "pmu_total_cycles"},
      {kHeader + "0,8,0x0,0,1,9,,7,2\n", 2, "vec_busy_cycles"},
      {kHeader + "0,8,0x0,0,1,9,-1,7,2\n", 2, "'-1' in the column vec_busy_cycles"},
      {kHeader + "0,8,0x0,0,1,9,8,1.5,2\n", 2, "icache_miss"},
      {kHeader + "0,8,0x,0,1,9,8,7,2\n", 2, "task_id"},
      {kHeader + "0,8,0x10000000000000000,0,1,9,8,7,2\n", 2, "task_id"},
      {kHeader + "0,8,0xg,0,1,9,8,7,2\n", 2, "task_id"},
      {kHeader + "0,8,,0,1,9,8,7,2\n", 2, "task_id"},
      {kHeader + "0,2147483648,0x0,0,1,9,8,7,2\n", 2, "core_id"},
      {kHeader + "a,8,0x0,0,1,9,8,7,2\n", 2, "thread_id"},
      {kHeader + "0,8,0x0,0,aiv,9,8,7,2\n", 2, "core_type"},
      {kHeader + "0,8,0x0,0,1,9,8,7,PIPE\n", 2, "event_type"},
  };
  for (const auto& [text, line, message] : inputs) {
    SCOPED_TRACE(text);
    const auto result = read(text);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find(message), std::string::npos) << result.error().message;
    EXPECT_EQ(result.error().where,
              line == 0 ? base::Location::of_file("pmu.csv") : base::Location::line("pmu.csv", line));
  }
}

TEST(PmuCsv, KnowsGroupsAndBusyCounters) {
  EXPECT_EQ(event_group_name(1), "ARITHMETIC");
  EXPECT_EQ(event_group_name(2), "PIPE");
  EXPECT_EQ(event_group_name(3), "");
  EXPECT_EQ(event_group_name(8), "L2_CACHE");
  EXPECT_TRUE(is_busy_counter("vec_busy_cycles"));
  EXPECT_TRUE(is_busy_counter("mte2_instr_busy"));
  EXPECT_TRUE(is_busy_counter("pmu_idc_aic_vec_busy_o"));
  EXPECT_FALSE(is_busy_counter("icache_miss"));
}

TEST(PmuCsv, IsKnownByItsHeader) {
  EXPECT_TRUE(looks_like_pmu_csv(kHeader));
  EXPECT_TRUE(looks_like_pmu_csv("\xEF\xBB\xBFpmu_total_cycles,core_id"));
  EXPECT_FALSE(looks_like_pmu_csv("name,start_us,duration_ms,task_id\n"));
  EXPECT_FALSE(looks_like_pmu_csv("{\"pmu_total_cycles\":1,\"core_id\":2}"));
  EXPECT_FALSE(looks_like_pmu_csv(""));
}

TEST(PmuCsv, ReadsARealOne) {
  const std::string path = std::string(ACCELSCOPE_FIXTURES_DIR) +
                           "/swimlane/a2a3sim/vector_all/TestVectorExample_default_20261115_194311/pmu.csv";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(looks_like_pmu_csv(file->text()));
  const auto pmu = read_pmu(*file);
  ASSERT_TRUE(pmu) << pmu.error().to_string();
  EXPECT_EQ(pmu->rows.size(), 5U);
  EXPECT_EQ(pmu->counters.size(), 8U);
  EXPECT_EQ(pmu->counters[0], "vec_busy_cycles");
  EXPECT_EQ(pmu->rows[1].task, 4294967297U);
  EXPECT_EQ(pmu->rows[1].core, 10);
  EXPECT_EQ(pmu->quality.count("pmu_csv.all_zero"), 5U);
}

}  // namespace
}  // namespace accelscope::formats::pmu_csv
