// Names of the reference's picture: what stands on a bar. The reference shows numbers of functions beside
// their names, and invents names where there are none.
//
// Pure functions, safe from any thread.
//
//   bar_name({.name = "func_26", .function = 26, .task_id = 7})     -> "func_26_aa(t7)"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace accelscope::compat {

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
