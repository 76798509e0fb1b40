#include "cli/perfmon_record_command.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "base/human.h"
#include "base/number_in.h"
#include "base/progress.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "jobs/perfmon_record.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

constexpr double kMaxRecordSeconds = 86'400;
constexpr std::uint32_t kDefaultRing = 64U << 10U;

// "0x1f0000", "2031616" or "64K".
Status read_place(const Arguments& arguments, std::string_view option, std::uint64_t& into) {
  const auto text = arguments.value(option);
  if (!text) return {};
  std::optional<std::uint64_t> place;
  if (text->starts_with("0x") || text->starts_with("0X")) {
    place = base::number_in<std::uint64_t>(std::string_view(*text).substr(2), 16);
  } else if (const Result<base::Bytes> size = base::parse_size(*text); size && size->value >= 0) {
    place = static_cast<std::uint64_t>(size->value);
  }
  if (!place)
    return base::fail(ErrorCode::kUsage, "{} {}: expected a number of bytes such as 0x1f0000 or 64K", option,
                      *text);
  into = *place;
  return {};
}

Result<std::optional<std::uint32_t>> count_of(const Arguments& arguments, std::string_view option) {
  const auto text = arguments.value(option);
  if (!text) return std::optional<std::uint32_t>();
  const std::optional<std::uint32_t> number = base::number_in<std::uint32_t>(*text);
  if (!number) return base::fail(ErrorCode::kUsage, "{} {}: expected a whole number", option, *text);
  return number;
}

Status read_device(const Arguments& arguments, jobs::PerfmonRecordOptions& options) {
  options.device = arguments.value("--device").value_or("");
  ACCELSCOPE_CHECK(read_place(arguments, "--offset", options.offset));
  ACCELSCOPE_TRY(options.cores, count_of(arguments, "--cores"));
  ACCELSCOPE_CHECK(read_place(arguments, "--stride", options.stride));
  if (arguments.value("--chip") && (options.cores || arguments.value("--stride")))
    return base::fail(ErrorCode::kUsage,
                      "--chip says where cores lie, and so do --cores and --stride: give one of them");
  if (arguments.value("--stride") && !options.cores)
    return base::fail(ErrorCode::kUsage, "--stride is for --cores, which is missing");
  if (const auto chip = arguments.value("--chip")) options.chip = *chip;
  options.only = arguments.value("--only").value_or("");
  return {};
}

Status read_memory(const Arguments& arguments, jobs::PerfmonRecordOptions& options) {
  options.memory.path = arguments.value("--memory").value_or("");
  ACCELSCOPE_CHECK(read_place(arguments, "--memory-offset", options.memory.offset));
  ACCELSCOPE_CHECK(read_place(arguments, "--memory-address", options.memory.address));
  std::uint64_t ring = kDefaultRing;
  ACCELSCOPE_CHECK(read_place(arguments, "--ring", ring));
  if (ring > std::numeric_limits<std::uint32_t>::max())
    return base::fail(ErrorCode::kUsage, "--ring {}: a ring has less than 4 GiB", ring);
  options.start.ring_bytes = static_cast<std::uint32_t>(ring);
  return {};
}

Status read_programming(const Arguments& arguments, perfmon::StartConfig& start) {
  if (arguments.value("--order") == "global-enable-last") start.order = &perfmon::kGlobalEnableLast;
  if (arguments.value("--drain") == "restart") start.mode = perfmon::DrainMode::kRestart;
  if (arguments.value("--enable") == "launch") start.enable = perfmon::EnableOwner::kLaunchHardware;
  start.take_armed = !arguments.flag("--leave-armed");
  ACCELSCOPE_TRY(const auto filter, count_of(arguments, "--glitch-filter"));
  start.glitch_filter = filter.value_or(0);
  return read_place(arguments, "--known-base", start.known_base);
}

perfmon::Behaviour behaviour(const Arguments& arguments) {
  perfmon::Behaviour assumed;
  const std::string pointer = arguments.value("--wptr").value_or("");
  if (arguments.value("--samp-wrt") == "words") assumed.samples_written_in = perfmon::Unit::kWords;
  if (pointer.ends_with("words")) assumed.pointer_in = perfmon::Unit::kWords;
  if (pointer.starts_with("total")) assumed.pointer = perfmon::PointerKind::kTotal;
  if (arguments.value("--buf-len") == "last-word") assumed.length = perfmon::LengthKind::kLastWord;
  if (arguments.value("--buffer") == "linear") assumed.buffer = perfmon::BufferKind::kLinear;
  return assumed;
}

Status read_times(const Arguments& arguments, jobs::PerfmonRecordOptions& options) {
  if (const auto text = arguments.value("--every")) {
    const Result<base::Nanoseconds> every = base::parse_duration(*text);
    if (!every || every->value <= 0 || static_cast<double>(every->value) > kMaxRecordSeconds * 1e9)
      return base::fail(ErrorCode::kUsage, "--every {}: expected a time above zero, such as 500us", *text);
    options.every = *every;
  }
  if (const auto text = arguments.value("--seconds")) {
    const std::optional<double> seconds = base::number_in<double>(*text);
    if (!seconds || !(*seconds > 0 && *seconds <= kMaxRecordSeconds))
      return base::fail(ErrorCode::kUsage, "--seconds {}: expected a number above zero, at most {:g}", *text,
                        kMaxRecordSeconds);
    options.duration = {static_cast<std::int64_t>(std::ceil(*seconds * 1e9))};
  }
  return {};
}

Result<jobs::PerfmonRecordOptions> record_options(const Arguments& arguments) {
  jobs::PerfmonRecordOptions options;
  ACCELSCOPE_CHECK(read_device(arguments, options));
  ACCELSCOPE_CHECK(read_memory(arguments, options));
  ACCELSCOPE_CHECK(read_programming(arguments, options.start));
  ACCELSCOPE_CHECK(read_times(arguments, options));
  options.behaviour = behaviour(arguments);
  options.folder = arguments.value("--output").value_or("");
  options.replace = arguments.flag("--replace");
  options.version = ACCELSCOPE_VERSION;
  return options;
}

int run_record(const Arguments& arguments) {
  Result<jobs::PerfmonRecordOptions> options = record_options(arguments);
  if (!options) return report_failure(options.error());
  options->stop = &watch_for_interrupt();
  Result<jobs::PerfmonRecordOutcome> outcome;
  {
    constexpr std::int64_t kMillion = 1'000'000;
    const auto milliseconds = [](base::Nanoseconds time) {
      return static_cast<std::uint64_t>(time.value / kMillion);
    };
    base::Progress progress("recording, ms", milliseconds(options->duration));
    options->progress = [&](base::Nanoseconds passed) { progress.advance_to(milliseconds(passed)); };
    outcome = jobs::record_perfmon(*options);
  }
  if (!outcome) return report_failure(outcome.error());
  if (const Status printed = print_findings(outcome->findings, arguments); !printed)
    return report_failure(printed.error());
  if (!outcome->first_file.empty() && !arguments.flag("--json") && !arguments.flag("--markdown"))
    fmt::print("\nnext: accelscope perfmon infer {0}\n      accelscope perfmon dump {0}\n",
               outcome->first_file);
  if (!outcome->failure.empty()) {
    fmt::print(stderr, "accelscope: error: {}\n", outcome->failure);
    return kExitFailure;
  }
  if (!outcome->interrupted) return kExitOk;
  fmt::print(stderr, "accelscope: interrupted: what was recorded until then is in {}\n", options->folder);
  return kExitInterrupted;
}

OptionSpec required(OptionSpec spec) {
  spec.required = true;
  return spec;
}

OptionSpec choice(std::string_view name, std::string_view help, std::vector<std::string_view> choices) {
  OptionSpec spec = option(name, "NAME", help);
  spec.choices = std::move(choices);
  return spec;
}

std::vector<OptionSpec> record_option_specs() {
  return {
      required(option("--device", "FILE", "the registers: a device file, or the resource file of a PCI BAR")),
      option("--offset", "BYTES", "where the registers begin in that file (default: 0)"),
      option("--chip", "NAME|FILE",
             "where cores lie: as on this chip, 3 MiB for each cluster (default: a5; docs/costs.md)"),
      option("--cores", "N", "or: so many cores"),
      option("--stride", "BYTES", "and so far apart"),
      option("--only", "CORES", "of these, record some, such as 0-3,7; others are not looked at"),
      required(option("--memory", "FILE", "memory that the device can write, for the rings")),
      option("--memory-offset", "BYTES", "where it begins in that file (default: 0)"),
      required(option("--memory-address", "ADDR", "of that place, as the monitor sees it")),
      option("--ring", "SIZE", "of each core (default: 64K)"),
      choice(
          "--order",
          "of programming: enable-last (default), or global-enable-last, which leaves pointer and counters",
          {"enable-last", "global-enable-last"}),
      choice("--drain", "read-only (default), or restart: off and on again, blind meanwhile",
             {"read-only", "restart"}),
      choice("--enable",
             "who turns perf_mon_en on: own (default), or launch: the hardware that launches tasks",
             {"own", "launch"}),
      option("--glitch-filter", "N", "changes of fewer cycles are not told, 0 to 15 (default: 0)"),
      option("--known-base", "ADDR",
             "what a killed run has left in the registers, so that it is no stranger's"),
      option("--leave-armed", "", "do not start cores that firmware has armed"),
      choice("--samp-wrt", "what samp_wrt counts: bytes (default), words", {"bytes", "words"}),
      choice("--wptr", "what wptr_o tells: bytes (default) or words, in the ring or in total",
             {"bytes", "words", "total-bytes", "total-words"}),
      choice("--buf-len", "what buf_len says: size (default), or the offset of the last word",
             {"size", "last-word"}),
      choice("--buffer", "at its end: ring (default) begins again, linear is full", {"ring", "linear"}),
      option("--every", "TIME", "between drains (default: 1ms)"),
      option("--seconds", "N", "how long to record (default: 1)"),
      {.name = "--output",
       .short_name = "-o",
       .value = "DIR",
       .help = "where the files go",
       .required = true},
      option("--replace", "", "remove recordings that are there already")};
}

}  // namespace

Command perfmon_record_action() {
  std::vector<OptionSpec> options = record_option_specs();
  for (OptionSpec& spec : print_option_specs()) options.push_back(std::move(spec));
  return {
      .name = "perfmon record",
      .summary = "record the performance monitors of a real device, raw",
      .description =
          "Programs the performance monitor of every chosen core, drains it for a while, and stores the "
          "whole ring and the registers of each drain as DIR/core<N>.<K>.bin and .regs.json, and what "
          "happened as DIR/record.json. Nothing is written before the device has identified itself; a "
          "monitor that somebody else uses is left alone; every register is put back, at the end, after "
          "Ctrl-C, and when a signal kills the program. docs/perfmon-device.md says what it assumes. It "
          "has never met silicon.",
      .examples = {"accelscope perfmon record --device bar --memory mem --memory-address 0x40000000 -o out",
                   "accelscope perfmon record --device bar --only 0 --memory mem "
                   "--memory-address 1G --ring 1M -o out",
                   "accelscope perfmon infer out/core0.1.bin"},
      .positionals = {},
      .options = std::move(options),
      .run = run_record};
}

}  // namespace accelscope::cli
