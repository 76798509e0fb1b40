#include "report/trust_box.h"

#include <fmt/core.h>

#include "base/human.h"
#include "report/plain_text.h"
#include "report/wrap.h"

namespace accelscope::report {
namespace {

using trace::QualityRow;
using trace::Severity;

constexpr std::size_t kTextColumn = 11;

std::string_view color_of(Severity severity, const Style& style) {
  switch (severity) {
    case Severity::kError:
      return style.red;
    case Severity::kWarning:
      return style.yellow;
    case Severity::kInfo:
      return style.dim;
  }
  return style.plain;
}

}  // namespace

std::string sentence_of(const QualityRow& row) {
  std::string sentence = one_line(row.sentence);
  if (row.count > 1) sentence += fmt::format(" ({} times)", base::format_count(row.count));
  return sentence;
}

std::string origin_of(const QualityRow& row) {
  const std::string place = row.first_place.to_string();
  return one_line(place.empty() ? row.id : fmt::format("{}, first at {}", row.id, place));
}

std::string trust_box(const trace::QualityTable& quality, const Style& style, std::size_t width) {
  std::string text = fmt::format("{}trust box{}\n", style.bold, style.plain);
  if (quality.rows().empty()) return text + "  nothing to report\n";
  const std::size_t text_width = width - kTextColumn;
  for (const QualityRow& row : quality.by_severity())
    text += fmt::format("  {}{:<7}{}  {}\n{:{}}{}{}{}\n", color_of(row.severity, style),
                        trace::severity_name(row.severity), style.plain,
                        wrapped(sentence_of(row), text_width, kTextColumn), "", kTextColumn, style.dim,
                        wrapped(origin_of(row), text_width, kTextColumn), style.plain);
  return text;
}

}  // namespace accelscope::report
