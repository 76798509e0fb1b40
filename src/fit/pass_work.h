// One pass through a model, stage by stage: the cycles that it costs the accelerator, and the bytes that it
// moves. A pass is a prefill (all tokens of a prompt) or a decode (one token of each sequence).
//
// Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const PassWork work, work_of(model, weights, machine, decode_pass(workload)));
//   for (const std::uint32_t stage : work.order) use(work.stages[stage]);
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "fit/footprint.h"
#include "fit/kernel_cycles.h"
#include "fit/machine.h"

namespace accelscope::fit {

struct Pass {
  std::uint64_t tokens = 1;   // of each sequence that go through
  std::uint64_t context = 1;  // of each sequence, they included
  std::uint64_t batch = 1;
  std::uint64_t images = 0;  // of each sequence
  bool causal = true;        // a token sees only those before it
  bool all_logits = false;   // the output layer answers for every token, not for the last one of a sequence
};

// Of a diffusion model both are a step over the whole sequence.
Pass prefill_pass(const boards::Model& model, const Workload& workload);
Pass decode_pass(const boards::Model& model, const Workload& workload);

struct StageWork {
  StageKind kind = StageKind::kLayer;
  boards::ModelLayer layer = {};
  UnitCycles cycles = {};
  base::Bytes stored{};  // weights as they lie in a memory
  base::Bytes needed{};  // of them for this pass: without experts that nobody asks for, rows of the embedding
  std::uint64_t rounds = 1;  // how often they are read: once for every block of tokens that the chip holds
  base::Bytes kv_read{};
  base::Bytes kv_written{};
  base::Bytes activations{};  // read and written, where the chip does not hold them
};

struct PassWork {
  std::vector<StageWork> stages;     // those that are alike once
  std::vector<std::uint32_t> order;  // which of them follow each other in the pass
  std::uint64_t tokens_held = 0;     // by the chip at once

  // How many stages of a kind the pass has.
  std::uint64_t count(StageKind kind) const;
};

base::Result<PassWork> work_of(const boards::Model& model, const Weights& weights, const Machine& machine,
                               const Pass& pass);

}  // namespace accelscope::fit
