#include "fit/placement.h"

#include <algorithm>

namespace accelscope::fit {
namespace {

using base::Bytes;
using memory::Regime;

// Layers and the output, in their order.
std::vector<Bytes> sizes_of(const PassWork& decode) {
  std::vector<Bytes> sizes;
  for (const std::uint32_t at : decode.order) {
    const StageWork& stage = decode.stages[at];
    if (stage.kind == StageKind::kLayer || stage.kind == StageKind::kOutput) sizes.push_back(stage.stored);
  }
  return sizes;
}

std::optional<Bytes> buffers_of(Bytes largest, std::uint32_t buffers) {
  const base::Int128 size = static_cast<base::Int128>(largest.value) * buffers;
  if (size > Bytes::max().value) return std::nullopt;
  return Bytes{static_cast<std::int64_t>(size)};
}

// What does not fit besides: keys and values first, they are read once and in order.
void swap_the_rest(Placement& placement, const Footprint& footprint, base::Int128 room) {
  const base::Int128 over =
      static_cast<base::Int128>(footprint.kv.value) + footprint.activations.value - room;
  if (over <= 0) return;
  placement.kv_swapped = {static_cast<std::int64_t>(std::min<base::Int128>(over, footprint.kv.value))};
  placement.activations_swapped = {static_cast<std::int64_t>(
      std::min<base::Int128>(over - placement.kv_swapped.value, footprint.activations.value))};
}

struct Choice {
  std::vector<bool> streamed;
  Bytes pinned{};
  Bytes buffers{};
};

Choice choice_of(const std::vector<Bytes>& sizes, std::vector<bool> streamed, std::uint32_t buffers,
                 Bytes largest_besides) {
  Choice choice{.streamed = std::move(streamed)};
  Bytes largest = largest_besides;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (choice.streamed[i])
      largest = std::max(largest, sizes[i]);
    else
      choice.pinned += sizes[i];
  }
  choice.buffers = buffers_of(largest, buffers).value_or(Bytes::max());
  return choice;
}

// As few streamed stages of the first `movable` as leave room for the others and for the buffers; nothing
// where even all of them are not enough.
std::optional<Choice> pin(const std::vector<Bytes>& sizes, std::size_t movable, std::uint32_t buffers,
                          Bytes largest_besides, base::Int128 room) {
  base::Int128 over = -room;
  Bytes largest{1};
  for (const Bytes size : sizes) over += size.value;
  for (std::size_t i = 0; i < movable; ++i) largest = std::max(largest, sizes[i]);
  // Fewer can never be enough, because none is larger than the largest.
  const base::Int128 least = over <= 0 ? 0 : (over + largest.value - 1) / largest.value;
  if (least > static_cast<base::Int128>(movable)) return std::nullopt;
  for (auto streamed = static_cast<std::size_t>(least); streamed <= movable; ++streamed) {
    std::vector<bool> chosen = spread_evenly(movable, streamed);
    chosen.resize(sizes.size(), false);
    Choice choice = choice_of(sizes, std::move(chosen), buffers, largest_besides);
    if (static_cast<base::Int128>(choice.pinned.value) + choice.buffers.value <= room) return choice;
  }
  return std::nullopt;
}

// The output is often many times as large as a layer: kept, it needs no buffer of that size.
Choice pin_best(const std::vector<Bytes>& sizes, std::uint32_t buffers, Bytes largest_besides,
                base::Int128 room) {
  std::optional<Choice> best = pin(sizes, sizes.size(), buffers, largest_besides, room);
  std::optional<Choice> output_kept =
      sizes.empty() ? std::nullopt : pin(sizes, sizes.size() - 1, buffers, largest_besides, room);
  if (output_kept && (!best || output_kept->pinned >= best->pinned)) best = std::move(output_kept);
  if (best) return std::move(*best);
  return choice_of(sizes, std::vector<bool>(sizes.size(), true), buffers, largest_besides);
}

}  // namespace

std::vector<bool> spread_evenly(std::size_t count, std::size_t streamed) {
  std::vector<bool> chosen(count, false);
  for (std::size_t j = 0; j < std::min(count, streamed); ++j)
    chosen[(2 * j + 1) * count / (2 * streamed)] = true;
  return chosen;
}

std::optional<Placement> place(const PassWork& decode, const Footprint& footprint, const Machine& machine,
                               Streaming streaming, Bytes largest_besides) {
  const std::vector<Bytes> sizes = sizes_of(decode);
  Placement placement{.streamed = std::vector<bool>(sizes.size(), false)};
  placement.regime = memory::choose_regime({footprint.weights, footprint.total()}, machine.capacity);
  const base::Int128 capacity = machine.capacity.value;
  if (placement.regime != Regime::kWeightStream) {
    swap_the_rest(placement, footprint, capacity - footprint.weights.value);
    return placement;
  }
  placement.streaming = streaming;
  placement.embedding_at_host = true;
  Choice choice{.streamed = std::vector<bool>(sizes.size(), true)};
  if (streaming == Streaming::kSwap)
    choice = choice_of(sizes, std::move(choice.streamed), machine.buffers, largest_besides);
  if (streaming == Streaming::kPinned)
    choice = pin_best(sizes, machine.buffers, largest_besides,
                      capacity - footprint.kv.value - footprint.activations.value);
  if (choice.buffers > machine.capacity) return std::nullopt;
  placement.streamed = std::move(choice.streamed);
  placement.pinned =
      static_cast<std::uint64_t>(std::count(placement.streamed.begin(), placement.streamed.end(), false));
  placement.pinned_bytes = choice.pinned;
  placement.buffer_bytes = choice.buffers;
  swap_the_rest(placement, footprint, capacity - choice.pinned.value - choice.buffers.value);
  return placement;
}

}  // namespace accelscope::fit
