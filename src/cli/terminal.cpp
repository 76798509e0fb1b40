#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace accelscope::cli {

report::Style style_for(std::FILE* stream) {
  // The environment is read before any thread exists.
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  const char* terminal = std::getenv("TERM");      // NOLINT(concurrency-mt-unsafe)
  if (isatty(fileno(stream)) != 1 || (no_color != nullptr && *no_color != '\0')) return {};
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return {};
  return report::kColored;
}

}  // namespace accelscope::cli
