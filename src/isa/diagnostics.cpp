#include "isa/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace accelscope::isa {
namespace {

constexpr std::size_t kMostShown = 160;

// Tabs become one space, so that the mark below stands under its column; other control characters must not
// reach a terminal.
std::string shown(std::string_view line) {
  std::string text(line.substr(0, kMostShown));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = c == '\t' ? ' ' : '?';
  return text;
}

void append(std::string& out, const std::string& file, const Diagnostic& one, Diagnostics::Rules rules) {
  out += file;
  if (one.line > 0) fmt::format_to(std::back_inserter(out), ":{}", one.line);
  if (one.column > 0) fmt::format_to(std::back_inserter(out), ":{}", one.column);
  fmt::format_to(std::back_inserter(out), ": {}: {}", name_of(one.severity), one.message);
  if (rules == Diagnostics::Rules::kShown)
    fmt::format_to(std::back_inserter(out), " [{}]", facts_of(one.rule).id);
  out += '\n';
  if (one.text.empty()) return;
  fmt::format_to(std::back_inserter(out), "    {}\n", one.text);
  if (one.column > 0 && one.column <= one.text.size() + 1)
    fmt::format_to(std::back_inserter(out), "    {:>{}}\n", '^', one.column);
}

}  // namespace

void Diagnostics::add(Severity severity, Rule rule, const Place& place, std::string message) {
  const auto index = static_cast<std::size_t>(severity);
  ++found_[index];
  if (kept_of_[index] == kMostKept) return;
  ++kept_of_[index];
  kept_.push_back({severity, rule, place.line, place.column, std::move(message), shown(place.text)});
}

std::vector<Diagnostic> Diagnostics::in_order() const {
  std::vector<Diagnostic> all = kept_;
  std::stable_sort(all.begin(), all.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  return all;
}

std::string Diagnostics::to_string(Rules rules) const {
  std::string out;
  for (const Diagnostic& one : in_order()) append(out, file_, one, rules);
  for (std::size_t i = 0; i < kSeverities; ++i)
    if (found_[i] > kept_of_[i])
      fmt::format_to(std::back_inserter(out), "{}: and {} more {}s\n", file_, found_[i] - kept_of_[i],
                     name_of(static_cast<Severity>(i)));
  return out;
}

base::Error Diagnostics::first_error() const {
  const std::vector<Diagnostic> all = in_order();
  const auto first = std::find_if(all.begin(), all.end(),
                                  [](const Diagnostic& one) { return one.severity == Severity::kError; });
  if (first == all.end()) return {base::ErrorCode::kInternal, "no error", base::Location::of_file(file_)};
  std::string message = first->message;
  if (errors() > 1) fmt::format_to(std::back_inserter(message), " (and {} more errors)", errors() - 1);
  base::Location where =
      first->line > 0 ? base::Location::line(file_, first->line) : base::Location::of_file(file_);
  return {base::ErrorCode::kMalformed, std::move(message), std::move(where)};
}

}  // namespace accelscope::isa
