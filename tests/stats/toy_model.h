// Ten runs of a small model without and with its accelerator, in milliseconds, as measured: a cold first run,
// and one interior spike. The expected values in the tests are scipy 1.10's.
#pragma once

#include <vector>

namespace accelscope::stats {

inline const std::vector<double> kToyOff = {1.177284, 0.871507, 0.869596, 0.889652, 0.878593,
                                            0.880721, 1.063284, 0.873486, 0.889714, 0.882776};
inline const std::vector<double> kToyOn = {0.350905, 0.26127, 0.263956, 0.259317, 0.260876,
                                           0.260633, 0.31789, 0.258993, 0.262568, 0.263942};

}  // namespace accelscope::stats
