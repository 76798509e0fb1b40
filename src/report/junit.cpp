#include "report/junit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "report/plain_text.h"

namespace accelscope::report {
namespace {

// XML 1.0 has no place for these, not even escaped; the C1 controls would be allowed, but help nobody.
bool is_allowed(char32_t character) {
  if (character == '\t' || character == '\n' || character == '\r') return true;
  return character >= 0x20 && (character < 0x7F || character > 0x9F) && character != 0xFFFE &&
         character != 0xFFFF;
}

void append_escaped(std::string& xml, char32_t character, std::string_view bytes) {
  switch (character) {
    case '&':
      xml += "&amp;";
      return;
    case '<':
      xml += "&lt;";
      return;
    case '>':
      xml += "&gt;";
      return;
    case '"':
      xml += "&quot;";
      return;
    case '\t':
    case '\n':
    case '\r':
      // As they are, readers of attributes would turn them into spaces.
      xml += fmt::format("&#{};", static_cast<unsigned>(character));
      return;
    default:
      if (is_allowed(character)) xml += bytes;
  }
}

std::string escaped(std::string_view text) {
  const std::string valid = base::replace_invalid_utf8(text);
  std::string xml;
  for (std::string_view rest = valid; !rest.empty();) {
    const std::string_view before = rest;
    const char32_t character = take_character(rest);
    append_escaped(xml, character, before.substr(0, before.size() - rest.size()));
  }
  return xml;
}

bool is_known(const std::optional<double>& seconds) {
  return seconds && std::isfinite(*seconds) && *seconds >= 0;
}

std::string time_attribute(const std::optional<double>& seconds) {
  return is_known(seconds) ? fmt::format(" time=\"{:.3f}\"", *seconds) : "";
}

std::string counts_of(const std::vector<GateCase>& cases) {
  const auto skipped =
      std::count_if(cases.begin(), cases.end(), [](const GateCase& one) { return one.skipped; });
  const auto failed = std::count_if(cases.begin(), cases.end(),
                                    [](const GateCase& one) { return !one.skipped && !one.passed; });
  std::optional<double> seconds;
  for (const GateCase& one : cases)
    if (is_known(one.seconds)) seconds = seconds.value_or(0) + *one.seconds;
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"{}", cases.size(), failed,
                     skipped, time_attribute(seconds));
}

std::string case_xml(const std::string& suite, const GateCase& one) {
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}", suite, escaped(one.name),
                                time_attribute(one.seconds));
  const std::string message = escaped(one.message);
  if (one.skipped) return xml + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", message);
  if (!one.passed)
    return xml +
           fmt::format(">\n      <failure message=\"{0}\" type=\"gate\">{0}</failure>\n    </testcase>\n",
                       message);
  if (message.empty()) return xml + "/>\n";
  return xml + fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", message);
}

}  // namespace

void write_junit(std::string_view suite, const std::vector<GateCase>& cases, base::Output& output) {
  const std::string name = escaped(suite);
  const std::string counts = counts_of(cases);
  output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  output.append(fmt::format("<testsuites {}>\n  <testsuite name=\"{}\" {}>\n", counts, name, counts));
  for (const GateCase& one : cases) output.append(case_xml(name, one));
  output.append("  </testsuite>\n</testsuites>\n");
}

}  // namespace accelscope::report
