// Programs made to order, run through the run loop and held against what they must compute.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "emulator/comparison.h"
#include "emulator/emulation.h"
#include "emulator/memory_setup.h"
#include "emulator/program_images.h"
#include "isa/machine.h"
#include "isa/program.h"

namespace accelscope::emulator {

inline Comparison emulated(const isa::GeneratedProgram& program, const PreparedProgram& ready,
                           EmulationOptions options, std::string_view memory_model) {
  boards::SettingsTree settings;
  settings.config = ready.settings;
  options.machine = *isa::make_machine({.settings = &settings});
  MemoryWishes wishes;
  wishes.model = *memory_model_named(memory_model);
  wishes.manifest = &ready.manifest;
  auto memory = set_up_memory(wishes);
  EXPECT_TRUE(memory) << memory.error().to_string();
  const isa::ReadProgram read = isa::read_program("a.asm", program.listing, isa::Dialect::kStrict);
  const auto done = emulate(read.program, options, ready.images.spans(), std::move(memory->timing));
  EXPECT_TRUE(done) << done.error().to_string();
  const auto found = compare(done->core->state(), ready.expectation, {});
  EXPECT_TRUE(found) << found.error().to_string();
  for (const Difference& difference : found->first) ADD_FAILURE() << describe(difference, ready.expectation);
  return *found;
}

}  // namespace accelscope::emulator
