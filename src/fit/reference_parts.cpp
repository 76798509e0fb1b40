#include "fit/reference_parts.h"

namespace accelscope::fit {
namespace {

using base::ErrorCode;

// What does not fit the vector memory goes out and comes back; of decoded tokens the reference takes it that
// they fit, however large the batch is.
Count spill(const ReferenceMachine& machine, const ReferenceShape& shape, const ReferenceTokens& tokens) {
  if (!tokens.prompt) return 0;
  const Count beyond = excess(tokens.all() * shape.hidden, machine.vector_sram_elements);
  return Count(2) * (beyond / (Count(machine.vlen) * machine.vector_prefetch_rows));
}

// A product of rows x inner and inner x columns, in tiles.
Count product(const ReferenceMachine& machine, Count rows, Count inner, Count columns) {
  return ceil_divide(rows, machine.blen) * ceil_divide(inner, machine.mlen) *
         ceil_divide(columns, machine.blen) * machine.matrix_matrix;
}

// One row of a softmax that a vector holds: exponent, largest, and a division.
Count softmax_row(const ReferenceMachine& machine) {
  return machine.vector_exp + machine.vector_max + machine.vector_basic;
}

Count heads_in_tiles(const ReferenceMachine& machine, Count group) {
  return ceil_divide(group, machine.mlen / machine.hlen);
}

// What experts cost beside their matrices: norm, choice of experts and their weights, activation, sum.
Count around_experts(const ReferenceMachine& machine, const ReferenceShape& shape, Count tokens) {
  const Count vectors = ceil_divide(shape.hidden, machine.vlen);
  const Count routed = tokens * shape.experts_per_token;
  return vectors * machine.vector_basic * 4 * tokens +
         (Count(4) + ceil_divide(shape.experts, machine.vlen) * machine.vector_max) * tokens +
         tokens * ceil_divide(shape.experts_per_token, machine.vlen) * softmax_row(machine) +
         routed * ceil_divide(shape.expert_intermediate, machine.vlen) * 6 * machine.vector_basic +
         routed * vectors * (Count(machine.vector_mul) + machine.vector_add);
}

// Address, one column of tiles, write-out.
Count column(const ReferenceMachine& machine, Count inner, Count instruction) {
  return Count(4) + ceil_divide(inner, machine.mlen) * instruction + 1;
}

}  // namespace

base::Result<ReferenceMachine> reference_machine(const boards::SettingsTree& tree) {
  const boards::SettingsConfig& config = tree.config;
  const boards::SettingsLatencies& latency = tree.latency;
  ACCELSCOPE_CHECK(check_needed({{"BLEN", config.blen},
                                 {"HLEN", config.hlen},
                                 {"MLEN", config.mlen},
                                 {"VLEN", config.vlen},
                                 {"VECTOR_SRAM_SIZE", config.vector_sram_rows},
                                 {"HBM_V_Prefetch_Amount", config.vector_prefetch_rows},
                                 {"VECTOR_BASIC_CYCLES", latency.vector_basic.enabled},
                                 {"VECTOR_ADD_CYCLES", latency.vector_add.enabled},
                                 {"VECTOR_MUL_CYCLES", latency.vector_mul.enabled},
                                 {"SCALAR_FP_BASIC_CYCLES", latency.scalar_fp_basic.enabled},
                                 {"SCALAR_FP_EXP_CYCLES", latency.scalar_fp_exp.enabled},
                                 {"SCALAR_FP_RECI_CYCLES", latency.scalar_fp_reci.enabled}}));
  if (config.mlen % config.blen != 0)
    return base::fail(ErrorCode::kUsage,
                      "the reference's analytic models need MLEN ({}) to be a multiple of BLEN ({})",
                      config.mlen, config.blen);
  if (config.vlen < config.blen)
    return base::fail(ErrorCode::kUsage,
                      "the reference's analytic models need VLEN ({}) not to be below BLEN ({})", config.vlen,
                      config.blen);
  if (config.hlen > config.mlen)
    return base::fail(ErrorCode::kUsage,
                      "the reference's analytic models need HLEN ({}) not to be above MLEN ({})", config.hlen,
                      config.mlen);
  return ReferenceMachine{.blen = config.blen,
                          .hlen = config.hlen,
                          .mlen = config.mlen,
                          .vlen = config.vlen,
                          .vector_sram_elements = Count(config.vector_sram_rows) * config.vlen,
                          .vector_prefetch_rows = config.vector_prefetch_rows,
                          .matrix_matrix = config.blen,
                          .matrix_vector = Count(config.blen) + 1,
                          .vector_basic = latency.vector_basic.enabled,
                          .vector_add = latency.vector_add.enabled,
                          .vector_mul = latency.vector_mul.enabled,
                          .vector_exp = Count(latency.vector_exp.enabled) + 1,
                          .vector_max = Count(latency.vector_max.enabled) + 1,
                          .scalar_basic = latency.scalar_fp_basic.enabled,
                          .scalar_exp = latency.scalar_fp_exp.enabled,
                          .scalar_reci = latency.scalar_fp_reci.enabled};
}

Count embeddings(const ReferenceMachine& machine, const ReferenceShape& shape,
                 const ReferenceTokens& tokens) {
  return Count(3) * machine.scalar_basic + tokens.all() * ceil_divide(shape.hidden, machine.vlen);
}

Count rms_norm(const ReferenceMachine& machine, const ReferenceShape& shape, const ReferenceTokens& tokens) {
  return Count(10) * machine.scalar_basic +
         Count(shape.hidden / machine.vlen) * 8 * machine.vector_basic * tokens.all() +
         spill(machine, shape, tokens);
}

Count projection(const ReferenceMachine& machine, const ReferenceShape& shape,
                 const ReferenceTokens& tokens) {
  const Count all = tokens.all();
  const Count kv = Count(shape.kv_heads) * shape.head_dim;
  const Count rotation =
      (Count(shape.heads) + shape.kv_heads) * ceil_divide(all, machine.vlen) * machine.vector_basic;
  const Count stored = Count(2) * (all * kv / (Count(machine.vlen) * machine.vector_prefetch_rows));
  // K and V are taken to reduce over their own width; it should be `hidden`.
  return product(machine, all, shape.hidden, shape.hidden) + Count(2) * product(machine, all, kv, kv) +
         rotation + spill(machine, shape, tokens) + stored;
}

Count residual(const ReferenceMachine& machine, const ReferenceShape& shape, const ReferenceTokens& tokens) {
  return (Count(machine.vector_add) + 3) * tokens.all() * (shape.hidden / machine.vlen) +
         spill(machine, shape, tokens);
}

Count feed_forward(const ReferenceMachine& machine, const ReferenceShape& shape,
                   const ReferenceTokens& tokens) {
  const Count all = tokens.all();
  return Count(2) * product(machine, all, shape.hidden, shape.intermediate) +
         ceil_divide(shape.intermediate, machine.vlen) * 6 * machine.vector_basic * all +
         product(machine, all, shape.intermediate, shape.hidden);
}

Count output_layer(const ReferenceMachine& machine, const ReferenceShape& shape, Count rows) {
  return Count(3) * machine.scalar_basic + product(machine, rows, shape.hidden, shape.vocabulary);
}

Count output_softmax(const ReferenceMachine& machine, const ReferenceShape& shape,
                     const ReferenceTokens& tokens) {
  return tokens.all() * ceil_divide(shape.vocabulary, machine.vlen) * 6 * machine.vector_basic;
}

Count attention_prefill(const ReferenceMachine& machine, const ReferenceShape& shape,
                        const ReferenceTokens& tokens) {
  const Count group = shape.heads / shape.kv_heads;
  const Count side = smaller(tokens.tokens, machine.mlen);
  const Count blocks = ceil_divide(side, machine.blen);
  const Count scores = (Count(4) + blocks * blocks * machine.blen + 1) * heads_in_tiles(machine, group);
  const Count softmax =
      side * (Count(4) * machine.vector_basic + Count(2) * machine.scalar_basic + machine.scalar_exp) * group;
  const Count values =
      Count(4) + ceil_divide(shape.head_dim, machine.blen) * blocks * machine.matrix_matrix * group;
  const Count scaling = side * (Count(machine.vector_basic) + 4 + machine.scalar_reci) * group;
  const Count tiles = ceil_divide(tokens.tokens, machine.mlen);
  return (scores + softmax + values + scaling) * tiles * tiles * shape.kv_heads * tokens.batch;
}

Count attention_decode(const ReferenceMachine& machine, const ReferenceShape& shape, std::uint64_t batch,
                       std::uint64_t first_kv, std::uint64_t decoded) {
  const Count group = shape.heads / shape.kv_heads;
  const Count scores = (machine.matrix_vector + 1) * heads_in_tiles(machine, group);
  const Count softmax =
      (Count(4) * machine.vector_basic + Count(2) * machine.scalar_basic + machine.scalar_exp) * group;
  const Count values = ceil_divide(shape.head_dim, machine.blen) * machine.matrix_vector * group;
  const Count scaling = (Count(2) * machine.vector_basic + 1) * group;
  return (scores + softmax + values + scaling) * sum_of_ceils(first_kv, decoded, machine.mlen) *
         shape.kv_heads * batch;
}

Count sliding_prefill(const ReferenceMachine& machine, const ReferenceShape& shape,
                      const ReferenceTokens& tokens) {
  const Count window = smaller(tokens.tokens, shape.sliding_window);
  const Count rows = ceil_divide(tokens.tokens, machine.blen);
  const Count scores =
      (Count(4) + Count(machine.matrix_matrix) * rows * ceil_divide(window, machine.blen) + 1) * shape.heads;
  const Count mask = Count(shape.heads) * tokens.tokens * ceil_divide(window, machine.vlen);
  const Count softmax = Count(tokens.tokens) * ceil_divide(window + 1, machine.vlen) * softmax_row(machine);
  const Count values = column(machine, window, machine.matrix_matrix) * rows *
                       ceil_divide(shape.head_dim, machine.blen) * shape.heads;
  return (scores + mask + softmax + values) * tokens.batch;
}

Count sliding_decode(const ReferenceMachine& machine, const ReferenceShape& shape, std::uint64_t batch,
                     std::uint64_t first_kv, std::uint64_t decoded) {
  // Tokens that see fewer keys than the window has, then those that see all of it.
  const Count growing = smaller(excess(shape.sliding_window, first_kv), decoded);
  const Count steady = excess(decoded, growing);
  const auto ceils = [&](Count more, std::uint64_t divisor) {
    return sum_of_ceils(Count(first_kv) + more, growing, divisor) +
           ceil_divide(Count(shape.sliding_window) + more, divisor) * steady;
  };
  const Count tokens = decoded;
  const Count scores = (Count(5) * tokens + machine.matrix_vector * ceils(0, machine.blen)) * shape.heads;
  const Count mask = Count(shape.heads) * ceils(0, machine.vlen);
  const Count softmax = ceils(1, machine.vlen) * softmax_row(machine);
  const Count values = (Count(5) * tokens + machine.matrix_vector * ceils(0, machine.mlen)) *
                       ceil_divide(shape.head_dim, machine.blen) * shape.heads;
  return (scores + mask + softmax + values) * batch;
}

Count experts_prefill(const ReferenceMachine& machine, const ReferenceShape& shape,
                      const ReferenceTokens& tokens) {
  const Count all = tokens.all();
  const Count expert_tiles =
      ceil_divide(ceil_divide(all * shape.experts_per_token, shape.experts), machine.blen);
  const Count router = column(machine, shape.hidden, machine.matrix_matrix) * ceil_divide(all, machine.blen) *
                       ceil_divide(shape.experts, machine.blen);
  const Count up = Count(shape.experts) * column(machine, shape.hidden, machine.matrix_matrix) *
                   expert_tiles * ceil_divide(Count(2) * shape.expert_intermediate, machine.blen);
  const Count down = Count(shape.experts) *
                     column(machine, shape.expert_intermediate, machine.matrix_matrix) * expert_tiles *
                     ceil_divide(shape.hidden, machine.blen);
  return around_experts(machine, shape, all) + router + up + down;
}

Count experts_decode(const ReferenceMachine& machine, const ReferenceShape& shape, std::uint64_t batch) {
  const Count routed = Count(batch) * shape.experts_per_token;
  const Count router = Count(batch) * column(machine, shape.hidden, machine.matrix_vector) *
                       ceil_divide(shape.experts, machine.blen);
  const Count up = routed * column(machine, shape.hidden, machine.matrix_vector) *
                   ceil_divide(Count(2) * shape.expert_intermediate, machine.blen);
  const Count down = routed * column(machine, shape.expert_intermediate, machine.matrix_vector) *
                     ceil_divide(shape.hidden, machine.blen);
  return around_experts(machine, shape, batch) + router + up + down;
}

}  // namespace accelscope::fit
