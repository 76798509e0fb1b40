// What the parts of a transformer cost in the reference's analytic model of performance: cycles of one
// instance (one layer, one call), by closed formulas of the shapes. reference_performance.h adds them up.
//
// Pure functions, safe from any thread. Counts that overflow say so themselves (reference_count.h); the
// dimensions are those that reference_machine() let pass.
//
//   ACCELSCOPE_TRY(const ReferenceMachine machine, reference_machine(settings.analytic));
//   projection(machine, shape, {.batch = 4, .tokens = 2048})
#pragma once

#include <cstdint>

#include "base/result.h"
#include "boards/settings.h"
#include "fit/reference_count.h"
#include "fit/reference_shape.h"

namespace accelscope::fit {

// Dimensions, and what an instruction costs ("pipelined", with the vendor's arithmetic library, whatever
// DC_EN says).
struct ReferenceMachine {
  std::uint64_t blen = 0;
  std::uint64_t hlen = 0;
  std::uint64_t mlen = 0;
  std::uint64_t vlen = 0;
  Count vector_sram_elements;
  std::uint64_t vector_prefetch_rows = 0;
  std::uint64_t matrix_matrix = 0;  // M_MM, M_TMM
  Count matrix_vector;              // M_MV, M_TMV, M_BMV, M_BTMV
  std::uint64_t vector_basic = 0;
  std::uint64_t vector_add = 0;
  std::uint64_t vector_mul = 0;
  Count vector_exp;
  Count vector_max;  // V_RED_MAX, V_TOPK
  std::uint64_t scalar_basic = 0;
  std::uint64_t scalar_exp = 0;
  std::uint64_t scalar_reci = 0;
};

// The checks of the reference (MLEN a multiple of BLEN, VLEN not below BLEN, nothing zero), and that a head's
// slice fits a tile, without which it divides by zero.
base::Result<ReferenceMachine> reference_machine(const boards::SettingsTree& tree);

// Sequences on one device, and the tokens that are done at once of each: all of the prompt, or one.
struct ReferenceTokens {
  std::uint64_t batch = 1;
  std::uint64_t tokens = 1;
  bool prompt = true;  // only a prompt spills

  constexpr Count all() const { return Count(batch) * tokens; }
};

Count embeddings(const ReferenceMachine& machine, const ReferenceShape& shape, const ReferenceTokens& tokens);
Count rms_norm(const ReferenceMachine& machine, const ReferenceShape& shape, const ReferenceTokens& tokens);
// Q, K, V, their rotation and what is stored; the output projection is not in it.
Count projection(const ReferenceMachine& machine, const ReferenceShape& shape, const ReferenceTokens& tokens);
Count residual(const ReferenceMachine& machine, const ReferenceShape& shape, const ReferenceTokens& tokens);
Count feed_forward(const ReferenceMachine& machine, const ReferenceShape& shape,
                   const ReferenceTokens& tokens);
// `rows`: the sequences for the last tokens only, or all tokens.
Count output_layer(const ReferenceMachine& machine, const ReferenceShape& shape, Count rows);
// Over the vocabulary, for every token.
Count output_softmax(const ReferenceMachine& machine, const ReferenceShape& shape,
                     const ReferenceTokens& tokens);

Count attention_prefill(const ReferenceMachine& machine, const ReferenceShape& shape,
                        const ReferenceTokens& tokens);
Count sliding_prefill(const ReferenceMachine& machine, const ReferenceShape& shape,
                      const ReferenceTokens& tokens);
// Summed over decoded tokens: the first sees `first_kv` keys, and every further one a key more.
Count attention_decode(const ReferenceMachine& machine, const ReferenceShape& shape, std::uint64_t batch,
                       std::uint64_t first_kv, std::uint64_t decoded);
Count sliding_decode(const ReferenceMachine& machine, const ReferenceShape& shape, std::uint64_t batch,
                     std::uint64_t first_kv, std::uint64_t decoded);

// Tiles of tokens that an expert gets.
Count experts_prefill(const ReferenceMachine& machine, const ReferenceShape& shape,
                      const ReferenceTokens& tokens);
// Every token and expert by itself.
Count experts_decode(const ReferenceMachine& machine, const ReferenceShape& shape, std::uint64_t batch);

}  // namespace accelscope::fit
