// What a fuzz target promises: whatever the input, this holds. A broken promise ends the process, which the
// fuzzer reports with the input that did it. Safe from any thread.
//
//   require(back == made, "what was written is read back equal");
#pragma once

#include <cstdio>
#include <cstdlib>

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}
