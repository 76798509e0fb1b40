#include <fmt/core.h>

#include "base/human.h"
#include "findings/columns.h"
#include "fit/document_parts.h"

namespace accelscope::fit {
namespace {

using base::Bytes;
using findings::Cell;
using findings::count_column;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;

double share(Bytes part, Bytes all) {
  return all.value <= 0 ? 0 : 100 * static_cast<double>(part.value) / static_cast<double>(all.value);
}

Table memory_table(const FitCase& one) {
  const Footprint& footprint = one.fit.footprint;
  const Bytes capacity = one.machine.capacity;
  Table table{.id = "memory",
              .columns = {text_column("what", "What"), text_column("format", "Format"),
                          count_column("bytes", "Size", "bytes"), number_column("mb", "", "MB", 1),
                          percent_column("of_capacity", "Of capacity")}};
  const auto add = [&](std::string what, std::string format, Bytes bytes) {
    table.rows.push_back(
        {std::move(what), std::move(format), bytes.value, in_mb(bytes), share(bytes, capacity)});
  };
  add("weights", boards::name_of(one.machine.formats.weights), footprint.weights);
  add(fmt::format("keys and values of {} x {} tokens", base::format_count(one.workload.batch),
                  base::format_count(one.workload.context)),
      boards::name_of(one.machine.formats.kv), footprint.kv);
  add(fmt::format("activations of {} x {} tokens", base::format_count(one.workload.batch),
                  base::format_count(one.workload.prompt)),
      boards::name_of(one.machine.formats.activations), footprint.activations);
  add("total", "", footprint.total());
  add("capacity", "", capacity);
  return table;
}

Table parts_table(const Weights& weights) {
  Table table{.id = "parts",
              .title = "Weights by part",
              .columns = {text_column("part", "Part"), count_column("elements", "Elements"),
                          count_column("bytes", "Size", "bytes"), percent_column("share", "Of weights")}};
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    if (weights.elements[part] == 0) continue;
    table.rows.push_back({std::string(name_of(part)), static_cast<std::int64_t>(weights.elements[part]),
                          weights.bytes[part].value, share(weights.bytes[part], weights.total)});
  }
  return table;
}

std::string kind_of_layer(const boards::ModelLayer& layer) {
  return fmt::format("{} attention, {}",
                     layer.attention == boards::AttentionKind::kSliding ? "sliding" : "full",
                     layer.feed_forward == boards::FeedForwardKind::kExperts ? "experts" : "dense");
}

Table stages_table(const Weights& weights) {
  Table table{.id = "stages",
              .title = "Weights by stage",
              .columns = {text_column("stage", "Stage"), count_column("count", "Count"),
                          count_column("each", "Each", "bytes"), count_column("bytes", "Together", "bytes"),
                          percent_column("share", "Of weights")}};
  for (const StageWeights& stage : weights.stages) {
    const std::string name = stage.kind == StageKind::kLayer
                                 ? fmt::format("layer ({})", kind_of_layer(stage.layer))
                                 : std::string(name_of(stage.kind));
    const Bytes all = stage.total * static_cast<std::int64_t>(stage.count);
    table.rows.push_back({name, static_cast<std::int64_t>(stage.count), stage.total.value, all.value,
                          share(all, weights.total)});
  }
  return table;
}

Cell count_or_none(const LastResident& last) {
  return last.last && !last.always ? Cell(static_cast<std::int64_t>(*last.last)) : Cell();
}

std::string words_for(const LastResident& last) {
  if (last.always) return "resident whatever it is";
  return last.last ? "the last one that is resident" : "not even 1 is resident";
}

}  // namespace

double in_ms(base::Picoseconds time) {
  return static_cast<double>(time.value) * 1e-9;
}

double in_mb(Bytes bytes) {
  return static_cast<double>(bytes.value) * 1e-6;
}

void add_footprint(findings::Findings& findings, const FitCase& one) {
  Section& section = findings::add_section(findings, "footprint", "What it needs");
  section.tables.push_back(memory_table(one));
  section.tables.push_back(parts_table(one.fit.weights));
  section.tables.push_back(stages_table(one.fit.weights));
  section.metrics.push_back({.id = "kv_per_token",
                             .label = "one more token of keys and values",
                             .value = static_cast<double>(one.fit.footprint.kv_of_next_token.value),
                             .unit = "bytes",
                             .better = findings::Better::kLower});
}

void add_regime(findings::Findings& findings, const FitCase& one, const Crossings& crossings) {
  Section& section = findings::add_section(findings, "regime", "Where the regime changes");
  Table table{.id = "crossings",
              .columns = {text_column("what", "What"), count_column("now", "Now"),
                          count_column("last_resident", "Last resident"), text_column("note", "")}};
  table.rows.push_back({std::string("context"), static_cast<std::int64_t>(one.workload.context),
                        count_or_none(crossings.context), words_for(crossings.context)});
  table.rows.push_back({std::string("batch"), static_cast<std::int64_t>(one.workload.batch),
                        count_or_none(crossings.batch), words_for(crossings.batch)});
  table.note = fmt::format("The regime is {}.", memory::name_of(one.fit.regime));
  if (crossings.context.last || crossings.batch.last)
    table.note +=
        fmt::format(" Behind the last resident one it is {}, while the other of both stays as it is.",
                    memory::name_of(crossings.beyond));
  section.tables.push_back(std::move(table));
  const auto add = [&](std::string id, std::string label, Bytes bytes) {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = static_cast<double>(bytes.value),
                               .unit = "bytes",
                               .note = base::format_size(bytes)});
  };
  add("capacity", "capacity", one.machine.capacity);
  add("capacity_for_resident", "capacity that keeps all of it resident", crossings.capacity_for_resident);
  add("capacity_for_weights", "capacity that keeps the weights resident", crossings.capacity_for_weights);
}

}  // namespace accelscope::fit
