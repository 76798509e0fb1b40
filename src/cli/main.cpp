#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/program.h"

namespace {

// Outputs have no name until they are whole, so there is nothing to clean up.
void stop_on_interrupt(int) {
  static constexpr char kMessage[] = "\r\x1b[Kaccelscope: interrupted; no unfinished file was left\n";
  static constexpr std::size_t kTerminalOnly =
      4;  // "\r\x1b[K" wipes a progress line, which only a terminal has
  const char* text = isatty(STDERR_FILENO) == 1 ? kMessage : kMessage + kTerminalOnly;
  const std::size_t length = sizeof kMessage - 1 - static_cast<std::size_t>(text - kMessage);
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, text, length);
  _exit(130);
}

// Large tables come and go while a file is read and written. Memory that is given back to the system between
// two of them has to be asked for, and cleared, again: that took a third of the time of a conversion.
void keep_freed_memory() {
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
  mallopt(M_TOP_PAD, 4 * kMiB);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  std::signal(SIGINT, stop_on_interrupt);
  try {
    const int code = accelscope::cli::run_program(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fprintf(stderr, "accelscope: error: standard output cannot be written\n");
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "accelscope: error: out of memory; the input is too large for this machine\n");
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "accelscope: error: %s\n", problem.what());
  }
  return 1;
}
