// What must lie in the memories before a program made to order runs, what is expected there afterwards, and
// what the machine around it must be.
//
// The bytes are those of the files that `accelscope emulate` reads (docs/emulator-programs.md). Owns what it
// holds; pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const isa::GeneratedProgram program, isa::generate("ffn:rows=64"));
//   ACCELSCOPE_TRY(const PreparedProgram ready, prepare(program, {}));
//   emulate(..., ready.images.spans(), ...)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "boards/settings.h"
#include "boards/weight_manifest.h"
#include "emulator/emulation.h"
#include "emulator/expectation.h"
#include "emulator/matrix.h"
#include "emulator/program_inputs.h"
#include "isa/generated_program.h"

namespace accelscope::emulator {

struct ProgramImages {
  std::vector<std::byte> external = {};  // from address 0 on, outputs as zeros
  std::vector<std::byte> floats = {};    // float16

  Images spans() const { return {.external = external, .floats = floats}; }
};

struct PreparedProgram {
  Matrices inputs;
  Matrices results;  // of the program's outputs, as the vector memory has them
  ProgramImages images;
  Expectation expectation;
  boards::WeightManifest manifest;
  boards::SettingsConfig settings;  // dimensions and sizes that the program was made for
};

// Fails for rows of which the hardware would not read all scales (mlen above 512).
base::Result<PreparedProgram> prepare(const isa::GeneratedProgram& program, const InputOptions& options);

// The parts of it.
base::Result<ProgramImages> make_images(const isa::GeneratedProgram& program, const Matrices& inputs);
base::Result<Expectation> make_expectation(const isa::GeneratedProgram& program, const Matrices& results);
boards::WeightManifest make_manifest(const isa::GeneratedProgram& program);
boards::SettingsConfig settings_for(const isa::GeneratedProgram& program);

}  // namespace accelscope::emulator
