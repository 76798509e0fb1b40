#include "base/beside.h"

#include <pthread.h>

namespace accelscope::base {

// Each of these is a wish: where it is not granted, threads run where the system puts them.

cpu_set_t own_processors() {
  cpu_set_t processors = {};
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) CPU_ZERO(&processors);
  return processors;
}

void use_processors(const cpu_set_t& processors) {
  if (CPU_COUNT(&processors) > 0) pthread_setaffinity_np(pthread_self(), sizeof processors, &processors);
}

void start_elsewhere(std::thread& thread, const cpu_set_t& processors) {
  const int here = sched_getcpu();
  if (here < 0) return;
  cpu_set_t others = processors;
  CPU_CLR(static_cast<unsigned>(here), &others);
  if (CPU_COUNT(&others) > 0) pthread_setaffinity_np(thread.native_handle(), sizeof others, &others);
}

}  // namespace accelscope::base
