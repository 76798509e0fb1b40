#include "fit/reference_document.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "base/json_writer.h"
#include "findings/columns.h"
#include "fit/document_parts.h"
#include "fit/reference_performance.h"
#include "fit/reference_traffic.h"
#include "fit/reference_utilisation.h"

namespace accelscope::fit {
namespace {

using base::Result;
using findings::Better;
using findings::Cell;
using findings::count_column;
using findings::Findings;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;

constexpr double kMega = 1e6;

constexpr std::string_view kLeftOut =
    "The reference's model counts cycles of instructions at 1 GHz and nothing else: no memory bandwidth, no "
    "capacity, no output projection; keys and values reduce over their own width instead of the hidden one; "
    "decoding counts twice; and the time to the first token contains one decoded token.";

PerformanceWorkload performance_workload(const ReferenceWorkload& asked, ReferenceScript script) {
  const std::uint64_t output = script == ReferenceScript::kGptOss ? 128 : 1024;
  return {.batch = asked.batch.value_or(4),
          .input_tokens = asked.input_tokens.value_or(2048),
          .output_tokens = asked.output_tokens.value_or(output),
          .devices = asked.devices};
}

DiffusionWorkload diffusion_workload(const ReferenceWorkload& asked) {
  return {.batch = asked.batch.value_or(4),
          .sequence = asked.input_tokens.value_or(2048),
          .steps = asked.diffusion_steps,
          .devices = asked.devices};
}

MemoryWorkload memory_workload(const ReferenceWorkload& asked) {
  const std::uint64_t batch = asked.batch.value_or(1);
  // What one device has; the performance model has said already that it is not none.
  return {.batch = asked.batch ? batch / asked.devices : batch,
          .input_tokens = asked.input_tokens.value_or(2048),
          .output_tokens = asked.output_tokens.value_or(128)};
}

std::string name_of_model(const boards::Model& model) {
  return model.nickname.empty() ? model.id : model.nickname;
}

double in_megabytes(base::Bytes bytes) {
  return static_cast<double>(bytes.value) / kMega;
}

void add_cycles(Section& section, std::string id, std::string label, base::Cycles cycles) {
  add_metric(section, std::move(id), std::move(label), static_cast<double>(cycles.value), "cycles",
             Better::kLower);
}

using NamedWorkload = std::vector<std::pair<std::string, std::uint64_t>>;

void add_workload(Section& section, const NamedWorkload& workload) {
  Table table{.id = "workload", .columns = {text_column("key", "Workload"), count_column("value", "Value")}};
  for (const auto& [key, value] : workload) table.rows.push_back({key, static_cast<std::int64_t>(value)});
  section.tables.push_back(std::move(table));
}

Cell share(const ReferencePhase& phase, ReferencePartKind kind) {
  return 100 * phase.share_of(kind);
}

Table parts_table(const ReferencePhase& prefill, const ReferencePhase& decode) {
  Table table{.id = "parts",
              .columns = {text_column("part", "Part"), count_column("instances", "Instances"),
                          count_column("prefill_cycles", "Prefill", "cycles"),
                          percent_column("prefill_share", "Of prefill", 2),
                          count_column("decode_cycles", "Decoding", "cycles"),
                          percent_column("decode_share", "Of decoding", 2)},
              .note = std::string(kLeftOut)};
  for (const ReferencePart& part : prefill.parts) {
    const bool decoded = decode.cycles_of(part.kind).value > 0;
    table.rows.push_back({std::string(name_of(part.kind)), static_cast<std::int64_t>(part.instances),
                          part.cycles.value, share(prefill, part.kind),
                          decoded ? Cell(decode.cycles_of(part.kind).value) : Cell(),
                          decoded ? share(decode, part.kind) : Cell()});
  }
  return table;
}

Table steps_table(const ReferencePhase& step) {
  Table table{.id = "parts",
              .columns = {text_column("part", "Part"), count_column("instances", "Instances"),
                          count_column("step_cycles", "A step", "cycles"),
                          percent_column("step_share", "Of a step", 2)},
              .note = std::string(kLeftOut)};
  for (const ReferencePart& part : step.parts)
    table.rows.push_back({std::string(name_of(part.kind)), static_cast<std::int64_t>(part.instances),
                          part.cycles.value, share(step, part.kind)});
  return table;
}

base::Status add_diffusion(const boards::Model& model, const boards::SettingsTree& tree,
                           const ReferenceWorkload& asked, Section& section) {
  const DiffusionWorkload workload = diffusion_workload(asked);
  ACCELSCOPE_TRY(const ReferenceDiffusion result, reference_diffusion(model.text, tree, workload));
  add_metric(section, "total_time", "time of all steps", result.total_seconds * 1e3, "ms", Better::kLower);
  add_metric(section, "tokens_per_second", "tokens a second", result.tokens_per_second, "tokens/s",
             Better::kHigher);
  add_cycles(section, "step_cycles", "one step", result.step.total);
  add_workload(section, {{"batch", workload.batch},
                         {"sequence", workload.sequence},
                         {"diffusion steps", workload.steps},
                         {"devices", workload.devices},
                         {"sequences of a device", result.device_batch}});
  section.tables.push_back(steps_table(result.step));
  return {};
}

base::Status add_performance(const boards::Model& model, const boards::SettingsTree& tree,
                             const ReferenceWorkload& asked, Section& section) {
  const ReferenceScript script = script_for(model.text);
  if (script == ReferenceScript::kLlada) return add_diffusion(model, tree, asked, section);
  const PerformanceWorkload workload = performance_workload(asked, script);
  ACCELSCOPE_TRY(const ReferencePerformance result, reference_performance(model.text, tree, workload));
  add_metric(section, "ttft", "time to the first token", result.ttft_seconds * 1e3, "ms", Better::kLower);
  add_metric(section, "tokens_per_second", "tokens a second", result.tokens_per_second, "tokens/s",
             Better::kHigher);
  add_cycles(section, "prefill_cycles", "prefill", result.prefill.total);
  add_cycles(section, "first_token_cycles", "decoding one token, counted twice", result.first_token.total);
  add_cycles(section, "decode_cycles", "decoding all tokens, counted twice", result.decode.total);
  add_workload(section, {{"batch", workload.batch},
                         {"input tokens", workload.input_tokens},
                         {"output tokens", workload.output_tokens},
                         {"devices", workload.devices},
                         {"sequences of a device", result.device_batch}});
  section.tables.push_back(parts_table(result.prefill, result.decode));
  return {};
}

base::Status add_utilisation(const boards::Model& model, const boards::SettingsTree& tree,
                             const ReferenceWorkload& asked, Section& section) {
  const UtilisationWorkload workload{.batch = asked.batch.value_or(1),
                                     .input_tokens = asked.input_tokens.value_or(2048),
                                     .partitioned = asked.partitioned};
  ACCELSCOPE_TRY(const ReferenceUtilisation result, reference_utilisation(model.text, tree, workload));
  Table table{.id = "counts",
              .columns = {text_column("part", "Part"), number_column("attainable", "Attainable", "", 1),
                          number_column("theoretical", "Theoretical", "", 1)},
              .note =
                  "Counts that are like cycles, of one layer; what fills a tile of the matrix unit, against "
                  "what it takes with bubbles and the work of the vector unit."};
  const auto add = [&](std::string id, std::string label, const Utilisation& use) {
    table.rows.push_back({label, use.attainable, use.theoretical});
    add_metric(section, std::move(id), std::move(label), use.share(), "", Better::kHigher,
               use.share() ? "" : "nothing to do: everything is smaller than a block");
  };
  add("prefill_attention", "prefill, attention", result.prefill_attention);
  add("prefill_ffn", "prefill, feed-forward", result.prefill_feed_forward);
  add("decode_attention", "decoding, attention", result.decode_attention);
  add("decode_ffn", "decoding, feed-forward", result.decode_feed_forward);
  add("overall", "overall", result.overall());
  add_workload(section, {{"batch", workload.batch}, {"input tokens", workload.input_tokens}});
  section.tables.push_back(std::move(table));
  return {};
}

void add_sizes(const ReferenceFootprint& size, Section& section) {
  add_metric(section, "weights", "weights", in_megabytes(size.weights), "MB", Better::kLower);
  add_metric(section, "kv", "keys and values", in_megabytes(size.kv), "MB", Better::kLower);
  add_metric(section, "kv_per_layer", "keys and values of a layer", in_megabytes(size.kv_per_layer), "MB",
             Better::kLower);
  add_metric(section, "activations", "activations", in_megabytes(size.activations), "MB", Better::kLower);
  add_metric(section, "required", "required", in_megabytes(size.required), "MB", Better::kLower,
             size.fits() ? "fits HBM_SIZE" : "does not fit HBM_SIZE");
  add_metric(section, "capacity", "capacity (HBM_SIZE)", in_megabytes(size.capacity), "MB");
  Table table{.id = "weights", .columns = {text_column("part", "Weights"), count_column("bytes", "Bytes")}};
  const auto row = [&](std::string part, base::Bytes bytes) {
    if (bytes.value > 0) table.rows.push_back({std::move(part), bytes.value});
  };
  row("embedding", size.embedding);
  row("attention", size.attention);
  row("ffn", size.feed_forward);
  row("router", size.router);
  row("experts", size.experts);
  row("norms", size.norms);
  row("lm_head", size.output_layer);
  section.tables.push_back(std::move(table));
}

void add_traffic(const ReferenceTraffic& moved, Section& section) {
  add_metric(section, "prefill_read", "prefill reads", in_megabytes(moved.prefill.read), "MB",
             Better::kLower);
  add_metric(section, "prefill_written", "prefill writes", in_megabytes(moved.prefill.written), "MB",
             Better::kLower);
  add_metric(section, "decode_bytes", "a decoded token moves",
             static_cast<double>(moved.decode.total().value), "bytes", Better::kLower);
  Table table{
      .id = "traffic",
      .columns = {text_column("part", "Moved by"), count_column("prefill_read", "Prefill reads", "bytes"),
                  count_column("prefill_written", "Prefill writes", "bytes"),
                  count_column("decode_read", "A token reads", "bytes"),
                  count_column("decode_written", "A token writes", "bytes")}};
  for (const TrafficPart& part : moved.parts)
    table.rows.push_back({std::string(part.name), part.prefill.read.value, part.prefill.written.value,
                          part.decode.read.value, part.decode.written.value});
  section.tables.push_back(std::move(table));
}

// The bandwidth that the times of the performance model would need, and the roofline of a prompt's layer.
base::Status add_bandwidth(const boards::Model& model, const boards::SettingsTree& tree,
                           const MemoryWorkload& workload, const ReferenceTraffic& moved, Section& section) {
  ACCELSCOPE_TRY(const base::BytesPerSecond peak, reference_peak_bandwidth(tree));
  ACCELSCOPE_TRY(const ReferencePerformance speed,
                 reference_performance(model.text, tree,
                                       {.batch = workload.batch,
                                        .input_tokens = workload.input_tokens,
                                        .output_tokens = workload.output_tokens}));
  const auto seconds = [](base::Cycles cycles) {
    return static_cast<double>(cycles.value) / kReferenceClockHz;
  };
  const auto add = [&](std::string id, std::string label, base::Bytes bytes, double time) {
    const std::optional<double> used = bandwidth_utilisation(bytes, time, peak);
    add_metric(section, std::move(id), std::move(label), used, "", Better::kNeither,
               used.value_or(0) > kReferenceBandwidthBound ? "bound by bandwidth (above 0.7)" : "");
  };
  add_metric(section, "peak_bandwidth", "peak bandwidth (HBM_WIDTH at 1 GHz)",
             static_cast<double>(peak.value) / 1e9, "GB/s", Better::kHigher);
  add("prefill_bandwidth", "of the peak, in a prefill without limits", moved.prefill.total(),
      seconds(speed.prefill.total));
  add("decode_bandwidth", "of the peak, in a token without limits", moved.decode.total(),
      seconds(speed.first_token.total));
  const auto layers = static_cast<std::int64_t>(model.text.layers.size());
  const base::Bytes layer_bytes{moved.prefill.total().value / layers};
  const double layer_seconds = seconds(speed.prefill.total) / static_cast<double>(layers);
  ACCELSCOPE_TRY(const ReferenceRoofline roof,
                 reference_roofline(model.text, tree, workload.input_tokens, layer_bytes, layer_seconds));
  add_metric(section, "ridge", "ridge point", roof.ridge, "FLOP/byte");
  add_metric(section, "intensity", "intensity of a prompt's layer", roof.intensity, "FLOP/byte");
  add_metric(section, "ceiling", "ceiling", roof.ceiling / 1e9, "GFLOP/s", Better::kHigher);
  add_metric(section, "efficiency", "of the ceiling", roof.efficiency, "", Better::kHigher,
             "the peak of 2 x MLEN understates the array, so this may be above 1");
  return {};
}

base::Status add_memory(const boards::Model& model, const boards::SettingsTree& tree,
                        const ReferenceWorkload& asked, Section& section) {
  if (model.text.vocabulary == 0) {
    section.empty_hint = "The model does not say how large its vocabulary is (vocab_size).";
    return {};
  }
  const MemoryWorkload workload = memory_workload(asked);
  ACCELSCOPE_TRY(const ReferenceFootprint size, reference_footprint(model.text, tree, workload));
  ACCELSCOPE_TRY(const ReferenceTraffic moved, reference_traffic(model.text, tree, workload));
  add_sizes(size, section);
  add_traffic(moved, section);
  add_workload(section, {{"sequences of a device", workload.batch},
                         {"input tokens", workload.input_tokens},
                         {"output tokens", workload.output_tokens}});
  return add_bandwidth(model, tree, workload, moved, section);
}

void add_quality(const boards::TextModel& model, const ReferenceWorkload& asked, Findings& findings) {
  const auto add = [&](std::string id, trace::Severity severity, std::string sentence) {
    findings.quality.add({.id = std::move(id), .severity = severity, .sentence = std::move(sentence)});
  };
  add("reference.left_out", trace::Severity::kInfo, std::string(kLeftOut));
  if (script_for(model) != ReferenceScript::kGptOss && model.head_dim > 0 &&
      model.head_dim * model.heads != model.hidden)
    add("reference.head_dim", trace::Severity::kWarning,
        fmt::format("The reference's model of performance takes hidden / heads = {} for the head dimension, "
                    "and the model's is {}.",
                    model.hidden / model.heads, model.head_dim));
  if (model.experts && model.experts->shared_intermediate > 0)
    add("reference.shared_experts", trace::Severity::kWarning,
        "The model has experts that see every token, and the reference knows none.");
  if (!model.gated)
    add("reference.two_matrices", trace::Severity::kWarning,
        "The model's feed-forward part has two matrices, and the reference counts three.");
  const std::uint64_t batch = asked.batch.value_or(4);
  if (batch % asked.devices != 0)
    add("reference.batch_cut", trace::Severity::kWarning,
        fmt::format("{} sequences on {} devices: the reference calculates {} on each and counts tokens of "
                    "all of them.",
                    batch, asked.devices, batch / asked.devices));
}

}  // namespace

Result<Findings> reference_analysis(const boards::Model& model, const boards::Settings& settings,
                                    const ReferenceWorkload& workload) {
  const boards::SettingsTree& tree = settings.analytic;
  Findings findings{.kind = "reference analysis",
                    .title = fmt::format("{}, by the reference's models", name_of_model(model))};
  ACCELSCOPE_CHECK(add_performance(
      model, tree, workload, findings::add_section(findings, "reference.performance", "Reference: speed")));
  ACCELSCOPE_CHECK(
      add_utilisation(model, tree, workload,
                      findings::add_section(findings, "reference.utilisation", "Reference: utilisation")));
  ACCELSCOPE_CHECK(add_memory(model, tree, workload,
                              findings::add_section(findings, "reference.footprint", "Reference: memory")));
  add_quality(model.text, workload, findings);
  return findings;
}

base::Status write_reference_json(const boards::Model& model, const boards::Settings& settings,
                                  const ReferenceWorkload& asked, base::Output& out) {
  const ReferenceScript script = script_for(model.text);
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  if (script == ReferenceScript::kLlada) {
    const DiffusionWorkload workload = diffusion_workload(asked);
    ACCELSCOPE_TRY(const ReferenceDiffusion result,
                   reference_diffusion(model.text, settings.analytic, workload));
    json.begin_object().member("model", name_of_model(model)).member("mode", name_of(script));
    json.member("batch_size", workload.batch).member("seq_len", workload.sequence);
    json.member("diffusion_steps", workload.steps).member("device_num", workload.devices);
    json.member("total_time_seconds", result.total_seconds)
        .member("total_time_ms", result.total_seconds * 1e3);
    json.member("output_tokens_per_second", result.tokens_per_second).end_object();
  } else {
    const PerformanceWorkload workload = performance_workload(asked, script);
    ACCELSCOPE_TRY(const ReferencePerformance result,
                   reference_performance(model.text, settings.analytic, workload));
    json.begin_object().member("model", name_of_model(model)).member("batch_size", workload.batch);
    json.member("input_seq_len", workload.input_tokens).member("output_seq_len", workload.output_tokens);
    json.member("device_num", workload.devices).member("ttft_seconds", result.ttft_seconds);
    json.member("ttft_ms", result.ttft_seconds * 1e3).member("tps", result.tokens_per_second).end_object();
  }
  out.append('\n');
  return {};
}

}  // namespace accelscope::fit
