#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "findings/columns.h"
#include "fit/document_parts.h"
#include "fit/link_study.h"

namespace accelscope::fit {
namespace {

using base::Picoseconds;
using findings::Better;
using findings::Cell;
using findings::count_column;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;

Table passes_table(const Fit& fit) {
  Table table{
      .id = "passes",
      .columns = {text_column("pass", "Pass"), number_column("compute", "Compute", "ms", 3),
                  number_column("memory", "External memory", "ms", 3),
                  number_column("link", "Host link", "ms", 3), number_column("serial", "No overlap", "ms", 3),
                  number_column("overlapped", "Overlapped", "ms", 3), text_column("bound", "Bound by")},
      .note =
          "Compute, memory and link: each by itself, summed over all stages. Overlapped: compute and memory "
          "of a stage at once, and the link ahead of them by its buffers."};
  const auto add = [&](std::string name, const PassSpeed& pass) {
    table.rows.push_back({std::move(name), in_ms(pass.compute), in_ms(pass.memory), in_ms(pass.link),
                          in_ms(pass.serial), in_ms(pass.overlapped), std::string(name_of(pass.bound()))});
  };
  add("prefill", *fit.prefill);
  add(fit.passes_of_decode > 1 ? "step" : "decode", *fit.decode);
  return table;
}

Table waits_table(const Fit& fit) {
  Table table{.id = "waits",
              .title = "What a pass waits for",
              .columns = {text_column("pass", "Pass"), percent_column("compute", "Compute"),
                          percent_column("memory", "External memory"),
                          percent_column("link", "Host link, not hidden")}};
  const auto add = [&](std::string name, const PassSpeed& pass) {
    table.rows.push_back({std::move(name), percent(pass.in_compute, pass.overlapped),
                          percent(pass.in_memory, pass.overlapped), percent(pass.in_link, pass.overlapped)});
  };
  add("prefill", *fit.prefill);
  add(fit.passes_of_decode > 1 ? "step" : "decode", *fit.decode);
  return table;
}

// Stages that are alike and treated alike, once.
Table stages_table(const PassWork& work, const PassSpeed& pass, std::string id, std::string title) {
  Table table{
      .id = std::move(id),
      .title = std::move(title),
      .columns = {text_column("stage", "Stage"), count_column("count", "Count"),
                  number_column("matrix", "Matrix", "ms", 4), number_column("vector", "Vector", "ms", 4),
                  number_column("scalar", "Scalar", "ms", 4), number_column("memory", "Memory", "ms", 4),
                  number_column("link", "Link", "ms", 4), text_column("bound", "Bound by")}};
  for (std::size_t i = 0; i < pass.stages.size(); ++i) {
    const StageTime& stage = pass.stages[i];
    if (std::find(pass.stages.begin(), pass.stages.begin() + static_cast<std::ptrdiff_t>(i), stage) !=
        pass.stages.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    const UnitCycles& cycles = work.stages[stage.stage].cycles;
    const auto all = static_cast<double>(std::max<std::uint64_t>(1, cycles.total().value_or(1)));
    const auto part = [&](base::Checked unit) {
      return in_ms(stage.compute) * static_cast<double>(unit.value_or(0)) / all;
    };
    const Resource bound = std::max(stage.link, stage.waiting) > stage.busy() ? Resource::kLink
                           : stage.memory > stage.compute                     ? Resource::kMemory
                                                                              : Resource::kCompute;
    table.rows.push_back(
        {stage_name(work, stage.stage) + (stage.streamed ? ", over the link" : ""),
         static_cast<std::int64_t>(std::count(pass.stages.begin(), pass.stages.end(), stage)),
         part(cycles.matrix), part(cycles.vector), part(cycles.scalar), in_ms(stage.memory),
         in_ms(stage.link + stage.waiting), std::string(name_of(bound))});
  }
  return table;
}

// Multiply-accumulates asked for, of those that the array could do in the time.
double utilisation(const PassWork& work, const PassSpeed& pass, const Machine& machine) {
  double macs = 0;
  for (const std::uint32_t at : work.order)
    macs += static_cast<double>(work.stages[at].cycles.macs.value_or(0));
  const double cycles = in_ms(pass.overlapped) * 1e-3 * static_cast<double>(machine.clock.ticks) /
                        static_cast<double>(machine.clock.seconds);
  const double block = static_cast<double>(machine.blen) * static_cast<double>(machine.blen);
  const double of_cycle = machine.costs == Costs::kReference ? block
                                                             : block * static_cast<double>(machine.mlen) /
                                                                   static_cast<double>(machine.blen + 4);
  return cycles <= 0 ? 0 : 100 * macs / (cycles * of_cycle);
}

void add_break_even(Section& section, const FitCase& one) {
  const auto add = [&](std::string id, std::string label, std::optional<std::uint64_t> value) {
    add_metric(section, std::move(id), std::move(label),
               value ? std::optional(static_cast<double>(*value)) : std::nullopt, "", Better::kNeither,
               value ? "the array is then the busiest" : "none up to 1 048 576");
  };
  if (one.fit.passes_of_decode > 1) return;
  add("break_even_batch", "break-even batch", break_even_batch(one.model, one.machine, one.fit));
  add("break_even_prompt", "break-even prompt", break_even_prompt(one.model, one.machine, one.fit));
}

Table ways_table(const Fit& fit) {
  Table table{
      .id = "ways",
      .title = "Ways of streaming",
      .columns = {text_column("way", "Way"), count_column("pinned", "Stay"),
                  number_column("pinned_mb", "They need", "MB", 1),
                  number_column("buffers_mb", "Buffers", "MB", 1),
                  number_column("swapped_mb", "KV swapped", "MB", 1),
                  number_column("first_token", "First token", "ms", 1),
                  number_column("token", "Token", "ms", 3)},
      .note =
          "stream: straight to the chip. swap: through buffers in the external memory, written and read "
          "once more. pinned: the same for what does not stay."};
  for (const StreamingChoice& choice : fit.choices) {
    const Placement& placement = choice.placement;
    table.rows.push_back({std::string(name_of(placement.streaming)) +
                              (placement.streaming == fit.placement.streaming ? " (chosen)" : ""),
                          static_cast<std::int64_t>(placement.pinned), in_mb(placement.pinned_bytes),
                          in_mb(placement.buffer_bytes), in_mb(placement.kv_swapped),
                          in_ms(choice.prefill.overlapped), in_ms(choice.decode.overlapped)});
  }
  return table;
}

Table buffers_table(const FitCase& one) {
  Table table{.id = "buffers",
              .title = "Buffers between link and array",
              .columns = {count_column("buffers", "Buffers"), number_column("token", "Token", "ms", 3),
                          number_column("exposed", "Link, not hidden", "ms", 3)}};
  Picoseconds busy{};
  for (const StageTime& stage : one.fit.decode->stages) busy += stage.busy() + stage.waiting;
  for (const std::uint32_t buffers : {1U, 2U, 3U, 4U, 8U}) {
    const Picoseconds pass = stream_stages(one.fit.decode->stages, buffers).steady_pass;
    table.rows.push_back({std::int64_t{buffers}, in_ms(pass), in_ms(std::max(Picoseconds{0}, pass - busy))});
  }
  return table;
}

// Every stage of a token, with what of its transfer hides behind calculations.
Table timeline_table(const FitCase& one) {
  const PassSpeed& decode = *one.fit.decode;
  const memory::Streaming streaming = stream_stages(decode.stages, one.machine.buffers);
  Table table{
      .id = "timeline",
      .title = "A token, stage by stage",
      .columns = {count_column("position", "#"), text_column("stage", "Stage"),
                  number_column("busy", "Busy", "ms", 4), number_column("transfer", "Transfer", "ms", 4),
                  number_column("hidden", "Hidden", "ms", 4),
                  number_column("exposed", "Not hidden", "ms", 4)},
      .rows_shown = 12};
  for (std::size_t i = 0; i < decode.stages.size(); ++i) {
    const StageTime& stage = decode.stages[i];
    const Picoseconds exposed = streaming.last_pass[i].exposed;
    table.rows.push_back(
        {static_cast<std::int64_t>(i), stage_name(one.fit.decode_work, stage.stage), in_ms(stage.busy()),
         stage.streamed ? Cell(in_ms(stage.link)) : Cell(),
         stage.streamed ? Cell(in_ms(std::max(Picoseconds{0}, stage.link - exposed))) : Cell(),
         stage.streamed ? Cell(in_ms(exposed)) : Cell()});
  }
  return table;
}

}  // namespace

std::string stage_name(const PassWork& work, std::uint32_t stage) {
  const StageWork& found = work.stages[stage];
  if (found.kind != StageKind::kLayer) return std::string(name_of(found.kind));
  const bool several = std::count_if(work.stages.begin(), work.stages.end(), [](const StageWork& other) {
                         return other.kind == StageKind::kLayer;
                       }) > 1;
  if (!several) return "layer";
  return fmt::format("layer ({}, {})",
                     found.layer.attention == boards::AttentionKind::kSliding ? "sliding" : "full",
                     found.layer.feed_forward == boards::FeedForwardKind::kExperts ? "experts" : "dense");
}

void add_speed(findings::Findings& findings, const FitCase& one) {
  Section& section = findings::add_section(findings, "speed", "How fast it is");
  if (!one.fit.decode) {
    section.empty_hint =
        "It does not fit, and the board has no link to stream over: --host-bandwidth gives it one.";
    return;
  }
  const Fit& fit = one.fit;
  add_metric(section, "tokens_per_second", "tokens a second, all sequences", fit.tokens_per_second(),
             "tokens/s", Better::kHigher,
             fmt::format("at a context of {}", base::format_count(one.workload.context)));
  add_metric(section, "token_time", "one token of a sequence", in_ms(fit.token_time()), "ms", Better::kLower);
  add_metric(section, "ttft", "time to the first token", in_ms(fit.first_token()), "ms", Better::kLower,
             one.workload.images > 0
                 ? fmt::format("{} images through the vision tower included", one.workload.images)
                 : "");
  add_metric(section, "request", "prompt and all tokens", fit.request_seconds(), "s", Better::kLower,
             "every token as slow as the last");
  add_metric(section, "memory_bytes", "external memory, a decode pass", in_mb(fit.decode->memory_bytes), "MB",
             Better::kLower);
  add_metric(section, "link_bytes", "host link, a decode pass", in_mb(fit.decode->link_bytes), "MB",
             Better::kLower);
  add_metric(section, "prefill_utilisation", "array used in prefill",
             utilisation(fit.prefill_work, *fit.prefill, one.machine), "%", Better::kHigher);
  add_metric(section, "decode_utilisation", "array used in decode",
             utilisation(fit.decode_work, *fit.decode, one.machine), "%", Better::kHigher);
  add_break_even(section, one);
  if (one.machine.watts)
    add_metric(
        section, "energy", "energy of a token, at most",
        *one.machine.watts * in_ms(fit.token_time()) * 1e-3 / static_cast<double>(fit.tokens_of_decode), "J",
        Better::kLower, fmt::format("estimate: {:g} W of TDP all the time", *one.machine.watts));
  section.tables.push_back(passes_table(fit));
  section.tables.push_back(waits_table(fit));
  section.tables.push_back(
      stages_table(fit.decode_work, *fit.decode, "decode_stages", "Decode, one stage of each kind"));
  section.tables.push_back(
      stages_table(fit.prefill_work, *fit.prefill, "prefill_stages", "Prefill, one stage of each kind"));
}

void add_streaming(findings::Findings& findings, const FitCase& one) {
  const Fit& fit = one.fit;
  if (!fit.decode || fit.decode->link_bytes.value == 0) return;
  Section& section = findings::add_section(findings, "streaming", "What comes over the link");
  const LinkStudy study = study_link(one.machine, fit);
  add_metric(section, "buffers_for_bound", "buffers that reach the bound",
             double{static_cast<double>(study.buffers_for_bound)}, "", Better::kNeither,
             fmt::format("a token then takes {}", base::format_duration({study.bound.value / 1000})));
  add_metric(
      section, "buffers_to_hide", "buffers that hide the link",
      study.buffers_to_hide ? std::optional(static_cast<double>(*study.buffers_to_hide)) : std::nullopt, "",
      Better::kNeither,
      study.buffers_to_hide ? "" : "no number does: the link works longer than everything else");
  add_metric(section, "bandwidth_to_hide", "bandwidth that hides the link",
             study.bandwidth_to_hide ? std::optional(static_cast<double>(study.bandwidth_to_hide->value))
                                     : std::nullopt,
             "bytes/s", Better::kNeither,
             study.bandwidth_to_hide
                 ? fmt::format("with {} buffers; the link has {}", one.machine.buffers,
                               base::format_rate(one.machine.link->bandwidth))
                 : fmt::format("with {} buffers and this latency none does", one.machine.buffers));
  if (!fit.choices.empty()) section.tables.push_back(ways_table(fit));
  section.tables.push_back(buffers_table(one));
  section.tables.push_back(timeline_table(one));
}

void add_context_series(findings::Findings& findings, const FitCase& one, const Crossings& crossings) {
  if (one.model.text.diffusion) return;
  constexpr std::size_t kPoints = 48;
  constexpr double kMost = 1 << 24;
  const auto last = crossings.context.last && !crossings.context.always
                        ? 2 * static_cast<double>(*crossings.context.last)
                        : 0.0;
  const double top = std::min(kMost, std::max({last, 2 * static_cast<double>(one.workload.context), 1024.0}));
  findings::Series series{.id = "tokens_per_second", .unit = "tokens/s", .x_title = "point"};
  std::optional<memory::Regime> before;
  for (std::size_t i = 0; i < kPoints; ++i) {
    Workload workload = one.workload;
    workload.context = static_cast<std::uint64_t>(
        std::llround(std::pow(top, static_cast<double>(i) / static_cast<double>(kPoints - 1))));
    workload.prompt = std::min(workload.prompt, workload.context);
    const auto fit = fit_model(one.model, one.machine, workload);
    series.values.push_back(fit && fit->decode ? fit->tokens_per_second() : std::nan(""));
    if (fit && !before)
      series.marks.push_back({i, fmt::format("{} from the first token on", memory::name_of(fit->regime))});
    else if (fit && *before != fit->regime)
      series.marks.push_back({i, fmt::format("{} beyond {} tokens", memory::name_of(fit->regime),
                                             base::format_count(crossings.context.last.value_or(0)))});
    if (fit) before = fit->regime;
  }
  series.title =
      fmt::format("Tokens a second over the context: {} points from 1 to {} tokens, evenly by factor",
                  kPoints, base::format_count(static_cast<std::uint64_t>(std::llround(top))));
  Section& section = findings::add_section(findings, "context", "Over the context");
  section.series.push_back(std::move(series));
}

}  // namespace accelscope::fit
