// Could the XNNPACK delegate have taken an operator that ran outside of it, and if not, what then?
//
// The facts are those of the partitioner that ships with ExecuTorch 1.5: an operator is taken when its kind
// is listed, its conditions hold, and its tensors are of one floating-point type (or quantised in a pattern
// the partitioner knows), not empty and of known rank. The table is by family (operator_name.h), so it does
// not matter how an operator was spelled.
//
// A constant table; safe from any thread, nothing is owned.
//
//   const XnnpackSupport& note = xnnpack_support_of(parse_operator_name("native_call_elu.out").family);
//   note.level == SupportLevel::kNo;   note.advice == Advice::kReplace
#pragma once

#include <cstdint>
#include <string_view>

namespace accelscope::analysis {

enum class SupportLevel : std::uint8_t {
  kNotInTable,
  kYes,
  kWithConditions,  // the sentence says which
  kNo,
};

enum class Advice : std::uint8_t {
  kNone,
  kLower,         // it can be delegated as it is: see why it was not
  kMeet,          // change the model so that the conditions hold
  kFuse,          // let it vanish into a neighbour, or compute it before export
  kReplace,       // by operators that are delegated; the sentence says by which
  kCustomKernel,  // a custom operator, another backend, or the optimised kernel library
};

struct XnnpackSupport {
  std::string_view name;  // the family
  SupportLevel level = SupportLevel::kNotInTable;
  Advice advice = Advice::kNone;
  std::string_view sentence;
};

// The row of a family; for one that is not listed a row of level kNotInTable that says so.
const XnnpackSupport& xnnpack_support_of(std::string_view family);

std::string_view name_of(SupportLevel level);
std::string_view name_of(Advice advice);

}  // namespace accelscope::analysis
