// Several jobs that have nothing to do with each other, done by two threads: whoever is free takes the next
// one.
//
// Returns when all are done; the first exception of a job goes on to the caller. Longest jobs first, so that
// no thread is left alone with one. Each job may touch what no other does; all may read what was there
// before.
//
//   do_together({[&] { path = critical_path(trace); }, [&] { waits = wait_times(trace); }});
#pragma once

#include <functional>
#include <vector>

namespace accelscope::base {

void do_together(const std::vector<std::function<void()>>& jobs);

}  // namespace accelscope::base
