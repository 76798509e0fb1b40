#include <fmt/core.h>

#include <optional>

#include "base/human.h"
#include "base/number_in.h"
#include "base/progress.h"
#include "cli/analysis_arguments.h"
#include "cli/core_swimlane_arguments.h"
#include "cli/failure.h"
#include "cli/files_text.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "jobs/run_graph.h"
#include "runtime/generators.h"
#include "runtime/graph_run_words.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

// The level as it was written: the job knows which levels there are.
Result<std::optional<int>> level_of(const Arguments& arguments) {
  std::optional<int> level;
  for (const std::string_view option : {"--enable-profiling", "--chip-swimlane"}) {
    const auto text = arguments.value(option);
    if (!text) continue;
    const std::optional<int> number = base::number_in<int>(*text);
    if (!number) return base::fail(ErrorCode::kUsage, "{}={}: expected a level from 0 to 3", option, *text);
    level = number;
  }
  return level;
}

Result<std::optional<std::uint32_t>> count_of(const Arguments& arguments, std::string_view option,
                                              std::uint32_t least, std::uint32_t most) {
  const auto text = arguments.value(option);
  if (!text) return std::optional<std::uint32_t>();
  const std::optional<std::uint32_t> number = base::number_in<std::uint32_t>(*text);
  if (!number || *number < least || *number > most)
    return base::fail(ErrorCode::kUsage, "{} {}: expected a number from {} to {}", option, *text, least,
                      most);
  return number;
}

// One size for all four rings.
Status set_rings(const Arguments& arguments, CallConfig& config) {
  const auto set = [&](std::string_view option, std::uint64_t(&sizes)[kCallConfigRings]) -> Status {
    const auto text = arguments.value(option);
    if (!text) return {};
    const Result<base::Bytes> size = base::parse_size(*text);
    if (!size || size->value <= 0)
      return base::fail(ErrorCode::kUsage, "{} {}: expected a size such as 1024 or 64K", option, *text);
    for (std::uint64_t& ring : sizes) ring = static_cast<std::uint64_t>(size->value);
    return {};
  };
  // The members of a packed struct have no references: plain copies go in and out.
  std::uint64_t windows[kCallConfigRings] = {};
  std::uint64_t heaps[kCallConfigRings] = {};
  std::uint64_t pools[kCallConfigRings] = {};
  ACCELSCOPE_CHECK(set("--task-window", windows));
  ACCELSCOPE_CHECK(set("--heap", heaps));
  ACCELSCOPE_CHECK(set("--dependency-pool", pools));
  for (unsigned ring = 0; ring < kCallConfigRings; ++ring) {
    config.ring_task_window[ring] = windows[ring];
    config.ring_heap[ring] = heaps[ring];
    config.ring_dep_pool[ring] = pools[ring];
  }
  return {};
}

Result<jobs::RunGraphOptions> run_options(const Arguments& arguments) {
  jobs::RunGraphOptions options{.graph = arguments.positionals.front(), .version = ACCELSCOPE_VERSION};
  options.chip = arguments.value("--chip");
  if (const auto platform = arguments.value("--platform"))
    options.platform = runtime::platform_named(*platform);
  ACCELSCOPE_TRY(options.chip_swimlane, level_of(arguments));
  if (arguments.flag("--dump-tensor")) options.dump_tensor = true;
  if (arguments.flag("--deps")) options.deps = true;
  if (arguments.flag("--scope-stats")) options.scope_stats = true;
  ACCELSCOPE_TRY(options.pmu, count_of(arguments, "--pmu", 1, runtime::kMaxPmuGroup));
  ACCELSCOPE_TRY(options.core_swimlane, core_swimlane_request(arguments));
  ACCELSCOPE_TRY(options.rounds, count_of(arguments, "--rounds", 1, runtime::kMaxRounds));
  if (const auto policy = arguments.value("--policy")) options.policy = *capture::run_policy(*policy);
  options.costs = arguments.value("--costs").value_or("default");
  options.kernels = split_list(arguments.value("--kernels").value_or(""));
  ACCELSCOPE_CHECK(set_rings(arguments, options.config));
  options.compute = !arguments.flag("--no-compute");
  options.in_process = arguments.flag("--in-process");
  ACCELSCOPE_TRY(const auto seconds, count_of(arguments, "--give-up-after", 0, jobs::kMostGiveUpSeconds));
  if (seconds) options.give_up_after = std::chrono::seconds(*seconds);
  options.raw = arguments.value("--format") == "raw";
  options.replace = arguments.flag("--replace");
  options.folder = arguments.value("--output").value_or("");
  return options;
}

void print_files(const jobs::RunGraphOutcome& outcome) {
  const jobs::RunRound& last = outcome.rounds.back();
  if (last.files.empty()) return;
  if (outcome.rounds.size() > 1) fmt::print("\nof the last of {} rounds:", outcome.rounds.size());
  fmt::print("\n{}\nnext: accelscope report {}\n", files_text(last.files), last.folder);
}

int exit_code(const jobs::RunGraphOutcome& outcome) {
  if (outcome.fault) {
    const bool interrupted = outcome.fault->kind == runtime::RunFault::Kind::kInterrupted;
    fmt::print(stderr, "accelscope: {}: {}\n", interrupted ? "interrupted" : "error", outcome.fault->text);
    if (!outcome.rounds.back().folder.empty())
      fmt::print(stderr, "what was recorded until then is in {}\n", outcome.rounds.back().folder);
    return interrupted ? kExitInterrupted : kExitFailure;
  }
  if (outcome.as_expected()) return kExitOk;
  for (const jobs::CheckedOutput& output : outcome.outputs)
    if (output.differing > 0) fmt::print(stderr, "accelscope: not as expected: {}\n", output.text);
  return kExitGate;
}

int run_run(const Arguments& arguments) {
  if (arguments.flag("--list")) {
    fmt::print("{}", runtime::generators_help());
    return kExitOk;
  }
  if (arguments.positionals.empty())
    return report_failure(
        {ErrorCode::kUsage, "GRAPH is missing; `accelscope run --list` shows what can be made", {}});
  if (arguments.value("--enable-profiling"))
    fmt::print(stderr, "accelscope: --enable-profiling is now --chip-swimlane[=LEVEL]\n");
  Result<jobs::RunGraphOptions> options = run_options(arguments);
  if (!options) return report_failure(options.error());
  options->stop = &watch_for_interrupt();
  Result<jobs::RunGraphOutcome> outcome;
  {
    std::optional<base::Progress> progress;
    options->progress = [&](std::uint32_t round, std::uint32_t rounds) {
      if (!progress) progress.emplace("running", rounds);
      progress->advance_to(round - 1);
    };
    outcome = jobs::run_graph(*options);
  }
  if (!outcome) return report_failure(outcome.error());
  if (const Status printed = print_findings(outcome->findings, arguments); !printed)
    return report_failure(printed.error());
  if (!arguments.flag("--json") && !arguments.flag("--markdown")) print_files(*outcome);
  return exit_code(*outcome);
}

// What runs where, and what is recorded of it.
std::vector<OptionSpec> what_option_specs() {
  return {
      {.name = "--chip",
       .short_name = "",
       .value = "NAME|FILE",
       .help = "a2a3 (default), a5, or a file (docs/costs.md)"},
      {.name = "--platform",
       .short_name = "",
       .value = "NAME",
       .help = "virtual (default): deterministic time that costs say; threads: every core is a thread, on "
               "the wall clock",
       .choices = {runtime::kPlatformNames.begin(), runtime::kPlatformNames.end()}},
      {.name = "--chip-swimlane",
       .short_name = "",
       .value = "LEVEL",
       .help = "what is recorded: 0 nothing, 1 core timing, 2 and the life of tasks, 3 and phases; the bare "
               "option means 3",
       .bare = "3"},
      {.name = "--deps", .short_name = "", .value = "", .help = "record who waits for whom, and why"},
      {.name = "--pmu",
       .short_name = "",
       .value = "GROUP",
       .help =
           "record counters of each task: a group of events; the bare option means 2, which pipes are busy",
       .bare = "2"},
      {.name = "--scope-stats",
       .short_name = "",
       .value = "",
       .help = "record how full the rings are where scopes begin and end"},
      {.name = "--dump-tensor", .short_name = "", .value = "", .help = "record what tasks read and write"},
      {.name = "--policy",
       .short_name = "",
       .value = "NAME",
       .help = "when the host falls behind: block (default), drop, overwrite",
       .choices = {"block", "drop", "overwrite"}},
      {.name = "--rounds",
       .short_name = "",
       .value = "N",
       .help = "run it N times, each recorded (default: 1)"}};
}

// Where it goes, and how the chip is made up.
std::vector<OptionSpec> how_option_specs() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "DIR",
       .help = "where files go; needed as soon as something is recorded"},
      {.name = "--format",
       .short_name = "",
       .value = "NAME",
       .help = "of the swimlane: objects (default), whose version is tied to the level, or raw, which counts "
               "cycles",
       .choices = {"objects", "raw"}},
      {.name = "--replace",
       .short_name = "",
       .value = "",
       .help = "replace a recording that is there already"},
      {.name = "--costs",
       .short_name = "",
       .value = "FILE",
       .help = "what everything costs on the virtual chip (docs/costs.md)"},
      {.name = "--kernels",
       .short_name = "",
       .value = "LIB[,LIB]",
       .help = "shared objects with kernels (docs/kernels.md)"},
      {.name = "--no-compute",
       .short_name = "",
       .value = "",
       .help = "only time passes: kernels do not run, outputs are not checked"},
      {.name = "--in-process",
       .short_name = "",
       .value = "",
       .help = "no process of its own for the chip: a debugger sees kernels, and one that crashes takes "
               "the program with it"},
      {.name = "--give-up-after",
       .short_name = "",
       .value = "SECONDS",
       .help = "end a run in which no task is completed for so long; 0: never (default: 10)"},
      {.name = "--task-window",
       .short_name = "",
       .value = "N",
       .help = "slots of each ring of tasks, a power of two (default: 16384)"},
      {.name = "--heap", .short_name = "", .value = "SIZE", .help = "memory of each ring (default: 256M)"},
      {.name = "--dependency-pool",
       .short_name = "",
       .value = "N",
       .help = "entries of each ring for dependencies (default: 16384)"},
      {.name = "--list",
       .short_name = "",
       .value = "",
       .help = "the graphs that can be made, with their parameters"},
      {.name = "--enable-profiling",
       .short_name = "",
       .value = "LEVEL",
       .help = "deprecated: --chip-swimlane",
       .bare = "3"}};
}

}  // namespace

Command run_command() {
  std::vector<OptionSpec> options = what_option_specs();
  for (OptionSpec& option : core_swimlane_option_specs()) options.push_back(std::move(option));
  for (OptionSpec& option : how_option_specs()) options.push_back(std::move(option));
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  return {
      .name = "run",
      .summary = "run a task graph on a simulated chip, recorded",
      .description =
          "Runs a graph of tasks, from a file or made to order, on a chip with an orchestrator, scheduler "
          "threads and cores, and records it as a real runtime would. Outputs that the graph expects are "
          "checked: exit code 2 when one differs. A run that fails keeps what was recorded until then.",
      .examples = {"accelscope run bgemm:m=256,n=256,k=256,tile=64 --chip-swimlane --deps -o out",
                   "accelscope run attention --chip a5 --chip-swimlane=2 --pmu -o out",
                   "accelscope run bgemm:buffers=1 --core-swimlane -o out",
                   "accelscope run graph.json --platform threads --rounds 5 --chip-swimlane -o out",
                   "accelscope report out"},
      .positionals =
          {{.name = "GRAPH",
            .help = "a graph file (docs/graph.md), or one to be made, such as moe:experts=8; see --list",
            .at_least = 0}},
      .options = std::move(options),
      .run = run_run};
}

}  // namespace accelscope::cli
