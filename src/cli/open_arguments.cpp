#include "cli/open_arguments.h"

#include <fmt/core.h>

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

// One option per kind of file that belongs to a chip swimlane; those beside it are found by themselves.
std::vector<OptionSpec> chip_file_specs() {
  const auto file = [](std::string_view name, std::string_view help) {
    return OptionSpec{.name = name, .short_name = "", .value = "FILE", .help = help};
  };
  return {
      file("--deps",
           "take the dependencies of a chip swimlane's tasks from this deps.json; like the other "
           "files of its run, one that lies beside the swimlane is found by itself"),
      file("--names", "take the names of a chip swimlane's functions from this name_map.json"),
      file("--pmu", "take the counters of a chip swimlane's dispatches from this pmu.csv"),
      file("--scope-stats", "show how full the rings were from this scope_stats.jsonl, with a chip swimlane"),
      file("--host-phases",
           "show what the host did from this host_phase_records.jsonl, with a chip swimlane"),
      file("--log", "show the host's spans from this log with [STRACE] markers, with a chip swimlane"),
  };
}

}  // namespace

std::vector<OptionSpec> open_option_specs() {
  std::vector<OptionSpec> specs = {
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
  for (OptionSpec& spec : chip_file_specs()) specs.push_back(std::move(spec));
  return specs;
}

base::Result<formats::open::OpenOptions> open_options(const Arguments& arguments) {
  formats::open::OpenOptions options;
  if (const auto unit = arguments.value("--time-unit")) {
    ACCELSCOPE_TRY(options.read.time_unit, formats::etdump::parse_time_unit(*unit));
  }
  options.etrecord = arguments.value("--etrecord").value_or("");
  for (std::size_t kind = 0; kind < formats::chip_run::kSiblingKinds; ++kind) {
    const auto& info = formats::chip_run::sibling_info(static_cast<formats::chip_run::SiblingKind>(kind));
    options.chip_files[kind] = arguments.value(info.option).value_or("");
  }
  options.read.keep_args = !arguments.flag("--no-args");
  options.read.progress = progress_on_terminal();
  return options;
}

}  // namespace accelscope::cli
