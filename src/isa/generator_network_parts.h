// Parts of whole layers: a gated feed-forward network, and attention of many heads. For the generators only.
//
// Addresses are of tensors in columns of tiles, in which a head's columns lie together. All functions add to
// a builder.
//
//   feed_forward(build, layout, multiply, {.rows = rows, ...});
#pragma once

#include <cstdint>
#include <optional>

#include "isa/generator_parts.h"

namespace accelscope::isa {

// multiply() or multiply_in_loops().
using Multiply = void (*)(ProgramBuilder& build, Layout& layout, const Product& product);

// output = (silu(input Wg) * (input Wu)) Wd; `gate` holds the product of both in the end.
struct FeedForward {
  std::uint32_t rows = 0;
  std::uint32_t hidden = 0;
  std::uint32_t inter = 0;
  ExternalTensor gate_weights = {};
  ExternalTensor up_weights = {};
  ExternalTensor down_weights = {};
  std::uint32_t input = 0;
  std::uint32_t gate = 0;
  std::uint32_t up = 0;
  std::uint32_t output = 0;
  std::uint32_t work = 0;
  std::string_view output_name = "Y";
};
void feed_forward(ProgramBuilder& build, Layout& layout, Multiply multiply_by, const FeedForward& network);

// For each head O = softmax(Q K^T + mask) V, with queries that are scaled already. Heads share keys and
// values in groups of heads / kv_heads.
struct Attention {
  std::uint32_t seq = 0;
  std::uint32_t dim = 0;
  std::uint32_t heads = 1;
  std::uint32_t kv_heads = 1;
  ExternalTensor keys = {};                          // [seq, kv_heads dim]
  ExternalTensor values = {};                        // likewise
  std::uint32_t queries = 0;                         // [seq, heads dim]
  std::uint32_t scores = 0;                          // [seq, seq], of one head
  std::uint32_t output = 0;                          // [seq, heads dim]
  std::optional<std::uint32_t> mask = std::nullopt;  // [seq, seq]
};
void attend(ProgramBuilder& build, Layout& layout, Multiply multiply_by, const Attention& attention);

}  // namespace accelscope::isa
