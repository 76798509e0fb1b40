#include "cli/memory_stream_command.h"

#include <fmt/format.h>

#include "base/closest_name.h"
#include "base/human.h"
#include "base/number_in.h"
#include "boards/number_format.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "jobs/memory_stream.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

Result<std::uint64_t> count_of(const Arguments& arguments, std::string_view option, std::uint64_t least,
                               std::uint64_t otherwise) {
  const auto text = arguments.value(option);
  if (!text) return otherwise;
  const std::optional<std::uint64_t> count = base::number_in<std::uint64_t>(*text);
  if (!count || *count < least)
    return base::fail(ErrorCode::kUsage, "{} {}: expected an integer from {} up", option, *text, least);
  return *count;
}

Status read_question(const Arguments& arguments, fit::StreamQuestion& question) {
  if (const auto name = arguments.value("--policy")) {
    const auto policy = memory::eviction_policy_named(*name);
    if (!policy)
      return base::fail(ErrorCode::kUsage, "--policy {}: expected {}{}", *name,
                        fmt::join(memory::eviction_policy_names(), ", "),
                        base::suggestion(*name, memory::eviction_policy_names()));
    question.policy = *policy;
  }
  question.direct = arguments.flag("--direct");
  if (arguments.value("--layers-pinned")) {
    ACCELSCOPE_TRY(question.layers_pinned, count_of(arguments, "--layers-pinned", 0, 0));
  }
  const auto small = [&](std::string_view option, std::uint64_t least, std::uint64_t most,
                         std::uint32_t& into) -> Status {
    ACCELSCOPE_TRY(const std::uint64_t count, count_of(arguments, option, least, into));
    if (count > most)
      return base::fail(ErrorCode::kUsage, "{} {}: expected {} to {}", option, count, least, most);
    into = static_cast<std::uint32_t>(count);
    return {};
  };
  ACCELSCOPE_CHECK(small("--prefetch-depth", 0, fit::kDeepestStream, question.prefetch_depth));
  return small("--tokens", 1, 1000, question.passes_shown);
}

Status read_overrides(const Arguments& arguments, fit::Overrides& overrides) {
  if (const auto text = arguments.value("--weights")) {
    ACCELSCOPE_TRY(overrides.weights, boards::parse_number_format(*text));
  }
  if (const auto text = arguments.value("--capacity")) {
    const Result<base::Bytes> size = base::parse_size(*text);
    if (!size || size->value <= 0)
      return base::fail(ErrorCode::kUsage, "--capacity {}: expected a size above zero, such as 512M", *text);
    overrides.capacity = *size;
  }
  if (const auto text = arguments.value("--host-bandwidth")) {
    const Result<base::BytesPerSecond> rate = base::parse_rate(*text);
    if (!rate || rate->value <= 0)
      return base::fail(ErrorCode::kUsage,
                        "--host-bandwidth {}: expected bytes a second above zero, such as 1.5GB/s", *text);
    overrides.host_bandwidth = *rate;
  }
  if (const auto text = arguments.value("--link-latency")) {
    const Result<base::Nanoseconds> latency = base::parse_duration(*text);
    constexpr base::Nanoseconds kLongest{3'600'000'000'000};
    if (!latency || latency->value < 0 || *latency > kLongest)
      return base::fail(ErrorCode::kUsage,
                        "--link-latency {}: expected a time of at most an hour, such as 5us", *text);
    overrides.link_latency = *latency;
  }
  return {};
}

Result<jobs::MemoryStreamOptions> stream_options(const Arguments& arguments) {
  if (arguments.flag("--json") && arguments.flag("--markdown"))
    return base::fail(ErrorCode::kUsage, "--json and --markdown exclude each other");
  jobs::MemoryStreamOptions options;
  options.board = arguments.value("--board").value_or("");
  options.model = arguments.value("--model").value_or("");
  options.settings = arguments.value("--settings").value_or("");
  options.output = arguments.value("--output").value_or("");
  options.version = ACCELSCOPE_VERSION;
  if (options.output == "-")
    return base::fail(ErrorCode::kUsage,
                      "--output -: standard output has the findings; give the trace a name");
  ACCELSCOPE_TRY(options.context, count_of(arguments, "--context", 1, options.context));
  ACCELSCOPE_TRY(options.batch, count_of(arguments, "--batch", 1, options.batch));
  ACCELSCOPE_CHECK(read_question(arguments, options.question));
  ACCELSCOPE_CHECK(read_overrides(arguments, options.overrides));
  return options;
}

int run_memory_stream(const Arguments& arguments) {
  const Result<jobs::MemoryStreamOptions> options = stream_options(arguments);
  if (!options) return report_failure(options.error());
  const Result<jobs::MemoryStreamJob> job = jobs::memory_stream(*options);
  if (!job) return report_failure(job.error());
  if (const Status printed = print_findings(job->findings, arguments); !printed)
    return report_failure(printed.error());
  if (!job->written_to.empty()) fmt::print(stderr, "wrote {}\n", job->written_to);
  return kExitOk;
}

std::vector<OptionSpec> stream_option_specs() {
  std::vector<OptionSpec> options{
      option("--board", "BOARD", "a board's name or file"),
      option("--model", "MODEL", "a model's name or file"),
      option("--policy", "POLICY", "what stays in the memory: pin (default), fifo, lru, mru, belady"),
      option("--layers-pinned", "N",
             "with pin: so many layers and output stay, spread evenly (default: as many as fit)"),
      option("--direct", "", "with pin: what comes goes straight to the chip, past the memory"),
      option("--prefetch-depth", "D",
             "layers that come while another calculates (default: 1, which is two buffers)"),
      option("--context", "N", "tokens whose keys and values are read (default: 2048)"),
      option("--batch", "N", "sequences (default: 1)"),
      option("--weights", "FORMAT", "numbers of the weights (default: the board's, or mxfp8/8)"),
      option("--capacity", "SIZE", "of the memory, whatever the board says"),
      option("--host-bandwidth", "RATE", "of the link, whatever the board says: 38MB/s, 1.5GB/s"),
      option("--link-latency", "TIME", "of every transfer, whatever the board says: 5us"),
      option("--settings", "TOML", "plena_settings.toml (default: the shipped values)"),
      option("--tokens", "N", "passes in the trace (default: 3)")};
  options[0].required = options[1].required = true;
  options.push_back({.name = "--output",
                     .short_name = "-o",
                     .value = "TRACE",
                     .help = "write the timeline: .pftrace, .json, .astrace, ..."});
  for (OptionSpec& printing : print_option_specs()) options.push_back(std::move(printing));
  return options;
}

}  // namespace

Command memory_stream_action() {
  return {.name = "memory stream",
          .summary = "what layers that do not fit cost: over the host link, token by token",
          .description =
              "Goes through a model whose layers do not all fit a board's memory, token after token: which "
              "layers stay, when the others come over the host link, what of that calculations hide, the "
              "smallest prefetch depth and buffers that are as good as any, and the link at which streaming "
              "stops hurting. The timeline can be written as a trace with lanes for link, DRAM and compute.",
          .examples = {"accelscope memory stream --board nexys_video --model llama-3.2-1b",
                       "accelscope memory stream --board custom_a7 --model smolvlm2 --capacity 128M",
                       "accelscope memory stream --board nexys_video --model llama-3.2-1b -o stream.json"},
          .positionals = {},
          .options = stream_option_specs(),
          .run = run_memory_stream};
}

}  // namespace accelscope::cli
