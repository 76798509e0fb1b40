#include "capture/counter_frequency.h"

#include <cmath>
#include <thread>

#include "accelscope/recorder/counter_platform.h"

namespace accelscope::capture {
namespace {

using Clock = std::chrono::steady_clock;

// One moment on both clocks. Of several tries the one with the shortest way from one reading of the system's
// clock to the next, so that nobody came between.
struct Moment {
  std::uint64_t ticks = 0;
  Clock::time_point time;
};

Moment moment() {
  constexpr int kTries = 16;
  recorder::CounterPlatform counter;
  Moment best;
  Clock::duration shortest = Clock::duration::max();
  for (int i = 0; i < kTries; ++i) {
    const Clock::time_point before = Clock::now();
    const std::uint64_t ticks = counter.now();
    const Clock::duration took = Clock::now() - before;
    if (took >= shortest) continue;
    shortest = took;
    best = {ticks, before + took / 2};
  }
  return best;
}

}  // namespace

base::Frequency measure_counter(std::chrono::milliseconds time) {
  const Moment first = moment();
  std::this_thread::sleep_for(time);
  const Moment last = moment();
  const std::chrono::duration<double> seconds = last.time - first.time;
  if (seconds.count() <= 0 || last.ticks <= first.ticks) return base::Frequency::unknown();
  const double hertz = static_cast<double>(last.ticks - first.ticks) / seconds.count();
  return base::Frequency::hz(std::llround(hertz));
}

}  // namespace accelscope::capture
