// The parts of the document of one fit; document.h puts them together.
#pragma once

#include "findings/findings.h"
#include "fit/crossings.h"
#include "fit/document.h"

namespace accelscope::fit {

void add_verdict(findings::Findings& findings, const FitCase& one, const Crossings& crossings);
void add_footprint(findings::Findings& findings, const FitCase& one);
void add_regime(findings::Findings& findings, const FitCase& one, const Crossings& crossings);
void add_speed(findings::Findings& findings, const FitCase& one);
void add_streaming(findings::Findings& findings, const FitCase& one);
void add_context_series(findings::Findings& findings, const FitCase& one, const Crossings& crossings);
// The trust box: what is assumed, doubtful or left out; and the options that changed a number.
void add_assumptions(findings::Findings& findings, const FitCase& one);

// Milliseconds, for tables and metrics.
double in_ms(base::Picoseconds time);
double in_mb(base::Bytes bytes);
// "layers 0 to 29", "output", "vision layers"; of the stage of that place among a pass's distinct stages.
std::string stage_name(const PassWork& work, std::uint32_t stage);

}  // namespace accelscope::fit
