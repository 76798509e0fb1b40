// Names in a trace are anybody's text: no renderer may be led astray by it.
#include <gtest/gtest.h>

#include <algorithm>

#include "findings/findings.h"
#include "report/markdown.h"
#include "report/text.h"

namespace accelscope::report {
namespace {

using findings::Findings;
using findings::Section;

// A document with this text at every place that takes one.
Findings full_of(const std::string& text) {
  Findings findings{.kind = text, .title = text};
  findings.provenance.version = text;
  findings.provenance.generated_at = text;
  findings.quality.add({.id = text, .sentence = text, .first_place = base::Location::line(text, 1)});
  add_section(findings, text, text).empty_hint = text;
  Section& section = add_section(findings, "full", text);
  using findings::StatementKind;
  for (const auto kind : {StatementKind::kFinding, StatementKind::kVerdict, StatementKind::kAdvice})
    section.statements.push_back(
        {.kind = kind,
         .subject = text + "?",
         .text = text,
         .group = text,
         .gain = findings::Gain{1, 2, text, text},
         .evidence = {{.text = text, .input = text, .track = text, .from = 1, .to = 2}}});
  section.metrics.push_back({.id = text,
                             .label = text,
                             .value = 1,
                             .unit = text,
                             .interval = findings::Interval{1, 2, 0.95, text},
                             .method = text,
                             .note = text});
  section.tables.push_back(
      {.title = text,
       .columns = {{.title = text}, {.title = text, .kind = findings::ColumnKind::kNumber, .unit = text}},
       .rows = {{text, text}},
       .note = text});
  section.series.push_back(
      {.title = text, .unit = text, .x_title = text, .values = {1}, .marks = {{0, text}}});
  section.series.push_back({.title = text, .unit = text, .values = {1}, .labels = {text}});
  return findings;
}

std::string hostile_markdown(const Findings& findings) {
  base::MemoryOutput out;
  write_markdown(findings, out);
  return std::string(out.bytes());
}

std::string hostile_text(const Findings& findings) {
  base::MemoryOutput out;
  write_text(findings, {}, out);
  return std::string(out.bytes());
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(HostileText, NoEscapeSequenceComesThrough) {
  const Findings findings = full_of("\x1b]0;owned\x07\x1b[2J\u009b31m\r");
  for (const std::string& text : {hostile_markdown(findings), hostile_text(findings)}) {
    EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                            [](char c) { return static_cast<unsigned char>(c) >= 0x20 || c == '\n'; }));
    EXPECT_EQ(text.find("\u009b"), std::string::npos);
    EXPECT_NE(text.find("\\x1b"), std::string::npos);
  }
}

TEST(HostileText, NoLineEndComesThrough) {
  EXPECT_EQ(lines_of(hostile_markdown(full_of("a\n# b\n\n| c"))), lines_of(hostile_markdown(full_of("a"))));
  EXPECT_EQ(lines_of(hostile_text(full_of("a\nb\r\nc"))), lines_of(hostile_text(full_of("a"))));
}

TEST(HostileText, NoPipeMakesACell) {
  const std::string text = hostile_markdown(full_of("a|b||c"));
  std::size_t rows = 0;
  std::size_t cells = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::string line = text.substr(from, text.find('\n', from) - from);
    from += line.size() + 1;
    if (!line.starts_with("|")) continue;
    ++rows;
    for (std::size_t i = 0; i < line.size(); ++i)
      if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++cells;
  }
  EXPECT_EQ(rows, 6U);               // two tables of a title, a rule and a row
  EXPECT_EQ(cells, 3U * 5 + 3 * 3);  // bars around four cells and around two
}

TEST(HostileText, NoFenceOpensOrCloses) {
  const std::string text = hostile_markdown(full_of("```"));
  std::size_t fences = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::string line = text.substr(from, text.find('\n', from) - from);
    from += line.size() + 1;
    if (line == "```" || line == "```text") ++fences;
  }
  EXPECT_EQ(fences, 4U);
}

TEST(HostileText, WhatIsNotUtf8IsRepaired) {
  const Findings findings = full_of("a\xff\xfe\xc3");
  EXPECT_NE(hostile_markdown(findings).find("a\uFFFD\uFFFD\uFFFD"), std::string::npos);
  EXPECT_EQ(hostile_markdown(findings).find('\xff'), std::string::npos);
  EXPECT_EQ(hostile_text(findings).find('\xff'), std::string::npos);
}

TEST(HostileText, LongSentences) {
  for (const std::string& unit : {std::string("word "), std::string("x"), std::string("█")}) {
    std::string text;
    while (text.size() < 20'000) text += unit;
    Findings findings = full_of(text);
    while (text.size() < 1'000'000) text += unit;
    findings.sections[1].statements[0].text = text;
    EXPECT_GT(hostile_markdown(findings).size(), 1'200'000U);
    const std::string shown = hostile_text(findings);
    for (std::size_t from = 0; from < shown.size();) {
      const std::size_t to = shown.find('\n', from);
      ASSERT_LE(to - from, 3U * 100);
      from = to + 1;
    }
  }
}

TEST(HostileText, ManyStatements) {
  Findings findings;
  Section& section = add_section(findings, "a", "A");
  for (int i = 0; i < 100'000; ++i)
    section.statements.push_back(
        {.kind = findings::StatementKind::kAdvice, .text = "t", .group = std::to_string(i)});
  EXPECT_GT(lines_of(hostile_markdown(findings)), 200'000U);
}

TEST(HostileText, RowsOfAnotherWidth) {
  Findings findings;
  Section& section = add_section(findings, "a", "A");
  section.tables.push_back({.columns = {{.title = "a"}, {.title = "b"}}, .rows = {{}, {std::string("1")}}});
  section.tables.push_back({.rows = {{std::string("1")}}});
  EXPECT_NE(hostile_markdown(findings).find("| 1 | - |"), std::string::npos);
  EXPECT_NE(hostile_text(findings).find("1  -"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::report
