#include <fmt/core.h>

#include "base/number_in.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/perfmon_record_command.h"
#include "cli/verbs.h"
#include "formats/perfmon/layout.h"
#include "jobs/perfmon_dump.h"
#include "jobs/perfmon_infer.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using formats::perfmon::ClockRatio;

Result<ClockRatio> clock_ratio(const Arguments& arguments) {
  const auto text = arguments.value("--clock-ratio");
  if (!text) return ClockRatio{};
  const std::size_t slash = text->find('/');
  const auto ticks = base::number_in<std::uint32_t>(text->substr(0, slash));
  const auto cycles = slash == std::string::npos ? std::optional<std::uint32_t>(1)
                                                 : base::number_in<std::uint32_t>(text->substr(slash + 1));
  const ClockRatio ratio{.ticks = ticks.value_or(0), .cycles = cycles.value_or(0)};
  if (!ratio.valid())
    return base::fail(
        ErrorCode::kUsage,
        "--clock-ratio {}: expected ticks of the stamps for cycles of the core, such as 50/1650", *text);
  return ratio;
}

Result<jobs::PerfmonDumpOptions> dump_options(const Arguments& arguments) {
  jobs::PerfmonDumpOptions options{.file = arguments.positionals.front(),
                                   .output = arguments.value("--output").value_or("-"),
                                   .json = arguments.flag("--json")};
  if (const auto layout = arguments.value("--layout")) options.layout = *layout;
  ACCELSCOPE_TRY(options.ratio, clock_ratio(arguments));
  if (const auto limit = arguments.value("--limit")) {
    options.limit = base::number_in<std::uint64_t>(*limit);
    if (!options.limit) return base::fail(ErrorCode::kUsage, "--limit {}: expected a count of words", *limit);
  }
  return options;
}

int run_dump(const Arguments& arguments) {
  const Result<jobs::PerfmonDumpOptions> options = dump_options(arguments);
  if (!options) return report_failure(options.error());
  const Status written = jobs::dump_perfmon(*options);
  return written ? kExitOk : report_failure(written.error());
}

int run_infer(const Arguments& arguments) {
  const Result<findings::Findings> found =
      jobs::infer_perfmon({.files = arguments.positionals, .version = ACCELSCOPE_VERSION});
  if (!found) return report_failure(found.error());
  const Status printed = print_findings(*found, arguments);
  return printed ? kExitOk : report_failure(printed.error());
}

Command dump_action() {
  std::vector<std::string_view> layouts;
  for (const formats::perfmon::WordLayout* layout : formats::perfmon::layouts())
    layouts.push_back(layout->name);
  OptionSpec layout = option("--layout", "NAME", "which words these are (default: biu_perf)");
  layout.choices = std::move(layouts);
  return {
      .name = "perfmon dump",
      .summary = "raw words, one a line, with what each means",
      .description =
          "Prints every word: where it stands, its bits, its kind, its time, the cycles since the word "
          "before, "
          "and what it says. Nothing is refused: what cannot be dated has no time, and the last line counts.",
      .examples = {"accelscope perfmon dump core3.bin | less",
                   "accelscope perfmon dump core3.bin --clock-ratio 50/1650 --limit 100",
                   "accelscope perfmon dump core3.bin --json -o core3.json"},
      .positionals = {{.name = "FILE", .help = "bytes as the hardware wrote them"}},
      .options = {layout,
                  option("--clock-ratio", "T/C",
                         "ticks of the stamps for cycles of the core, such as 50/1650 (default: 1/1)"),
                  option("--limit", "N", "print so many words at most (default: all)"),
                  option("--json", "", "print JSON"),
                  {.name = "--output",
                   .short_name = "-o",
                   .value = "FILE",
                   .help = "where to write (default: standard output)"}},
      .run = run_dump};
}

Command infer_action() {
  return {
      .name = "perfmon infer",
      .summary = "what raw bytes say about the hardware that wrote them",
      .description =
          "Tries hypotheses about words, clocks and buffers on bytes of unknown hardware, and shows the "
          "evidence "
          "for each: which layout and order of bytes, what deltas count, whether the buffer is a ring, and, "
          "with the registers in FILE.regs.json beside it, whether they count bytes or words. It also says "
          "what "
          "it cannot tell.",
      .examples = {"accelscope perfmon infer core3.bin", "accelscope perfmon infer core*.bin --json"},
      .positionals = {{.name = "FILE", .help = "bytes as the hardware wrote them", .at_most = kManyInputs}},
      .options = print_option_specs(),
      .run = run_infer};
}

}  // namespace

Command perfmon_command() {
  return {
      .name = "perfmon",
      .summary = "raw words of the performance monitor of a core, and what they tell of the hardware",
      .description =
          "The performance monitor of a core tells when each of its pipes is busy, in words of a few bytes. "
          "These record such words on a device, and look at them as they came from the hardware.",
      .examples = {"accelscope perfmon dump core3.bin | less", "accelscope perfmon infer core3.bin",
                   "accelscope perfmon record --help"},
      .positionals = {},
      .options = {},
      .actions = {dump_action(), infer_action(), perfmon_record_action()}};
}

}  // namespace accelscope::cli
