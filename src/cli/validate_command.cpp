#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/human.h"
#include "cli/failure.h"
#include "cli/kit_output.h"
#include "cli/open_arguments.h"
#include "cli/run_checklist_text.h"
#include "cli/tensor_dump_text.h"
#include "cli/terminal.h"
#include "cli/validate_json.h"
#include "cli/verbs.h"
#include "jobs/validate.h"
#include "report/trust_box.h"

namespace accelscope::cli {
namespace {

using analysis::chip::Invariant;
using analysis::chip::InvariantState;
using base::format_count;
using base::Result;
using report::Style;
using trace::MethodSummary;
using trace::RunKind;
using trace::RunStatus;
using trace::RunSummary;
using trace::TraceSummary;

constexpr std::size_t kRunsShownInFull = 24;
constexpr std::size_t kRunsShownAtEachEnd = 10;

std::string plural(std::uint64_t count, std::string_view singular, std::string_view several) {
  return fmt::format("{} {}", format_count(count), count == 1 ? singular : several);
}

std::string duration_text(const RunSummary& run) {
  if (!run.end_to_end) return run.status == RunStatus::kEmpty ? "empty" : "aborted: no end-to-end time";
  if (!run.frequency.known())
    return fmt::format("{} ticks", format_count(static_cast<std::uint64_t>(run.end_to_end->value)));
  return fmt::format(
      "{:<12} {} ns", base::format_duration(run.frequency.to_nanoseconds(*run.end_to_end)),
      format_count(static_cast<std::uint64_t>(run.frequency.to_nanoseconds(*run.end_to_end).value)));
}

void print_sources(const trace::Trace& trace, const Style& style) {
  for (const trace::SourceFile& source : trace.sources())
    fmt::print("{}{}{}\n  {}, {}{}{}\n", style.bold, source.path, style.plain, source.format,
               base::format_size(base::Bytes{static_cast<std::int64_t>(source.bytes)}),
               source.detail.empty() ? "" : ", ", source.detail);
}

void print_contents(const TraceSummary& summary, const Style& style) {
  fmt::print("\n{}contents{}\n  {}, {}", style.bold, style.plain, plural(summary.tracks, "track", "tracks"),
             plural(summary.slices, "slice", "slices"));
  const auto print_some = [](std::uint64_t count, std::string_view singular, std::string_view several) {
    if (count > 0) fmt::print(", {}", plural(count, singular, several));
  };
  fmt::print(", {}", plural(summary.flows, "flow", "flows"));
  print_some(summary.counters, "counter sample", "counter samples");
  print_some(summary.instants, "instant", "instants");
  print_some(summary.states, "state", "states");
  print_some(summary.tasks, "task", "tasks");
  print_some(summary.task_edges, "dependency", "dependencies");
  print_some(summary.args, "argument", "arguments");
  fmt::print("\n");
  if (summary.overlapping_slices > 0)
    fmt::print("  {} a sibling on the same track; all are kept\n",
               plural(summary.overlapping_slices, "slice overlaps", "slices overlap"));
  if (summary.negative_self_times > 0)
    fmt::print("  {} together; self time is then shown as 0\n",
               plural(summary.negative_self_times, "slice is shorter than its children",
                      "slices are shorter than their children"));
}

void print_method(const MethodSummary& method, const Style& style) {
  const std::string_view noun = method.kind == RunKind::kLoad        ? "load"
                                : method.kind == RunKind::kExecution ? "execution"
                                                                     : "run";
  fmt::print("\n{}{}{}{}{}: {}\n", style.bold, method.source, method.source.empty() ? "" : ", ",
             method.method, style.plain, plural(method.runs.size(), noun, fmt::format("{}s", noun)));
  const std::size_t count = method.runs.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > kRunsShownInFull && i == kRunsShownAtEachEnd) {
      fmt::print("  ...    {} more; --json lists all\n", count - 2 * kRunsShownAtEachEnd);
      i = count - kRunsShownAtEachEnd;
    }
    fmt::print("  {:>5}  {}\n", i, duration_text(method.runs[i]));
  }
}

void print_invariants(const std::vector<Invariant>& invariants, const Style& style) {
  if (invariants.empty()) return;
  fmt::print("\n{}what must hold{}\n", style.bold, style.plain);
  for (const Invariant& invariant : invariants) {
    const bool violated = invariant.state == InvariantState::kViolated;
    fmt::print("  {}{:<12}{} {}{}\n", violated ? style.red : "", name_of(invariant.state), style.plain,
               invariant.text,
               invariant.checked > 0 ? fmt::format(" ({} checked)", format_count(invariant.checked)) : "");
    if (violated)
      fmt::print("               {}: {}\n", plural(invariant.violations, "violation", "violations"),
                 invariant.first_violation);
  }
}

bool all_hold(const std::vector<Invariant>& invariants) {
  return std::none_of(invariants.begin(), invariants.end(), [](const Invariant& invariant) {
    return invariant.state == InvariantState::kViolated;
  });
}

int validate_run_directory(const Arguments& arguments, const formats::open::OpenOptions& options) {
  const Result<jobs::RunChecklist> list = jobs::check_run_directory(arguments.positionals.front(), options);
  if (!list) return report_failure(list.error());
  if (!arguments.flag("--json")) {
    print_run_checklist(*list);
  } else if (const base::Status printed = print_run_checklist_json(*list); !printed) {
    return report_failure(printed.error());
  }
  return list->complete() ? kExitOk : kExitFailure;
}

int validate_dump(const Arguments& arguments, const std::string& manifest) {
  const Result<jobs::TensorDumpOutcome> outcome = jobs::validate_tensor_dump(manifest);
  if (!outcome) return report_failure(outcome.error());
  if (!arguments.flag("--json")) {
    print_tensor_dump(*outcome);
  } else if (const base::Status printed = print_tensor_dump_json(*outcome); !printed) {
    return report_failure(printed.error());
  }
  return outcome->quality.has_errors() ? kExitFailure : kExitOk;
}

int run_validate(const Arguments& arguments) {
  if (arguments.flag("--compat")) return print_kit_validation(arguments);
  const Result<formats::open::OpenOptions> options = open_options(arguments);
  if (!options) return report_failure(options.error());
  std::vector<std::string> inputs = arguments.positionals;
  if (const base::Status entered = formats::open::enter_run_directories(inputs); !entered)
    return report_failure(entered.error());
  if (inputs.size() == 1)
    if (const auto manifest = jobs::tensor_manifest_at(inputs.front()))
      return validate_dump(arguments, *manifest);
  std::error_code ignored;
  if (inputs.size() == 1 && std::filesystem::is_directory(inputs.front(), ignored))
    return validate_run_directory(arguments, *options);
  const Result<jobs::ValidateOutcome> outcome = jobs::validate(inputs, *options);
  if (!outcome) return report_failure(outcome.error());
  if (arguments.flag("--json")) {
    if (const base::Status printed = print_validate_json(*outcome); !printed)
      return report_failure(printed.error());
  } else {
    const Style style = style_for(stdout);
    print_sources(outcome->trace, style);
    fmt::print("\n{}", report::trust_box(outcome->trace.quality(), style));
    print_contents(outcome->summary, style);
    for (const MethodSummary& method : outcome->summary.methods) print_method(method, style);
    print_invariants(outcome->invariants, style);
  }
  const bool good = !outcome->trace.quality().has_errors() && all_hold(outcome->invariants);
  return good ? kExitOk : kExitFailure;
}

}  // namespace

Command validate_command() {
  std::vector<OptionSpec> options{
      {.name = "--json", .short_name = "", .value = "", .help = "print JSON instead of text"},
      {.name = "--compat",
       .short_name = "",
       .value = "",
       .help = "for a run directory: only what the profiling kit's validate_results checks, in its words"}};
  for (OptionSpec& option : open_option_specs()) options.push_back(std::move(option));
  return {
      .name = "validate",
      .summary = "what a file is, what it holds, and what is wrong with it",
      .description =
          "Reads a trace and prints its format, the trust box (everything lost, odd or assumed), what it "
          "holds, and the end-to-end time of each run; of the recording of a chip also which invariants "
          "hold. Exit "
          "code 1 when the trust box has an error or an invariant is violated. Of a run "
          "directory it checks that it is complete: records, recordings, tables and reports are there, can "
          "be "
          "read and agree; exit code 1 when one check fails. Of a tensor dump it checks that the manifest "
          "and the "
          "binary agree.",
      .examples = {"accelscope validate model.etdump", "accelscope validate out_toy/results",
                   "accelscope validate model.etdump --json | jq '.methods[0].runs'"},
      .positionals =
          {{.name = "IN",
            .help =
                "a trace, a run directory, the directory of a chip's run, or a tensor dump; several traces "
                "become one, and an ETRecord names the events of the ETDumps",
            .at_most = kManyInputs}},
      .options = std::move(options),
      .run = run_validate};
}

}  // namespace accelscope::cli
