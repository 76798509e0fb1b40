#include "fit/link_study.h"

#include <algorithm>

#include "base/last_true.h"

namespace accelscope::fit {
namespace {

using base::Picoseconds;
using boards::Model;

constexpr std::uint64_t kMostTokens = 1U << 20U;
constexpr std::uint32_t kMaxStudiedBuffers = 256;

Picoseconds busy_time(const std::vector<StageTime>& stages) {
  Picoseconds busy{};
  for (const StageTime& stage : stages) busy += stage.busy() + stage.waiting;
  return busy;
}

std::vector<StageTime> with_bandwidth(std::vector<StageTime> stages, base::BytesPerSecond bandwidth,
                                      Picoseconds latency) {
  for (StageTime& stage : stages)
    if (stage.streamed)
      stage.link = memory::transfer_time(stage.link_bytes, bandwidth).value_or(stage.link) + latency;
  return stages;
}

// Whether the array has as much to do as memory and link have, each by itself.
bool is_busy_enough(const Model& model, const Machine& machine, const Fit& fit, const Pass& pass) {
  const auto work = work_of(model, fit.weights, machine, pass);
  if (!work) return true;  // too much work to count
  const auto kv = kv_bytes(model, machine.formats.kv, pass.context, pass.batch);
  const auto times = kv ? stage_times(*work, fit.placement, *kv, machine) : tl::unexpected(kv.error());
  if (!times) return true;
  Picoseconds compute{};
  Picoseconds memory{};
  Picoseconds link{};
  for (const StageTime& stage : *times) {
    compute += stage.compute;
    memory += stage.memory;
    link += stage.link;
  }
  return compute >= memory && compute >= link;
}

}  // namespace

LinkStudy study_link(const Machine& machine, const Fit& fit) {
  const std::vector<StageTime>& stages = fit.decode->stages;
  const Picoseconds busy = busy_time(stages);
  const auto pass = [&](std::uint32_t buffers) { return stream_stages(stages, buffers).steady_pass; };
  // One for each stage that comes is as good as any number.
  const auto most =
      static_cast<std::uint32_t>(std::clamp<std::size_t>(stages.size() + 1, 2, kMaxStudiedBuffers));
  LinkStudy study;
  study.bound = pass(most);
  study.buffers_for_bound =
      static_cast<std::uint32_t>(base::first_true(most, [&](std::uint64_t n) {
                                   return pass(static_cast<std::uint32_t>(n)) <= study.bound;
                                 }).value_or(most));
  if (study.bound <= busy) study.buffers_to_hide = study.buffers_for_bound;
  const auto bandwidth = base::first_true(kMostBandwidth, [&](std::uint64_t rate) {
    const base::BytesPerSecond bytes{static_cast<std::int64_t>(rate)};
    // A transfer that takes longer than a whole pass is never hidden, and a sum of such might not fit.
    for (const StageTime& stage : stages) {
      const auto transfer = memory::transfer_time(stage.link_bytes, bytes);
      if (stage.streamed && (!transfer || *transfer > busy)) return false;
    }
    return stream_stages(with_bandwidth(stages, bytes, machine.link->latency), machine.buffers).steady_pass <=
           busy;
  });
  if (bandwidth) study.bandwidth_to_hide = base::BytesPerSecond{static_cast<std::int64_t>(*bandwidth)};
  return study;
}

std::optional<std::uint64_t> break_even_batch(const Model& model, const Machine& machine, const Fit& fit) {
  return base::first_true(kMostTokens, [&](std::uint64_t batch) {
    Workload workload = fit.workload;
    workload.batch = batch;
    return is_busy_enough(model, machine, fit, decode_pass(model, workload));
  });
}

std::optional<std::uint64_t> break_even_prompt(const Model& model, const Machine& machine, const Fit& fit) {
  return base::first_true(kMostTokens, [&](std::uint64_t prompt) {
    Workload workload = fit.workload;
    workload.prompt = workload.context = prompt;
    workload.images = 0;
    return is_busy_enough(model, machine, fit, prefill_pass(model, workload));
  });
}

}  // namespace accelscope::fit
