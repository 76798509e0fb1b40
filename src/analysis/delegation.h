// What ran inside a backend and what did not, and what can be done about the operators that did not.
//
// Pure function; plain data.
//
//   const Delegation delegation = delegation_of(method, breakdown);
//   for (const OutsideOperator& row : delegation.outside) use(row.name, row.percent, row.advice);
#pragma once

#include <string>
#include <vector>

#include "analysis/breakdown.h"
#include "analysis/xnnpack_support.h"

namespace accelscope::analysis {

struct BackendUse {
  std::string backend = {};  // "" when nothing names it
  std::string source = {};   // who says so
  double calls = 0;          // per execution
  double mean = 0;           // operators and overhead
  double percent = 0;
};

// Operators of one type that ran in the framework's own libraries; whether those were portable or optimised
// kernels is not recorded.
struct OutsideOperator {
  std::string name = {};
  Category category = Category::kOther;
  double mean = 0;
  double percent = 0;
  std::uint64_t operators = 0;
  std::uint32_t entry = 0;
  XnnpackSupport support = {};
};

struct Delegation {
  double inside_percent = 0;    // in operators of a delegate
  double outside_percent = 0;   // in operators of the framework's libraries
  double overhead_percent = 0;  // in calls of delegates, but in none of their operators
  double rest_percent = 0;      // framework, operator calls, control
  std::vector<BackendUse> backends = {};
  std::vector<OutsideOperator> outside = {};  // largest first
};

Delegation delegation_of(const MethodProfile& method, const Breakdown& breakdown);

}  // namespace accelscope::analysis
