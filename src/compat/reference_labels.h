// Names of the reference's picture: numbers of functions, and what stands on a bar.
//
// A trace holds the functions' names; the reference shows their numbers beside them, and invents names where
// there are none. FunctionNumbers points into the trace and is read-only once made.
//
//   const FunctionNumbers functions(trace);
//   functions.number(name)                       -> 3, or -1
//   bar_name(trace, row_name, 26, task)          -> "func_26_aa(r1t7)"
#pragma once

#include <tsl/robin_map.h>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "trace/trace.h"

namespace accelscope::compat {

class FunctionNumbers {
 public:
  explicit FunctionNumbers(const trace::Trace& trace);
  // -1 where the name is of no function.
  std::int32_t number(trace::StringId name) const;
  std::int32_t number_of_text(std::string_view name) const;

 private:
  const trace::Trace& trace_;
  tsl::robin_map<trace::StringId, std::int32_t, base::IntegerHash> numbers_;
};

// The function's name without what our reader adds to tell equal names apart; "func_3_d" where it has none.
std::string function_name(std::string_view name, std::int32_t number);

struct BarLabel {
  std::string_view name = {};  // of the function
  std::int32_t function = -1;
  std::uint64_t task_id = 0;
  bool spmd = false;
};
// "ADD(r1t7)", "ADD_spmd(r1t7)", "task(r1t7)".
std::string bar_name(const BarLabel& label);

}  // namespace accelscope::compat
