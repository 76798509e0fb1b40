#include "report/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/markdown_text.h"
#include "report/plain_text.h"
#include "report/series_text.h"
#include "report/shown_table.h"
#include "report/statement_text.h"
#include "report/trust_box.h"

namespace accelscope::report {
namespace {

using findings::Findings;
using findings::Section;
using findings::Statement;
using findings::StatementKind;

// Markdown separates blocks by empty lines: every block but the first begins with one.
class MarkdownWriter {
 public:
  explicit MarkdownWriter(base::Output& out) : out_(out) {}

  void write(const Findings& findings) {
    block("# " + markdown_text(one_line(findings.title)));
    write_origin(findings.provenance);
    write_trust_box(findings.quality);
    for (std::size_t i = 0; i < findings.sections.size(); ++i)
      if (!findings.sections[i].data_only) write_section(findings, i);
  }

 private:
  void line(std::string_view text) {
    out_.append(text);
    out_.append('\n');
  }

  void block(std::string_view first_line) {
    if (out_.written() > start_) out_.append('\n');
    line(first_line);
  }

  void write_origin(const findings::Provenance& provenance) {
    std::string text = provenance.generated_at;
    if (!provenance.version.empty())
      text += fmt::format("{}by AccelScope {}", text.empty() ? "" : " ", provenance.version);
    if (!text.empty()) block("**Generated**: " + markdown_text(one_line(text)));
  }

  void write_trust_box(const trace::QualityTable& quality) {
    block("> **Trust box**");
    line(">");
    if (quality.rows().empty()) line("> Nothing to report.");
    for (const trace::QualityRow& row : quality.by_severity())
      line(fmt::format("> - **{}**: {} ({})", trace::severity_name(row.severity),
                       markdown_text(sentence_of(row)), markdown_text(origin_of(row))));
  }

  void write_section(const Findings& findings, std::size_t index) {
    const Section& section = findings.sections[index];
    const auto depth = static_cast<std::size_t>(std::clamp(section.depth, 2, 6));
    block(fmt::format("{} {}", std::string(depth, '#'), markdown_text(one_line(section.title))));
    if (shows_hint(findings, index)) block(markdown_sentence(hint_of(section)));
    write_statements(section);
    if (!section.metrics.empty()) write_table(shown_metrics(section.metrics));
    for (const findings::Table& table : section.tables) {
      write_caption(one_line(table.title));
      write_table(shown_table(table));
      if (!table.note.empty()) block(markdown_sentence(one_line(table.note)));
    }
    for (const findings::Series& series : section.series) write_series(series);
    if (!section.notes.empty()) block(fmt::format("{}", fmt::join(harmless_lines(section.notes), "\n")));
  }

  void write_statements(const Section& section) {
    bool in_list = false;
    for (const Statement& statement : section.statements) {
      if (statement.kind == StatementKind::kFinding) {
        write_statement(statement, !in_list);
        in_list = true;
      } else if (statement.kind == StatementKind::kVerdict) {
        block(fmt::format("**{}**", markdown_text(text_of(statement))));
        write_list(support_of(statement));
        in_list = false;
      }
    }
    for (const AdviceGroup& group : advice_of(section)) {
      write_caption(group.title);
      for (const Statement* statement : group.statements)
        write_statement(*statement, statement == group.statements.front());
    }
  }

  void write_statement(const Statement& statement, bool is_first) {
    if (statement.kind == StatementKind::kAdvice || statement.priority != findings::Priority::kNote)
      item(fmt::format("**{}**: {}", word_for(statement.priority), markdown_sentence(text_of(statement))),
           is_first);
    else
      item(markdown_sentence(text_of(statement)), is_first);
    for (const std::string& support : support_of(statement)) line("  - " + markdown_paragraph(support));
  }

  void item(std::string_view text, bool is_first) {
    if (is_first)
      block(fmt::format("- {}", text));
    else
      line(fmt::format("- {}", text));
  }

  void write_list(const std::vector<std::string>& lines) {
    for (const std::string& text : lines) item(markdown_paragraph(text), &text == &lines.front());
  }

  void write_caption(std::string_view title) {
    if (!title.empty()) block(fmt::format("**{}**", markdown_text(title)));
  }

  void write_table(const ShownTable& table) {
    if (table.columns.empty()) return;
    std::string titles = "|";
    std::string rule = "|";
    for (const ShownColumn& column : table.columns) {
      titles += fmt::format(" {} |", markdown_text(column.title));
      rule += column.is_number ? " ---: |" : " --- |";
    }
    block(titles);
    line(rule);
    for (const std::vector<std::string>& row : table.rows) {
      std::string cells = "|";
      for (const std::string& cell : row) cells += fmt::format(" {} |", markdown_text(cell));
      line(cells);
    }
    if (table.rows.empty()) block("No rows.");
    if (const std::string more = left_out_text(table); !more.empty()) block(more);
  }

  void write_series(const findings::Series& series) {
    const SeriesText text = series_text(series);
    write_caption(text.caption);
    if (!text.picture.empty()) {
      // No line can end the fence: something always stands behind a label.
      block("```text");
      for (const std::string& drawn : text.picture) line(drawn);
      line("```");
    }
    write_list(text.notes);
  }

  base::Output& out_;
  std::uint64_t start_ = out_.written();
};

}  // namespace

void write_markdown(const Findings& findings, base::Output& output) {
  MarkdownWriter(output).write(findings);
}

}  // namespace accelscope::report
