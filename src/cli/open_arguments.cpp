#include "cli/open_arguments.h"

namespace accelscope::cli {

std::vector<OptionSpec> open_option_specs() {
  return {
      {.name = "--time-unit",
       .short_name = "",
       .value = "UNIT",
       .help = "what the times of an ETDump count, which the file does not say: ns (default), us, ms, s, "
               "cycles, or cycles:FREQ such as cycles:1.2GHz"},
      {.name = "--etrecord",
       .short_name = "",
       .value = "FILE",
       .help = "take backends, operator types and source lines from this ETRecord; one that lies beside the "
               "ETDump under the same name is found by itself"},
      {.name = "--no-args",
       .short_name = "",
       .value = "",
       .help = "leave out the arguments of Chrome JSON events: faster, smaller"},
  };
}

base::Result<formats::open::OpenOptions> open_options(const Arguments& arguments) {
  formats::open::OpenOptions options;
  if (const auto unit = arguments.value("--time-unit")) {
    ACCELSCOPE_TRY(options.read.time_unit, formats::etdump::parse_time_unit(*unit));
  }
  options.etrecord = arguments.value("--etrecord").value_or("");
  options.read.keep_args = !arguments.flag("--no-args");
  return options;
}

}  // namespace accelscope::cli
