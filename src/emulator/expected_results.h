// What a program made to order leaves in its output tensors, from its inputs: computed as the network that it
// is (expected_arithmetic.h), without a look at its listing.
//
// Numbers are those of the vector memory; what external memory holds is as_stored() of them. Pure functions,
// safe from any thread.
//
//   ACCELSCOPE_TRY(const Matrices results, expected_results(program, inputs));
//   results.find("Y")->second.at(0, 0)
#pragma once

#include "base/result.h"
#include "emulator/matrix.h"
#include "isa/generated_program.h"

namespace accelscope::emulator {

// One for each name among the program's outputs. The inputs are those of make_inputs().
base::Result<Matrices> expected_results(const isa::GeneratedProgram& program, const Matrices& inputs);

}  // namespace accelscope::emulator
