// What the reference's analytic models say of a model, as findings and in the reference's own JSON form:
// time to the first token and tokens a second, utilisation, footprint and traffic (docs/reference-models.md).
// For comparing; our own model of a board is fit/.
//
// Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const findings::Findings found,
//                  reference_analysis(model, boards::default_settings(), {.batch = 4}));
//   find_metric(found, "ttft")->value      // milliseconds
#pragma once

#include <cstdint>
#include <optional>

#include "base/output.h"
#include "base/result.h"
#include "boards/model.h"
#include "boards/settings.h"
#include "findings/findings.h"

namespace accelscope::fit {

// Whatever is not said is what the reference's own script for that figure defaults to: for performance a
// batch of 4 and 2048 tokens in, 1024 out (128 for mixtures of experts and sliding windows); for utilisation
// and footprint a batch of 1 and 2048 tokens in, 128 out.
struct ReferenceWorkload {
  std::optional<std::uint64_t> batch = std::nullopt;
  std::optional<std::uint64_t> input_tokens = std::nullopt;
  std::optional<std::uint64_t> output_tokens = std::nullopt;
  std::uint64_t devices = 1;
  std::uint64_t diffusion_steps = 64;  // of models with `diffusion`; their sequence is `input_tokens`
  bool partitioned = true;             // heads share a tile in the utilisation model
};

// Sections `reference.performance` (metrics `ttft`, `tokens_per_second`, `prefill_cycles`, ...; for diffusion
// `total_time` instead of the first), `reference.utilisation` and `reference.footprint`; docs/report.md lists
// them. Counts that do not fit are errors that name the part; the ANALYTIC tree of the settings is what
// counts. Version, date and inputs of the provenance are the caller's to fill.
base::Result<findings::Findings> reference_analysis(const boards::Model& model,
                                                    const boards::Settings& settings,
                                                    const ReferenceWorkload& workload);

// The reference's own JSON of the performance model, key for key: model, batch_size, input_seq_len,
// output_seq_len, device_num, ttft_seconds, ttft_ms, tps; for diffusion mode, seq_len, diffusion_steps,
// total_time_seconds, total_time_ms, output_tokens_per_second instead of the lengths and the last three.
base::Status write_reference_json(const boards::Model& model, const boards::Settings& settings,
                                  const ReferenceWorkload& workload, base::Output& out);

}  // namespace accelscope::fit
