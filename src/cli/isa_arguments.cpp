#include "cli/isa_arguments.h"

#include "base/human.h"
#include "base/number_in.h"
#include "cli/analysis_arguments.h"
#include "isa/machine.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;

Result<std::optional<std::uint64_t>> dimension(const Arguments& arguments, std::string_view option) {
  const auto text = arguments.value(option);
  if (!text) return std::optional<std::uint64_t>();
  const auto number = base::number_in<std::uint64_t>(*text);
  if (!number || *number == 0 || *number > isa::kLargestDimension)
    return base::fail(ErrorCode::kUsage, "{} {}: expected a whole number from 1 to {}", option, *text,
                      isa::kLargestDimension);
  return number;
}

Result<std::optional<base::Frequency>> clock_of(const Arguments& arguments) {
  const auto text = arguments.value("--clock-mhz");
  if (!text) return std::optional<base::Frequency>();
  const Result<base::Frequency> clock = base::parse_frequency(*text + "MHz");
  if (!base::number_in<double>(*text) || !clock || !clock->known())
    return base::fail(ErrorCode::kUsage, "--clock-mhz {}: expected a number above 0, such as 150", *text);
  return std::optional(*clock);
}

}  // namespace

OptionSpec isa_output_option() {
  return {.name = "--output",
          .short_name = "-o",
          .value = "FILE",
          .help = "where to write (default: standard output)"};
}

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

std::vector<OptionSpec> machine_option_specs() {
  return {
      {.name = "--board",
       .short_name = "-b",
       .value = "BOARD",
       .help = "a board's name or file: latencies, transfers, clock; several side by side, also with commas",
       .repeatable = true},
      {.name = "--settings",
       .short_name = "",
       .value = "TOML",
       .help = "plena_settings.toml: dimensions, memories, latencies (default: as shipped)"},
      {.name = "--mlen",
       .short_name = "",
       .value = "N",
       .help = "side of a tile; also the length of a row, and the rows of a matrix prefetch"},
      {.name = "--vlen", .short_name = "", .value = "N", .help = "length of a row of vectors"},
      {.name = "--blen",
       .short_name = "",
       .value = "N",
       .help = "rows and columns of one product; also the rows of a transfer of vectors"},
      {.name = "--hlen", .short_name = "", .value = "N", .help = "width of a head's slice"},
      {.name = "--clock-mhz", .short_name = "", .value = "F", .help = "the clock, instead of the board's"}};
}

Result<jobs::IsaMachineOptions> machine_options(const Arguments& arguments) {
  jobs::IsaMachineOptions options;
  options.boards = listed(arguments, "--board");
  options.settings = arguments.value("--settings").value_or("");
  ACCELSCOPE_TRY(options.overrides.mlen, dimension(arguments, "--mlen"));
  ACCELSCOPE_TRY(options.overrides.vlen, dimension(arguments, "--vlen"));
  ACCELSCOPE_TRY(options.overrides.blen, dimension(arguments, "--blen"));
  ACCELSCOPE_TRY(options.overrides.hlen, dimension(arguments, "--hlen"));
  ACCELSCOPE_TRY(options.overrides.clock, clock_of(arguments));
  return options;
}

}  // namespace accelscope::cli
