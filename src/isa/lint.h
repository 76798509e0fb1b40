// What an expert would catch in a program, without running it (rules.h, docs/isa.md).
//
// Everything said is certain for at least one round of the loops around the line; what cannot be worked out
// is not reported. Loops are taken by arithmetic, so that their counts cost nothing. Pure functions, safe
// from any thread.
//
//   const Diagnostics found = lint("a.asm", file.text(), Dialect::kStrict, machine);
//   fmt::print("{}", found.to_string(Diagnostics::Rules::kShown));
#pragma once

#include <string>
#include <string_view>

#include "isa/diagnostics.h"
#include "isa/machine.h"
#include "isa/program.h"

namespace accelscope::isa {

// Reads a listing or a file of words and lints it. Where it cannot be read without errors, those are all.
Diagnostics lint(std::string file, std::string_view text, Dialect dialect, const Machine& machine);

// Adds what is found in a program that was read without errors. The text is the one that it was read from.
void lint_program(const Program& program, std::string_view text, const Machine& machine,
                  Diagnostics& diagnostics);

}  // namespace accelscope::isa
