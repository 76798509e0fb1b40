// Many combinations of models, boards and accelerators at once, and which of them nothing beats: the Pareto
// front of speed, on-chip memory and power.
//
// Combinations that make no sense (MLEN that BLEN does not divide) are kept, with the reason. The points of a
// sweep are independent and are worked out by two threads; the answer does not depend on that. Plain
// functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const SweepPlan plan, plan_sweep(sweep, models, boards, common));
//   const std::vector<SweepPoint> points = run_sweep(plan, {});
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sweep.h"
#include "boards/board.h"
#include "boards/model.h"
#include "boards/settings.h"
#include "findings/findings.h"
#include "fit/fit.h"
#include "fit/machine.h"

namespace accelscope::fit {

// What is wished for; the rest follows from the model.
struct WorkloadWish {
  std::optional<std::uint64_t> context = std::nullopt;  // else prompt, images and output together
  std::optional<std::uint64_t> prompt = std::nullopt;   // of text; else 512, or what the context leaves
  std::uint64_t output_tokens = 128;
  std::uint64_t batch = 1;
  std::uint64_t images = 0;
  std::uint64_t steps = 64;
};
// An error for counts that do not fit together.
base::Result<Workload> workload_for(const boards::Model& model, const WorkloadWish& wish);

struct SweepCommon {
  boards::SettingsTree settings = {};
  Overrides overrides = {};
  WorkloadWish wish = {};
};

// The dimensions that can be swept; `*` stands for the names given.
std::vector<base::SweepKind> sweep_kinds(std::vector<std::string> models, std::vector<std::string> boards);

struct SweepPlan {
  base::Sweep sweep;
  std::vector<boards::Model> models;  // in the order of the dimension `model`, else one
  std::vector<boards::Board> boards;  // likewise
  SweepCommon common;
  // Values that are more than numbers, read once: in the order of their dimensions.
  std::vector<boards::NumberFormat> weights = {};
  std::vector<boards::NumberFormat> kv = {};
  std::vector<boards::NumberFormat> activations = {};
  std::vector<base::BytesPerSecond> host_bandwidth = {};
  std::vector<base::Bytes> capacity = {};
  std::vector<std::vector<std::uint64_t>> numbers = {};  // by dimension; empty for those of words
};
base::Result<SweepPlan> plan_sweep(base::Sweep sweep, std::vector<boards::Model> models,
                                   std::vector<boards::Board> boards, SweepCommon common);

struct SweepPoint {
  std::uint64_t index = 0;   // among all points of the sweep
  std::string skipped = {};  // why there is nothing; "" where there is
  memory::Regime regime = memory::Regime::kResident;
  Resource bound = Resource::kCompute;
  double tokens_per_second = 0;
  base::Picoseconds first_token{};
  base::Bytes on_chip{};  // least that the accelerator needs
  std::optional<double> watts = std::nullopt;
  bool in_front =
      false;  // no other point with this model, context and prompt is as good in everything and better in one

  bool operator==(const SweepPoint&) const = default;
};

// Those of the shard, in the order of the sweep.
std::vector<SweepPoint> run_sweep(const SweepPlan& plan, const base::Shard& shard);

findings::Findings sweep_document(const SweepPlan& plan, const base::Shard& shard,
                                  std::span<const SweepPoint> points);

}  // namespace accelscope::fit
