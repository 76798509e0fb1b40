// Runs something once for every kind of processor that this one can stand in for.
//
//   for_every_processor([&](std::string_view name) { ... best_kernels() ... });
#pragma once

#include <string_view>

#include "emulator/kernels.h"

namespace accelscope::emulator {

template <class Work>
void for_every_processor(const Work& work) {
  const std::vector<const Kernels*> all = kernels_here();
  for (const Kernels* kernels : all) {
    use_kernels(*kernels);
    work(best_kernels().name);
  }
  use_kernels(*all.front());
}

}  // namespace accelscope::emulator
