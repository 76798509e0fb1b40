#include "fit/stream_study.h"

#include <gtest/gtest.h>

#include <map>

#include "findings/findings.h"
#include "fit/samples.h"
#include "fit/stream_document.h"
#include "fit/stream_trace.h"

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::Picoseconds;
using memory::EvictionPolicy;
using samples::fitted;
using samples::machine_on;

constexpr Workload kWorkload{.context = 1024, .batch = 1};

Machine small_machine(std::int64_t capacity = 100'000'000, std::int64_t bandwidth = 1'500'000'000) {
  return machine_on(samples::custom_a7(), {.capacity = Bytes{capacity},
                                           .host_bandwidth = base::BytesPerSecond{bandwidth},
                                           .link_latency = base::Nanoseconds{5000}});
}

StreamStudy studied(const StreamQuestion& question, const Machine& machine = small_machine()) {
  base::Result<StreamStudy> study = study_streaming(samples::smolvlm2(), machine, kWorkload, question);
  EXPECT_TRUE(study) << (study ? "" : study.error().message);
  return study ? std::move(*study) : StreamStudy{};
}

std::string refused(const StreamQuestion& question, const Machine& machine = small_machine()) {
  const auto study = study_streaming(samples::smolvlm2(), machine, kWorkload, question);
  return study ? "" : study.error().message;
}

TEST(StreamStudy, PinsAreWhatFitSays) {
  Machine machine = small_machine();
  machine.streaming = Streaming::kPinned;
  const Fit fit = fitted(samples::smolvlm2(), machine, {.context = 1024, .batch = 1, .prompt = 1});
  const StreamStudy study = studied({});
  EXPECT_EQ(study.chosen.pass, fit.decode->overlapped);
  EXPECT_EQ(study.chosen.link_bytes, fit.decode->link_bytes);
  EXPECT_EQ(static_cast<std::uint64_t>(study.chosen.staying), fit.placement.pinned);
}

TEST(StreamStudy, EveryTransferIsHiddenOrNot) {
  for (const EvictionPolicy policy : {EvictionPolicy::kPin, EvictionPolicy::kLru, EvictionPolicy::kBelady}) {
    const StreamWay way = studied({.policy = policy}).chosen;
    EXPECT_GT(way.link.value, 0);
    EXPECT_EQ(way.hidden() + way.exposed(), way.link) << name_of(policy);
    EXPECT_EQ(way.busy + way.exposed(), way.pass) << name_of(policy);
    for (const memory::LayerTimes& stage : way.stages) {
      EXPECT_GE(stage.exposed.value, 0);
      EXPECT_LE(stage.exposed, stage.transfer_end - stage.transfer_start);
    }
  }
}

TEST(StreamStudy, PoliciesOnLayersThatComeRound) {
  // Room for about half of the layers.
  const StreamStudy study = studied({.prefetch_depth = 0});
  std::map<EvictionPolicy, StreamWay> by_policy;
  for (const StreamWay& way : study.by_policy) by_policy[way.policy] = way;
  ASSERT_EQ(by_policy.size(), 5U);
  EXPECT_EQ(by_policy[EvictionPolicy::kLru].staying, 0);
  EXPECT_EQ(by_policy[EvictionPolicy::kFifo].staying, 0);
  EXPECT_GT(by_policy[EvictionPolicy::kBelady].staying, 5);
  EXPECT_LT(by_policy[EvictionPolicy::kPin].pass, by_policy[EvictionPolicy::kLru].pass);
}

TEST(StreamStudy, TheBandwidthHidesEverythingAndOneByteLessDoesNot) {
  for (const EvictionPolicy policy : {EvictionPolicy::kPin, EvictionPolicy::kLru}) {
    const StreamStudy study = studied({.policy = policy});
    ASSERT_TRUE(study.bandwidth_to_hide) << name_of(policy);
    const auto exposed = [&](std::int64_t rate) {
      return studied({.policy = policy}, small_machine(100'000'000, rate)).chosen.exposed().value;
    };
    EXPECT_EQ(exposed(study.bandwidth_to_hide->value), 0) << name_of(policy);
    EXPECT_GT(exposed(study.bandwidth_to_hide->value - 1), 0) << name_of(policy);
  }
}

TEST(StreamStudy, TheBoundIsReachedByTheSmallestBuffers) {
  const StreamStudy study = studied({});
  EXPECT_GE(study.bound, std::max(study.chosen.busy, Picoseconds{}));
  EXPECT_LE(study.bound, study.chosen.pass);
  EXPECT_GE(study.bound.value, study.chosen.link.value * 99 / 100);
  EXPECT_EQ(study.buffers_for_bound, 2U) << "equal layers need no more";
}

TEST(StreamStudy, DepthTakesRoomFromWhatStays) {
  const StreamStudy study = studied({});
  ASSERT_GE(study.by_depth.size(), 2U);
  for (std::size_t i = 1; i < study.by_depth.size(); ++i)
    EXPECT_LE(study.by_depth[i].staying, study.by_depth[i - 1].staying);
}

TEST(StreamStudy, AllThatFitsStays) {
  const StreamStudy study = studied({}, small_machine(536'870'912));
  EXPECT_EQ(study.regime, memory::Regime::kResident);
  EXPECT_EQ(study.chosen.link_bytes.value, 0);
  EXPECT_EQ(study.chosen.pass, study.chosen.busy);
}

TEST(StreamStudy, LayersThatAreTooLargePassTheMemory) {
  // Room for the keys and values, and for no two outputs.
  const StreamStudy study = studied({}, small_machine(50'000'000));
  EXPECT_TRUE(study.direct);
  EXPECT_GT(study.chosen.link_bytes.value, 0);
  for (std::size_t i = 0; i < study.came.size(); ++i)
    if (study.chosen.comes[i]) {
      EXPECT_LT(study.came[i].memory_bytes, study.came[i].link_bytes);
    }
  const findings::Findings document =
      stream_document(samples::smolvlm2(), samples::custom_a7(), small_machine(50'000'000), {}, study);
  EXPECT_EQ(document.sections[0].statements[1].id, "stream.past_memory");
}

TEST(StreamStudy, RefusesWhatMakesNoSense) {
  EXPECT_EQ(refused({.layers_pinned = 32}),
            "--layers-pinned 32: smolvlm2 has 30 layers and an output that can be");
  EXPECT_EQ(refused({.policy = EvictionPolicy::kLru, .layers_pinned = 2}),
            "--layers-pinned goes with --policy pin, not with lru");
  EXPECT_EQ(refused({.policy = EvictionPolicy::kLru, .direct = true}),
            "--direct goes with --policy pin, not with lru");
  EXPECT_EQ(refused({.prefetch_depth = 64}), "--prefetch-depth 64: expected 0 to 63");
  Machine alone = small_machine();
  alone.link = std::nullopt;
  EXPECT_EQ(refused({}, alone), "custom_a7 has no link to a host; --host-bandwidth gives it one");
  EXPECT_NE(refused({.layers_pinned = 31}).find("there are"), std::string::npos);
  EXPECT_NE(
      refused({.policy = EvictionPolicy::kLru}, small_machine(20'000'000)).find("no policy can keep it"),
      std::string::npos);
}

TEST(StreamTrace, HasLanesForLinkMemoryAndCompute) {
  const StreamStudy study = studied({.passes_shown = 2});
  const auto trace = stream_trace(samples::smolvlm2(), small_machine(), study);
  ASSERT_TRUE(trace) << trace.error().message;
  std::vector<std::string> names;
  for (const trace::Track& track : trace->tracks()) names.emplace_back(trace->text(track.name));
  EXPECT_EQ(names,
            (std::vector<std::string>{"smolvlm2 on custom_a7", "tokens", "host link", "DRAM", "compute"}));
  EXPECT_EQ(trace->runs().size(), 2U);
  EXPECT_TRUE(trace->quality().rows().empty());
  // Two passes of 31 stages, what comes, and what is waited for.
  EXPECT_GT(trace->slices().size(), 2U * (1 + 31 + 31));
}

}  // namespace
}  // namespace accelscope::fit
