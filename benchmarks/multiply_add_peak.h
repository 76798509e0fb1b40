// How many products and sums of floats one core of this machine does in a second, each rounded by itself: the
// floor under what the emulator's matrix unit takes.
//
//   const Peak peak = multiply_add(100'000);   // `operations` in as long as the call took
#pragma once

#include <cstdint>

namespace accelscope::benchmarks {

struct Peak {
  std::uint64_t operations = 0;
  float result = 0;  // to be looked at, so that nothing is optimised away
};

Peak multiply_add(std::uint64_t rounds);

}  // namespace accelscope::benchmarks
