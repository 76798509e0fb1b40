// What the defaults of a run may be (RunDefaults), for the reader and the writer of graph_file.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "capture/run_policy.h"

namespace accelscope::runtime {

inline constexpr std::string_view kPolicyNames[] = {capture::name_of(capture::RunPolicy::kBlock),
                                                    capture::name_of(capture::RunPolicy::kDrop),
                                                    capture::name_of(capture::RunPolicy::kOverwrite)};
inline constexpr std::uint32_t kMaxRounds = 10'000;
inline constexpr std::uint32_t kMaxPmuGroup = 255;

}  // namespace accelscope::runtime
