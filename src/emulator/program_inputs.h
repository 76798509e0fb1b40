// Numbers for the inputs of a program made to order (isa/generated_program.h).
//
// `exact`: small multiples of powers of two, chosen so that the sums of a product with weights are exact in
// any order and need no rounding, and that storing them loses nothing. `random`: about normally distributed,
// as external memory can hold them. Same options, same numbers on every machine. Pure functions, safe from
// any thread.
//
//   ACCELSCOPE_TRY(const Matrices inputs, make_inputs(program, {.kind = InputKind::kRandom, .seed = 7}));
//   inputs.find("X")->second.at(0, 0)
#pragma once

#include <cstdint>

#include "base/result.h"
#include "emulator/matrix.h"
#include "isa/generated_program.h"

namespace accelscope::emulator {

enum class InputKind : std::uint8_t { kExact, kRandom };

struct InputOptions {
  InputKind kind = InputKind::kExact;
  std::uint64_t seed = 1;
  double rope_theta = 10'000;  // what the angles of rotary positions go down by, of random inputs
};

// One for each tensor that is an input in external memory.
base::Result<Matrices> make_inputs(const isa::GeneratedProgram& program, const InputOptions& options);

// What is left of numbers after they were stored in external memory and read again.
base::Result<Matrix> as_stored(const Matrix& matrix);

}  // namespace accelscope::emulator
