// What to optimise in a program, the most expensive first, each with what it would bring at most. Internal to
// the job of `accelscope isa profile`.
#pragma once

#include "findings/findings.h"
#include "jobs/isa_profile.h"

namespace accelscope::jobs {

// On one machine, the first of the program's.
void add_profile_advice(findings::Section& section, const ProfiledProgram& program,
                        const isa::Machine& machine);

}  // namespace accelscope::jobs
