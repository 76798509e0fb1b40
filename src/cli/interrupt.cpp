#include "cli/interrupt.h"

#include <csignal>

namespace accelscope::cli {
namespace {

// A signal handler can reach nothing but a variable of static storage.
std::atomic<bool> interrupted = false;

void note_interrupt(int number) {
  interrupted.store(true);
  std::signal(number, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  return interrupted;
}

}  // namespace accelscope::cli
