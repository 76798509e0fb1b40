#include "fit/stream_document.h"

#include <fmt/core.h>

#include "base/human.h"
#include "findings/columns.h"
#include "fit/document_parts.h"

namespace accelscope::fit {
namespace {

using base::Picoseconds;
using findings::Better;
using findings::Cell;
using findings::count_column;
using findings::Findings;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::StatementKind;
using findings::Table;
using findings::text_column;
using memory::EvictionPolicy;

std::string duration(Picoseconds time) {
  return base::format_duration({time.value / 1000});
}

double share(Picoseconds part, Picoseconds all) {
  return all.value <= 0 ? 0 : 100 * static_cast<double>(part.value) / static_cast<double>(all.value);
}

// A token of every sequence; of a diffusion model a step.
std::string_view word_for_pass(const boards::Model& model) {
  return model.text.diffusion ? "step" : "token";
}

std::string verdict(const boards::Model& model, const Machine& machine, const StreamStudy& study) {
  const StreamWay& way = study.chosen;
  const std::string_view pass = word_for_pass(model);
  if (way.link_bytes.value == 0)
    return fmt::format("{} fits {}: nothing comes over the link, and a {} takes {}.", model.nickname,
                       machine.name, pass, duration(way.pass));
  const std::string what = fmt::format(
      "{:.4g} of {} layers and output stay, {} come over the link for every {}, which takes {}", way.staying,
      study.stages_that_may_come, base::format_size(way.link_bytes), pass, duration(way.pass));
  if (way.exposed().value == 0)
    return fmt::format("{}: all transfers hide behind calculation and memory.", what);
  return fmt::format("{}: {} of it ({:.0f} %) nobody does anything but wait for the link.", what,
                     duration(way.exposed()), share(way.exposed(), way.pass));
}

std::string about_depth(const StreamStudy& study, const StreamQuestion& question) {
  const std::uint32_t depth = study.buffers_for_bound - 1;
  const std::string reached = fmt::format(
      "A prefetch depth of {} with {} of buffers is the smallest that reaches {}, which more "
      "buffers do not improve",
      depth, base::format_size(study.buffer_for_bound), duration(study.bound));
  if (study.chosen.pass <= study.bound) return reached + ".";
  return fmt::format("{}; with {} it takes {}.", reached, question.prefetch_depth,
                     duration(study.chosen.pass));
}

std::string about_bandwidth(const StreamStudy& study, const Machine& machine) {
  const std::string has = base::format_rate(machine.link->bandwidth);
  if (!study.bandwidth_to_hide)
    return fmt::format("No link is fast enough to hide every transfer at this depth; it has {}.", has);
  return fmt::format("Streaming stops hurting at {} of the link; it has {}.",
                     base::format_rate(*study.bandwidth_to_hide), has);
}

std::string about_direct(const StreamStudy& study, const StreamQuestion& question) {
  base::Bytes largest{};
  for (const StageWork& stage : study.work.stages)
    if (stage.kind == StageKind::kLayer || stage.kind == StageKind::kOutput)
      largest = std::max(largest, stage.stored);
  const std::string_view what =
      "What comes goes straight to the chip, past the memory, and none of it is kept";
  if (question.direct) return fmt::format("{}.", what);
  return fmt::format(
      "{}: {} buffers of the largest layer, {} each, do not fit the {} that the memory has for "
      "layers. Buffers then are tiles on the chip.",
      what, question.prefetch_depth + 1, base::format_size(largest), base::format_size(study.room));
}

void add_statements(Section& section, const boards::Model& model, const Machine& machine,
                    const StreamQuestion& question, const StreamStudy& study) {
  section.statements.push_back(
      {.id = "stream.verdict", .kind = StatementKind::kVerdict, .text = verdict(model, machine, study)});
  if (study.chosen.link_bytes.value == 0) return;
  if (study.direct)
    section.statements.push_back({.id = "stream.past_memory", .text = about_direct(study, question)});
  section.statements.push_back({.id = "stream.depth", .text = about_depth(study, question)});
  section.statements.push_back({.id = "stream.bandwidth", .text = about_bandwidth(study, machine)});
}

void add_metrics(Section& section, const boards::Model& model, const StreamStudy& study) {
  const StreamWay& way = study.chosen;
  const auto add = [&](std::string id, std::string label, std::optional<double> value, std::string unit,
                       Better better = Better::kNeither, std::string note = "") {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = value,
                               .unit = std::move(unit),
                               .note = std::move(note),
                               .better = better});
  };
  const std::string pass(word_for_pass(model));
  add("pass", fmt::format("a {}", pass), in_ms(way.pass), "ms", Better::kLower);
  add("passes_per_second", fmt::format("{}s a second of a sequence", pass),
      way.pass.value <= 0 ? std::nullopt : std::optional(1e12 / static_cast<double>(way.pass.value)), "",
      Better::kHigher);
  add("busy", "calculation and external memory", in_ms(way.busy), "ms", Better::kLower);
  if (way.link_bytes.value == 0) return;
  add("link", "transfers", in_ms(way.link), "ms");
  add("exposed", "transfers, not hidden", in_ms(way.exposed()), "ms", Better::kLower);
  add("hidden", "transfers, hidden", in_ms(way.hidden()), "ms");
  add("bound", "bound with any number of buffers", in_ms(study.bound), "ms", Better::kLower);
  add("link_bytes", fmt::format("over the link for a {}", pass), in_mb(way.link_bytes), "MB", Better::kLower);
  add("staying", "layers and output that stay", way.staying, "");
  add("buffers", "buffers", in_mb(way.buffer_bytes), "MB");
  add("depth_for_bound", "smallest prefetch depth at the bound", study.buffers_for_bound - 1.0, "");
  add("buffer_for_bound", "smallest buffers at the bound", in_mb(study.buffer_for_bound), "MB");
  add("bandwidth_to_hide", "link at which streaming stops hurting",
      study.bandwidth_to_hide ? std::optional(static_cast<double>(study.bandwidth_to_hide->value) * 1e-6)
                              : std::nullopt,
      "MB/s", Better::kNeither, study.bandwidth_to_hide ? "" : "none is fast enough");
}

// One pass in the steady state, stage by stage, from its own beginning.
Table timeline_table(const StreamStudy& study) {
  Table table{
      .id = "timeline",
      .title = "One pass, stage by stage",
      .columns = {count_column("position", "#"), text_column("stage", "Stage"),
                  text_column("place", "Weights"), number_column("compute", "Compute", "ms", 4),
                  number_column("memory", "DRAM", "ms", 4), number_column("transfer", "Transfer", "ms", 4),
                  number_column("transfer_start", "from", "ms", 3),
                  number_column("transfer_end", "to", "ms", 3),
                  number_column("start", "Calculates from", "ms", 3), number_column("end", "to", "ms", 3),
                  number_column("hidden", "Hidden", "ms", 4),
                  number_column("exposed", "Not hidden", "ms", 4)},
      .note =
          "Times from the end of the pass before; a transfer that began before it has a time below "
          "zero.",
      .rows_shown = 16};
  const StreamWay& way = study.chosen;
  if (way.stages.empty()) return table;
  const Picoseconds begin = way.stages.front().compute_start - way.stages.front().exposed;
  for (std::size_t i = 0; i < way.stages.size(); ++i) {
    const memory::LayerTimes& times = way.stages[i];
    const StageTime& stage = (way.comes[i] ? study.came : study.here)[i];
    const Picoseconds transfer = times.transfer_end - times.transfer_start;
    const bool on_link = transfer.value > 0;
    const auto cell = [&](Picoseconds time) { return on_link ? Cell(in_ms(time)) : Cell(); };
    table.rows.push_back(
        {static_cast<std::int64_t>(i), study.names[i], std::string(way.comes[i] ? "come" : "stay"),
         in_ms(stage.compute), in_ms(stage.memory), cell(transfer), cell(times.transfer_start - begin),
         cell(times.transfer_end - begin), in_ms(times.compute_start - begin),
         in_ms(times.compute_end - begin), cell(transfer - times.exposed), cell(times.exposed)});
  }
  return table;
}

std::vector<Cell> way_cells(const StreamWay& way) {
  return {way.staying,     in_mb(way.buffer_bytes), in_mb(way.link_bytes),
          in_ms(way.link), in_ms(way.exposed()),    in_ms(way.pass)};
}

std::vector<findings::Column> way_columns(findings::Column first) {
  return {std::move(first),
          number_column("staying", "Stay", "", 2),
          number_column("buffers", "Buffers", "MB", 1),
          number_column("link_bytes", "Link", "MB", 1),
          number_column("link", "Transfers", "ms", 3),
          number_column("exposed", "Not hidden", "ms", 3),
          number_column("pass", "Pass", "ms", 3)};
}

Table depth_table(const StreamStudy& study) {
  Table table{.id = "depths",
              .title = "By prefetch depth",
              .columns = way_columns(count_column("depth", "Depth")),
              .note = "Stay: layers and output that need not come. Buffers take their room from them."};
  for (const StreamWay& way : study.by_depth) {
    std::vector<Cell> row{static_cast<std::int64_t>(way.buffers) - 1};
    for (Cell& cell : way_cells(way)) row.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table policy_table(const StreamStudy& study) {
  Table table{.id = "policies",
              .title = "By policy",
              .columns = way_columns(text_column("policy", "Policy")),
              .note = "Stay: layers and output that need not come; where passes differ, the mean of many."};
  for (const StreamWay& way : study.by_policy) {
    std::vector<Cell> row{std::string(name_of(way.policy))};
    for (Cell& cell : way_cells(way)) row.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_memory(Findings& findings, const Machine& machine, const StreamStudy& study) {
  Section& section = findings::add_section(findings, "memory", "Memory");
  Table table{.id = "footprint",
              .columns = {text_column("what", "What"), count_column("bytes", "Bytes"),
                          number_column("mb", "Size", "MB", 1)}};
  const auto add = [&](std::string what, base::Bytes bytes) {
    table.rows.push_back({std::move(what), bytes.value, in_mb(bytes)});
  };
  add("weights", study.footprint.weights);
  add("keys and values", study.footprint.kv);
  add("activations", study.footprint.activations);
  add("capacity", machine.capacity);
  add("room for layers and buffers", study.room);
  section.tables.push_back(std::move(table));
}

}  // namespace

Findings stream_document(const boards::Model& model, const boards::Board& board, const Machine& machine,
                         const StreamQuestion& question, const StreamStudy& study) {
  Findings findings{.kind = "memory-stream",
                    .title = fmt::format("{} streamed on {}", model.nickname, machine.name)};
  Section& section = findings::add_section(findings, "stream", "Streaming");
  add_statements(section, model, machine, question, study);
  add_metrics(section, model, study);
  section.tables.push_back(timeline_table(study));
  if (study.chosen.link_bytes.value > 0) {
    section.tables.push_back(depth_table(study));
    section.tables.push_back(policy_table(study));
  }
  add_memory(findings, machine, study);
  FitCase one{.model = model, .board = board, .machine = machine, .workload = study.workload};
  one.fit.regime = study.regime;
  one.fit.decode_work = study.work;
  one.fit.placement = study.placement;
  add_assumptions(findings, one);
  return findings;
}

}  // namespace accelscope::fit
