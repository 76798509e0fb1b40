// What memory must hold after an emulation, and how that is said.
//
// Reads files, prints nothing.
//
//   ACCELSCOPE_TRY(const auto expectation, expectation_in("expected.json", inputs));
//   ACCELSCOPE_TRY(const std::vector<std::string> differences, differences_from(*expectation, state, {}));
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "emulator/comparison.h"
#include "emulator/expectation.h"
#include "emulator/state.h"
#include "findings/findings.h"

namespace accelscope::jobs {

// "0.01": absolute and relative; "1steps": of the memory's format.
base::Result<emulator::Tolerance> parse_tolerance(std::string_view text);

// Nothing for "". What was read is added to the inputs.
base::Result<std::optional<emulator::Expectation>> expectation_in(const std::string& path,
                                                                  std::vector<findings::Input>& inputs);

// Sentences: none where everything is as expected; else how much differs, and the first of it.
base::Result<std::vector<std::string>> differences_from(const emulator::Expectation& expectation,
                                                        const emulator::State& state,
                                                        const emulator::Tolerance& tolerance);

}  // namespace accelscope::jobs
