// How often an instruction is carried out: the product of the counts of the loops around it.
//
// One thread uses one object, which reads a program that must outlive it.
//
//   Rounds rounds(program);
//   for (std::uint32_t i = 0; i < program.words.size(); ++i) use(rounds.at(i));
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"

namespace accelscope::isa {

class Rounds {
 public:
  explicit Rounds(const Program& program) : loops_(program.loops), of_loop_(program.loops.size()) {
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      const std::uint64_t outer = loops_[i].parent == kNoLoop ? 1 : of_loop_[loops_[i].parent];
      if (__builtin_mul_overflow(outer, std::uint64_t{loops_[i].count}, &of_loop_[i])) of_loop_[i] = 0;
    }
  }

  // For positions one after the other, none left out. The start of a loop is not yet in it, its end is. 0
  // where it does not fit 64 bits.
  std::uint64_t at(std::uint32_t position) {
    while (inside_ != kNoLoop && loops_[inside_].end < position) inside_ = loops_[inside_].parent;
    const std::uint64_t times = inside_ == kNoLoop ? 1 : of_loop_[inside_];
    if (next_ < loops_.size() && loops_[next_].start == position) inside_ = next_++;
    return times;
  }

 private:
  const std::vector<Loop>& loops_;
  std::vector<std::uint64_t> of_loop_;
  std::uint32_t inside_ = kNoLoop;
  std::uint32_t next_ = 0;
};

}  // namespace accelscope::isa
