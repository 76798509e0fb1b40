#include "base/together.h"

#include <atomic>

#include "base/beside.h"

namespace accelscope::base {

void do_together(const std::vector<std::function<void()>>& jobs) {
  std::atomic<std::size_t> taken{0};
  // Only who takes which job is agreed on here; the threads meet again in get().
  const auto take_jobs = [&] {
    for (std::size_t job = taken.fetch_add(1, std::memory_order_relaxed); job < jobs.size();
         job = taken.fetch_add(1, std::memory_order_relaxed))
      jobs[job]();
  };
  Beside<void> other(take_jobs, jobs.size() > 1);
  take_jobs();
  other.get();
}

}  // namespace accelscope::base
