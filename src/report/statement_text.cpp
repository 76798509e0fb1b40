#include "report/statement_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "report/number_text.h"
#include "report/plain_text.h"

namespace accelscope::report {
namespace {

using findings::Evidence;
using findings::Section;
using findings::Statement;
using findings::StatementKind;

constexpr std::size_t kEvidenceShown = 5;

std::string evidence_text(const Evidence& evidence) {
  std::string place = evidence.input;
  const auto add = [&](std::string_view part) {
    if (!place.empty()) place += ", ";
    place += part;
  };
  if (evidence.slice) add(fmt::format("slice {}", *evidence.slice));
  if (!evidence.track.empty()) add(fmt::format("track {}", evidence.track));
  if (evidence.from && evidence.to) add(fmt::format("{} to {} ns", *evidence.from, *evidence.to));
  if (place.empty()) return one_line(evidence.text);
  return one_line(evidence.text.empty() ? place : fmt::format("{} ({})", evidence.text, place));
}

}  // namespace

std::vector<AdviceGroup> advice_of(const Section& section) {
  std::vector<AdviceGroup> groups;
  std::map<std::string, std::size_t> group_of_title;
  for (const Statement& statement : section.statements) {
    if (statement.kind != StatementKind::kAdvice) continue;
    const std::string title = one_line(statement.group);
    const auto [group, is_new] = group_of_title.try_emplace(title, groups.size());
    if (is_new) groups.push_back({.title = title});
    groups[group->second].statements.push_back(&statement);
  }
  return groups;
}

std::string_view word_for(findings::Priority priority) {
  switch (priority) {
    case findings::Priority::kHighest:
      return "Highest";
    case findings::Priority::kHigh:
      return "High";
    case findings::Priority::kInvestigate:
      return "Investigate";
    case findings::Priority::kNote:
      return "Note";
  }
  return "Note";
}

std::string text_of(const Statement& statement) {
  // Looking for a long subject in a long text could take for ever, and no real subject is long.
  constexpr std::size_t kLongestSubject = 200;
  const std::string& subject = statement.subject;
  const bool is_said =
      statement.kind == StatementKind::kVerdict || subject.empty() ||
      (subject.size() <= kLongestSubject && statement.text.find(subject) != std::string::npos);
  return one_line(is_said ? statement.text : fmt::format("{} ({})", statement.text, subject));
}

std::vector<std::string> support_of(const Statement& statement) {
  std::vector<std::string> lines;
  if (statement.gain) lines.push_back("Gain: " + gain_text(*statement.gain));
  const std::size_t shown = std::min(statement.evidence.size(), kEvidenceShown);
  for (std::size_t i = 0; i < shown; ++i)
    lines.push_back("Evidence: " + evidence_text(statement.evidence[i]));
  if (shown < statement.evidence.size())
    lines.push_back(fmt::format("… {} more in the JSON form", statement.evidence.size() - shown));
  return lines;
}

bool shows_hint(const findings::Findings& findings, std::size_t index) {
  const Section& section = findings.sections[index];
  if (!is_empty(section)) return false;
  for (std::size_t i = index + 1; i < findings.sections.size(); ++i) {
    const Section& part = findings.sections[i];
    if (part.depth <= section.depth) break;
    // A part says itself what it lacks.
    if (!part.data_only) return false;
  }
  return true;
}

std::string hint_of(const Section& section) {
  return section.empty_hint.empty() ? "Nothing to report." : one_line(section.empty_hint);
}

}  // namespace accelscope::report
