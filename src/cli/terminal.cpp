#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>

namespace accelscope::cli {

Style style_for(std::FILE* stream) {
  // The environment is read before any thread exists.
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  if (isatty(fileno(stream)) != 1 || (no_color != nullptr && *no_color != '\0')) return {};
  return {"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[0m"};
}

}  // namespace accelscope::cli
