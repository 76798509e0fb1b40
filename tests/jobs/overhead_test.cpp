// The document of what recording costs: what it holds, what is read back from it, and files that are none.
#include "jobs/overhead.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/output.h"
#include "findings/findings_json.h"
#include "jobs/sample_overhead.h"

namespace accelscope::jobs {
namespace {

using analysis::chip::MeasuredOverhead;
using analysis::chip::overhead_of;
using findings::Findings;

constexpr std::string_view kMachine = "A processor, 4 cores, some system";

Findings document(double spread = 0.02) {
  return overhead_document(tests::sample_overhead(spread), {10'000}, kMachine);
}

base::Result<MeasuredOverhead> read_back(const Findings& findings) {
  base::MemoryOutput out;
  findings::write_json(findings, out);
  return overhead_in(base::MappedFile::from_memory("overhead.json", out.bytes()));
}

const findings::Table& table_of(const Findings& findings, std::string_view section, std::string_view table) {
  return *findings::find_table(*findings::find_section(findings, section), table);
}

TEST(OverheadDocument, HasCostsBytesAndTheFlood) {
  const Findings findings = document();
  EXPECT_EQ(findings.kind, "overhead");
  EXPECT_TRUE(findings.quality.rows().empty());
  EXPECT_EQ(findings::find_metric(findings, "read")->value, 10);
  EXPECT_DOUBLE_EQ(findings::find_metric(findings, "disabled_hook")->value.value(), 0.2);
  const findings::Table& costs = table_of(findings, "cost", "costs");
  ASSERT_EQ(costs.rows.size(), 10U);
  // Level 2 under block: 80 ns a task of three records and five reads, 0.8 % of 10 us.
  const std::vector<findings::Cell>& row = costs.rows[4];
  EXPECT_EQ(std::get<std::int64_t>(row[0]), 2);
  EXPECT_EQ(std::get<std::string>(row[1]), "block");
  EXPECT_EQ(std::get<std::int64_t>(row[2]), 3);
  EXPECT_DOUBLE_EQ(std::get<double>(row[3]), 80);
  EXPECT_DOUBLE_EQ(std::get<double>(row[4]), 80.0 / 3);
  EXPECT_DOUBLE_EQ(std::get<double>(row[5]), 10);
  EXPECT_DOUBLE_EQ(std::get<double>(row[6]), 0.8);
  EXPECT_EQ(table_of(findings, "bytes", "bytes").rows.size(), 4U);
  const findings::Table& flood = table_of(findings, "flood", "flood");
  ASSERT_EQ(flood.rows.size(), 9U);
  // Level 1: 100 ns a task that nobody loses is 10 million records a second, and 100 cores of 10 us.
  EXPECT_DOUBLE_EQ(std::get<double>(flood.rows[0][3]), 10);
  EXPECT_EQ(std::get<std::int64_t>(flood.rows[0][5]), 100);
  EXPECT_DOUBLE_EQ(std::get<double>(flood.rows[1][3]), 5) << "half of them are lost";
  EXPECT_DOUBLE_EQ(std::get<double>(flood.rows[1][4]), 50);
}

TEST(OverheadDocument, SaysWhenTheMachineWasNoisy) {
  const Findings findings = document(0.4);
  ASSERT_EQ(findings.quality.rows().size(), 1U);
  EXPECT_EQ(findings.quality.rows()[0].id, "trust.overhead_noisy");
  EXPECT_NE(findings.quality.rows()[0].sentence.find("vary by 40 %"), std::string::npos);
  EXPECT_TRUE(read_back(findings)->noisy);
  EXPECT_FALSE(read_back(document())->noisy);
}

TEST(OverheadDocument, IsReadBack) {
  Findings findings = document();
  findings.provenance.generated_at = "2026-11-16T12:00:00Z";
  const auto overhead = read_back(findings);
  ASSERT_TRUE(overhead) << overhead.error().to_string();
  EXPECT_EQ(overhead->machine, kMachine);
  EXPECT_EQ(overhead->date, "2026-11-16T12:00:00Z");
  ASSERT_EQ(overhead->costs.size(), 10U);
  ASSERT_NE(overhead_of(*overhead, 3, "drop"), nullptr);
  EXPECT_EQ(overhead_of(*overhead, 3, "drop")->task_ns, 120);
  EXPECT_EQ(overhead_of(*overhead, 3, "any"), nullptr);
  EXPECT_EQ(overhead_of(*overhead, 4, "drop"), nullptr);
}

TEST(OverheadDocument, AMachineWithoutWordsIsCalledThat) {
  const auto overhead = read_back(overhead_document(tests::sample_overhead(), {10'000}, ""));
  ASSERT_TRUE(overhead) << overhead.error().to_string();
  EXPECT_EQ(overhead->machine, "a machine that is not named");
}

TEST(OverheadDocument, ColumnsMayMove) {
  Findings findings = document();
  findings::Table& costs = findings.sections[1].tables[0];
  ASSERT_EQ(costs.id, "costs");
  std::reverse(costs.columns.begin(), costs.columns.end());
  for (auto& row : costs.rows) std::reverse(row.begin(), row.end());
  const auto overhead = read_back(findings);
  ASSERT_TRUE(overhead) << overhead.error().to_string();
  EXPECT_EQ(overhead_of(*overhead, 2, "block")->task_ns, 80);
}

TEST(OverheadDocument, WhatMakesNoSenseIsAnErrorThatNamesTheFile) {
  const auto expect_error = [](std::string_view expected, auto&& spoil) {
    Findings findings = document();
    spoil(findings, findings.sections[1].tables[0]);
    const auto overhead = read_back(findings);
    ASSERT_FALSE(overhead) << expected;
    EXPECT_EQ(overhead.error().where.file, "overhead.json");
    EXPECT_NE(overhead.error().message.find(expected), std::string::npos) << overhead.error().message;
  };
  expect_error("of the kind 'report'", [](Findings& findings, auto&) { findings.kind = "report"; });
  expect_error("no table of costs", [](Findings& findings, auto&) { findings.sections[1].id = "price"; });
  expect_error("no table of costs", [](auto&, findings::Table& costs) { costs.id = "price"; });
  expect_error("no column", [](auto&, findings::Table& costs) { costs.columns[3].id = "time"; });
  expect_error("without a level", [](auto&, findings::Table& costs) { costs.rows[2][0] = std::int64_t{4}; });
  expect_error("without a level", [](auto&, findings::Table& costs) { costs.rows[2][0] = 1.5; });
  expect_error("without a level", [](auto&, findings::Table& costs) { costs.rows[2][1] = std::int64_t{1}; });
  expect_error("without a time", [](auto&, findings::Table& costs) { costs.rows[2][3] = 1e300; });
  expect_error("without a time", [](auto&, findings::Table& costs) { costs.rows[2][3] = findings::Cell(); });
  const auto none = overhead_in(base::MappedFile::from_memory("x.json", R"({"a": 1})"));
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("accelscope overhead --save"), std::string::npos);
  EXPECT_FALSE(overhead_in(base::MappedFile::from_memory("x.json", "")));
  EXPECT_FALSE(overhead_in(base::MappedFile::from_memory("x.json", R"({"accelscope_findings": 1)")));
  EXPECT_FALSE(read_overhead("/nowhere/overhead.json"));
}

}  // namespace
}  // namespace accelscope::jobs
