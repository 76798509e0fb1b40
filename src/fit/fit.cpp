#include "fit/fit.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::Picoseconds;
using base::Result;
using boards::Model;

// That a buffer must hold besides layers and output.
Bytes largest_vision_stage(const PassWork& prefill) {
  Bytes largest{};
  for (const StageWork& stage : prefill.stages)
    if (stage.kind == StageKind::kPatches || stage.kind == StageKind::kVisionLayer ||
        stage.kind == StageKind::kConnector)
      largest = std::max(largest, stage.stored);
  return largest;
}

bool needs_link(const Placement& placement) {
  return placement.regime != memory::Regime::kResident;
}

// After the prompt there are fewer keys and values than at the context, in the same room.
Placement during_prefill(Placement placement, Bytes kv_at_context, Bytes kv_at_prompt) {
  const Bytes room = kv_at_context - placement.kv_swapped;
  placement.kv_swapped = std::max(Bytes{0}, kv_at_prompt - room);
  return placement;
}

Result<StreamingChoice> speeds_of(const Model& model, const Fit& fit, const Machine& machine,
                                  Placement placement) {
  const Bytes kv = fit.footprint.kv;
  ACCELSCOPE_TRY(const Bytes kv_at_prompt,
                 kv_bytes(model, machine.formats.kv, std::min(fit.workload.prompt, fit.workload.context),
                          fit.workload.batch));
  const Placement first = during_prefill(placement, kv, kv_at_prompt);
  ACCELSCOPE_TRY(std::vector<StageTime> prefill, stage_times(fit.prefill_work, first, kv_at_prompt, machine));
  ACCELSCOPE_TRY(std::vector<StageTime> decode, stage_times(fit.decode_work, placement, kv, machine));
  return StreamingChoice{std::move(placement), speed_of(std::move(prefill), machine, PassKind::kFirst),
                         speed_of(std::move(decode), machine, PassKind::kSteady)};
}

// A prompt, and the tokens that follow up to the context.
base::Int128 request_time(const Fit& fit, Picoseconds prefill, Picoseconds decode) {
  if (fit.passes_of_decode > 1) return static_cast<base::Int128>(decode.value) * fit.passes_of_decode;
  const std::uint64_t tokens = fit.workload.context - std::min(fit.workload.context, fit.workload.prompt);
  return prefill.value + static_cast<base::Int128>(decode.value) * tokens;
}

base::Status choose_streaming(const Model& model, const Machine& machine, Fit& fit) {
  std::vector<Streaming> ways{machine.streaming};
  // In the order in which they are preferred where they are equally fast.
  if (machine.streaming == Streaming::kBest)
    ways = {Streaming::kPinned, Streaming::kStream, Streaming::kSwap};
  const Bytes largest = largest_vision_stage(fit.prefill_work);
  std::optional<base::Error> failure;
  for (const Streaming way : ways) {
    std::optional<Placement> placement = place(fit.decode_work, fit.footprint, machine, way, largest);
    if (!placement) continue;
    Result<StreamingChoice> choice = speeds_of(model, fit, machine, std::move(*placement));
    if (choice)
      fit.choices.push_back(std::move(*choice));
    else
      failure = std::move(choice).error();
  }
  if (fit.choices.empty() && failure) return tl::unexpected(std::move(*failure));
  if (fit.choices.empty())
    return base::fail(
        base::ErrorCode::kUsage,
        "{} on {}: {} buffers of the largest stage do not fit the memory, so that --streaming {} "
        "cannot work; --streaming stream needs none there",
        model.nickname, machine.name, machine.buffers, name_of(machine.streaming));
  const StreamingChoice* best = fit.choices.data();
  const auto time_of = [&](const StreamingChoice& choice) {
    return request_time(fit, choice.prefill.overlapped, choice.decode.overlapped);
  };
  for (const StreamingChoice& choice : fit.choices)
    if (time_of(choice) < time_of(*best)) best = &choice;
  fit.placement = best->placement;
  fit.prefill = best->prefill;
  fit.decode = best->decode;
  return {};
}

}  // namespace

std::string wrong_workload(const Model& model, const Workload& workload) {
  if (workload.context == 0 || workload.batch == 0) return "context and batch must be above zero";
  if (workload.images > 0 && !model.vision)
    return fmt::format("{} has no vision tower, so that it takes no images", model.nickname);
  if (workload.images > 0 && tokens_of_image(model) == 0)
    return fmt::format("{} does not say how large its images are, so that they cannot be counted",
                       model.nickname);
  if (!model.text.diffusion && workload.prompt > workload.context)
    return fmt::format("a prompt of {} tokens{} does not fit a context of {}", workload.prompt,
                       workload.images > 0 ? ", images included," : "", workload.context);
  return {};
}

Picoseconds Fit::first_token() const {
  if (!prefill) return {};
  return passes_of_decode > 1 ? token_time() : prefill->overlapped;
}

Picoseconds Fit::token_time() const {
  if (!decode) return {};
  const base::Int128 time =
      static_cast<base::Int128>(decode->overlapped.value) * static_cast<base::Int128>(passes_of_decode);
  return {static_cast<std::int64_t>(std::min<base::Int128>(time, Picoseconds::max().value))};
}

double Fit::tokens_per_second() const {
  const Picoseconds time = token_time();
  if (time.value <= 0) return 0;
  return static_cast<double>(tokens_of_decode) / (static_cast<double>(time.value) * 1e-12);
}

double Fit::request_seconds() const {
  if (!decode) return 0;
  return static_cast<double>(request_time(*this, prefill->overlapped, decode->overlapped)) * 1e-12;
}

Result<Fit> fit_model(const Model& model, const Machine& machine, const Workload& workload) {
  if (const std::string wrong = wrong_workload(model, workload); !wrong.empty())
    return base::fail(base::ErrorCode::kUsage, "{}", wrong);
  Fit fit{.workload = workload, .tokens_of_decode = workload.batch};
  if (model.text.diffusion) {
    fit.tokens_of_decode = (base::Checked(workload.batch) * workload.context).value_or(UINT64_MAX);
    fit.passes_of_decode = std::max<std::uint64_t>(1, workload.steps);
  }
  ACCELSCOPE_TRY(fit.weights, weights_of(model, machine.formats.weights));
  ACCELSCOPE_TRY(fit.footprint, footprint_of(model, machine.formats, workload, fit.weights.total));
  fit.regime = regime_of(fit.footprint, machine.capacity);
  ACCELSCOPE_TRY(fit.prefill_work, work_of(model, fit.weights, machine, prefill_pass(model, workload)));
  ACCELSCOPE_TRY(fit.decode_work, work_of(model, fit.weights, machine, decode_pass(model, workload)));
  if (fit.regime == memory::Regime::kWeightStream && machine.link) {
    ACCELSCOPE_CHECK(choose_streaming(model, machine, fit));
    return fit;
  }
  fit.placement = *place(fit.decode_work, fit.footprint, machine, Streaming::kStream, {});
  if (needs_link(fit.placement) && !machine.link) return fit;
  ACCELSCOPE_TRY(StreamingChoice only, speeds_of(model, fit, machine, fit.placement));
  fit.prefill = std::move(only.prefill);
  fit.decode = std::move(only.decode);
  return fit;
}

}  // namespace accelscope::fit
