// What renderers for people share about statements: their order, their words, what they rest on.
//
// Pure functions, safe from any thread. Groups point into the section, which must outlive them.
//
//   for (const AdviceGroup& group : advice_of(section)) ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "findings/findings.h"

namespace accelscope::report {

struct AdviceGroup {
  std::string title = {};  // "" for advice without a group
  std::vector<const findings::Statement*> statements = {};
};

// Groups and the advice in them, each in the order of first appearance.
std::vector<AdviceGroup> advice_of(const findings::Section& section);

// "Highest"
std::string_view word_for(findings::Priority priority);
// The text; of findings and advice that do not name their subject, the subject behind it.
std::string text_of(const findings::Statement& statement);
// The gain and what the statement rests on, a line each.
std::vector<std::string> support_of(const findings::Statement& statement);

// Whether a section shows its hint: neither it nor its parts have anything else for people. `index` is its
// place in the document.
bool shows_hint(const findings::Findings& findings, std::size_t index);
// What is said of a section with nothing in it.
std::string hint_of(const findings::Section& section);

}  // namespace accelscope::report
