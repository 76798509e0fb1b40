#include "report/text.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/plain_text.h"
#include "report/series_text.h"
#include "report/shown_table.h"
#include "report/statement_text.h"
#include "report/text_table.h"
#include "report/trust_box.h"
#include "report/wrap.h"

namespace accelscope::report {
namespace {

using findings::Findings;
using findings::Priority;
using findings::Section;
using findings::Statement;
using findings::StatementKind;

constexpr std::size_t kIndent = 2;
constexpr std::size_t kNarrowest = 60;

class TextWriter {
 public:
  TextWriter(const TextOptions& options, base::Output& out)
      : style_(options.style), width_(std::max(options.width, kNarrowest)), out_(out) {}

  void write(const Findings& findings) {
    paragraph(one_line(findings.title), 0, style_.bold);
    write_origin(findings.provenance);
    out_.append('\n');
    out_.append(trust_box(findings.quality, style_, width_));
    for (std::size_t i = 0; i < findings.sections.size(); ++i)
      if (!findings.sections[i].data_only) write_section(findings, i);
  }

 private:
  // Wrapped lines; the lines behind the first are indented by what `lead` takes.
  void item(std::string_view lead, std::string_view text, std::size_t indent, std::string_view color = {}) {
    const std::size_t column = indent + display_width(lead);
    out_.append(std::string(indent, ' '));
    out_.append(color);
    out_.append(lead);
    out_.append(wrapped(text, width_ - column, column));
    if (!color.empty()) out_.append(style_.plain);
    out_.append('\n');
  }
  void paragraph(std::string_view text, std::size_t indent, std::string_view color = {}) {
    item("", text, indent, color);
  }

  void write_origin(const findings::Provenance& provenance) {
    if (provenance.generated_at.empty() && provenance.version.empty()) return;
    paragraph(one_line(fmt::format("generated{}{}{}{}", provenance.generated_at.empty() ? "" : " ",
                                   provenance.generated_at,
                                   provenance.version.empty() ? "" : " by AccelScope ", provenance.version)),
              0, style_.dim);
  }

  void write_section(const Findings& findings, std::size_t index) {
    const Section& section = findings.sections[index];
    out_.append('\n');
    const std::string title = one_line(section.title);
    paragraph(title, 0, style_.bold);
    if (section.depth <= 2) {
      std::string rule;
      for (std::size_t i = 0; i < std::min(display_width(title), width_); ++i) rule += "─";
      paragraph(rule, 0, style_.dim);
    }
    if (shows_hint(findings, index)) paragraph(hint_of(section), kIndent, style_.dim);
    write_statements(section);
    if (!section.metrics.empty()) {
      if (!section.statements.empty()) out_.append('\n');
      write_table(shown_metrics(section.metrics));
    }
    bool follows = !section.statements.empty() || !section.metrics.empty();
    for (const findings::Table& table : section.tables) {
      if (table.title.empty() && follows) out_.append('\n');
      follows = true;
      write_caption(one_line(table.title));
      write_table(shown_table(table));
      if (!table.note.empty()) paragraph(one_line(table.note), kIndent, style_.dim);
    }
    for (const findings::Series& series : section.series) write_series(series);
    write_notes(section);
  }

  // Line by line, as the author broke them; only what is too long is broken again.
  void write_notes(const Section& section) {
    for (const std::string& line : harmless_lines(section.notes)) {
      if (line.empty())
        out_.append('\n');
      else
        paragraph(line, kIndent);
    }
  }

  void write_statements(const Section& section) {
    for (const Statement& statement : section.statements) {
      if (statement.kind == StatementKind::kAdvice) continue;
      if (statement.kind == StatementKind::kVerdict)
        paragraph(text_of(statement), kIndent, style_.bold);
      else
        write_lead(statement, statement.priority != Priority::kNote);
      write_support(statement);
    }
    for (const AdviceGroup& group : advice_of(section)) {
      write_caption(group.title);
      for (const Statement* statement : group.statements) {
        write_lead(*statement, true);
        write_support(*statement);
      }
    }
  }

  void write_lead(const Statement& statement, bool with_priority) {
    if (!with_priority) {
      item("- ", text_of(statement), kIndent);
      return;
    }
    const std::string_view color = statement.priority == Priority::kHighest ? style_.red
                                   : statement.priority == Priority::kHigh  ? style_.yellow
                                                                            : style_.dim;
    const std::string_view word = word_for(statement.priority);
    const std::size_t column = kIndent + 2 + word.size() + 2;
    out_.append(fmt::format("{:{}}- {}{}{}: {}\n", "", kIndent, color, word,
                            color.empty() ? "" : style_.plain,
                            wrapped(text_of(statement), width_ - column, kIndent + 2)));
  }

  void write_support(const Statement& statement) {
    for (const std::string& line : support_of(statement)) paragraph(line, kIndent + 4, style_.dim);
  }

  void write_caption(std::string_view title) {
    if (title.empty()) return;
    out_.append('\n');
    paragraph(title, kIndent, style_.bold);
  }

  void write_table(const ShownTable& table) {
    out_.append(text_table(table, style_, width_));
    if (table.rows.empty()) paragraph("No rows.", kIndent, style_.dim);
    if (const std::string more = left_out_text(table); !more.empty()) paragraph(more, kIndent, style_.dim);
  }

  void write_series(const findings::Series& series) {
    const SeriesText text = series_text(series);
    write_caption(text.caption);
    for (const std::string& line : text.picture)
      out_.append(fmt::format("{:{}}{}\n", "", kIndent, shortened(line, width_ - kIndent)));
    for (const std::string& note : text.notes) paragraph(note, kIndent, style_.dim);
  }

  Style style_;
  std::size_t width_;
  base::Output& out_;
};

}  // namespace

void write_text(const Findings& findings, const TextOptions& options, base::Output& output) {
  TextWriter(options, output).write(findings);
}

}  // namespace accelscope::report
