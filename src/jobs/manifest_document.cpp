#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/human.h"
#include "findings/columns.h"
#include "jobs/manifest.h"
#include "memory/regime.h"

namespace accelscope::jobs {
namespace {

using base::Bytes;
using base::ErrorCode;
using boards::ManifestRegion;
using boards::RegionKind;
using boards::WeightManifest;
using findings::Better;
using findings::count_column;
using findings::Findings;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;
using Origin = ManifestFacts::Origin;
using Remark = boards::BuildRemark::Kind;

constexpr double kMebi = 1024.0 * 1024.0;
constexpr std::size_t kRowsShown = 20;
// A list of more regions than this is in the manifest itself.
constexpr std::size_t kRegionsListed = 10'000;
constexpr std::array kKinds{RegionKind::kWeight, RegionKind::kKv, RegionKind::kActivation};

double in_mebibytes(Bytes bytes) {
  return static_cast<double>(bytes.value) / kMebi;
}

struct Footprint {
  Bytes weights{};
  Bytes kv{};
  Bytes activations{};
  Bytes total{};
};

Footprint footprint_of(const WeightManifest& manifest) {
  return {.weights = boards::bytes_of_kind(manifest, RegionKind::kWeight),
          .kv = boards::bytes_of_kind(manifest, RegionKind::kKv),
          .activations = boards::bytes_of_kind(manifest, RegionKind::kActivation),
          .total = boards::total_bytes(manifest)};
}

void add_sizes(Section& section, const Footprint& size, std::optional<Bytes> capacity) {
  const auto add = [&](std::string id, std::string label, std::optional<Bytes> bytes, Better better,
                       std::string note = "") {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = bytes ? std::optional(in_mebibytes(*bytes)) : std::nullopt,
                               .unit = "MiB",
                               .note = std::move(note),
                               .better = better});
  };
  add("weight", "weights", size.weights, Better::kLower);
  add("kv", "keys and values", size.kv, Better::kLower);
  add("activation", "activations", size.activations, Better::kLower);
  add("total", "total", size.total, Better::kLower);
  add("capacity", "capacity", capacity, Better::kHigher, capacity ? "" : "no board was given");
}

std::string words_for(memory::Regime regime) {
  switch (regime) {
    case memory::Regime::kResident:
      return "everything stays in memory";
    case memory::Regime::kKvSwap:
      return "weights stay in memory, keys, values and activations are swapped over the link";
    case memory::Regime::kWeightStream:
      return "weights alone do not fit, and are streamed over the link";
  }
  return "";
}

void add_regime(Section& section, std::string id, std::string_view what, const Footprint& size,
                std::optional<Bytes> capacity) {
  if (!capacity) return;
  const memory::Regime regime = memory::choose_regime({size.weights, size.total}, *capacity);
  section.statements.push_back(
      {.id = std::move(id),
       .kind = findings::StatementKind::kVerdict,
       .subject = std::string(memory::name_of(regime)),
       .text = fmt::format("{} is in the regime {}: {} ({} of weights, {} in all, {} of memory).", what,
                           memory::name_of(regime), words_for(regime), base::format_size(size.weights),
                           base::format_size(size.total), base::format_size(*capacity))});
}

Table kinds_table(const WeightManifest& manifest, const Footprint& size) {
  Table table{.id = "kinds",
              .columns = {text_column("kind", "Kind"), count_column("regions", "Regions"),
                          count_column("bytes", "Size", "bytes"), percent_column("share", "Of all", 1)}};
  for (const RegionKind kind : kKinds) {
    const auto count = std::count_if(manifest.regions.begin(), manifest.regions.end(),
                                     [&](const ManifestRegion& region) { return region.kind == kind; });
    const Bytes bytes = boards::bytes_of_kind(manifest, kind);
    const double share = size.total.value == 0
                             ? 0
                             : 100 * static_cast<double>(bytes.value) / static_cast<double>(size.total.value);
    table.rows.push_back({std::string(name_of(kind)), std::int64_t{count}, bytes.value, share});
  }
  return table;
}

Table sources_table(const boards::SizeSources& sources) {
  Table table{.id = "sources",
              .columns = {text_column("source", "Size from"), count_column("regions", "Regions")}};
  const auto row = [&](std::string source, std::uint64_t count) {
    table.rows.push_back({std::move(source), static_cast<std::int64_t>(count)});
  };
  row("hbm_sizes.json", sources.sizes_file);
  row("tensor_layouts.json", sources.layouts_file);
  row("the next offset", sources.next_offset);
  return table;
}

struct OfLayer {
  std::int64_t regions = 0;
  Bytes weights{};
  Bytes kv{};
};

// Layers of weights and of keys and values; activations belong to none.
std::map<std::uint32_t, OfLayer> layers_of(const WeightManifest& manifest) {
  std::map<std::uint32_t, OfLayer> layers;
  for (const ManifestRegion& region : manifest.regions) {
    if (region.kind == RegionKind::kActivation) continue;
    OfLayer& layer = layers[region.layer];
    ++layer.regions;
    (region.kind == RegionKind::kWeight ? layer.weights : layer.kv) += region.size;
  }
  return layers;
}

Table layers_table(const std::map<std::uint32_t, OfLayer>& layers) {
  Table table{
      .id = "layers",
      .columns = {count_column("layer", "Layer"), count_column("regions", "Regions"),
                  count_column("weight", "Weights", "bytes"), count_column("kv", "Keys and values", "bytes")},
      .rows_shown = kRowsShown};
  for (const auto& [number, layer] : layers)
    table.rows.push_back({std::int64_t{number}, layer.regions, layer.weights.value, layer.kv.value});
  return table;
}

Table regions_table(const ManifestFacts& facts) {
  Table table{.id = "regions",
              .columns = {count_column("region", "Region"), text_column("name", "Tensor"),
                          count_column("layer", "Layer"), text_column("kind", "Kind"),
                          text_column("offset", "Offset"), count_column("bytes", "Size", "bytes")},
              .rows_shown = kRowsShown};
  const std::vector<ManifestRegion>& regions = facts.manifest.regions;
  const std::size_t listed = std::min(regions.size(), kRegionsListed);
  for (std::size_t i = 0; i < listed; ++i)
    table.rows.push_back({static_cast<std::int64_t>(i), i < facts.names.size() ? facts.names[i] : "",
                          std::int64_t{regions[i].layer}, std::string(name_of(regions[i].kind)),
                          fmt::format("{:#x}", regions[i].offset), regions[i].size.value});
  if (listed < regions.size())
    table.note = fmt::format("The first {} of {}; the manifest has all of them.", base::format_count(listed),
                             base::format_count(regions.size()));
  return table;
}

void add_remark(const boards::BuildRemark& remark, Findings& findings) {
  const auto add = [&](std::string id, trace::Severity severity, std::string sentence) {
    findings.quality.add(
        {.id = std::move(id), .severity = severity, .sentence = std::move(sentence), .count = remark.count});
  };
  const auto first = [&](std::string_view what) { return fmt::format("{} (first: {})", what, remark.first); };
  switch (remark.kind) {
    case Remark::kBadOffset:
      return add("manifest.bad_offset", trace::Severity::kWarning,
                 first("Tensors whose offset is no integer from 0 up are left out"));
    case Remark::kNoSize:
      return add("manifest.no_size", trace::Severity::kWarning,
                 first("Tensors of which nothing says how large they are are left out"));
    case Remark::kClamped:
      return add("manifest.clamped", trace::Severity::kWarning,
                 first("Tensors that reach into the next one are cut where that begins"));
    case Remark::kBadLayer:
      return add("manifest.bad_layer", trace::Severity::kWarning,
                 first("Numbers in names of tensors that are no layer's are taken for layer 0"));
    case Remark::kNoSizesFile:
      return add("manifest.no_sizes_file", trace::Severity::kInfo,
                 "There is no hbm_sizes.json: sizes are those of layouts, or reach to the next offset.");
  }
}

void add_doubts(const ManifestFacts& facts, const std::map<std::uint32_t, OfLayer>& layers,
                Findings& findings) {
  for (const boards::BuildRemark& remark : facts.remarks) add_remark(remark, findings);
  if (facts.without_vocabulary)
    findings.quality.add({.id = "manifest.no_vocabulary",
                          .severity = trace::Severity::kWarning,
                          .sentence = "The model does not say how large its vocabulary is: its embedding and "
                                      "output layer are left out."});
  if (!facts.manifest.capacity)
    findings.quality.add(
        {.id = "manifest.no_capacity",
         .severity = trace::Severity::kInfo,
         .sentence = "The manifest has no capacity and no board was given: no regime is chosen."});
  if (facts.replaced_capacity)
    findings.quality.add(
        {.id = "manifest.other_capacity",
         .severity = trace::Severity::kWarning,
         .sentence = fmt::format("The file says that the memory has {}; what counts here is --ddr-capacity. "
                                 "The reference's emulator would take what the file says.",
                                 base::format_size(*facts.replaced_capacity))});
  const Bytes capacity = facts.manifest.capacity.value_or(Bytes::max());
  for (const auto& [number, layer] : layers) {
    if (layer.weights <= capacity) continue;
    findings.quality.add(
        {.id = "manifest.large_layer",
         .severity = trace::Severity::kWarning,
         .sentence = fmt::format("The weights of a layer are larger than the memory ({} of layer {}): no "
                                 "whole layer can be swapped in, only streamed; the reference's layer-swap "
                                 "admits it all the same, and it stays until another layer comes.",
                                 base::format_size(layer.weights), number)});
    return;
  }
}

base::Result<Bytes> scaled(Bytes bytes, std::uint64_t layers, std::size_t known) {
  base::Int128 product = 0;
  if (__builtin_mul_overflow(base::Int128{bytes.value}, base::Int128{layers}, &product) ||
      product / static_cast<std::int64_t>(known) > Bytes::max().value)
    return base::fail(ErrorCode::kTooLarge, "--total-layers {}: so many layers take 2^63 bytes or more",
                      layers);
  return Bytes{static_cast<std::int64_t>(product / static_cast<std::int64_t>(known))};
}

base::Status add_estimate(const ManifestFacts& facts, const Footprint& size, std::size_t known,
                          std::uint64_t total_layers, Findings& findings) {
  if (known == 0)
    return base::fail(ErrorCode::kUsage,
                      "--total-layers: the manifest has no weights and no keys and values to estimate from");
  Footprint estimate{.activations = size.activations};
  ACCELSCOPE_TRY(estimate.weights, scaled(size.weights, total_layers, known));
  ACCELSCOPE_TRY(estimate.kv, scaled(size.kv, total_layers, known));
  const auto both = base::checked_add(estimate.weights.value, estimate.kv.value);
  const auto all = both ? base::checked_add(*both, estimate.activations.value) : std::nullopt;
  if (!all)
    return base::fail(ErrorCode::kTooLarge, "--total-layers {}: so many layers take 2^63 bytes or more",
                      total_layers);
  estimate.total = Bytes{*all};
  Section& section = findings::add_section(findings, "estimate", fmt::format("With {} layers", total_layers));
  add_regime(section, "manifest.estimate", fmt::format("A model of {} such layers", total_layers), estimate,
             facts.manifest.capacity);
  const auto per_layer = [&](std::string id, std::string label, Bytes bytes) {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = in_mebibytes(bytes) / static_cast<double>(known),
                               .unit = "MiB",
                               .method = fmt::format("mean of {} layers", known)});
  };
  per_layer("weight_per_layer", "weights of a layer", size.weights);
  per_layer("kv_per_layer", "keys and values of a layer", size.kv);
  add_sizes(section, estimate, facts.manifest.capacity);
  findings.quality.add({.id = "manifest.estimated",
                        .severity = trace::Severity::kInfo,
                        .sentence =
                            "The estimate multiplies the mean of the layers that are there; activations "
                            "are what they are now, which is the least."});
  return {};
}

}  // namespace

base::Result<Findings> manifest_document(const ManifestFacts& facts,
                                         std::optional<std::uint64_t> total_layers) {
  Findings findings{.kind = "manifest", .title = facts.title};
  const Footprint size = footprint_of(facts.manifest);
  const std::map<std::uint32_t, OfLayer> layers = layers_of(facts.manifest);
  Section& footprint = findings::add_section(findings, "footprint", "Footprint");
  add_regime(footprint, "manifest.regime", "What is here", size, facts.manifest.capacity);
  add_sizes(footprint, size, facts.manifest.capacity);
  if (total_layers) ACCELSCOPE_CHECK(add_estimate(facts, size, layers.size(), *total_layers, findings));
  Section& regions = findings::add_section(findings, "regions", "Regions");
  regions.tables.push_back(kinds_table(facts.manifest, size));
  if (facts.origin == Origin::kBuild) regions.tables.push_back(sources_table(facts.sources));
  regions.tables.push_back(layers_table(layers));
  regions.tables.push_back(regions_table(facts));
  add_doubts(facts, layers, findings);
  return findings;
}

}  // namespace accelscope::jobs
