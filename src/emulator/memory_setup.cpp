#include "emulator/memory_setup.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/human.h"
#include "emulator/board_dram.h"
#include "memory/dram.h"
#include "memory/dram_preset_file.h"
#include "memory/reference_streaming.h"
#include "memory/simple_dram.h"
#include "memory/streaming_memory.h"

namespace accelscope::emulator {
namespace {

using base::Bytes;
using base::BytesPerSecond;
using base::ErrorCode;
using base::Result;
using memory::MemoryMode;

constexpr std::array<std::string_view, 7> kModels{"hbm",     "layer-swap",    "host-stream", "resident",
                                                  "kv-swap", "weight-stream", "auto"};
constexpr Bytes kUsualCapacity{512LL << 20};
constexpr BytesPerSecond kUsualBandwidth{60'000'000};
constexpr std::string_view kUsualDram = "reference-hbm2-patched";

// A value with who said it.
template <class Value>
struct Chosen {
  Value value{};
  std::string from;
};

Chosen<Bytes> choose_capacity(const MemoryWishes& wishes) {
  const bool reference = wishes.semantics == Semantics::kReference;
  const std::optional<Bytes> in_manifest = wishes.manifest->capacity;
  const std::optional<Bytes> of_board =
      wishes.board == nullptr ? std::nullopt : wishes.board->memory.capacity();
  const bool manifest_is_asked = !(reference && wishes.model.streaming == MemoryMode::kLayerSwap);
  if (reference && manifest_is_asked && in_manifest)
    return {*in_manifest, wishes.capacity
                              ? fmt::format("the manifest, which the reference puts before the {} asked for",
                                            base::format_size(*wishes.capacity))
                              : std::string("the manifest")};
  if (wishes.capacity)
    return {*wishes.capacity, in_manifest ? fmt::format("as asked for, before the manifest's {}",
                                                        base::format_size(*in_manifest))
                                          : std::string("as asked for")};
  if (in_manifest && manifest_is_asked) return {*in_manifest, "the manifest"};
  if (of_board) return {*of_board, fmt::format("the board {}", wishes.board->name)};
  return {kUsualCapacity, "nobody says, so the usual"};
}

Chosen<BytesPerSecond> choose_bandwidth(const MemoryWishes& wishes) {
  if (wishes.host_bandwidth) return {*wishes.host_bandwidth, "as asked for"};
  if (wishes.board != nullptr && wishes.board->host_link)
    return {wishes.board->host_link->bandwidth,
            fmt::format("{} of the board {}", wishes.board->host_link->type, wishes.board->name)};
  return {kUsualBandwidth, "nobody says, so the usual"};
}

struct ChosenDram {
  std::string name;
  std::uint32_t channels = 0;
  std::string from;
};

Result<ChosenDram> choose_dram(const MemoryWishes& wishes) {
  if (!wishes.dram.empty()) return ChosenDram{wishes.dram, wishes.channels, "as asked for"};
  if (wishes.model.streaming && wishes.semantics == Semantics::kReference)
    return ChosenDram{std::string(name_of(memory::SimpleModel::kWindowRows)), wishes.channels,
                      "the reference's own behind its link"};
  if (wishes.board != nullptr) {
    ACCELSCOPE_TRY(BoardDram of_board, dram_of(*wishes.board));
    return ChosenDram{of_board.preset, wishes.channels == 0 ? of_board.channels : wishes.channels,
                      of_board.reason};
  }
  return ChosenDram{std::string(kUsualDram), wishes.channels, "nobody says, so the usual"};
}

// Sets the timing, its name and its peak.
base::Status make_memory(const ChosenDram& dram, MemorySetup& setup) {
  if (const auto simple = memory::simple_model_named(dram.name)) {
    const std::uint32_t channels = std::max(1U, dram.channels);
    ACCELSCOPE_TRY(setup.timing, memory::make_simple_dram(*simple, channels));
    // 64 bytes in four clocks of 833 ps.
    setup.peak_bandwidth = BytesPerSecond{std::int64_t{64'000'000'000'000} / 3332 * channels};
    setup.description = dram.name;
    return {};
  }
  ACCELSCOPE_TRY(const memory::DramPreset preset, memory::load_dram_preset(dram.name));
  ACCELSCOPE_TRY(setup.timing, memory::make_dram(preset, {.channels = dram.channels}));
  setup.peak_bandwidth =
      preset.peak_bandwidth(dram.channels == 0 ? preset.organisation.channels : dram.channels);
  setup.description = preset.name;
  return {};
}

void warn_of_unused(const MemoryWishes& wishes, MemorySetup& setup) {
  const auto unused = [&](bool given, std::string_view what) {
    if (given)
      setup.warnings.push_back(fmt::format("{} means nothing to the memory model {}{}", what,
                                           name_of(setup.model),
                                           setup.model.streaming ? " under reference semantics" : ""));
  };
  const bool alone = !setup.model.streaming;
  unused(alone && wishes.capacity, "a capacity");
  unused(alone && wishes.host_bandwidth, "a host bandwidth");
  const bool fixed = alone || wishes.semantics == Semantics::kReference;
  unused(fixed && wishes.prefetch_depth, "a prefetch depth");
  unused(fixed && wishes.policy, "an eviction policy");
}

base::Picoseconds link_latency(const MemoryWishes& wishes, MemorySetup& setup) {
  if (wishes.board == nullptr || !wishes.board->host_link || !wishes.board->host_link->latency) return {};
  const base::Nanoseconds latency = *wishes.board->host_link->latency;
  setup.choices.push_back(fmt::format("every transfer over the host link begins with {} ns (the board {})",
                                      latency.value, wishes.board->name));
  return {latency.value * 1000};
}

Result<memory::StreamedMemory> make_streamed(const MemoryWishes& wishes, MemorySetup& setup) {
  const Bytes capacity = *setup.capacity;
  const BytesPerSecond bandwidth = *setup.host_bandwidth;
  boards::WeightManifest manifest = *wishes.manifest;
  if (wishes.semantics == Semantics::kReference)
    return memory::make_reference_streaming(
        {.mode = *wishes.model.streaming, .capacity = capacity, .host_bandwidth = bandwidth},
        std::move(manifest), std::move(setup.timing));
  // Whoever has the say was found above.
  manifest.capacity = capacity;
  memory::StreamingMemoryOptions options{.mode = *wishes.model.streaming, .capacity = capacity};
  options.link.bandwidth = bandwidth;
  options.link.latency = link_latency(wishes, setup);
  options.policy = wishes.policy.value_or(options.policy);
  options.prefetch_depth = wishes.prefetch_depth.value_or(options.prefetch_depth);
  return memory::make_streaming_memory(options, std::move(manifest), std::move(setup.timing));
}

base::Status add_link(const MemoryWishes& wishes, MemorySetup& setup) {
  if (wishes.manifest == nullptr)
    return base::fail(
        ErrorCode::kUsage,
        "the memory model {} needs a weight manifest, which says what lies where: make one with "
        "`accelscope manifest MODEL --board BOARD -o weight_manifest.json`, or from a build "
        "directory with `accelscope manifest DIR --board BOARD`",
        name_of(wishes.model));
  const Chosen<Bytes> capacity = choose_capacity(wishes);
  const Chosen<BytesPerSecond> bandwidth = choose_bandwidth(wishes);
  setup.choices.push_back(
      fmt::format("the memory holds {} ({})", base::format_size(capacity.value), capacity.from));
  setup.choices.push_back(
      fmt::format("the host link carries {} ({})", base::format_rate(bandwidth.value), bandwidth.from));
  setup.capacity = capacity.value;
  setup.host_bandwidth = bandwidth.value;
  ACCELSCOPE_TRY(memory::StreamedMemory streamed, make_streamed(wishes, setup));
  setup.timing = std::move(streamed.timing);
  setup.model.streaming = streamed.mode;
  for (std::string& warning : streamed.warnings) setup.warnings.push_back(std::move(warning));
  if (wishes.model.streaming == MemoryMode::kAuto)
    setup.choices.push_back(fmt::format(
        "the model is {}: {} of weights and {} in all, with room for {}", name_of(setup.model),
        base::format_size(boards::bytes_of_kind(*wishes.manifest, boards::RegionKind::kWeight)),
        base::format_size(boards::total_bytes(*wishes.manifest)), base::format_size(capacity.value)));
  setup.description =
      fmt::format("{}{} over {}", wishes.semantics == Semantics::kReference ? "reference " : "",
                  name_of(setup.model), setup.description);
  return {};
}

}  // namespace

std::string_view name_of(const MemoryModel& model) {
  return model.streaming ? memory::name_of(*model.streaming) : kModels.front();
}

std::optional<MemoryModel> memory_model_named(std::string_view name) {
  if (name == kModels.front()) return MemoryModel{};
  const std::optional<MemoryMode> mode = memory::memory_mode_named(name);
  if (!mode) return std::nullopt;
  return MemoryModel{mode};
}

std::span<const std::string_view> memory_model_names() {
  return kModels;
}

Result<MemorySetup> set_up_memory(const MemoryWishes& wishes) {
  if (wishes.capacity && wishes.capacity->value <= 0)
    return base::fail(ErrorCode::kUsage, "a capacity of {} bytes: expected at least 1",
                      wishes.capacity->value);
  if (wishes.host_bandwidth && wishes.host_bandwidth->value <= 0)
    return base::fail(ErrorCode::kUsage, "a host link of {} bytes a second: expected at least 1",
                      wishes.host_bandwidth->value);
  MemorySetup setup;
  setup.model = wishes.model;
  ACCELSCOPE_TRY(const ChosenDram dram, choose_dram(wishes));
  ACCELSCOPE_CHECK(make_memory(dram, setup));
  setup.choices.push_back(fmt::format(
      "the DRAM is {}{} ({})", setup.description,
      dram.channels == 0 ? std::string() : fmt::format(" with {} channels", dram.channels), dram.from));
  if (wishes.model.streaming) ACCELSCOPE_CHECK(add_link(wishes, setup));
  warn_of_unused(wishes, setup);
  return setup;
}

}  // namespace accelscope::emulator
