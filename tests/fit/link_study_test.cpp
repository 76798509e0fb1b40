#include "fit/link_study.h"

#include <gtest/gtest.h>

#include "fit/samples.h"

namespace accelscope::fit {
namespace {

using samples::fitted;
using samples::machine_on;

constexpr Workload kLinkChat{.context = 1024, .batch = 1, .prompt = 896};

Machine streaming_machine(std::uint32_t buffers = 2) {
  return machine_on(samples::custom_a7(), {.capacity = base::Bytes{100'000'000},
                                           .link_latency = base::Nanoseconds{5000},
                                           .buffers = buffers,
                                           .streaming = Streaming::kStream});
}

base::Picoseconds hidden(const Fit& fit) {
  return fit.decode->in_compute + fit.decode->in_memory;
}

TEST(LinkStudy, TheBandwidthHidesTheLinkAndOneByteLessDoesNot) {
  Machine machine = streaming_machine();
  Fit fit = fitted(samples::smolvlm2(), machine, kLinkChat);
  const LinkStudy study = study_link(machine, fit);
  ASSERT_TRUE(study.bandwidth_to_hide);
  const auto exposed = [&](base::BytesPerSecond bandwidth) {
    std::vector<StageTime> stages = fit.decode->stages;
    for (StageTime& stage : stages)
      if (stage.streamed)
        stage.link = *memory::transfer_time(stage.link_bytes, bandwidth) + machine.link->latency;
    return stream_stages(stages, machine.buffers).steady_pass.value - hidden(fit).value -
           fit.decode->stages[0].waiting.value;
  };
  EXPECT_EQ(exposed(*study.bandwidth_to_hide), 0);
  EXPECT_GT(exposed(*study.bandwidth_to_hide - base::BytesPerSecond{1}), 0);
}

TEST(LinkStudy, OneBufferHidesNothing) {
  const Machine machine = streaming_machine(1);
  const LinkStudy study = study_link(machine, fitted(samples::smolvlm2(), machine, kLinkChat));
  EXPECT_EQ(study.bandwidth_to_hide, std::nullopt);
  EXPECT_GE(study.buffers_for_bound, 2U);
}

TEST(LinkStudy, TheBuffersReachTheBoundAndOneLessDoesNot) {
  const Machine machine = streaming_machine();
  const Fit fit = fitted(samples::smolvlm2(), machine, kLinkChat);
  const LinkStudy study = study_link(machine, fit);
  EXPECT_EQ(stream_stages(fit.decode->stages, study.buffers_for_bound).steady_pass, study.bound);
  EXPECT_EQ(stream_stages(fit.decode->stages, study.buffers_for_bound + 7).steady_pass, study.bound);
  EXPECT_GT(stream_stages(fit.decode->stages, study.buffers_for_bound - 1).steady_pass, study.bound);
}

TEST(LinkStudy, TheBreakEvenBatchIsTheFirst) {
  // A slow link and a fast array: one token leaves the array waiting.
  const Machine machine = machine_on(samples::v80(), {.mlen = 256,
                                                      .blen = 64,
                                                      .capacity = base::Bytes{100'000'000},
                                                      .host_bandwidth = base::BytesPerSecond{1'000'000'000},
                                                      .streaming = Streaming::kStream,
                                                      .costs = Costs::kRtl});
  const Fit fit = fitted(samples::smolvlm2(), machine, kLinkChat);
  const auto batch = break_even_batch(samples::smolvlm2(), machine, fit);
  ASSERT_TRUE(batch);
  EXPECT_GT(*batch, 1U);
  const auto compute_over_link = [&](std::uint64_t n) {
    Workload workload = kLinkChat;
    workload.batch = n;
    const auto work =
        work_of(samples::smolvlm2(), fit.weights, machine, decode_pass(samples::smolvlm2(), workload));
    const auto kv = kv_bytes(samples::smolvlm2(), machine.formats.kv, 1024, n);
    const PassSpeed speed =
        speed_of(*stage_times(*work, fit.placement, *kv, machine), machine, PassKind::kSteady);
    return speed.compute >= std::max(speed.link - speed.stages[0].waiting, speed.memory);
  };
  EXPECT_TRUE(compute_over_link(*batch));
  EXPECT_FALSE(compute_over_link(*batch - 1));
  const auto prompt = break_even_prompt(samples::smolvlm2(), machine, fit);
  ASSERT_TRUE(prompt);
  EXPECT_GT(*prompt, 1U);
}

}  // namespace
}  // namespace accelscope::fit
