#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>

namespace accelscope::cli {

report::Style style_for(std::FILE* stream) {
  // The environment is read before any thread exists.
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  if (isatty(fileno(stream)) != 1 || (no_color != nullptr && *no_color != '\0')) return {};
  return report::kColored;
}

}  // namespace accelscope::cli
