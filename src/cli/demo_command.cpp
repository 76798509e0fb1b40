#include <fmt/format.h>

#include "base/human.h"
#include "cli/call_tree_text.h"
#include "cli/failure.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "jobs/demo.h"
#include "report/trust_box.h"

namespace accelscope::cli {
namespace {

constexpr std::string_view kDefaultFolder = "accelscope-demo";

int run_demo(const Arguments& arguments) {
  const base::Result<jobs::DemoOutcome> outcome =
      jobs::demo({.folder = arguments.value("--out").value_or(std::string(kDefaultFolder))});
  if (!outcome) return report_failure(outcome.error());
  const report::Style style = style_for(stdout);
  fmt::print(
      "A small model, run ten times on a simulated clock, recorded as the ExecuTorch runtime would.\n\n");
  fmt::print("{}\n{}", report::trust_box(outcome->trace.quality(), style),
             call_tree_text(outcome->trace, style));
  fmt::print("\n{}files to open{}\n", style.bold, style.plain);
  for (const jobs::DemoFile& file : outcome->files) fmt::print("  {:<40} {}\n", file.path, file.what);
  return kExitOk;
}

}  // namespace

Command demo_command() {
  return {.name = "demo",
          .summary = "no input, no hardware: makes a small trace, converts it, shows where its time went",
          .description =
              "Writes a small ETDump with the project's own writer, reads it back, prints the call tree with "
              "self times, "
              "and converts it into every format that can be written. Ends by naming the files to open.",
          .examples = {"accelscope demo", "accelscope demo --out /tmp/demo"},
          .positionals = {},
          .options = {{.name = "--out",
                       .short_name = "-o",
                       .value = "DIR",
                       .help = "folder for the files (default: accelscope-demo)"}},
          .run = run_demo};
}

}  // namespace accelscope::cli
