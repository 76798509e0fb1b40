#include "isa/generator_network_parts.h"

#include <string>

#include "isa/generator_row_parts.h"

namespace accelscope::isa {

void feed_forward(ProgramBuilder& build, Layout& layout, Multiply multiply_by, const FeedForward& network) {
  Product widen{.rows = network.rows,
                .in = network.hidden,
                .out = network.inter,
                .input = network.input,
                .output = network.gate,
                .weights = network.gate_weights,
                .section = "gate",
                .weights_name = "W gate",
                .output_name = "gate"};
  multiply_by(build, layout, widen);
  widen.output = network.up;
  widen.weights = network.up_weights;
  widen.section = widen.output_name = "up";
  widen.weights_name = "W up";
  multiply_by(build, layout, widen);
  build.section("activation");
  build.tensor("gate");
  gate_pieces(build, layout, network.rows * (network.inter / layout.mlen), network.gate, network.up,
              network.work);
  multiply_by(build, layout,
              {.rows = network.rows,
               .in = network.inter,
               .out = network.hidden,
               .input = network.gate,
               .output = network.output,
               .weights = network.down_weights,
               .section = "down",
               .weights_name = "W down",
               .output_name = network.output_name});
}

void attend(ProgramBuilder& build, Layout& layout, Multiply multiply_by, const Attention& a) {
  for (std::uint32_t head = 0; head < a.heads; ++head) {
    const std::string prefix = a.heads == 1 ? std::string() : fmt::format("head {}, ", head);
    const std::uint32_t kv_column = head / (a.heads / a.kv_heads) * a.dim;
    const std::uint32_t head_offset = head * a.dim * a.seq;
    multiply_by(build, layout,
                {.rows = a.seq,
                 .in = a.dim,
                 .out = a.seq,
                 .input = a.queries + head_offset,
                 .output = a.scores,
                 .weights = a.keys,
                 .first_column = kv_column,
                 .transposed = true,
                 .kv = true,
                 .section = prefix + "scores",
                 .weights_name = "K",
                 .output_name = "S"});
    build.section(prefix + "softmax");
    build.tensor("S");
    if (a.mask) add_pieces(build, layout, a.seq * (a.seq / layout.mlen), a.scores, *a.mask);
    softmax_rows(build, layout, a.seq, a.seq, a.scores);
    multiply_by(build, layout,
                {.rows = a.seq,
                 .in = a.seq,
                 .out = a.dim,
                 .input = a.scores,
                 .output = a.output + head_offset,
                 .weights = a.values,
                 .first_column = kv_column,
                 .kv = true,
                 .section = prefix + "values",
                 .weights_name = "V",
                 .output_name = "O"});
  }
}

}  // namespace accelscope::isa
