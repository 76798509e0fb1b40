#include "report/text.h"

#include <gtest/gtest.h>

#include "findings/sample_findings.h"
#include "report/plain_text.h"
#include "report/text_table.h"
#include "report/trust_box.h"

namespace accelscope::report {
namespace {

using findings::Findings;
using findings::Section;

std::string text_of_findings(const Findings& findings, const TextOptions& options = {}) {
  base::MemoryOutput out;
  write_text(findings, options, out);
  return std::string(out.bytes());
}

std::string without_colors(std::string text) {
  for (const std::string_view code :
       {kColored.bold, kColored.dim, kColored.red, kColored.yellow, kColored.plain})
    for (std::size_t at = text.find(code); at != std::string::npos; at = text.find(code))
      text.erase(at, code.size());
  return text;
}

TEST(Text, ATableWithoutTitleStandsApartFromTheMetrics) {
  findings::Findings findings{.title = "t"};
  findings::Section& section = add_section(findings, "s", "S");
  section.metrics.push_back({.id = "a",
                             .label = "a",
                             .value = 1.5,
                             .unit = "x",
                             .interval = findings::Interval{1, 2, 0.95, "BCa bootstrap"},
                             .method = "BCa bootstrap"});
  section.tables.push_back({.id = "t", .columns = {{.id = "c", .title = "Column"}}, .rows = {{"cell"}}});
  const std::string text = text_of_findings(findings);
  EXPECT_NE(text.find("BCa bootstrap\n\n  Column"), std::string::npos) << text;
  EXPECT_EQ(text.find("BCa bootstrap; BCa bootstrap"), std::string::npos) << text;
}

TEST(Text, ShowsEverything) {
  EXPECT_EQ(text_of_findings(tests::sample_findings()), R"(toy.etdump "two" runs
generated 2024-02-03T04:05:06Z by AccelScope 0.1.0

trust box
  error    Records were lost.
           sample.lost, first at ops.csv:7
  warning  A run has no end: it is left out. (1 234 times)
           sample.aborted_run, first at toy.etdump: byte 312
  info     Times are taken for nanoseconds.
           sample.unit_assumed
  info     The file is old.
           sample.file, first at a.json

Latency Comparison
──────────────────
  The candidate is faster: 0.71 ms instead of 0.88 ms.

  Metric              Value   95 % interval  n  How
  ───────────────  ────────  ──────────────  ─  ───────────────────────────
  median           0.262 ms  [0.250, 0.271]  9  type 7; BCa bootstrap
  speedup             3.37x    [3.05, 3.71]  9  Hodges-Lehmann
  99th percentile         -               -  -  n too small: needs 100 runs

  Latency of each execution
  █▁▁·▂
  least 0.250 ms, largest 0.880 ms
  execution 0: cold run (0.880 ms)
  execution 4: outlier (0.310 ms)

Operator Category Breakdown
───────────────────────────

  By category
  Category         Count  Median (ms)   Share  Ratio
  ───────────────  ─────  ───────────  ──────  ─────
  GEMM                 4        0.500  62.5 %  3.00x
  Data | Movement     -1      0.00004  0.04 %      -
  … 1 more row in the JSON form
  Shares are of the time inside Method::execute.

  Time by category
  GEMM             ████████████████████████████████████  0.500 ms
  Data | Movement  █████████                             0.125 ms
  Other                                                  0.000 ms

Kernel-Level Insights
  Record with XNNPACK logging to fill this section.

Actionable Recommendations
──────────────────────────
  - The clock is stable.

  What to optimise next
  - Highest: GEMM takes most of the time.
      Gain: 0.88 ms -> 0.71 ms at most (if it took no time at all)
      Evidence: run 6, Fully Connected #1 (toy.etdump, slice 42)
      Evidence: waiting (track core 0, -5 to 9000000000000000001 ns)

  Model changes
  - Investigate: Keep one layout. (Transpose)

Notes
  Seen *twice*:

  - once cold
)");
}

TEST(Text, ShowsAnEmptyDocument) {
  EXPECT_EQ(text_of_findings({}), "\n\ntrust box\n  nothing to report\n");
}

TEST(Text, ColorAddsNothingButCodes) {
  const std::string colored = text_of_findings(tests::sample_findings(), {.style = kColored});
  EXPECT_NE(colored, without_colors(colored));
  EXPECT_EQ(without_colors(colored), text_of_findings(tests::sample_findings()));
  EXPECT_NE(colored.find("- \x1b[31mHighest\x1b[0m: GEMM"), std::string::npos);
  EXPECT_NE(colored.find("\x1b[1m  Metric"), std::string::npos);
  EXPECT_EQ(text_of_findings(tests::sample_findings()).find('\x1b'), std::string::npos);
}

// Everything in it is longer than a line.
Findings wide_findings() {
  const std::string words =
      "several words that go on and on without an end, as sentences of people do, and more so";
  const std::string endless(300, 'w');
  const std::string blocks =
      "████████████████████████████████████████████████████████████████ 日本語日本語日本語日本語日本語";
  Findings findings{.title = words + words + endless};
  findings.provenance.version = endless;
  findings.quality.add({.id = "a." + endless,
                        .sentence = words + endless + words + blocks,
                        .first_place = base::Location::byte(endless, 1)});
  Section& section = add_section(findings, "s", blocks + words);
  section.empty_hint = words;
  add_part(findings, "hint", endless).empty_hint = words + words + endless + blocks;
  Section& full = add_part(findings, "full", words + words);
  for (const auto kind : {findings::StatementKind::kFinding, findings::StatementKind::kVerdict,
                          findings::StatementKind::kAdvice})
    full.statements.push_back({.kind = kind,
                               .priority = findings::Priority::kHighest,
                               .subject = endless + "x",
                               .text = words + blocks + words,
                               .group = words + words,
                               .gain = findings::Gain{1e300, -1e-300, endless, words},
                               .evidence = {{.text = words, .input = endless, .slice = 1}}});
  full.metrics.push_back({.id = "m",
                          .label = words + words,
                          .value = -1e300,
                          .unit = words,
                          .interval = findings::Interval{-1e300, 999999999999999.123, 0.95, words},
                          .n = 18446744073709551615ULL,
                          .note = words});
  findings::Table& table = full.tables.emplace_back();
  table.title = words + words;
  table.note = words + words;
  using findings::ColumnKind;
  for (int i = 0; i < 12; ++i)
    table.columns.push_back({.id = std::to_string(i),
                             .title = i % 5 == 0 ? blocks : "column",
                             .kind = static_cast<ColumnKind>(i % 5),
                             .unit = i % 4 == 0 ? endless : "",
                             .decimals = 17});
  for (const double value : {1.0, -123456789012345.678, 1e300, 1e-300}) {
    std::vector<findings::Cell>& row = table.rows.emplace_back();
    for (int i = 0; i < 12; ++i) row.push_back(i == 7 ? findings::Cell(endless) : findings::Cell(value));
    row[0] = blocks + endless;
  }
  findings::Series& bars = full.series.emplace_back();
  bars = {.title = words + words,
          .unit = endless,
          .values = {1e300, -1, 1e-300},
          .labels = {words, blocks, endless}};
  findings::Series& run = full.series.emplace_back();
  run = {.title = words, .unit = words, .x_title = words + words, .values = {}, .marks = {{5, endless}}};
  for (int i = 0; i < 1000; ++i) run.values.push_back(999999999999999.0 - i);
  return findings;
}

TEST(Text, NoLineIsTooWide) {
  const Findings findings = wide_findings();
  for (const std::size_t width : {60U, 80U, 100U, 200U}) {
    for (const Style& style : {Style{}, kColored}) {
      const std::string text = without_colors(text_of_findings(findings, {.style = style, .width = width}));
      std::size_t widest = 0;
      for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = text.find('\n', from);
        const std::string line = text.substr(from, to - from);
        EXPECT_LE(display_width(line), width) << line;
        widest = std::max(widest, display_width(line));
        from = to + 1;
      }
      EXPECT_GT(widest, width - 5);
    }
  }
}

TEST(Text, NumbersAreNeverCut) {
  const std::string text = text_of_findings(wide_findings(), {.width = 60});
  EXPECT_NE(text.find("-123456789012345.671875000"), std::string::npos) << text;
  EXPECT_NE(text.find("<0.000000001"), std::string::npos) << text;
}

TEST(TextTable, ShortensTextAndKeepsNumbers) {
  const ShownTable table{
      .columns = {{"Operator", false}, {"How", false}, {"ms", true}},
      .rows = {{"Convolution (NHWC, QC8) IGEMM with a long name", "a short one", "1234567.890"}}};
  EXPECT_EQ(text_table(table, {}, 60),
            "  Operator                          How                   ms\n"
            "  ────────────────────────────────  ───────────  ───────────\n"
            "  Convolution (NHWC, QC8) IGEMM w…  a short one  1234567.890\n");
}

TEST(TextTable, RatherShortensTheSubjectThanComesInTwoPieces) {
  const auto table_of = [](const std::string& number) {
    ShownTable table{.columns = {{"name", false}}, .rows = {{"a name of thirty-one characters"}}};
    for (int i = 0; i < 4; ++i) {
      table.columns.push_back({"c" + std::to_string(i), true});
      table.rows[0].push_back(number);
    }
    return text_table(table, {}, 100);
  };
  const std::string whole = table_of("12345678901234567");
  EXPECT_TRUE(
      whole.ends_with("\n  a name of thirty-one …  12345678901234567  12345678901234567  12345678901234567  "
                      "12345678901234567\n"))
      << whole;
  EXPECT_EQ(whole.find("\n\n"), std::string::npos);
  // Of names shorter than that nothing would be left.
  const std::string pieces = table_of("123456789012345678");
  EXPECT_NE(pieces.find("\n\n  name "), std::string::npos) << pieces;
  EXPECT_NE(pieces.find("  a name of thirty-one characters  "), std::string::npos) << pieces;
}

TEST(TextTable, PutsWhatDoesNotFitBelow) {
  ShownTable table{.columns = {{"name", false}}, .rows = {{"GEMM"}}};
  for (int i = 0; i < 4; ++i) {
    table.columns.push_back({"c" + std::to_string(i), true});
    table.rows[0].push_back("12345678901234567890" + std::to_string(i));
  }
  EXPECT_EQ(text_table(table, {}, 60),
            "  name                     c0                     c1\n"
            "  ────  ─────────────────────  ─────────────────────\n"
            "  GEMM  123456789012345678900  123456789012345678901\n"
            "\n"
            "  name                     c2                     c3\n"
            "  ────  ─────────────────────  ─────────────────────\n"
            "  GEMM  123456789012345678902  123456789012345678903\n");
  EXPECT_EQ(text_table({}, {}, 60), "");
}

TEST(TrustBox, WrapsAndColors) {
  trace::QualityTable quality;
  quality.add(
      {.id = "a.b", .severity = trace::Severity::kWarning, .sentence = "One two three four five six seven."});
  EXPECT_EQ(trust_box(quality, kColored, 40),
            "\x1b[1mtrust box\x1b[0m\n"
            "  \x1b[33mwarning\x1b[0m  One two three four five six\n"
            "           seven.\n"
            "           \x1b[2ma.b\x1b[0m\n");
}

}  // namespace
}  // namespace accelscope::report
