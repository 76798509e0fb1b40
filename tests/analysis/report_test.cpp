#include "analysis/report.h"

#include <algorithm>

#include "analysis/profile_data.h"
#include "analysis/profile_samples.h"
#include "findings/findings_json.h"

namespace accelscope::analysis {
namespace {

using findings::Findings;
using findings::Section;
using formats::etdump::ToySpeed;

const std::vector<std::string> kTitles = {"Metadata",
                                          "Latency Comparison",
                                          "Operator Category Breakdown",
                                          "Acceleration Analysis",
                                          "Bottleneck Identification",
                                          "Portable vs Delegated Operator Analysis",
                                          "Kernel-Level Insights",
                                          "Actionable Recommendations"};

std::vector<std::string> titles(const Findings& findings, int depth = 2) {
  std::vector<std::string> result;
  for (const Section& section : findings.sections)
    if (!section.data_only && section.depth == depth) result.push_back(section.title);
  return result;
}

ReportInput toy_input() {
  ReportInput input{.title = "toy",
                    .experiments = {{.profile = toy(ToySpeed::kSlow)}, {.profile = toy(ToySpeed::kFast)}}};
  input.pairs = {{0, 1}};
  return input;
}

const findings::Table& table_of(const Findings& findings, std::string_view section, std::string_view table) {
  const Section* found = find_section(findings, section);
  EXPECT_NE(found, nullptr) << section;
  const findings::Table* result = found == nullptr ? nullptr : find_table(*found, table);
  EXPECT_NE(result, nullptr) << section << ", " << table;
  static const findings::Table empty;
  return result == nullptr ? empty : *result;
}

// Every row as wide as its columns, every id of a table once in its section: renderers rely on it.
void expect_well_formed(const Findings& findings) {
  for (const Section& section : findings.sections) {
    for (const findings::Table& table : section.tables)
      for (const auto& row : table.rows)
        EXPECT_EQ(row.size(), table.columns.size()) << section.id << table.id;
    for (const findings::Table& table : section.tables)
      EXPECT_EQ(std::count_if(section.tables.begin(), section.tables.end(),
                              [&](const findings::Table& other) { return other.id == table.id; }),
                1)
          << section.id << ", " << table.id;
    for (const findings::Metric& metric : section.metrics)
      EXPECT_EQ(std::count_if(section.metrics.begin(), section.metrics.end(),
                              [&](const findings::Metric& other) { return other.id == metric.id; }),
                1)
          << section.id << ", " << metric.id;
    for (const findings::Series& series : section.series) {
      EXPECT_TRUE(series.labels.empty() || series.labels.size() == series.values.size());
      for (const findings::Mark& mark : series.marks) EXPECT_LT(mark.position, series.values.size());
    }
  }
  for (const Section& section : findings.sections)
    EXPECT_EQ(std::count_if(findings.sections.begin(), findings.sections.end(),
                            [&](const Section& other) { return other.id == section.id; }),
              1)
        << section.id;
}

TEST(Report, HasEightSectionsInOrder) {
  const Findings report = make_report(toy_input());
  EXPECT_EQ(titles(report), kTitles);
  EXPECT_TRUE(titles(report, 3).empty()) << "one subject needs no parts";
  for (const Section& section : report.sections) EXPECT_FALSE(is_empty(section)) << section.title;
  expect_well_formed(report);
  EXPECT_EQ(report.kind, "report");
}

TEST(Report, OfNothingHasHints) {
  const Findings report = make_report({.title = "nothing", .place = "runs/mac"});
  EXPECT_EQ(titles(report), kTitles);
  for (const Section& section : report.sections) {
    if (section.id == "metadata") continue;
    EXPECT_TRUE(is_empty(section)) << section.title;
    EXPECT_NE(section.empty_hint.find("accelscope"), std::string::npos)
        << section.title << section.empty_hint;
  }
  EXPECT_NE(find_section(report, "acceleration")->empty_hint.find("runs/mac"), std::string::npos);
  expect_well_formed(report);
}

TEST(Report, SaysTheVerdictWithItsInterval) {
  const Findings report = make_report(toy_input());
  const Section* latency = find_section(report, "latency");
  ASSERT_NE(latency, nullptr);
  ASSERT_FALSE(latency->statements.empty());
  EXPECT_EQ(latency->statements.front().kind, findings::StatementKind::kVerdict);
  EXPECT_NE(latency->statements.front().text.find("3.01x faster"), std::string::npos);
  const findings::Metric* speedup = find_metric(*latency, "speedup");
  ASSERT_NE(speedup, nullptr);
  EXPECT_NEAR(*speedup->value, 3.01, 0.005);
  ASSERT_TRUE(speedup->interval);
  EXPECT_GT(speedup->interval->low, 1);
  const findings::Series* runs = find_series(*latency, "candidate");
  ASSERT_NE(runs, nullptr);
  EXPECT_EQ(runs->values.size(), 10U);
  ASSERT_EQ(runs->marks.size(), 2U);
  EXPECT_EQ(runs->marks[0].label, "cold");
  EXPECT_EQ(runs->marks[1].position, 6U);
  EXPECT_EQ(runs->marks[1].label, "outlier, kept");
  const findings::Table& cold = table_of(report, "latency", "cold_start");
  EXPECT_EQ(cold.rows.size(), 2U);
}

TEST(Report, CategoriesSumToTheTotal) {
  const Findings report = make_report(toy_input());
  const findings::Table& table = table_of(report, "categories", "categories");
  ASSERT_GE(table.rows.size(), 3U);
  const auto column = [&](std::size_t position) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < table.rows.size(); ++i) sum += std::get<double>(table.rows[i][position]);
    return sum;
  };
  const auto total = [&](std::size_t position) { return std::get<double>(table.rows.back()[position]); };
  EXPECT_EQ(std::get<std::string>(table.rows.back()[0]), "Total");
  for (const std::size_t position : {1U, 2U, 3U, 4U, 6U})
    EXPECT_NEAR(column(position), total(position), 1e-9);
  EXPECT_NEAR(total(2), 100, 1e-9);
}

TEST(Report, IsTheSameTwice) {
  base::MemoryOutput first;
  base::MemoryOutput second;
  write_json(make_report(toy_input()), first);
  write_json(make_report(toy_input()), second);
  EXPECT_EQ(first.bytes(), second.bytes());
}

TEST(Report, CarriesItsProfiles) {
  const auto profiles = profiles_in(make_report(toy_input()));
  ASSERT_TRUE(profiles) << profiles.error().to_string();
  ASSERT_EQ(profiles->size(), 2U);
  EXPECT_EQ(profiles->at(1).name, "on");
  EXPECT_NEAR(compare(profiles->at(0), profiles->at(1)).methods.front().end_to_end.speedup, 3.01, 0.005);
}

TEST(Report, WithoutAPairDescribesEachExperiment) {
  ReportInput input = toy_input();
  input.pairs.clear();
  const Findings report = make_report(input);
  EXPECT_EQ(titles(report), kTitles);
  expect_well_formed(report);
  const Section* off = find_section(report, "latency.0");
  ASSERT_NE(off, nullptr);
  EXPECT_EQ(off->title, "off");
  EXPECT_EQ(off->depth, 3);
  const findings::Metric* median = find_metric(*off, "median");
  ASSERT_NE(median, nullptr);
  EXPECT_NEAR(*median->value, latency_of(input.experiments[0].profile, 0).steady.median, 1e-12);
  EXPECT_FALSE(find_metric(*off, "p99")->value);
  EXPECT_NE(find_metric(*off, "p99")->note.find("100 runs"), std::string::npos);
  EXPECT_TRUE(is_empty(*find_section(report, "acceleration")));
}

TEST(Report, SeveralMethodsBecomeParts) {
  ReportInput input{.title = "wrap",
                    .experiments = {{.profile = profile_of_dump("wrap", formats::etdump::wrap_dump())}}};
  const Findings report = make_report(input);
  expect_well_formed(report);
  for (const char* section : {"latency", "categories", "bottlenecks", "delegation", "recommendations"}) {
    for (const char* part : {".0", ".1"}) {
      const Section* found = find_section(report, std::string(section) + part);
      ASSERT_NE(found, nullptr) << section << part;
      EXPECT_NE(found->title.find("wrap: method "), std::string::npos) << found->title;
    }
  }
  const findings::Metric* per_run = find_metric(report, "per_run.wrap");
  ASSERT_NE(per_run, nullptr);
  EXPECT_NE(per_run->label.find("Per run"), std::string::npos);
  EXPECT_NE(per_run->method.find("not a latency of one execution"), std::string::npos);
  EXPECT_EQ(per_run->n, 3U);
  EXPECT_NE(row_of(report.quality, "trust.missing_executions"), nullptr);
}

TEST(Report, SeveralPairsBecomeParts) {
  ReportInput input = toy_input();
  input.experiments.push_back({.profile = toy(ToySpeed::kSlow, 12, 3)});
  input.experiments.back().profile.name = "off_t4";
  input.experiments.push_back({.profile = toy(ToySpeed::kFast, 12, 4)});
  input.experiments.back().profile.name = "on_t4";
  input.pairs = {{0, 1}, {2, 3}};
  const Findings report = make_report(input);
  EXPECT_EQ(titles(report), kTitles);
  expect_well_formed(report);
  EXPECT_EQ(find_section(report, "latency.0")->title, "on against off");
  EXPECT_EQ(find_section(report, "latency.1")->title, "on_t4 against off_t4");
  EXPECT_EQ(find_section(report, "acceleration.1")->title, "on_t4 against off_t4");
  EXPECT_EQ(find_section(report, "latency")->empty_hint, "");
  EXPECT_EQ(compare_pairs(input).size(), 2U);
}

TEST(Report, AnExperimentOutsideThePairsIsStillDescribed) {
  ReportInput input = toy_input();
  input.experiments.push_back({.profile = profile_with(wobbling(12, 1'000'000, 1000), {}, "third")});
  const Findings report = make_report(input);
  expect_well_formed(report);
  const Section* third = find_section(report, "latency.1");
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(third->title, "third");
}

std::size_t statements_of(const Findings& findings, std::string_view id) {
  std::size_t count = 0;
  for (const Section& section : findings.sections)
    for (const findings::Statement& statement : section.statements) count += statement.id == id ? 1 : 0;
  return count;
}

TEST(Report, SaysThatOnlyExecutionsWereRecordedInsteadOfBlamingTheFramework) {
  ReportInput input{.title = "bare"};
  input.experiments.push_back({.profile = profile_with(wobbling(12, 1'000'000, 1000))});
  const Findings report = make_report(input);
  expect_well_formed(report);
  EXPECT_EQ(statements_of(report, "categories.no_operators"), 1U);
  EXPECT_EQ(statements_of(report, "advice.overhead"), 0U);
}

TEST(Report, SpeaksOfPackingOnlyWhereTheCandidateHasMoreOfIt) {
  const auto times = [](std::int64_t value) { return std::vector<std::int64_t>(12, value); };
  const Profile plain = profile_with(
      times(100'000), {{"conv", Part::kDelegateOperator, Category::kConvolution, times(80'000), "conv"}},
      "plain");
  const Profile packed =
      profile_with(times(50'000),
                   {{"pack", Part::kDelegateOperator, Category::kDataMovement, times(4'000), "pack_lh"},
                    {"conv", Part::kDelegateOperator, Category::kConvolution, times(26'000), "conv"}},
                   "packed");
  ReportInput input{.title = "packing", .experiments = {{.profile = plain}, {.profile = packed}}};
  input.pairs = {{0, 1}};
  EXPECT_EQ(statements_of(make_report(input), "acceleration.packing"), 1U);
  input.pairs = {{1, 0}};
  EXPECT_EQ(statements_of(make_report(input), "acceleration.packing"), 0U);
}

TEST(Report, RefusesVerdictsOfTimesThatAreNoLatency) {
  const std::pair<TimingUse, const char*> cases[] = {
      {TimingUse::kOneRunOfSeveral, "trust.one_run_file"},
      {TimingUse::kKernelTrace, "trust.kernel_trace_timing"},
  };
  for (const auto& [use, id] : cases) {
    ReportInput input = toy_input();
    input.experiments[1].profile.use = use;
    const Findings report = make_report(input);
    ASSERT_NE(row_of(report.quality, id), nullptr) << id;
    EXPECT_EQ(row_of(report.quality, id)->severity, trace::Severity::kError);
    EXPECT_NE(row_of(report.quality, "trust.no_verdict"), nullptr);
    for (const Section& section : report.sections)
      for (const findings::Statement& statement : section.statements)
        EXPECT_NE(statement.kind, findings::StatementKind::kVerdict) << statement.text;
    EXPECT_TRUE(is_empty(*find_section(report, "acceleration")));
    EXPECT_EQ(find_metric(report, "speedup"), nullptr);
    expect_well_formed(report);
  }
}

TEST(Report, ShowsNotesMetadataAndChecks) {
  ReportInput input = toy_input();
  input.metadata = {{"Model", "toy.pte"}};
  input.device = {{"CPU", "made up"}};
  input.notes = "The *first* layer is odd.";
  input.experiments[0].quality.add({.id = "etdump.assumed_unit", .sentence = "Nanoseconds are assumed."});
  const Findings report = make_report(input);
  EXPECT_EQ(std::get<std::string>(table_of(report, "metadata", "run").rows.front()[1]), "toy.pte");
  EXPECT_EQ(std::get<std::string>(table_of(report, "metadata", "device").rows.front()[1]), "made up");
  EXPECT_GE(table_of(report, "metadata", "cross_checks").rows.size(), 4U);
  ASSERT_NE(find_section(report, "recommendations.notes"), nullptr);
  EXPECT_EQ(find_section(report, "recommendations.notes")->notes, input.notes);
  EXPECT_NE(row_of(report.quality, "etdump.assumed_unit"), nullptr);
  ASSERT_EQ(report.provenance.device.size(), 1U);
}

TEST(Report, TheSingleViewsHaveTheSameNumbers) {
  const ReportInput input = toy_input();
  EXPECT_EQ(titles(latency_view(input)), std::vector<std::string>{"Latency Comparison"});
  EXPECT_EQ(titles(operators_view(input)),
            (std::vector<std::string>{"Operator Category Breakdown", "Operators",
                                      "Portable vs Delegated Operator Analysis"}));
  EXPECT_EQ(titles(kernels_view(input)), std::vector<std::string>{"Kernel-Level Insights"});
  EXPECT_EQ(titles(comparison_view(input)),
            (std::vector<std::string>{"Latency Comparison", "Operator Category Breakdown",
                                      "Acceleration Analysis"}));
  const Findings report = make_report(input);
  for (const Findings& view : {latency_view(input), comparison_view(input)})
    EXPECT_EQ(*find_metric(view, "speedup")->value, *find_metric(report, "speedup")->value);
  for (const Findings& view :
       {latency_view(input), operators_view(input), kernels_view(input), comparison_view(input)})
    expect_well_formed(view);
  EXPECT_EQ(table_of(operators_view(input), "operators", "operators").rows.size(), 9U);
}

TEST(Report, ListsNamesThatMatchNothing) {
  Profile odd = profile_with(
      std::vector<std::int64_t>(12, 1000),
      {{"frobnicate", Part::kLibraryOperator, Category::kOther, std::vector<std::int64_t>(12, 400)}});
  odd.methods.front().entries.back().known = false;
  const Findings report = make_report({.title = "odd", .experiments = {{.profile = odd}}});
  const findings::Table& unknown = table_of(report, "categories", "unknown");
  ASSERT_EQ(unknown.rows.size(), 1U);
  EXPECT_EQ(std::get<std::string>(unknown.rows.front()[0]), "frobnicate");
}

// Nothing above the thresholds is an answer, too.
TEST(Report, SaysWhenThereIsNoBottleneck) {
  ReportInput input = toy_input();
  input.thresholds = {
      .operator_percent = 99, .data_movement_percent = 99, .outside_percent = 99, .low_speedup = 1};
  const Findings report = make_report(input);
  ASSERT_EQ(find_section(report, "bottlenecks")->statements.size(), 1U);
  EXPECT_EQ(find_section(report, "bottlenecks")->statements.front().id, "bottlenecks.none");
}

}  // namespace
}  // namespace accelscope::analysis
