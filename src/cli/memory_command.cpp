#include <fmt/core.h>
#include <unistd.h>

#include "base/human.h"
#include "base/number_in.h"
#include "base/output.h"
#include "base/progress.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/memory_stream_command.h"
#include "cli/verbs.h"
#include "jobs/memory_measure.h"
#include "jobs/memory_presets.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

int shown(const Result<findings::Findings>& findings, const Arguments& arguments) {
  if (!findings) return report_failure(findings.error());
  const Status printed = print_findings(*findings, arguments);
  return printed ? kExitOk : report_failure(printed.error());
}

int printed_text(const Result<std::string>& text) {
  if (!text) return report_failure(text.error());
  base::DescriptorOutput output(STDOUT_FILENO, "standard output");
  output.append(*text);
  const Status flushed = output.flush();
  return flushed ? kExitOk : report_failure(flushed.error());
}

template <class Number>
Status read_number(const Arguments& arguments, std::string_view option, std::string_view expected,
                   Number& number) {
  const auto text = arguments.value(option);
  if (!text) return {};
  const auto value = base::number_in<Number>(*text);
  if (!value) return base::fail(ErrorCode::kUsage, "{} {}: expected {}", option, *text, expected);
  number = *value;
  return {};
}

Status read_latency(const Arguments& arguments, base::Picoseconds& latency) {
  const auto text = arguments.value("--controller-latency");
  if (!text) return {};
  const Result<base::Nanoseconds> parsed = base::parse_duration(*text);
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (!parsed || parsed->value < 0 || parsed->value > kSecond)
    return base::fail(ErrorCode::kUsage,
                      "--controller-latency {}: expected a time up to a second, such as 40ns", *text);
  latency = {parsed->value * 1000};
  return {};
}

Status read_dram_options(const Arguments& arguments, memory::DramOptions& dram) {
  ACCELSCOPE_CHECK(read_number(arguments, "--channels", "a count", dram.channels));
  if (arguments.value("--channels") && dram.channels == 0)
    return base::fail(ErrorCode::kUsage, "--channels 0: expected 1 to 1024");
  if (const auto map = arguments.value("--map")) {
    ACCELSCOPE_TRY(dram.map, memory::map_kind_of(*map));
  }
  dram.hash_rows = arguments.flag("--hash");
  if (const auto refresh = arguments.value("--refresh")) {
    ACCELSCOPE_TRY(dram.refresh, memory::refresh_kind_of(*refresh));
  }
  if (const auto page = arguments.value("--page")) {
    ACCELSCOPE_TRY(dram.page, memory::page_policy_of(*page));
  }
  ACCELSCOPE_CHECK(read_number(arguments, "--queue", "a count of entries", dram.read_queue));
  dram.write_queue = dram.read_queue;
  return read_latency(arguments, dram.controller_latency);
}

Result<jobs::MemoryMeasureOptions> measure_options(const Arguments& arguments) {
  jobs::MemoryMeasureOptions options{.preset = arguments.positionals.front(), .version = ACCELSCOPE_VERSION};
  ACCELSCOPE_CHECK(read_dram_options(arguments, options.dram));
  if (const auto pattern = arguments.value("--pattern")) {
    ACCELSCOPE_TRY(options.load.pattern, memory::pattern_of(*pattern));
  }
  if (const auto fidelity = arguments.value("--fidelity")) {
    ACCELSCOPE_TRY(options.fidelity, memory::fidelity_of(*fidelity));
  }
  ACCELSCOPE_CHECK(read_number(arguments, "--writes", "a percentage", options.load.write_percent));
  ACCELSCOPE_CHECK(read_number(arguments, "--gap", "a count of clocks", options.load.gap.value));
  ACCELSCOPE_CHECK(read_number(arguments, "--requests", "a count", options.load.requests));
  ACCELSCOPE_CHECK(read_number(arguments, "--seed", "a number", options.load.seed));
  if (const auto span = arguments.value("--span")) {
    const Result<base::Bytes> parsed = base::parse_size(*span);
    if (!parsed || parsed->value <= 0)
      return base::fail(ErrorCode::kUsage, "--span {}: expected a size above zero, such as 2G", *span);
    options.load.span = *parsed;
    options.whole_span = true;
  }
  return options;
}

int run_measure(const Arguments& arguments) {
  Result<jobs::MemoryMeasureOptions> options = measure_options(arguments);
  if (!options) return report_failure(options.error());
  Result<findings::Findings> findings;
  {
    base::Progress progress("simulating", options->load.requests);
    options->load.progress = [&](std::uint64_t done) {
      progress.advance_to(done);
      return true;
    };
    findings = jobs::measure_memory(*options);
  }
  return shown(findings, arguments);
}

int run_curve(const Arguments& arguments) {
  Result<jobs::MemoryMeasureOptions> measure = measure_options(arguments);
  if (!measure) return report_failure(measure.error());
  if (!arguments.value("--requests")) measure->load.requests = 100'000;
  const Result<findings::Findings> findings = jobs::memory_curve({.measure = *measure});
  if (!findings || !arguments.flag("--csv")) return shown(findings, arguments);
  return printed_text(jobs::curve_csv(*findings));
}

int run_list(const Arguments& arguments) {
  return shown(jobs::memory_presets(ACCELSCOPE_VERSION), arguments);
}

int run_show(const Arguments& arguments) {
  const std::string& preset = arguments.positionals.front();
  if (arguments.flag("--file")) return printed_text(jobs::memory_preset_file(preset));
  return shown(jobs::memory_preset(preset, ACCELSCOPE_VERSION), arguments);
}

std::vector<OptionSpec> dram_option_specs() {
  return {option("--channels", "N", "channels (default: as many as the preset has)"),
          option("--map", "MAP", "mop4clxor (default), robaracoch or chrabaroco"),
          option("--hash", "", "mix row bits into banks and bank groups"),
          option("--refresh", "KIND", "none, all-bank (default) or per-bank"),
          option("--page", "POLICY", "open (default) or closed"),
          option("--queue", "N", "entries of a channel's read queue, and of its write queue (default: 32)"),
          option("--controller-latency", "TIME", "added to every request (default: 0)"),
          option("--pattern", "PATTERN",
                 "of every channel: stream (default), random, blkK (random blocks of K bursts), strK (K "
                 "interleaved streams)"),
          option("--span", "SIZE", "what the requests lie in (default: 2G, or all where that is less)"),
          option("--seed", "N", "of random addresses (default: 1)"),
          option("--fidelity", "F", "event (default) or closed-form")};
}

std::vector<OptionSpec> with_printing(std::vector<OptionSpec> options) {
  for (OptionSpec& spec : print_option_specs()) options.push_back(std::move(spec));
  return options;
}

PositionalSpec preset_positional() {
  return {.name = "PRESET", .help = "a name that `memory list` shows, or the path of a file"};
}

Command measure_action() {
  std::vector<OptionSpec> options = dram_option_specs();
  options.push_back(option("--writes", "PCT", "per cent of the requests that are writes (default: 0)"));
  options.push_back(
      option("--gap", "CLOCKS", "between the requests of a channel; 0 (default): its queue is kept full"));
  options.push_back(option("--requests", "N", "of all channels (default: 300000)"));
  return {.name = "memory measure",
          .summary = "what a DRAM delivers under a load, and why not more",
          .description =
              "Simulates a DRAM under a load that has a name: bandwidth, latency, and for every idle tick of "
              "its data buses the reason. Latency counts from a place in the queue where the queue is kept "
              "full, else from arrival. The same options give the same numbers everywhere.",
          .examples = {"accelscope memory measure hbm2", "accelscope memory measure hbm2 --pattern random",
                       "accelscope memory measure hbm2 --pattern str16 --hash",
                       "accelscope memory measure ddr4-2400 --writes 33 --page closed --json"},
          .positionals = {preset_positional()},
          .options = with_printing(std::move(options)),
          .run = run_measure};
}

Command curve_action() {
  std::vector<OptionSpec> options = dram_option_specs();
  options.push_back(option("--requests", "N", "of all channels, for every point (default: 100000)"));
  options.push_back(option("--csv", "", "print the table as CSV"));
  return {.name = "memory curve",
          .summary = "how a DRAM's latency grows with its load",
          .description =
              "The load-latency curves of a DRAM for 0, 20, 33 and 50 % of writes: requests arrive at each "
              "channel at equal distances, from 5 to 95 % of the peak, as far as the memory keeps up.",
          .examples = {"accelscope memory curve hbm2", "accelscope memory curve ddr4-2400 --pattern random",
                       "accelscope memory curve hbm3 --csv > hbm3.csv"},
          .positionals = {preset_positional()},
          .options = with_printing(std::move(options)),
          .run = run_curve};
}

Command list_action() {
  return {.name = "memory list",
          .summary = "the DRAM presets of this program",
          .description = "Names, peaks and capacities of the presets that are part of the program.",
          .examples = {"accelscope memory list"},
          .positionals = {},
          .options = with_printing({}),
          .run = run_list};
}

Command show_action() {
  return {
      .name = "memory show",
      .summary = "every parameter of a DRAM preset, with its source",
      .description = "Organisation, times and commands of a preset, what each means, and where it is from.",
      .examples = {"accelscope memory show hbm3", "accelscope memory show hbm2 --file > mine.json"},
      .positionals = {preset_positional()},
      .options = with_printing({option("--file", "", "print it as a file, to make one's own of it")}),
      .run = run_show};
}

}  // namespace

Command memory_command() {
  return {
      .name = "memory",
      .summary = "models of external memory and of the link to a host, to be checked before they are trusted",
      .description =
          "Models of DRAM that one can question: presets with their sources, loads that have names, and "
          "for every idle tick a reason.",
      .examples = {"accelscope memory list", "accelscope memory measure hbm2 --pattern random",
                   "accelscope memory curve ddr4-2400"},
      .positionals = {},
      .options = {},
      .actions = {measure_action(), curve_action(), list_action(), show_action(), memory_stream_action()}};
}

}  // namespace accelscope::cli
