#include <fmt/core.h>

#include "cli/call_tree_text.h"
#include "cli/failure.h"
#include "cli/files_text.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "jobs/demo.h"
#include "report/shown_table.h"
#include "report/statement_text.h"
#include "report/text_table.h"
#include "report/trust_box.h"
#include "report/wrap.h"

namespace accelscope::cli {
namespace {

using findings::Statement;
using findings::StatementKind;
using report::Style;

constexpr std::string_view kDefaultFolder = "accelscope-demo";
constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 4;
constexpr std::size_t kAdviceShown = 3;

void print_line(std::string_view text) {
  fmt::print("{:>{}} {}\n", "-", kIndent - 1, report::wrapped(text, kWidth - kIndent, kIndent));
}

void print_verdicts(std::string_view title, const findings::Findings& findings, const Style& style) {
  fmt::print("\n{}{}{}\n", style.bold, title, style.plain);
  for (const findings::Section& section : findings.sections)
    for (const Statement& statement : section.statements)
      if (statement.kind == StatementKind::kVerdict) print_line(report::text_of(statement));
}

void print_first_advice(const findings::Findings& findings, const Style& style) {
  fmt::print("\n{}what to do next{}\n", style.bold, style.plain);
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const findings::Section& section : findings.sections) {
    for (const Statement& statement : section.statements) {
      if (statement.kind != StatementKind::kAdvice) continue;
      if (shown == kAdviceShown) {
        ++left_out;
        continue;
      }
      ++shown;
      print_line(fmt::format("{}: {}", report::word_for(statement.priority), report::text_of(statement)));
    }
  }
  if (left_out > 0) fmt::print("    ... {} more in the report\n", left_out);
}

void print_model(const jobs::DemoOutcome& outcome, const Style& style) {
  fmt::print(
      "A small model on a simulated clock, without SME2 and with it, recorded as the ExecuTorch runtime "
      "would.\n\n{}",
      report::trust_box(outcome.report.quality, style));
  print_verdicts("what changed", outcome.report, style);
  print_first_advice(outcome.report, style);
  fmt::print("\n{}where the time goes with SME2{}\n{}", style.bold, style.plain,
             call_tree_text(outcome.trace, style));
}

void print_chip(const jobs::DemoChip& chip, const Style& style) {
  fmt::print(
      "\nA small decoder on a simulated chip of 8 cube and 16 vector cores, recorded as the runtime of the "
      "chip "
      "would.\n\n{}",
      report::trust_box(chip.report.quality, style));
  print_verdicts("who is the bottleneck", chip.report, style);
  print_first_advice(chip.report, style);
}

void print_graph(const jobs::DemoGraph& graph, const Style& style) {
  fmt::print(
      "\nAttention in tiles, run just now on a simulated a2a3 chip of 24 cube and 48 vector cores, in "
      "virtual "
      "time:\n{} records, {:.1f} us, outputs {}.\n\n{}",
      graph.run.rounds.back().collected, graph.run.rounds.back().makespan_us,
      graph.run.as_expected() ? "as expected" : "NOT as expected",
      report::trust_box(graph.report.quality, style));
  print_verdicts("who is the bottleneck", graph.report, style);
}

void print_board(const jobs::DemoBoard& board, const Style& style) {
  fmt::print(
      "\nSmolVLM2 on an Artix-7 board, and one head of attention as a program of the accelerator, profiled "
      "on two "
      "boards\nwithout running anything.\n");
  print_verdicts("does it fit", board.fit, style);
  print_first_advice(board.profile, style);
}

void print_emulation(const findings::Findings& emulation, const Style& style) {
  fmt::print("\nOne layer of a decoder, run instruction by instruction, its output checked.\n");
  print_verdicts("which board and memory", emulation, style);
  for (const findings::Section& section : emulation.sections)
    if (const findings::Table* runs = findings::find_table(section, "runs"))
      fmt::print("\n{}", report::text_table(report::shown_table(*runs), style, kWidth));
}

void print_files(const jobs::DemoOutcome& outcome, const Style& style) {
  std::vector<jobs::WrittenFile> files = outcome.files;
  for (const auto& more : {outcome.chip.files, outcome.graph.files, outcome.board.files})
    files.insert(files.end(), more.begin(), more.end());
  fmt::print(
      "\n{}try next{}\n  accelscope compare {} {}\n  accelscope compare {} {}\n"
      "  accelscope run moe --chip a5 --chip-swimlane --deps -o my-run && accelscope report my-run\n"
      "  accelscope fit llama-3.2-1b --board '*' --context 8192\n  accelscope isa lint {}\n"
      "  accelscope emulate {} --board v80 --timing serial,overlap --costs board,rtl\n",
      style.bold, style.plain, outcome.run.baseline, outcome.run.candidate, outcome.chip.before,
      outcome.chip.after, outcome.board.program, outcome.board.layer);
  fmt::print("\n{}files to open{}\n{}", style.bold, style.plain, files_text(files, 2));
}

int run_demo(const Arguments& arguments) {
  const base::Result<jobs::DemoOutcome> outcome =
      jobs::demo({.folder = arguments.value("--out").value_or(std::string(kDefaultFolder)),
                  .version = ACCELSCOPE_VERSION});
  if (!outcome) return report_failure(outcome.error());
  const Style style = style_for(stdout);
  print_model(*outcome, style);
  print_chip(outcome->chip, style);
  print_graph(outcome->graph, style);
  print_board(outcome->board, style);
  print_emulation(outcome->board.emulation, style);
  print_files(*outcome, style);
  return kExitOk;
}

}  // namespace

Command demo_command() {
  return {
      .name = "demo",
      .summary = "small recordings of a model and of a chip, reported on, without any input",
      .description =
          "Writes two small ETDumps with the project's own writer, a model without SME2 and with it, and "
          "a kernel log for each, into a run directory; reports on it; converts the faster one into "
          "every format that can be written. Writes the swimlanes of a chip's run before and after a "
          "change, with dependencies and names, reports on the first and draws it. Runs a task graph on "
          "a simulated chip, recorded, reports on it and draws it. Profiles a program of the modelled "
          "accelerator, says whether a model fits a board, and runs a layer on two boards under three memory "
          "models. Ends by naming the files to open.",
      .examples = {"accelscope demo", "accelscope demo --out /tmp/demo"},
      .positionals = {},
      .options = {{.name = "--out",
                   .short_name = "-o",
                   .value = "DIR",
                   .help = "folder for the files (default: accelscope-demo)"}},
      .run = run_demo};
}

}  // namespace accelscope::cli
