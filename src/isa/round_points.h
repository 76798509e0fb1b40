// A value at rounds that are carried out for certain: the first, the second and the last of each loop, and
// the one in which it is largest. Internal to the linter.
//
//   const auto bad = find_round(value, state, [](std::uint32_t v) { return v % 64 != 0; });
//   if (bad) ... bad->value, where_of(*bad, state)
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>

#include "isa/register_flow.h"

namespace accelscope::isa {

struct RoundPoint {
  enum class Kind : std::uint8_t { kFirst, kSecond, kLast, kAllLast };

  std::uint32_t value = 0;
  Kind kind = Kind::kFirst;
  std::size_t nesting = 0;  // of the loop
};

// The first of them for which something holds.
template <class Predicate>
std::optional<RoundPoint> find_round(const FlowValue& value, const RegisterState& state, Predicate holds) {
  if (!value.known()) return std::nullopt;
  if (holds(value.base)) return RoundPoint{value.base, RoundPoint::Kind::kFirst, 0};
  if (!value.every_round()) return std::nullopt;
  std::uint32_t largest = value.base;
  std::size_t moving = 0;
  for (std::size_t i = 0; i < state.loops.size(); ++i) {
    const std::uint32_t rounds = state.rounds_of(i);
    if (value.steps[i] == 0 || rounds == 1) continue;
    const auto step = static_cast<std::uint32_t>(value.steps[i]);
    if (holds(value.base + step)) return RoundPoint{value.base + step, RoundPoint::Kind::kSecond, i};
    const std::uint32_t last = value.base + step * (rounds - 1);
    if (holds(last)) return RoundPoint{last, RoundPoint::Kind::kLast, i};
    if (value.steps[i] > 0) largest += step * (rounds - 1);
    ++moving;
  }
  if (moving > 1 && holds(largest)) return RoundPoint{largest, RoundPoint::Kind::kAllLast, 0};
  return std::nullopt;
}

// "" in the first round, else " in the second round of the loop of line 12".
inline std::string where_of(const RoundPoint& point, const RegisterState& state) {
  if (point.kind == RoundPoint::Kind::kFirst) return {};
  if (point.kind == RoundPoint::Kind::kAllLast) return " in the last rounds of the loops around it";
  const Program& program = *state.program;
  return fmt::format(" in the {} round of the loop of line {}",
                     point.kind == RoundPoint::Kind::kSecond ? "second" : "last",
                     program.lines[program.loops[state.loops[point.nesting]].start]);
}

}  // namespace accelscope::isa
