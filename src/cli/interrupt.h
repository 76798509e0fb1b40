// Ctrl-C for verbs that have something to keep: a flag that their job looks at, instead of the end of the
// program. The second one ends it at once.
//
//   const std::atomic<bool>& interrupted = watch_for_interrupt();
//   job({.stop = &interrupted});
#pragma once

#include <atomic>

namespace accelscope::cli {

// From now on SIGINT and SIGTERM set the flag. Once per process.
const std::atomic<bool>& watch_for_interrupt();

}  // namespace accelscope::cli
