// The parts of the document of one fit; document.h puts them together.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "findings/findings.h"
#include "fit/crossings.h"
#include "fit/document.h"

namespace accelscope::fit {

inline void add_metric(findings::Section& section, std::string id, std::string label,
                       std::optional<double> value, std::string unit,
                       findings::Better better = findings::Better::kNeither, std::string note = "") {
  section.metrics.push_back({.id = std::move(id),
                             .label = std::move(label),
                             .value = value,
                             .unit = std::move(unit),
                             .note = std::move(note),
                             .better = better});
}

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

inline double percent(base::Picoseconds part, base::Picoseconds all) {
  return all.value <= 0 ? 0 : 100 * static_cast<double>(part.value) / static_cast<double>(all.value);
}

}  // namespace accelscope::fit
