#include "report/markdown.h"

#include <gtest/gtest.h>

#include "findings/sample_findings.h"
#include "report/markdown_text.h"

namespace accelscope::report {
namespace {

using findings::Findings;
using findings::Priority;
using findings::Section;
using findings::StatementKind;

std::string markdown_of(const Findings& findings) {
  base::MemoryOutput out;
  write_markdown(findings, out);
  return std::string(out.bytes());
}

TEST(Markdown, ShowsEverything) {
  EXPECT_EQ(markdown_of(tests::sample_findings()), R"(# toy.etdump "two" runs

**Generated**: 2024-02-03T04:05:06Z by AccelScope 0.1.0

> **Trust box**
>
> - **error**: Records were lost. (sample.lost, first at ops.csv:7)
> - **warning**: A run has no end: it is left out. (1 234 times) (sample.aborted_run, first at toy.etdump: byte 312)
> - **info**: Times are taken for nanoseconds. (sample.unit_assumed)
> - **info**: The file is old. (sample.file, first at a.json)

## Latency Comparison

**The candidate is faster: 0.71 ms instead of 0.88 ms.**

| Metric | Value | 95 % interval | n | How |
| --- | ---: | ---: | ---: | --- |
| median | 0.262 ms | [0.250, 0.271] | 9 | type 7; BCa bootstrap |
| speedup | 3.37x | [3.05, 3.71] | 9 | Hodges-Lehmann |
| 99th percentile | - | - | - | n too small: needs 100 runs |

**Latency of each execution**

```text
█▁▁·▂
```

- least 0.250 ms, largest 0.880 ms
- execution 0: cold run (0.880 ms)
- execution 4: outlier (0.310 ms)

## Operator Category Breakdown

**By category**

| Category | Count | Median (ms) | Share | Ratio |
| --- | ---: | ---: | ---: | ---: |
| GEMM | 4 | 0.500 | 62.5 % | 3.00x |
| Data \| Movement | -1 | 0.00004 | 0.04 % | - |

… 1 more row in the JSON form

Shares are of the time inside Method::execute.

**Time by category**

```text
GEMM             ████████████████████████████████████  0.500 ms
Data | Movement  █████████                             0.125 ms
Other                                                  0.000 ms
```

### Kernel-Level Insights

Record with XNNPACK logging to fill this section.

## Actionable Recommendations

- The clock is stable.

**What to optimise next**

- **Highest**: GEMM takes most of the time.
  - Gain: 0.88 ms -> 0.71 ms at most (if it took no time at all)
  - Evidence: run 6, Fully Connected #1 (toy.etdump, slice 42)
  - Evidence: waiting (track core 0, -5 to 9000000000000000001 ns)

**Model changes**

- **Investigate**: Keep one layout. (Transpose)

### Notes

Seen *twice*:

- once cold
)");
}

TEST(Markdown, KeepsCommandsInSentencesAsCode) {
  EXPECT_EQ(markdown_sentence("Run `a_b | c *d*` or <e>."), "Run `a_b | c *d*` or \\<e>.");
  EXPECT_EQ(markdown_sentence("# one ` alone"), "\\# one \\` alone");
  EXPECT_EQ(markdown_sentence("``"), "\\`\\`");
}

TEST(Markdown, ShowsAnEmptyDocument) {
  EXPECT_EQ(markdown_of({}), R"(# 

> **Trust box**
>
> Nothing to report.
)");
}

TEST(Markdown, ShowsTheHintOnlyWhenNothingElseIsThere) {
  Findings findings{.title = "t"};
  add_section(findings, "a", "A").empty_hint = "Do this.";
  add_part(findings, "b", "B").metrics.push_back({.id = "m", .label = "count", .value = 3});
  add_section(findings, "c", "C").empty_hint = "Do that.";
  Section& data = add_part(findings, "d", "D");
  data.data_only = true;
  data.metrics.push_back({.id = "m", .value = 1});
  add_section(findings, "e", "E");
  EXPECT_EQ(markdown_of(findings), R"(# t

> **Trust box**
>
> Nothing to report.

## A

### B

| Metric | Value |
| --- | ---: |
| count | 3 |

## C

Do that.

## E

Nothing to report.
)");
}

TEST(Markdown, KeepsAdviceOfOneGroupTogether) {
  Findings findings{.title = "t"};
  Section& section = add_section(findings, "a", "A");
  const auto advise = [&](std::string text, std::string group) {
    section.statements.push_back({.kind = StatementKind::kAdvice,
                                  .priority = Priority::kHigh,
                                  .text = std::move(text),
                                  .group = std::move(group)});
  };
  advise("One.", "G");
  advise("Two.", "H");
  advise("Three.", "G");
  section.statements.push_back({.priority = Priority::kHigh, .text = "Seen."});
  section.statements.push_back(
      {.kind = StatementKind::kVerdict, .text = "So.", .evidence = {{.text = "a"}, {.text = "b"}}});
  section.statements.push_back({.text = "1. Seen, too."});
  const std::string text = markdown_of(findings);
  EXPECT_EQ(text.substr(text.find("## A")), R"(## A

- **High**: Seen.

**So.**

- Evidence: a
- Evidence: b

- 1\. Seen, too.

**G**

- **High**: One.
- **High**: Three.

**H**

- **High**: Two.
)");
}

TEST(Markdown, CountsWhatItLeavesOut) {
  Findings findings{.title = "t"};
  Section& section = add_section(findings, "a", "A");
  findings::Table& table = section.tables.emplace_back();
  table.columns = {{.id = "n", .title = "n", .kind = findings::ColumnKind::kInteger}};
  for (std::int64_t i = 0; i < 40; ++i) table.rows.push_back({i});
  table.rows_shown = 5;
  section.statements.push_back({.text = "Many."});
  section.statements.back().evidence.resize(8, {.text = "e"});
  const std::string text = markdown_of(findings);
  EXPECT_NE(text.find("| 4 |\n\n… 35 more rows in the JSON form\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("| 5 |"), std::string::npos);
  EXPECT_NE(text.find("  - … 3 more in the JSON form\n"), std::string::npos) << text;
  table.rows_shown = 41;
  EXPECT_EQ(markdown_of(findings).find("more row"), std::string::npos);
  table.rows.clear();
  EXPECT_NE(markdown_of(findings).find("No rows."), std::string::npos);
}

TEST(Markdown, NamesLevelsThatDiffer) {
  Findings findings{.title = "t"};
  Section& section = add_section(findings, "a", "A");
  section.metrics.push_back(
      {.id = "m", .label = "m", .value = 7, .unit = "ticks", .interval = {{6.5, 8, 0.9, ""}}});
  section.metrics.push_back({.id = "k", .label = "", .value = 2, .interval = {{1, 3, 0.999, ""}}});
  const std::string text = markdown_of(findings);
  EXPECT_NE(text.find("| Metric | Value | Interval |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| m | 7 ticks | [6.5, 8.0] (90 %) |\n| k | 2 | [1, 3] (99.9 %) |\n"),
            std::string::npos)
      << text;
}

TEST(Markdown, SameDocumentSameBytes) {
  EXPECT_EQ(markdown_of(tests::sample_findings()), markdown_of(tests::sample_findings()));
  // What was in the output before changes nothing.
  base::MemoryOutput out;
  out.append("x");
  write_markdown(tests::sample_findings(), out);
  EXPECT_EQ(out.bytes(), "x" + markdown_of(tests::sample_findings()));
}

TEST(MarkdownText, EscapesMarkup) {
  EXPECT_EQ(markdown_text("a|b"), "a\\|b");
  EXPECT_EQ(markdown_text("`rm` \\ *x* <b>"), "\\`rm\\` \\\\ \\*x\\* \\<b>");
  EXPECT_EQ(markdown_text("native_call_add.out"), "native_call_add.out");
  EXPECT_EQ(markdown_text("_native_ __x"), "\\_native\\_ \\_\\_x");
  EXPECT_EQ(markdown_text("[a](b) [3.05, 3.71]"), "[a\\](b) [3.05, 3.71]");
  EXPECT_EQ(markdown_text("&lt; a & b &#1;"), "\\&lt; a & b \\&#1;");
  EXPECT_EQ(markdown_text("~~a~~ ~b"), "\\~\\~a\\~\\~ ~b");
}

TEST(MarkdownText, EscapesTheBeginningOfParagraphs) {
  EXPECT_EQ(markdown_paragraph("# a"), "\\# a");
  EXPECT_EQ(markdown_paragraph("  - a"), "\\- a");
  EXPECT_EQ(markdown_paragraph("12. a"), "12\\. a");
  EXPECT_EQ(markdown_paragraph("1) a"), "1\\) a");
  EXPECT_EQ(markdown_paragraph("12 a"), "12 a");
  EXPECT_EQ(markdown_paragraph("12"), "12");
  EXPECT_EQ(markdown_paragraph("    code"), "code");
  EXPECT_EQ(markdown_paragraph(""), "");
}

}  // namespace
}  // namespace accelscope::report
