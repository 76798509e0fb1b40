#include "capture/stress.h"

namespace accelscope::capture {
namespace {

TEST(Stress, AccountsAddUpWhateverFails) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) tests::stress(seed);
}

}  // namespace
}  // namespace accelscope::capture
