#include "cli/open_arguments.h"

#include <fmt/format.h>

#include <memory>

#include "base/progress.h"

namespace accelscope::cli {
namespace {

// A line per input, wiped when all of it has been read.
auto progress_on_terminal() {
  struct Shown {
    std::string path;
    std::unique_ptr<base::Progress> line;
  };
  return
      [shown = std::make_shared<Shown>()](const std::string& path, std::uint64_t done, std::uint64_t total) {
        if (!shown->line || shown->path != path) {
          shown->path = path;
          shown->line = std::make_unique<base::Progress>(fmt::format("reading {}", path), total);
        }
        shown->line->advance_to(done);
        if (done == total) shown->line.reset();
      };
}

}  // namespace

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
  options.read.progress = progress_on_terminal();
  return options;
}

}  // namespace accelscope::cli
