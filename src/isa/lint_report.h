// What the linter's checks found so far. Internal to the linter.
//
// Of each rule the first few hundred are kept and the rest counted. A check asks wants() before it makes a
// message, because a listing may break a rule a million times.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/rules.h"

namespace accelscope::isa {

struct LintFinding {
  std::uint32_t position = 0;  // of the instruction
  std::uint32_t operand = 0;   // from 1; 0: the instruction itself
  Rule rule = Rule::kSyntax;
  std::string message;
};

class LintReport {
 public:
  static constexpr std::uint64_t kMostOfRule = 300;

  // Counts one; whether its message should be made.
  bool wants(Rule rule) { return ++counts_[static_cast<std::size_t>(rule)] <= kMostOfRule; }
  void keep(Rule rule, std::uint32_t position, std::uint32_t operand, std::string message) {
    findings_.push_back({position, operand, rule, std::move(message)});
  }
  template <class MakeMessage>
  void add(Rule rule, std::uint32_t position, std::uint32_t operand, MakeMessage&& message) {
    if (wants(rule)) keep(rule, position, operand, message());
  }

  std::vector<LintFinding>& findings() { return findings_; }
  std::uint64_t count(Rule rule) const { return counts_[static_cast<std::size_t>(rule)]; }

 private:
  std::vector<LintFinding> findings_;
  std::array<std::uint64_t, static_cast<std::size_t>(Rule::kPrefetchDistance) + 1> counts_{};
};

}  // namespace accelscope::isa
