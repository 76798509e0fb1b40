// Profiles inside a findings document, so that a saved report can be compared again: every execution and
// every entry's exclusive times, exact in ticks.
//
// Each profile becomes sections for machines only (Section::data_only), one for itself and one per method.
// Pure functions; what is read from a file is checked, and an error says which section does not fit.
//
//   add_profile_data(findings, profile);
//   ACCELSCOPE_TRY(const std::vector<Profile> profiles, profiles_in(saved));
#pragma once

#include <vector>

#include "analysis/profile.h"
#include "base/result.h"
#include "findings/findings.h"

namespace accelscope::analysis {

void add_profile_data(findings::Findings& findings, const Profile& profile);

// In the order they were added; empty when the document holds none.
base::Result<std::vector<Profile>> profiles_in(const findings::Findings& findings);

}  // namespace accelscope::analysis
