// Fits as findings: of one model on one board everything, of several one table. docs/fit.md says how to read
// them.
//
// Pure functions, safe from any thread; they own what they return. Version, date and inputs of the provenance
// are the caller's to fill.
//
//   ACCELSCOPE_TRY(FitCase one, make_case(model, board, machine, workload));
//   const findings::Findings findings = fit_document({one}, {});
#pragma once

#include <span>
#include <string>
#include <vector>

#include "boards/board.h"
#include "boards/model.h"
#include "findings/findings.h"
#include "fit/fit.h"
#include "fit/machine.h"

namespace accelscope::fit {

// A model on a board, and what came of it; `failure` where nothing did.
struct FitCase {
  boards::Model model = {};
  boards::Board board = {};
  Machine machine = {};
  Workload workload = {};
  Fit fit = {};
  std::string failure = {};
};

// `alternatives`: other boards that advice may speak of.
findings::Findings fit_document(std::span<const FitCase> cases, std::span<const Machine> alternatives);

// "smolvlm2 fits nexys_video up to 18 973 tokens; beyond that keys and values are swapped."
std::string verdict_of(const FitCase& one, const Crossings& crossings);

}  // namespace accelscope::fit
