#include "cli/failure.h"

#include <fmt/core.h>

#include "cli/command.h"
#include "cli/terminal.h"

namespace accelscope::cli {

int report_failure(const base::Error& error) {
  const report::Style style = style_for(stderr);
  fmt::print(stderr, "accelscope: {}error:{} {}\n", style.red, style.plain, error.to_string());
  return kExitFailure;
}

}  // namespace accelscope::cli
