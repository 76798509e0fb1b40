// Runs something once for every kind of processor that this one can stand in for.
//
//   for_every_processor([&](std::string_view name) { ... best_kernels() ... });
#pragma once

#include <hwy/highway.h>

#include <string_view>

#include "emulator/kernels.h"

namespace accelscope::emulator {

template <class Work>
void for_every_processor(const Work& work) {
  const auto choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    choose(target);
    work(best_kernels().name);
  }
  choose(0);  // all of them again
}

}  // namespace accelscope::emulator
