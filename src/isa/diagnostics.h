// Everything that is wrong with a listing, at once: each with its line, its column and the line itself.
//
// Of each severity the first thousand are kept and the rest counted, so that a file of garbage does not fill
// the memory. Owns its texts; one thread uses one object.
//
//   Diagnostics found("a.asm");
//   found.error(Rule::kSyntax, {12, 5, "M_MN 0, gp1, gp2"}, "unknown instruction `{}`", "M_MN");
//   fmt::print(stderr, "{}", found.to_string());
//   // a.asm:12:5: error: unknown instruction `M_MN`
//   //     M_MN 0, gp1, gp2
//   //     ^
#pragma once

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "isa/rules.h"

namespace accelscope::isa {

// Where in a text; the view is not kept.
struct Place {
  std::uint64_t line = 0;    // from 1
  std::uint64_t column = 0;  // in bytes, from 1; 0: the whole line
  std::string_view text;     // the line
};

struct Diagnostic {
  Severity severity = Severity::kError;
  Rule rule = Rule::kSyntax;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::string message;
  std::string text;  // the line, cut where it is very long; empty where there is none to show

  bool operator==(const Diagnostic&) const = default;
};

class Diagnostics {
 public:
  static constexpr std::size_t kMostKept = 1000;

  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  template <class... Args>
  void error(Rule rule, const Place& place, fmt::format_string<Args...> text, Args&&... args) {
    add(Severity::kError, rule, place, fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  void warning(Rule rule, const Place& place, fmt::format_string<Args...> text, Args&&... args) {
    add(Severity::kWarning, rule, place, fmt::format(text, std::forward<Args>(args)...));
  }
  void add(Severity severity, Rule rule, const Place& place, std::string message);
  // Things that were found and are not worth keeping.
  void count_more(Severity severity, std::uint64_t more) {
    found_[static_cast<std::size_t>(severity)] += more;
  }

  const std::string& file() const { return file_; }
  // What is kept, by line; things of one line as they were found.
  std::vector<Diagnostic> in_order() const;
  std::uint64_t found(Severity severity) const { return found_[static_cast<std::size_t>(severity)]; }
  std::uint64_t errors() const { return found(Severity::kError); }
  std::uint64_t warnings() const { return found(Severity::kWarning); }
  bool ok() const { return errors() == 0; }

  enum class Rules : std::uint8_t { kHidden, kShown };
  // All that is kept, as compilers print it, and how many more there are.
  std::string to_string(Rules rules = Rules::kHidden) const;
  // The first error, and how many there are; only where there is one.
  base::Error first_error() const;

 private:
  std::string file_;
  std::vector<Diagnostic> kept_;
  std::array<std::uint64_t, kSeverities> kept_of_{};
  std::array<std::uint64_t, kSeverities> found_{};
};

}  // namespace accelscope::isa
