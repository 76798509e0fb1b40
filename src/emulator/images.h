// Puts what lies in the memories before a run into them. What an image does not reach stays unwritten, so
// that strict rules see it read. emulation.h has the images, and check_images().
//
// One thread uses one state.
//
//   ACCELSCOPE_CHECK(load_images(core.state(), images, machine, Rules::kStrict));
#pragma once

#include "base/result.h"
#include "emulator/core.h"
#include "emulator/emulation.h"
#include "emulator/state.h"
#include "isa/machine.h"

namespace accelscope::emulator {

// Changes nothing where check_images() finds something wrong.
base::Status load_images(State& state, const Images& images, const isa::Machine& machine, Rules rules);

}  // namespace accelscope::emulator
