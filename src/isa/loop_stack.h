// Finds the hardware loops of a program while it is read, and what is wrong with them.
//
// One thread uses one object; it adds to a list of loops and to diagnostics that others own.
//
//   LoopStack stack(program.loops, diagnostics);
//   stack.take(position, word, place);   // for every instruction
//   stack.finish();
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/diagnostics.h"
#include "isa/program.h"

namespace accelscope::isa {

class LoopStack {
 public:
  LoopStack(std::vector<Loop>& loops, Diagnostics& diagnostics) : loops_(loops), diagnostics_(diagnostics) {}

  // The place's text must stay until finish().
  void take(std::uint32_t position, std::uint32_t word, const Place& place);
  // Reports the loops that are still open.
  void finish();

 private:
  static constexpr std::size_t kCounters = 16;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Open {
    std::uint32_t loop = 0;
    std::size_t outer = kNone;  // position in open_ of the next loop outwards with the same counter
    Place place;
  };

  void start(std::uint32_t position, std::uint32_t word, const Place& place);
  void end(std::uint32_t position, std::uint32_t word, const Place& place);

  std::vector<Loop>& loops_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  // By counter, the position in open_ of the innermost loop with it: nesting may be deep, and nothing is
  // searched.
  std::array<std::size_t, kCounters> innermost_ = [] {
    std::array<std::size_t, kCounters> none{};
    none.fill(kNone);
    return none;
  }();
};

}  // namespace accelscope::isa
