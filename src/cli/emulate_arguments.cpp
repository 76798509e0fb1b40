#include "cli/emulate_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/closest_name.h"
#include "base/human.h"
#include "base/number_in.h"
#include "boards/binary_size.h"
#include "cli/analysis_arguments.h"
#include "cli/isa_arguments.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using jobs::DumpedMemory;
using jobs::EmulateOptions;

constexpr std::string_view kTimings[] = {"serial", "overlap"};

// The values of an option that takes a list of names, each once.
template <class Value, class Find>
Result<std::vector<Value>> named(const Arguments& arguments, std::string_view option,
                                 std::span<const std::string_view> names, Find find) {
  std::vector<Value> values;
  for (const std::string& name : listed(arguments, option)) {
    const auto value = find(name);
    if (!value)
      return base::fail(ErrorCode::kUsage, "{} {}: expected {}{}", option, name, fmt::join(names, ", "),
                        base::suggestion(name, names));
    if (std::find(values.begin(), values.end(), *value) != values.end())
      return base::fail(ErrorCode::kUsage, "{} {}: given twice", option, name);
    values.push_back(*value);
  }
  return values;
}

Result<std::optional<std::uint64_t>> count_of(const Arguments& arguments, std::string_view option,
                                              std::uint64_t least, std::uint64_t most) {
  const auto text = arguments.value(option);
  if (!text) return std::optional<std::uint64_t>();
  const auto number = base::number_in<std::uint64_t>(*text);
  if (!number || *number < least || *number > most)
    return base::fail(ErrorCode::kUsage, "{} {}: expected a whole number from {} to {}", option, *text, least,
                      most);
  return number;
}

Result<std::optional<base::Bytes>> size_of(const Arguments& arguments, std::string_view option) {
  const auto text = arguments.value(option);
  if (!text) return std::optional<base::Bytes>();
  const Result<base::Bytes> size = boards::parse_binary_size(*text);
  if (!size)
    return base::fail(ErrorCode::kUsage, "{} {}: expected a size above zero, such as 512M", option, *text);
  return std::optional(*size);
}

Result<std::optional<base::BytesPerSecond>> rate_of(const Arguments& arguments, std::string_view option) {
  const auto text = arguments.value(option);
  if (!text) return std::optional<base::BytesPerSecond>();
  const Result<base::BytesPerSecond> rate = base::parse_rate(*text);
  if (!rate || rate->value <= 0)
    return base::fail(ErrorCode::kUsage,
                      "{} {}: expected bytes a second above zero, such as 60000000 or 1.5GB/s", option,
                      *text);
  return std::optional(*rate);
}

Status read_memory(const Arguments& arguments, jobs::EmulateMemoryOptions& memory) {
  ACCELSCOPE_TRY(memory.models,
                 named<emulator::MemoryModel>(arguments, "--memory-model", emulator::memory_model_names(),
                                              emulator::memory_model_named));
  if (const auto semantics = arguments.value("--memory-semantics"))
    memory.semantics =
        *semantics == "reference" ? emulator::Semantics::kReference : emulator::Semantics::kRight;
  memory.dram = arguments.value("--dram").value_or("");
  constexpr std::uint64_t kMostChannels = 1024;
  ACCELSCOPE_TRY(const auto channels, count_of(arguments, "--channels", 1, kMostChannels));
  memory.channels = static_cast<std::uint32_t>(channels.value_or(0));
  ACCELSCOPE_TRY(memory.capacity, size_of(arguments, "--ddr3-capacity"));
  ACCELSCOPE_TRY(memory.host_bandwidth, rate_of(arguments, "--host-bandwidth"));
  ACCELSCOPE_TRY(memory.external_size, size_of(arguments, "--hbm-size"));
  constexpr std::uint64_t kDeepest = 1'000'000;
  ACCELSCOPE_TRY(const auto depth, count_of(arguments, "--prefetch-depth", 0, kDeepest));
  if (depth) memory.prefetch_depth = static_cast<std::uint32_t>(*depth);
  if (const auto name = arguments.value("--policy")) {
    memory.policy = memory::eviction_policy_named(*name);
    if (!memory.policy)
      return base::fail(ErrorCode::kUsage, "--policy {}: expected {}{}", *name,
                        fmt::join(memory::eviction_policy_names(), ", "),
                        base::suggestion(*name, memory::eviction_policy_names()));
  }
  return {};
}

Status read_rules(const Arguments& arguments, EmulateOptions& options) {
  if (arguments.flag("--compat") && arguments.flag("--strict"))
    return base::fail(ErrorCode::kUsage, "--compat and --strict exclude each other");
  const bool compat = arguments.flag("--compat");
  options.rules = compat ? emulator::Rules::kCompat : emulator::Rules::kStrict;
  options.dialect = arguments.value("--dialect") ? dialect_of(arguments)
                    : compat                     ? isa::Dialect::kReference
                                                 : isa::Dialect::kStrict;
  ACCELSCOPE_TRY(options.timings,
                 named<emulator::TimingMode>(arguments, "--timing", kTimings, jobs::timing_mode_named));
  ACCELSCOPE_TRY(options.costs, named<emulator::CostTable>(arguments, "--costs", emulator::cost_table_names(),
                                                           emulator::cost_table_named));
  if (compat && options.costs.empty()) options.costs = {emulator::CostTable::kReference};
  const auto& costs = options.costs;
  if (options.machine.boards.empty() &&
      std::find(costs.begin(), costs.end(), emulator::CostTable::kBoard) != costs.end())
    return base::fail(ErrorCode::kUsage, "--costs board needs a --board that says what instructions cost");
  options.recovery_cycles = arguments.value("--recovery-cycles") != "off";
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  ACCELSCOPE_TRY(options.most_instructions, count_of(arguments, "--max-instructions", 1, kMost));
  return {};
}

Status read_clock(const Arguments& arguments, EmulateOptions& options) {
  const auto text = arguments.value("--clock");
  if (!text) return {};
  if (options.machine.overrides.clock)
    return base::fail(ErrorCode::kUsage, "--clock and --clock-mhz exclude each other");
  const Result<base::Frequency> clock = base::parse_frequency(*text);
  if (!clock || !clock->known())
    return base::fail(ErrorCode::kUsage, "--clock {}: expected a frequency above 0, such as 150MHz", *text);
  options.machine.overrides.clock = *clock;
  return {};
}

Status read_outputs(const Arguments& arguments, EmulateOptions& options) {
  options.output = arguments.value("--output").value_or("");
  if (options.output == "-")
    return base::fail(ErrorCode::kUsage,
                      "--output -: standard output has the findings; give the trace a name");
  const auto detail = arguments.value("--trace");
  if (detail && options.output.empty())
    return base::fail(ErrorCode::kUsage, "--trace {}: where to? Give the trace a name with --output",
                      *detail);
  if (!options.output.empty()) options.trace = *emulator::log_detail_named(detail.value_or("units"));
  constexpr std::pair<std::string_view, DumpedMemory> kDumps[] = {{"--dump-vram", DumpedMemory::kVectors},
                                                                  {"--dump-mram", DumpedMemory::kMatrices},
                                                                  {"--dump-fpsram", DumpedMemory::kFloats},
                                                                  {"--dump-intsram", DumpedMemory::kIntegers},
                                                                  {"--dump-hbm", DumpedMemory::kExternal}};
  for (const auto& [option, memory] : kDumps)
    for (const std::string& text : arguments.all(option)) {
      Result<jobs::DumpWish> wish = jobs::parse_dump(memory, text);
      if (!wish) return base::fail(ErrorCode::kUsage, "{} {}", option, wish.error().message);
      options.dumps.push_back(*std::move(wish));
    }
  options.stage_profile_out = arguments.value("--stage-profile-out").value_or("stage_profile.json");
  if (arguments.value("--stage-profile-out") && !arguments.value("--stage-profile-asm"))
    return base::fail(ErrorCode::kUsage,
                      "--stage-profile-out belongs to --stage-profile-asm, whose comments name the stages");
  if (const auto text = arguments.value("--tolerance")) {
    ACCELSCOPE_TRY(options.tolerance, jobs::parse_tolerance(*text));
  }
  return {};
}

Result<jobs::EmulateFiles> read_files(const Arguments& arguments) {
  jobs::EmulateFiles files;
  const auto opcode = arguments.value("--opcode");
  if (opcode && !arguments.positionals.empty())
    return base::fail(ErrorCode::kUsage, "PROGRAM and --opcode are the same thing: give one of them");
  if (!opcode && arguments.positionals.empty())
    return base::fail(ErrorCode::kUsage,
                      "PROGRAM is missing: a listing, words, or a folder of `accelscope isa gen --images`");
  files.program = opcode ? *opcode : arguments.positionals.front();
  const auto text = [&](std::string_view option) { return arguments.value(option).value_or(""); };
  files.external = text("--hbm");
  files.floats = text("--fpsram");
  files.integers = text("--intsram");
  files.vectors = text("--vram");
  files.settings = text("--settings");
  files.manifest = text("--weight-manifest");
  files.expectation = text("--expect");
  files.stage_listing = text("--stage-profile-asm");
  return files;
}

OptionSpec several(OptionSpec spec) {
  spec.repeatable = true;
  return spec;
}

std::vector<OptionSpec> input_option_specs() {
  return {option("--opcode", "FILE", "the program, instead of PROGRAM"),
          option("--hbm", "FILE", "what lies in external memory from address 0 on (default: zeros)"),
          option("--fpsram", "FILE", "scalar floats, as float16 (default: zeros)"),
          option("--intsram", "FILE", "scalar integers of 32 bits (default: zeros)"),
          option("--vram", "FILE", "vector memory in its own format, row after row (default: zeros)"),
          option("--hbm-size", "SIZE", "of external memory, a multiple of 64 (default: the settings')")};
}

std::vector<OptionSpec> memory_option_specs() {
  return {
      several(
          option("--memory-model", "MODEL",
                 "hbm (default), layer-swap, host-stream, resident, kv-swap, weight-stream, auto; several "
                 "side by side, also with commas")),
      option("--weight-manifest", "JSON", "what lies where; all models but hbm need it (docs/manifest.md)"),
      option("--ddr3-capacity", "SIZE", "of the memory behind a host link (default: manifest, board, 512M)"),
      option("--host-bandwidth", "RATE", "of the host link (default: the board's, else 60000000)"),
      option("--dram", "PRESET",
             "the DRAM: a name of `accelscope memory list`, a file, naive, simple, "
             "simple-window (default: the board's, else reference-hbm2-patched)"),
      option("--channels", "N", "of the DRAM (default: the preset's)"),
      option("--memory-semantics", "NAME",
             "how models with a host link work: right (default), or reference, its mistakes included",
             {"right", "reference"}),
      option("--prefetch-depth", "D", "layers or regions that come while others are used"),
      option("--policy", "POLICY", "what leaves a full memory: fifo, lru, mru, pin, belady")};
}

std::vector<OptionSpec> timing_option_specs() {
  return {several(option("--timing", "MODE",
                         "serial (default): one instruction after the other; overlap: units work at the same "
                         "time; several side by side")),
          several(option("--costs", "TABLE",
                         "what instructions cost: reference, rtl, board (default: board where there is one, "
                         "else reference); several side by side")),
          option("--recovery-cycles", "WHEN", "overlap: issue needs a cycle after a stall (default: on)",
                 {"on", "off"}),
          option("--clock", "FREQUENCY", "such as 150MHz, instead of the board's"),
          option("--strict", "", "stop at everything that the hardware's documents forbid (default)"),
          option("--compat", "",
                 "do what the reference does, wrong or not, and print its lines to standard error; reference "
                 "memory, costs and dialect unless said otherwise"),
          dialect_option(),
          option("--max-instructions", "N", "after so many, a program counts as one that never ends")};
}

std::vector<OptionSpec> output_option_specs() {
  return {
      option("--trace", "DETAIL", "what the trace shows (default: units)",
             {"sections", "units", "instructions"}),
      {.name = "--output",
       .short_name = "-o",
       .value = "TRACE",
       .help = "write the timeline: .pftrace, .json, .astrace, ..."},
      several(option("--dump-vram", "FILE[:RANGE]",
                     "vector memory after the run; RANGE in elements: FIRST-END or FIRST+COUNT")),
      several(option("--dump-mram", "FILE[:RANGE]", "matrix memory after the run")),
      several(option("--dump-fpsram", "FILE[:RANGE]", "scalar floats after the run, as bf16")),
      several(option("--dump-intsram", "FILE[:RANGE]", "scalar integers after the run")),
      several(option("--dump-hbm", "FILE[:RANGE]", "external memory after the run; RANGE in bytes")),
      option("--expect", "FILE",
             "what memory must hold after the run (expected.json); exit code 2 when it differs; none: "
             "nothing, although the folder says"),
      option("--tolerance", "T",
             "with --expect: absolute and relative error, such as 0.01, or 1steps of the memory's format "
             "(default: none)"),
      option("--stage-profile-asm", "FILE", "a listing whose comments name stages of experts"),
      option("--stage-profile-out", "FILE", "their profile (default: stage_profile.json)"),
      option("--log-level", "LEVEL",
             "as the reference's; there is no log of instructions here (--trace has them): off, error and "
             "warn leave out the lines of --compat",
             {"trace", "debug", "info", "warn", "error", "off"}),
      option("--log-file", "FILE", "write the lines of --compat there, too")};
}

}  // namespace

std::vector<OptionSpec> emulate_option_specs() {
  std::vector<OptionSpec> options = input_option_specs();
  for (std::vector<OptionSpec> group : {machine_option_specs(), memory_option_specs(), timing_option_specs(),
                                        output_option_specs(), print_option_specs()})
    for (OptionSpec& one : group) options.push_back(std::move(one));
  return options;
}

Result<EmulateOptions> emulate_options(const Arguments& arguments) {
  if (arguments.flag("--json") && arguments.flag("--markdown"))
    return base::fail(ErrorCode::kUsage, "--json and --markdown exclude each other");
  EmulateOptions options;
  options.version = ACCELSCOPE_VERSION;
  ACCELSCOPE_TRY(options.files, read_files(arguments));
  ACCELSCOPE_TRY(options.machine, machine_options(arguments));
  ACCELSCOPE_CHECK(read_clock(arguments, options));
  ACCELSCOPE_CHECK(read_memory(arguments, options.memory));
  ACCELSCOPE_CHECK(read_rules(arguments, options));
  ACCELSCOPE_CHECK(read_outputs(arguments, options));
  return options;
}

}  // namespace accelscope::cli
