#include "cli/core_swimlane_arguments.h"

#include <limits>

#include "base/human.h"
#include "cli/analysis_arguments.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kOption = "--core-swimlane";
constexpr std::string_view kRing = "--core-swimlane-ring";
constexpr std::string_view kWords = "--core-swimlane-words";
constexpr std::string_view kDrain = "--core-swimlane-drain";
constexpr std::string_view kRaw = "--core-swimlane-raw";

Result<std::uint32_t> ring_bytes_of(const std::string& text) {
  const Result<base::Bytes> size = base::parse_size(text);
  if (!size || size->value <= 0 || size->value > std::numeric_limits<std::uint32_t>::max())
    return base::fail(ErrorCode::kUsage, "{} {}: expected a size such as 4096 or 64K, below 4G", kRing, text);
  return static_cast<std::uint32_t>(size->value);
}

}  // namespace

std::vector<OptionSpec> core_swimlane_option_specs() {
  return {{.name = kOption,
           .short_name = "",
           .value = "WHAT",
           .help = "record which pipes of a core are busy inside tasks: all (the bare option), cores such as "
                   "0-3,7, or functions of the graph such as GEMM,SOFTMAX",
           .bare = "all"},
          {.name = kRing,
           .short_name = "",
           .value = "SIZE",
           .help = "the buffer that the performance monitor of each core writes into (default: 64K)"},
          {.name = kWords,
           .short_name = "",
           .value = "NAME",
           .help = "states of pipes, marks of kernels, or both (default)",
           .choices = {"states", "marks", "both"}},
          {.name = kDrain,
           .short_name = "",
           .value = "NAME",
           .help = "read-only (default): monitors go on while they are drained; restart: each is stopped, "
                   "emptied and started anew",
           .choices = {"read-only", "restart"}},
          {.name = kRaw,
           .short_name = "",
           .value = "DIR",
           .help = "keep the whole buffer and the registers of each drain, two files each, for `accelscope "
                   "perfmon`"}};
}

Result<std::optional<jobs::CoreSwimlaneRequest>> core_swimlane_request(const Arguments& arguments) {
  std::optional<jobs::CoreSwimlaneRequest> none;
  const auto what = arguments.value(kOption);
  if (!what) {
    for (const std::string_view option : {kRing, kWords, kDrain, kRaw})
      if (arguments.value(option))
        return base::fail(ErrorCode::kUsage, "{} needs {}: pipes are not recorded otherwise", option,
                          kOption);
    return none;
  }
  jobs::CoreSwimlaneRequest request;
  // Words that begin so are numbers of cores: no name of a function does.
  if (what->find_first_of("0123456789-,") == 0)
    request.cores = *what;
  else if (*what != "all")
    request.functions = split_list(*what);
  if (!request.functions.empty() && arguments.value(kDrain) == "read-only")
    return base::fail(ErrorCode::kUsage, "{} read-only: monitors of chosen functions are always restarted",
                      kDrain);
  if (const auto ring = arguments.value(kRing)) {
    ACCELSCOPE_TRY(request.ring_bytes, ring_bytes_of(*ring));
  }
  const std::string words = arguments.value(kWords).value_or("both");
  request.states = words != "marks";
  request.marks = words != "states";
  if (arguments.value(kDrain) == "restart") request.drain = perfmon::DrainMode::kRestart;
  request.raw_folder = arguments.value(kRaw).value_or("");
  return std::optional(std::move(request));
}

}  // namespace accelscope::cli
