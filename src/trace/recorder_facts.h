// Facts of a trace that say how it was recorded: named once, for who writes and who reads them.
//
// Constants; safe from any thread.
//
//   builder.add_fact(kRecorderPolicyFact, policy);
#pragma once

#include <string_view>

namespace accelscope::trace {

// What producers did when the host fell behind: "block", "drop" or "overwrite".
inline constexpr std::string_view kRecorderPolicyFact = "recorder policy";

}  // namespace accelscope::trace
