#include "capture/stress.h"

namespace accelscope::capture {
namespace {

TEST(StressLong, AccountsAddUpWhateverFails) {
  for (std::uint64_t seed = 1000; seed < 1600; ++seed) {
    tests::stress(seed);
    if (HasFailure()) break;  // the seed says how to do it again
  }
}

}  // namespace
}  // namespace accelscope::capture
