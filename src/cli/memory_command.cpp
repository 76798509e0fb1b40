#include "cli/memory_stream_command.h"
#include "cli/verbs.h"

namespace accelscope::cli {

Command memory_command() {
  return {.name = "memory",
          .summary = "check a model of memory before trusting it",
          .description = "Models of external memory and of the link to a host.",
          .examples = {"accelscope memory stream --board nexys_video --model llama-3.2-1b"},
          .positionals = {},
          .options = {},
          .actions = {memory_stream_action()}};
}

}  // namespace accelscope::cli
