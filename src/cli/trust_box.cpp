#include "cli/trust_box.h"

#include <fmt/format.h>

#include "base/human.h"
#include "cli/wrap.h"

namespace accelscope::cli {
namespace {

using trace::QualityRow;
using trace::Severity;

constexpr std::size_t kTextColumn = 11;
constexpr std::size_t kTextWidth = 89;

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

std::string trust_box(const trace::QualityTable& quality, const Style& style) {
  std::string text = fmt::format("{}trust box{}\n", style.bold, style.plain);
  if (quality.rows().empty()) return text + "  nothing to report\n";
  for (const QualityRow& row : quality.by_severity()) {
    std::string sentence = row.sentence;
    if (row.count > 1) sentence += fmt::format(" ({} times)", base::format_count(row.count));
    std::string origin = row.id;
    if (const std::string place = row.first_place.to_string(); !place.empty())
      origin += fmt::format(", first at {}", place);
    text += fmt::format("  {}{:<7}{}  {}\n{:{}}{}{}{}\n", color_of(row.severity, style),
                        trace::severity_name(row.severity), style.plain,
                        wrapped(sentence, kTextWidth, kTextColumn), "", kTextColumn, style.dim, origin,
                        style.plain);
  }
  return text;
}

}  // namespace accelscope::cli
