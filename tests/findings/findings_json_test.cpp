#include "findings/findings_json.h"

#include <gtest/gtest.h>

#include <cmath>

#include "findings/sample_findings.h"

namespace accelscope::findings {
namespace {

std::string json_of(const Findings& findings) {
  base::MemoryOutput out;
  write_json(findings, out);
  return std::string(out.bytes());
}

base::Result<Findings> read_text(std::string_view text) {
  return read_json(base::MappedFile::from_memory("f.json", text));
}

TEST(FindingsJson, WritesAnEmptyDocument) {
  EXPECT_EQ(json_of({}), R"({
  "accelscope_findings": 1,
  "kind": "",
  "title": "",
  "quality": [],
  "sections": [],
  "provenance": {
    "version": "",
    "generated_at": "",
    "inputs": [],
    "options": [],
    "device": [],
    "seed": 0
  }
}
)");
}

TEST(FindingsJson, WritesASectionReadably) {
  Findings findings{.kind = "latency"};
  findings.sections.push_back(tests::sample_categories());
  const std::string text = json_of(findings);
  EXPECT_NE(text.find(R"(
          "columns": [
            {"id":"category","title":"Category","kind":"text","unit":"","decimals":3},
            {"id":"count","title":"Count","kind":"integer","unit":"","decimals":3},
            {"id":"median","title":"Median","kind":"number","unit":"ms","decimals":3},
            {"id":"share","title":"Share","kind":"percent","unit":"","decimals":1},
            {"id":"ratio","title":"Ratio","kind":"ratio","unit":"","decimals":2}
          ],
          "rows": [
            ["GEMM",4,0.5,62.54,3.0],
            ["Data | Movement",-1,4e-05,0.04,null],
            ["Other",null,-0.0,1e+300,0.30000000000000004]
          ],
)"),
            std::string::npos)
      << text;
}

// The writer writes every field (the schema test sees to it), so equal text means equal documents.
TEST(FindingsJson, ReadsBackExactly) {
  const std::string text = json_of(tests::sample_findings());
  const auto read = read_text(text);
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(json_of(*read), text);
  EXPECT_TRUE(is_findings(text));
}

TEST(FindingsJson, ReadsEveryKindOfValue) {
  const auto read = read_text(json_of(tests::sample_findings()));
  ASSERT_TRUE(read) << read.error().to_string();
  const Metric* median = find_metric(*read, "latency.median");
  ASSERT_NE(median, nullptr);
  EXPECT_EQ(median->value, 0.262);
  EXPECT_EQ(median->interval->high, 0.271);
  EXPECT_EQ(median->n, 9U);
  EXPECT_EQ(median->better, Better::kLower);
  EXPECT_EQ(find_metric(*read, "latency.p99")->value, std::nullopt);
  EXPECT_TRUE(std::signbit(*find_metric(*read, "raw.n")->value));
  const Table* table = find_table(*find_section(*read, "categories"), "categories.table");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rows[0][4], Cell(3.0));  // and not the integer 3
  EXPECT_EQ(table->rows[0][1], Cell(std::int64_t{4}));
  EXPECT_EQ(table->rows[1][4], Cell());
  EXPECT_EQ(table->rows[2][4], Cell(0.1 + 0.2));
  EXPECT_EQ(table->columns[3].kind, ColumnKind::kPercent);
  EXPECT_EQ(table->rows_shown, 2U);
  const Series* runs = find_series(*find_section(*read, "latency"), "latency.runs");
  ASSERT_NE(runs, nullptr);
  EXPECT_TRUE(std::isnan(runs->values[3]));
  EXPECT_EQ(runs->marks[1].position, 4U);
  const Statement& advice = find_section(*read, "advice")->statements[0];
  EXPECT_EQ(advice.kind, StatementKind::kAdvice);
  EXPECT_EQ(advice.priority, Priority::kHighest);
  EXPECT_EQ(advice.gain->after, 0.71);
  EXPECT_EQ(advice.evidence[0].slice, 42U);
  EXPECT_EQ(advice.evidence[1].to, 9'000'000'000'000'000'001);
  EXPECT_EQ(advice.evidence[1].slice, std::nullopt);
  EXPECT_EQ(find_section(*read, "kernels")->depth, 3);
  EXPECT_TRUE(find_section(*read, "raw")->data_only);
  ASSERT_EQ(read->quality.rows().size(), 4U);
  EXPECT_EQ(read->quality.rows()[0].first_place, base::Location{});
  EXPECT_EQ(read->quality.rows()[1].first_place, base::Location::byte("toy.etdump", 312));
  EXPECT_EQ(read->quality.rows()[1].count, 1234U);
  EXPECT_EQ(read->quality.rows()[2].first_place, base::Location::line("ops.csv", 7));
  EXPECT_EQ(read->quality.rows()[2].severity, trace::Severity::kError);
  EXPECT_EQ(read->quality.rows()[3].first_place, base::Location::of_file("a.json"));
  EXPECT_EQ(read->provenance.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read->provenance.inputs[0].hash, "0123456789abcdef");
}

TEST(FindingsJson, KeepsExtremeNumbers) {
  Findings findings;
  Section& section = add_section(findings, "s", "S");
  Series& series = section.series.emplace_back();
  using Limits = std::numeric_limits<double>;
  series.values = {
      Limits::max(), Limits::lowest(), Limits::min(),     Limits::denorm_min(), 0.1, -0.0, 1e15, 1e16, 9.3e18,
      1e22,          1 / 3.0,          9007199254740993.0};
  Table& table = section.tables.emplace_back();
  table.columns = {{.id = "a"}};
  for (const double value : series.values) table.rows.push_back({value});
  table.rows.push_back({std::numeric_limits<std::int64_t>::min()});
  table.rows.push_back({std::numeric_limits<std::int64_t>::max()});
  const auto read = read_text(json_of(findings));
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->sections[0].series[0].values, series.values);
  EXPECT_EQ(read->sections[0].tables[0].rows, table.rows);
  EXPECT_EQ(json_of(*read), json_of(findings));
}

TEST(FindingsJson, WritesWhatIsNotFiniteAsNull) {
  Findings findings;
  Section& section = add_section(findings, "s", "S");
  const double infinity = std::numeric_limits<double>::infinity();
  section.metrics.push_back({.id = "m", .value = infinity, .interval = Interval{-infinity, 1, 0.95, ""}});
  section.tables.push_back({.id = "t", .columns = {{.id = "c"}}, .rows = {{infinity}}});
  const std::string text = json_of(findings);
  EXPECT_EQ(text.find("inf"), text.find("infinity_is_nowhere"));
  const auto read = read_text(text);
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->sections[0].metrics[0].value, std::nullopt);
  EXPECT_TRUE(std::isnan(read->sections[0].metrics[0].interval->low));
  EXPECT_EQ(read->sections[0].tables[0].rows[0][0], Cell());
}

TEST(FindingsJson, LooksThingsUp) {
  const Findings findings = tests::sample_findings();
  EXPECT_EQ(find_section(findings, "nothing"), nullptr);
  EXPECT_EQ(find_metric(findings, "nothing"), nullptr);
  EXPECT_EQ(find_table(findings.sections[0], "categories.table"), nullptr);
  EXPECT_EQ(find_series(findings.sections[0], "nothing"), nullptr);
  EXPECT_EQ(find_metric(findings.sections[1], "latency.median"), nullptr);
  EXPECT_EQ(find_metric(findings, "latency.speedup"), &findings.sections[0].metrics[1]);
  EXPECT_FALSE(is_empty(findings.sections[0]));
  EXPECT_TRUE(is_empty(*find_section(findings, "kernels")));
}

}  // namespace
}  // namespace accelscope::findings
