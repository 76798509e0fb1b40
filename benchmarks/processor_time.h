// How long work takes of the processor, which others who use the machine do not change: for benchmarks of one
// thread.
//
//   const double seconds = best_processor_seconds(3, [&] { parse(text); });
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace accelscope::benchmarks {

// Of the calling thread, since it began.
inline double processor_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

template <class Work>
double best_processor_seconds(int repetitions, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const double start = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

}  // namespace accelscope::benchmarks
