#include "cli/isa_arguments.h"

namespace accelscope::cli {

OptionSpec dialect_option() {
  return {.name = "--dialect",
          .short_name = "",
          .value = "DIALECT",
          .help = "how operands are encoded (default: strict)",
          .choices = {"strict", "reference"}};
}

isa::Dialect dialect_of(const Arguments& arguments) {
  return isa::dialect_named(arguments.value("--dialect").value_or("")).value_or(isa::Dialect::kStrict);
}

}  // namespace accelscope::cli
