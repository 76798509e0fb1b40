#include "fit/speed.h"

#include <algorithm>
#include <array>

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::Int128;
using base::Picoseconds;
using base::Result;

constexpr Int128 kPicosecondsInSecond = 1'000'000'000'000;
constexpr Int128 kSecondsInDay = 86'400;
// Nothing that is worth a look takes longer; sums stay below 63 bits.
constexpr Picoseconds kLongestPass{std::int64_t{1} << 62};

std::optional<Picoseconds> time_of(base::Checked cycles, base::Frequency clock) {
  if (!cycles.fits() || !clock.known()) return std::nullopt;
  const Int128 scaled = static_cast<Int128>(*cycles.value()) * kPicosecondsInSecond;
  if (scaled > (Int128{1} << 125) / clock.seconds) return std::nullopt;
  const Int128 time = (scaled * clock.seconds + clock.ticks - 1) / clock.ticks;
  if (time > Picoseconds::max().value) return std::nullopt;
  return Picoseconds{static_cast<std::int64_t>(time)};
}

// The part of a traffic that belongs to what is swapped, rounded up.
Bytes share_of(Bytes traffic, Bytes swapped, Bytes all) {
  if (all.value <= 0 || swapped.value <= 0) return {};
  const Int128 share = (static_cast<Int128>(traffic.value) * swapped.value + all.value - 1) / all.value;
  return {static_cast<std::int64_t>(std::min<Int128>(share, traffic.value))};
}

Int128 times(Bytes bytes, std::uint64_t rounds) {
  // Capped: what is larger has no time that fits, and that is said.
  const Int128 product = static_cast<Int128>(bytes.value) * static_cast<Int128>(rounds);
  return std::min<Int128>(product, Bytes::max().value);
}

struct Traffic {
  Int128 memory = 0;
  Int128 link = 0;
  Int128 waiting = 0;
};

Traffic traffic_of(const StageWork& work, const Placement& placement, Bytes all_kv, bool streamed) {
  Traffic traffic;
  if (work.kind == StageKind::kEmbedding && placement.embedding_at_host) {
    traffic.waiting = work.needed.value;
  } else if (!streamed) {
    traffic.memory = times(work.needed, work.rounds);
  } else if (placement.through_memory()) {
    traffic.link = work.needed.value;
    traffic.memory = work.needed.value + times(work.needed, work.rounds);
  } else {
    traffic.link = times(work.needed, work.rounds);
  }
  const Bytes kv{work.kv_read.value + work.kv_written.value};
  const Bytes swapped = share_of(kv, placement.kv_swapped, all_kv);
  traffic.memory += kv.value - swapped.value + static_cast<Int128>(work.activations.value);
  traffic.link += swapped.value;
  if (work.activations.value > 0) traffic.link += Int128{2} * placement.activations_swapped.value;
  return traffic;
}

bool is_streamed(const StageWork& work, const Placement& placement, std::size_t text_stage) {
  switch (work.kind) {
    case StageKind::kLayer:
    case StageKind::kOutput:
      return placement.streamed[text_stage];
    case StageKind::kEmbedding:
      return false;
    default:  // a vision tower is needed once for a prompt
      return placement.regime == memory::Regime::kWeightStream;
  }
}

std::optional<Bytes> as_bytes(Int128 bytes) {
  if (bytes > Bytes::max().value) return std::nullopt;
  return Bytes{static_cast<std::int64_t>(bytes)};
}

std::optional<StageTime> time_of_stage(const StageWork& work, const Traffic& traffic,
                                       const Machine& machine) {
  const auto compute = time_of(work.cycles.total(), machine.clock);
  const auto memory_bytes = as_bytes(traffic.memory);
  const auto link_bytes = as_bytes(traffic.link + traffic.waiting);
  if (!compute || !memory_bytes || !link_bytes) return std::nullopt;
  StageTime time{.compute = *compute, .memory_bytes = *memory_bytes, .link_bytes = *link_bytes};
  const auto memory = memory::transfer_time(*memory_bytes, machine.bandwidth);
  if (!memory) return std::nullopt;
  time.memory = *memory;
  if (link_bytes->value > 0) {
    const auto link =
        machine.link ? memory::transfer_time(*link_bytes, machine.link->bandwidth) : std::nullopt;
    if (!link) return std::nullopt;
    const auto transfer = base::checked_add(link->value, machine.link->latency.value);
    if (!transfer) return std::nullopt;
    (traffic.link > 0 ? time.link : time.waiting) = Picoseconds{*transfer};
    time.streamed = traffic.link > 0;
  }
  return time;
}

}  // namespace

std::string_view name_of(Resource resource) {
  constexpr std::array<std::string_view, 3> kNames{"compute", "external memory", "host link"};
  return kNames[static_cast<std::size_t>(resource)];
}

Resource PassSpeed::bound() const {
  if (in_link > in_compute && in_link > in_memory) return Resource::kLink;
  return in_memory > in_compute ? Resource::kMemory : Resource::kCompute;
}

Result<std::vector<StageTime>> stage_times(const PassWork& work, const Placement& placement, Bytes all_kv,
                                           const Machine& machine) {
  std::vector<StageTime> stages;
  stages.reserve(work.order.size());
  // Stages that are alike take the same time, those that come over the link and those that do not.
  std::vector<std::array<std::optional<StageTime>, 2>> known(work.stages.size());
  std::size_t text_stage = 0;
  Int128 sum = 0;
  for (const std::uint32_t at : work.order) {
    const StageWork& stage = work.stages[at];
    const bool streamed = is_streamed(stage, placement, text_stage);
    text_stage += stage.kind == StageKind::kLayer || stage.kind == StageKind::kOutput ? 1 : 0;
    std::optional<StageTime>& time = known[at][streamed ? 1 : 0];
    if (!time) time = time_of_stage(stage, traffic_of(stage, placement, all_kv, streamed), machine);
    if (time)
      sum += static_cast<Int128>(time->compute.value) + time->memory.value + time->link.value +
             time->waiting.value;
    if (!time || sum > kLongestPass.value)
      return base::fail(
          base::ErrorCode::kTooLarge, "{}: a pass takes longer than {} days", machine.name,
          static_cast<std::int64_t>(kLongestPass.value / (kSecondsInDay * kPicosecondsInSecond)));
    time->stage = at;
    stages.push_back(*time);
  }
  return stages;
}

memory::Streaming stream_stages(const std::vector<StageTime>& stages, std::uint32_t buffers) {
  Int128 sum = 1;
  for (const StageTime& stage : stages)
    sum += static_cast<Int128>(stage.busy().value) + stage.link.value + stage.waiting.value;
  // The recurrence goes through hundreds of passes: of very long ones, in coarser steps.
  int coarser = 0;
  const Int128 most = Picoseconds::max().value / (1024 + 2 * static_cast<Int128>(buffers));
  while ((sum >> coarser) > most) ++coarser;
  const auto coarse = [&](Picoseconds time) {
    return Picoseconds{(time.value >> coarser) +
                       ((time.value & ((std::int64_t{1} << coarser) - 1)) == 0 ? 0 : 1)};
  };
  std::vector<memory::StreamedLayer> layers;
  layers.reserve(stages.size());
  for (const StageTime& stage : stages)
    layers.push_back({coarse(stage.link), coarse(stage.busy() + stage.waiting), stage.streamed});
  memory::Streaming result = memory::stream(layers, {.buffers = buffers});
  if (coarser == 0) return result;
  const auto fine = [&](Picoseconds& time) { time.value <<= coarser; };
  fine(result.first_pass);
  fine(result.steady_pass);
  for (memory::LayerTimes& times : result.last_pass) {
    for (Picoseconds* time : {&times.transfer_start, &times.transfer_end, &times.compute_start,
                              &times.compute_end, &times.exposed})
      fine(*time);
  }
  return result;
}

PassSpeed speed_of(std::vector<StageTime> stages, const Machine& machine, PassKind kind) {
  PassSpeed speed;
  bool any_streamed = false;
  Picoseconds busy{};
  for (const StageTime& stage : stages) {
    speed.compute += stage.compute;
    speed.memory += stage.memory;
    speed.link += stage.link + stage.waiting;
    speed.memory_bytes += stage.memory_bytes;
    speed.link_bytes += stage.link_bytes;
    (stage.compute >= stage.memory ? speed.in_compute : speed.in_memory) += stage.busy();
    speed.in_link += stage.waiting;
    busy += stage.busy() + stage.waiting;
    any_streamed = any_streamed || stage.streamed;
  }
  speed.serial = speed.compute + speed.memory + speed.link;
  speed.overlapped = busy;
  if (any_streamed) {
    const memory::Streaming streaming = stream_stages(stages, machine.buffers);
    speed.overlapped =
        std::max(busy, kind == PassKind::kSteady ? streaming.steady_pass : streaming.first_pass);
    speed.in_link += speed.overlapped - busy;
  }
  speed.stages = std::move(stages);
  return speed;
}

}  // namespace accelscope::fit
