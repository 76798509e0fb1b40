#include "fit/stream_study.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "base/human.h"
#include "base/last_true.h"
#include "fit/crossings.h"
#include "fit/link_study.h"

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::BytesPerSecond;
using base::ErrorCode;
using base::Int128;
using base::Picoseconds;
using base::Result;
using memory::EvictionPolicy;

// A policy's passes differ, with a period of at most the number of its units.
constexpr std::uint32_t kMostPasses = 128;

bool may_come(const StageWork& stage) {
  return stage.kind == StageKind::kLayer || stage.kind == StageKind::kOutput;
}

// Which stages come, of which each text stage says it for itself.
std::vector<bool> of_pass(const PassWork& work, const std::vector<bool>& text_stages) {
  std::vector<bool> comes;
  std::size_t text_stage = 0;
  for (const std::uint32_t at : work.order)
    comes.push_back(may_come(work.stages[at]) && text_stages[text_stage++]);
  return comes;
}

class Study {
 public:
  Study(const boards::Model& model, const Machine& machine, StreamStudy& study)
      : model_(model), machine_(machine), study_(study) {
    for (const std::uint32_t at : study_.work.order)
      if (may_come(study_.work.stages[at])) sizes_.push_back(study_.work.stages[at].stored);
  }

  base::Status answer(const StreamQuestion& question);

 private:
  Result<Placement> placement_of(const StreamQuestion& question, std::uint32_t buffers) const;
  Result<Placement> pins_of(std::uint64_t pinned, std::uint32_t buffers) const;
  Result<Placement> direct_placement() const;
  base::Status time_stages(const Placement& placement);
  Result<StreamWay> way_of(const StreamQuestion& question, std::uint32_t buffers);
  StreamWay pinned_way(const std::vector<bool>& streamed, std::uint32_t buffers, BytesPerSecond rate) const;
  Result<std::vector<memory::PlannedAccess>> plan_of(const StreamQuestion& question,
                                                     const std::vector<bool>& streamed, std::uint32_t buffers,
                                                     std::uint32_t passes) const;
  StreamWay policy_way(EvictionPolicy policy, const std::vector<memory::PlannedAccess>& plan,
                       std::uint32_t buffers, BytesPerSecond rate) const;
  Result<StreamWay> way_with(const StreamQuestion& question, std::uint32_t buffers,
                             BytesPerSecond rate) const;
  std::vector<memory::PassLayer> layers_at(BytesPerSecond rate) const;
  Picoseconds link_time(const StageTime& stage, BytesPerSecond rate) const;
  std::uint32_t passes() const {
    return 2 * std::clamp<std::uint32_t>(static_cast<std::uint32_t>(sizes_.size()), 2, kMostPasses);
  }
  void find_bound(const StreamQuestion& question);
  void find_bandwidth(const StreamQuestion& question, std::uint32_t buffers);
  base::Status show(const StreamQuestion& question, std::uint32_t buffers);

  const boards::Model& model_;
  const Machine& machine_;
  StreamStudy& study_;
  std::vector<Bytes> sizes_;  // of layers and output
};

Result<Placement> Study::pins_of(std::uint64_t pinned, std::uint32_t buffers) const {
  if (pinned > sizes_.size())
    return base::fail(ErrorCode::kUsage, "--layers-pinned {}: {} has {} layers and an output that can be",
                      pinned, model_.nickname, sizes_.size() - 1);
  Placement placement{.regime = memory::Regime::kWeightStream,
                      .streaming = study_.direct ? Streaming::kStream : Streaming::kPinned,
                      .streamed = spread_evenly(sizes_.size(), sizes_.size() - pinned),
                      .embedding_at_host = study_.regime == memory::Regime::kWeightStream,
                      .pinned = pinned};
  Int128 needed = 0;
  Bytes largest{};
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (placement.streamed[i])
      largest = std::max(largest, sizes_[i]);
    else
      needed += sizes_[i].value;
  }
  needed += static_cast<Int128>(largest.value) * buffers;
  if (needed > study_.room.value)
    return base::fail(
        ErrorCode::kUsage,
        "--layers-pinned {}: they and {} buffers need {}, and beside keys, values and "
        "activations there are {}",
        pinned, buffers,
        base::format_size({static_cast<std::int64_t>(std::min<Int128>(needed, Bytes::max().value))}),
        base::format_size(study_.room));
  placement.buffer_bytes = largest * buffers;
  return placement;
}

// As many bytes as fit, without buffers in the memory; none, and perhaps keys and values swapped, where
// nothing does.
Result<Placement> Study::direct_placement() const {
  std::optional<Placement> best;
  for (std::uint64_t pinned = 1; pinned <= sizes_.size(); ++pinned) {
    Result<Placement> placement = pins_of(pinned, 1);
    if (placement && (!best || placement->pinned_bytes > best->pinned_bytes)) best = std::move(*placement);
  }
  if (best) return *std::move(best);
  return *place(study_.work, study_.footprint, machine_, Streaming::kStream, {});
}

Result<Placement> Study::placement_of(const StreamQuestion& question, std::uint32_t buffers) const {
  if (question.layers_pinned) return pins_of(*question.layers_pinned, buffers);
  const Bytes largest = *std::max_element(sizes_.begin(), sizes_.end());
  if (question.policy == EvictionPolicy::kPin) {
    if (study_.direct) return direct_placement();
    Machine machine = machine_;
    machine.buffers = buffers;
    const auto placement = place(study_.work, study_.footprint, machine, Streaming::kPinned, {});
    if (placement) return *placement;
    return base::fail(ErrorCode::kUsage, "{} on {}: {} buffers of {} do not fit the memory", model_.nickname,
                      machine_.name, buffers, base::format_size(largest));
  }
  if (largest > study_.room)
    return base::fail(
        ErrorCode::kUsage,
        "{} on {}: a layer of {} does not fit the {} that the memory has beside keys, values and "
        "activations, so that no policy can keep it; --policy pin streams it past the memory",
        model_.nickname, machine_.name, base::format_size(largest), base::format_size(study_.room));
  return Placement{.regime = memory::Regime::kWeightStream,
                   .streaming = Streaming::kSwap,
                   .streamed = std::vector<bool>(sizes_.size(), true),
                   .embedding_at_host = study_.regime == memory::Regime::kWeightStream};
}

// Every stage both ways; which of them counts is decided pass by pass.
base::Status Study::time_stages(const Placement& placement) {
  Placement either = placement;
  either.regime = memory::Regime::kWeightStream;
  // What is resident has no way of streaming yet.
  if (placement.streaming == Streaming::kBest) either.streaming = Streaming::kSwap;
  either.streamed.assign(sizes_.size(), false);
  ACCELSCOPE_TRY(study_.here, stage_times(study_.work, either, study_.footprint.kv, machine_));
  either.streamed.assign(sizes_.size(), true);
  ACCELSCOPE_TRY(study_.came, stage_times(study_.work, either, study_.footprint.kv, machine_));
  Int128 longest = 0;
  for (const StageTime& stage : study_.came)
    longest += static_cast<Int128>(stage.busy().value) + stage.waiting.value + stage.link.value;
  if (longest * (passes() + 2) > Picoseconds::max().value)
    return base::fail(ErrorCode::kTooLarge, "{} on {}: a pass takes longer than {} hours", model_.nickname,
                      machine_.name, static_cast<std::int64_t>(longest / 1'000'000'000'000 / 3600));
  return {};
}

Picoseconds Study::link_time(const StageTime& stage, BytesPerSecond rate) const {
  if (rate == machine_.link->bandwidth || !stage.streamed) return stage.link;
  return memory::transfer_time(stage.link_bytes, rate).value_or(stage.link) + machine_.link->latency;
}

std::vector<memory::PassLayer> Study::layers_at(BytesPerSecond rate) const {
  std::vector<memory::PassLayer> layers;
  for (std::size_t i = 0; i < study_.here.size(); ++i)
    layers.push_back({.here = study_.here[i].busy() + study_.here[i].waiting,
                      .came = study_.came[i].busy() + study_.came[i].waiting,
                      .transfer = link_time(study_.came[i], rate),
                      .transfer_here = link_time(study_.here[i], rate)});
  return layers;
}

StreamWay Study::pinned_way(const std::vector<bool>& streamed, std::uint32_t buffers,
                            BytesPerSecond rate) const {
  StreamWay way{.policy = EvictionPolicy::kPin, .buffers = buffers};
  way.comes = of_pass(study_.work, streamed);
  std::vector<StageTime> stages;
  for (std::size_t i = 0; i < way.comes.size(); ++i) {
    StageTime stage = way.comes[i] ? study_.came[i] : study_.here[i];
    stage.link = link_time(stage, rate);
    way.busy += stage.busy() + stage.waiting;
    way.link += stage.link;
    way.link_bytes += stage.link_bytes;
    stages.push_back(stage);
  }
  memory::Streaming streaming = stream_stages(stages, buffers);
  way.pass = std::max(way.busy, streaming.steady_pass);
  way.stages = std::move(streaming.last_pass);
  way.staying = static_cast<double>(std::count(streamed.begin(), streamed.end(), false));
  return way;
}

Result<std::vector<memory::PlannedAccess>> Study::plan_of(const StreamQuestion& question,
                                                          const std::vector<bool>& streamed,
                                                          std::uint32_t buffers, std::uint32_t passes) const {
  if (question.policy == EvictionPolicy::kPin)
    return memory::plan_passes(of_pass(study_.work, streamed), passes);
  std::vector<std::uint32_t> future(sizes_.size());
  std::iota(future.begin(), future.end(), 0U);
  ACCELSCOPE_TRY(memory::Residency residency, memory::Residency::make({.policy = question.policy,
                                                                       .capacity = study_.room,
                                                                       .buffers = buffers,
                                                                       .future = std::move(future)},
                                                                      sizes_));
  std::vector<std::optional<std::uint32_t>> units;
  std::uint32_t unit = 0;
  for (const std::uint32_t at : study_.work.order)
    units.push_back(may_come(study_.work.stages[at]) ? std::optional(unit++) : std::nullopt);
  return memory::plan_passes(std::move(residency), units, passes);
}

StreamWay Study::policy_way(EvictionPolicy policy, const std::vector<memory::PlannedAccess>& plan,
                            std::uint32_t buffers, BytesPerSecond rate) const {
  const std::vector<memory::PassLayer> layers = layers_at(rate);
  const auto times = memory::schedule_accesses(layers, plan, buffers);
  const std::size_t stages = layers.size();
  const auto measured = static_cast<std::int64_t>(times.size() / stages / 2);
  const std::size_t from = times.size() - static_cast<std::size_t>(measured) * stages;
  StreamWay way{.policy = policy, .buffers = buffers};
  Int128 link_bytes = 0;
  std::int64_t stayed = 0;
  for (std::size_t i = from; i < times.size(); ++i) {
    const memory::PlannedAccess& access = plan[i];
    const StageTime& stage = (access.comes ? study_.came : study_.here)[access.layer];
    way.busy += times[i].compute_end - times[i].compute_start;
    way.link += times[i].transfer_end - times[i].transfer_start;
    link_bytes += stage.link_bytes.value;
    if (may_come(study_.work.stages[study_.work.order[access.layer]]) && !access.comes) ++stayed;
  }
  way.pass = {(times.back().compute_end - times[from - 1].compute_end).value / measured};
  way.busy = {way.busy.value / measured};
  way.link = {way.link.value / measured};
  way.link_bytes = {static_cast<std::int64_t>(link_bytes / measured)};
  way.staying = static_cast<double>(stayed) / static_cast<double>(measured);
  way.stages.assign(times.end() - static_cast<std::ptrdiff_t>(stages), times.end());
  for (std::size_t i = times.size() - stages; i < times.size(); ++i) way.comes.push_back(plan[i].comes);
  return way;
}

// What stays being as the study has it.
Result<StreamWay> Study::way_with(const StreamQuestion& question, std::uint32_t buffers,
                                  BytesPerSecond rate) const {
  StreamWay way;
  if (question.policy == EvictionPolicy::kPin) {
    way = pinned_way(study_.placement.streamed, buffers, rate);
  } else {
    ACCELSCOPE_TRY(const auto plan, plan_of(question, {}, buffers, passes()));
    way = policy_way(question.policy, plan, buffers, rate);
  }
  Bytes largest{};
  std::size_t text_stage = 0;
  for (std::size_t i = 0; i < way.comes.size(); ++i)
    if (may_come(study_.work.stages[study_.work.order[i]])) {
      if (way.comes[i]) largest = std::max(largest, sizes_[text_stage]);
      ++text_stage;
    }
  way.buffer_bytes = largest * buffers;
  return way;
}

// With the room that its buffers leave.
Result<StreamWay> Study::way_of(const StreamQuestion& question, std::uint32_t buffers) {
  ACCELSCOPE_TRY(study_.placement, placement_of(question, buffers));
  ACCELSCOPE_CHECK(time_stages(study_.placement));
  return way_with(question, buffers, machine_.link->bandwidth);
}

void Study::find_bound(const StreamQuestion& question) {
  const auto coming = std::count(study_.chosen.comes.begin(), study_.chosen.comes.end(), true);
  const auto most = static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(coming + 1, 2, kDeepestStream + 1));
  study_.bound = Picoseconds::max();
  for (std::uint32_t buffers = 1; buffers <= most; ++buffers) {
    const auto way = way_with(question, buffers, machine_.link->bandwidth);
    if (!way || way->pass >= study_.bound) continue;
    study_.bound = way->pass;
    study_.buffers_for_bound = buffers;
    study_.buffer_for_bound = way->buffer_bytes;
  }
}

void Study::find_bandwidth(const StreamQuestion& question, std::uint32_t buffers) {
  std::vector<memory::PlannedAccess> plan;
  if (question.policy != EvictionPolicy::kPin)
    if (auto made = plan_of(question, {}, buffers, passes())) plan = std::move(*made);
  const Picoseconds busy = study_.chosen.busy;
  const auto hides = [&](std::uint64_t value) {
    const BytesPerSecond rate{static_cast<std::int64_t>(value)};
    // A transfer that takes longer than a whole pass is never hidden, and a sum of such might not fit.
    for (std::size_t i = 0; i < study_.came.size(); ++i) {
      const StageTime& stage = (study_.chosen.comes[i] ? study_.came : study_.here)[i];
      const auto transfer = memory::transfer_time(stage.link_bytes, rate);
      if (stage.streamed && (!transfer || *transfer > busy)) return false;
    }
    return (plan.empty() ? pinned_way(study_.placement.streamed, buffers, rate)
                         : policy_way(question.policy, plan, buffers, rate))
               .pass <= busy;
  };
  if (const auto rate = base::first_true(kMostBandwidth, hides))
    study_.bandwidth_to_hide = BytesPerSecond{static_cast<std::int64_t>(*rate)};
}

base::Status Study::show(const StreamQuestion& question, std::uint32_t buffers) {
  ACCELSCOPE_TRY(study_.accesses,
                 plan_of(question, study_.placement.streamed, buffers, question.passes_shown));
  study_.times = memory::schedule_accesses(layers_at(machine_.link->bandwidth), study_.accesses, buffers);
  return {};
}

base::Status Study::answer(const StreamQuestion& question) {
  const std::uint32_t buffers = question.prefetch_depth + 1;
  const bool pins = question.policy == EvictionPolicy::kPin;
  study_.direct = question.direct || (pins && !question.layers_pinned && !placement_of(question, buffers));
  for (const std::uint32_t depth : {0U, 1U, 2U, 3U, 4U, 8U})
    if (auto way = way_of(question, depth + 1)) study_.by_depth.push_back(std::move(*way));
  for (const EvictionPolicy policy : {EvictionPolicy::kPin, EvictionPolicy::kBelady, EvictionPolicy::kMru,
                                      EvictionPolicy::kLru, EvictionPolicy::kFifo}) {
    StreamQuestion other = question;
    other.policy = policy;
    other.direct = policy == EvictionPolicy::kPin && study_.direct;
    if (policy != EvictionPolicy::kPin) other.layers_pinned = std::nullopt;
    if (auto way = way_of(other, buffers)) study_.by_policy.push_back(std::move(*way));
  }
  ACCELSCOPE_TRY(study_.chosen, way_of(question, buffers));
  find_bound(question);
  find_bandwidth(question, buffers);
  return show(question, buffers);
}

std::vector<std::string> names_of(const PassWork& work) {
  std::vector<std::string> names;
  std::size_t layer = 0;
  for (const std::uint32_t at : work.order) {
    const StageKind kind = work.stages[at].kind;
    names.push_back(kind == StageKind::kLayer ? fmt::format("layer {}", layer++)
                                              : std::string(name_of(kind)));
  }
  return names;
}

base::Status check_question(const Machine& machine, const StreamQuestion& question) {
  if (!machine.link)
    return base::fail(ErrorCode::kUsage, "{} has no link to a host; --host-bandwidth gives it one",
                      machine.name);
  if (question.prefetch_depth > kDeepestStream)
    return base::fail(ErrorCode::kUsage, "--prefetch-depth {}: expected 0 to {}", question.prefetch_depth,
                      kDeepestStream);
  if ((question.layers_pinned || question.direct) && question.policy != EvictionPolicy::kPin)
    return base::fail(ErrorCode::kUsage, "{} goes with --policy pin, not with {}",
                      question.direct ? "--direct" : "--layers-pinned", name_of(question.policy));
  return {};
}

}  // namespace

Result<StreamStudy> study_streaming(const boards::Model& model, const Machine& machine,
                                    const Workload& workload, const StreamQuestion& question) {
  ACCELSCOPE_CHECK(check_question(machine, question));
  StreamStudy study{.workload = workload};
  ACCELSCOPE_TRY(study.weights, weights_of(model, machine.formats.weights));
  ACCELSCOPE_TRY(study.footprint, footprint_of(model, machine.formats, workload, study.weights.total));
  study.regime = regime_of(study.footprint, machine.capacity);
  ACCELSCOPE_TRY(study.work, work_of(model, study.weights, machine, decode_pass(model, workload)));
  study.names = names_of(study.work);
  study.stages_that_may_come = study.work.count(StageKind::kLayer) + study.work.count(StageKind::kOutput);
  if (study.stages_that_may_come == 0)
    return base::fail(ErrorCode::kUsage, "{} has no layers that could come", model.nickname);
  study.room = machine.capacity - study.footprint.kv - study.footprint.activations;
  if (const StageWeights* embedding = study.weights.find(StageKind::kEmbedding);
      embedding != nullptr && study.regime != memory::Regime::kWeightStream)
    study.room -= embedding->total;
  study.room = std::max(study.room, Bytes{});
  if (study.room.value == 0 && question.policy != EvictionPolicy::kPin)
    return base::fail(ErrorCode::kUsage,
                      "{} on {}: keys, values and activations of {} leave no room for layers", model.nickname,
                      machine.name, base::format_size(study.footprint.kv + study.footprint.activations));
  ACCELSCOPE_CHECK(Study(model, machine, study).answer(question));
  return study;
}

}  // namespace accelscope::fit
