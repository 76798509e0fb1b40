// The numbers of a chip's functions. A trace holds their names ("function 3" is a fact); files that the
// chip's tools read hold numbers.
//
// Points into the trace, which must outlive it; read-only once made.
//
//   const FunctionNumbers functions(trace);
//   functions.number(trace.slices().name[row])   -> 3, or -1
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "trace/trace.h"

namespace accelscope::trace {

class FunctionNumbers {
 public:
  // What becomes of functions whose number nothing tells: they have none, or numbers behind all others, in
  // the order in which their names occur first.
  enum class Unnumbered : unsigned char { kNoNumber, kNumbered };

  explicit FunctionNumbers(const Trace& trace, Unnumbered unnumbered = Unnumbered::kNoNumber);
  // -1 where the name is of no function.
  std::int32_t number(StringId name) const;
  std::int32_t number_of_text(std::string_view name) const;
  // By number, all that have a name of their own, and not just "func_3".
  std::map<std::int32_t, std::string> names() const;

 private:
  void number_the_rest();

  const Trace& trace_;
  tsl::robin_map<StringId, std::int32_t, base::IntegerHash> numbers_;
};

// The function's name without what our reader adds to tell equal names apart: "ADD (func 3)" is "ADD".
std::string_view plain_function_name(std::string_view name, std::int32_t number);

}  // namespace accelscope::trace
