// The stages of a mixture of experts, by the comments of a listing.
#include "emulator/stage_profile.h"

#include <gtest/gtest.h>

#include "emulator/test_runs.h"

namespace accelscope::emulator {
namespace {

using isa::Stage;

constexpr std::string_view kListing =
    "S_ADDI_INT gp1, gp0, 1\n"
    "; GPT-OSS router token 3\n"
    "S_ADDI_INT gp2, gp0, 2\n"
    "S_ADDI_INT gp3, gp0, 3\n"
    "; Allocate VRAM Matrix step6_pair4_gather\n"
    "\n"
    "  C_LOOP_START gp5, 3\n"
    "H_PREFETCH_V gp0, gp0, a0, 0, 0\n"
    "C_LOOP_END gp5\n"
    "; Allocate VRAM Matrix step6_pair11_gather\n"
    "// no instruction\n"
    "S_ADDI_INT gp4, gp0, 4\n"
    "; step6_device_routing_acc\n"
    "S_ADDI_INT gp6, gp0, 4\n";

Emulation run_listing() {
  EmulationOptions options;
  options.machine = machine_of(16, 4);
  return run(program_of(kListing), options, memory_of("reference-hbm2"));
}

TEST(StageProfile, LabelsInstructionsByTheCommentsAboveThem) {
  const std::vector<StageLabel> labels = stage_labels(kListing);
  ASSERT_EQ(labels.size(), 8U);
  EXPECT_EQ(labels[0], (StageLabel{Stage::kOther, std::nullopt}));
  EXPECT_EQ(labels[1], (StageLabel{Stage::kRouter, std::nullopt}));
  EXPECT_EQ(labels[3], (StageLabel{Stage::kGather, 4}));
  EXPECT_EQ(labels[6], (StageLabel{Stage::kGather, 11}));
  EXPECT_EQ(labels[7], (StageLabel{Stage::kAccumulatorInit, std::nullopt}));
}

TEST(StageProfile, SumsWhatEachStageTook) {
  const Emulation done = run_listing();
  const StageProfile profile = profile_stages(stage_labels(kListing), done);
  EXPECT_EQ(profile.label_count, 8U);
  EXPECT_EQ(profile.program_length, 8U);
  EXPECT_EQ(profile.stages[index(Stage::kRouter)].count, 2U);
  EXPECT_EQ(profile.stages[index(Stage::kGather)].count, 1 + 3 + 3 + 1U);
  EXPECT_EQ(profile.stages[index(Stage::kGather)].bytes_read, done.bytes_read);
  EXPECT_EQ(profile.pairs.size(), 2U);
  EXPECT_EQ(profile.pairs.at(4)[index(Stage::kGather)].count, 7U);
  base::Picoseconds sum{};
  for (const InstructionAccount& stage : profile.stages) sum += stage.busy;
  EXPECT_EQ(sum, done.latency);
}

TEST(StageProfile, InstructionsWithoutALabelAreOther) {
  const StageProfile profile = profile_stages({}, run_listing());
  EXPECT_EQ(profile.label_count, 0U);
  EXPECT_EQ(profile.stages[index(Stage::kOther)].count, 12U);
}

TEST(StageProfile, IsWrittenInTheReferencesOrder) {
  Emulation done = run_listing();
  base::MemoryOutput out;
  write_stage_profile(profile_stages(stage_labels(kListing), done), out);
  const std::string_view text = out.bytes();
  EXPECT_TRUE(
      text.starts_with("{\n  \"schema_version\": 1,\n  \"label_count\": 8,\n"
                       "  \"total_instructions_executed\": 12,\n  \"total_profiled_seconds\": "))
      << text;
  EXPECT_TRUE(text.ends_with("}\n") && !text.ends_with("\n\n"));
  std::size_t place = 0;
  for (const std::string_view word : {"total_profiled_seconds",
                                      "total_hbm_bytes_read",
                                      "total_hbm_bytes_written",
                                      "\"stages\"",
                                      "router_topk",
                                      "instruction_fraction",
                                      "time_fraction",
                                      "accumulator_init",
                                      "gather",
                                      "expert_weight_address",
                                      "expert_weight_prefetch",
                                      "expert_projection",
                                      "expert_activation",
                                      "expert_bias",
                                      "expert_route_weight",
                                      "scatter_combine",
                                      "other",
                                      "\"pairs\"",
                                      "\"4\"",
                                      "\"11\"",
                                      "\"caveat\""}) {
    const std::size_t found = text.find(word, place);
    ASSERT_NE(found, std::string_view::npos) << word;
    place = found;
  }
}

}  // namespace
}  // namespace accelscope::emulator
