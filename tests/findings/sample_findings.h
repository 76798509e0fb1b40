// A findings document that has one of everything: every kind of statement, cell, column and place, numbers
// that are absent, and text that needs care. Not real measurements.
//
//   const Findings findings = sample_findings();
#pragma once

#include <limits>

#include "findings/findings.h"

namespace accelscope::tests {

inline findings::Section sample_latency() {
  using namespace findings;  // NOLINT(google-build-using-namespace): a test's data
  Section latency{.id = "latency", .title = "Latency Comparison"};
  latency.statements.push_back({.id = "latency.verdict",
                                .kind = StatementKind::kVerdict,
                                .priority = Priority::kHigh,
                                .subject = "toy",
                                .text = "The candidate is faster: 0.71 ms instead of 0.88 ms."});
  latency.metrics.push_back({.id = "latency.median",
                             .label = "median",
                             .value = 0.262,
                             .unit = "ms",
                             .interval = Interval{0.25, 0.271, 0.95, "BCa bootstrap"},
                             .n = 9,
                             .method = "type 7",
                             .note = "",
                             .better = Better::kLower});
  latency.metrics.push_back({.id = "latency.speedup",
                             .label = "speedup",
                             .value = 3.371,
                             .unit = "x",
                             .interval = Interval{3.05, 3.712, 0.95, "Hodges-Lehmann"},
                             .n = 9,
                             .better = Better::kHigher});
  latency.metrics.push_back(
      {.id = "latency.p99", .label = "99th percentile", .unit = "ms", .note = "n too small: needs 100 runs"});
  latency.series.push_back({.id = "latency.runs",
                            .title = "Latency of each execution",
                            .unit = "ms",
                            .x_title = "execution",
                            .values = {0.88, 0.26, 0.25, std::numeric_limits<double>::quiet_NaN(), 0.31},
                            .marks = {{0, "cold run"}, {4, "outlier"}}});
  return latency;
}

inline findings::Section sample_categories() {
  using namespace findings;  // NOLINT(google-build-using-namespace): a test's data
  Section categories{.id = "categories", .title = "Operator Category Breakdown"};
  Table table{.id = "categories.table",
              .title = "By category",
              .columns = {{.id = "category", .title = "Category"},
                          {.id = "count", .title = "Count", .kind = ColumnKind::kInteger},
                          {.id = "median", .title = "Median", .kind = ColumnKind::kNumber, .unit = "ms"},
                          {.id = "share", .title = "Share", .kind = ColumnKind::kPercent, .decimals = 1},
                          {.id = "ratio", .title = "Ratio", .kind = ColumnKind::kRatio, .decimals = 2}},
              .rows = {},
              .note = "Shares are of the time inside Method::execute.",
              .rows_shown = 2};
  table.rows.push_back({std::string("GEMM"), std::int64_t{4}, 0.5, 62.54, 3.0});
  table.rows.push_back({std::string("Data | Movement"), std::int64_t{-1}, 0.00004, 0.04, {}});
  table.rows.push_back({std::string("Other"), {}, -0.0, 1e300, 0.1 + 0.2});
  categories.tables.push_back(table);
  categories.series.push_back({.id = "categories.bars",
                               .title = "Time by category",
                               .unit = "ms",
                               .values = {0.5, 0.125, 0.0},
                               .labels = {"GEMM", "Data | Movement", "Other"}});
  return categories;
}

inline findings::Section sample_advice() {
  using namespace findings;  // NOLINT(google-build-using-namespace): a test's data
  Section advice{.id = "advice", .title = "Actionable Recommendations"};
  advice.statements.push_back(
      {.id = "advice.gemm",
       .kind = StatementKind::kAdvice,
       .priority = Priority::kHighest,
       .subject = "GEMM",
       .text = "GEMM takes most of the time.",
       .group = "What to optimise next",
       .gain = Gain{0.88, 0.71, "ms", "if it took no time at all"},
       .evidence = {{.text = "run 6, Fully Connected #1", .input = "toy.etdump", .slice = 42},
                    {.text = "waiting", .track = "core 0", .from = -5, .to = 9'000'000'000'000'000'001}}});
  advice.statements.push_back({.id = "advice.layout",
                               .kind = StatementKind::kAdvice,
                               .priority = Priority::kInvestigate,
                               .subject = "Transpose",
                               .text = "Keep one layout.",
                               .group = "Model changes"});
  advice.statements.push_back({.id = "advice.noise",
                               .kind = StatementKind::kFinding,
                               .priority = Priority::kNote,
                               .text = "The clock is stable."});
  return advice;
}

inline findings::Findings sample_findings() {
  using namespace findings;  // NOLINT(google-build-using-namespace): a test's data
  Findings all{.kind = "report", .title = "toy.etdump \"two\" runs"};
  all.sections.push_back(sample_latency());
  all.sections.push_back(sample_categories());
  Section& part = add_part(all, "kernels", "Kernel-Level Insights");
  part.empty_hint = "Record with XNNPACK logging to fill this section.";
  all.sections.push_back(sample_advice());
  add_part(all, "notes", "Notes").notes = "Seen *twice*:\n\n- once cold\n";
  Section& data = add_section(all, "raw", "Raw numbers");
  data.data_only = true;
  data.metrics.push_back({.id = "raw.n", .label = "n", .value = -0.0, .unit = ""});
  all.quality.add({.id = "sample.unit_assumed",
                   .severity = trace::Severity::kInfo,
                   .sentence = "Times are taken for nanoseconds."});
  all.quality.add({.id = "sample.aborted_run",
                   .severity = trace::Severity::kWarning,
                   .sentence = "A run has no end: it is left out.",
                   .count = 1234,
                   .first_place = base::Location::byte("toy.etdump", 312)});
  all.quality.add({.id = "sample.lost",
                   .severity = trace::Severity::kError,
                   .sentence = "Records were lost.",
                   .first_place = base::Location::line("ops.csv", 7)});
  all.quality.add({.id = "sample.file",
                   .severity = trace::Severity::kInfo,
                   .sentence = "The file is old.",
                   .first_place = base::Location::of_file("a.json")});
  all.provenance = {.version = "0.1.0",
                    .generated_at = "2024-02-03T04:05:06Z",
                    .inputs = {{"toy.etdump", "etdump", 4096, "0123456789abcdef", "baseline"}},
                    .options = {{"warmup", "auto"}},
                    .device = {{"cpu", "Cortex-X4"}},
                    .seed = std::numeric_limits<std::uint64_t>::max()};
  return all;
}

}  // namespace accelscope::tests
