#include "fit/reference_utilisation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fit/reference_parts.h"
#include "fit/reference_shape.h"

namespace accelscope::fit {
namespace {

constexpr double kBubble = 1.2;

// Whole numbers as doubles, because the model mixes both divisions.
struct Terms {
  double rows = 0;  // BLEN
  double tile = 0;  // MLEN
  double vector = 0;
  double batch = 0;
  double tokens = 0;
  double hidden = 0;
  double intermediate = 0;
  double heads = 0;
  double kv_heads = 0;
  double head_dim = 0;
};

double whole(double a, double b) {
  return std::floor(a / b);
}
double tiles(double a, double b) {
  return std::ceil(a / b);
}

Utilisation times(const Utilisation& once, double count) {
  return {once.attainable * count, once.theoretical * count};
}

// The part of a unit that is in use when there is work for fewer than it takes.
double filled(double work, double room) {
  return work > room ? 1 : work / room;
}

Utilisation projection_of_prompt(const Terms& t) {
  const double rows = whole(t.tokens, t.rows) * (t.hidden / t.tile) * t.rows;
  const double ops =
      rows * whole(t.head_dim * t.heads, t.rows) + 2 * (rows * whole(t.head_dim * t.kv_heads, t.rows));
  return {ops * t.batch, kBubble * ops * t.batch};
}

Utilisation projection_of_token(const Terms& t) {
  const double rows = tiles(t.batch, t.rows) * whole(t.hidden, t.tile) * t.rows;
  const double ops =
      rows * whole(t.head_dim * t.heads, t.rows) + 2 * (rows * whole(t.head_dim * t.kv_heads, t.rows));
  return {ops * filled(t.batch, t.rows), kBubble * ops};
}

// What is added for every tile of scores, whatever the matrix unit does. Sums are in the reference's order,
// because they are compared to the last digit.
Utilisation softmax(const Terms& t) {
  return {0, 10 * t.tile};
}
Utilisation scaling(const Terms& t) {
  return {0, 5 * t.tile + 4};
}

Utilisation attention_of_prompt(const Terms& t, bool partitioned) {
  const double squares = tiles(t.tokens, t.tile) * tiles(t.tokens, t.tile);
  Utilisation once;
  if (!partitioned) {
    const double scores = whole(t.tile, t.rows) * tiles(t.head_dim, t.tile) * t.rows * whole(t.tile, t.rows);
    const double values = whole(t.tile, t.rows) * tiles(t.head_dim, t.rows) * t.rows;
    once += {scores * filled(t.head_dim, t.tile), kBubble * scores};
    once += softmax(t);
    once += {values * filled(t.head_dim, t.rows), kBubble * values};
    once += scaling(t);
    return times(once, t.batch * t.heads * squares);
  }
  const double together = tiles(t.tile, t.head_dim);  // heads in a tile
  const double group = whole(t.heads, t.kv_heads);
  const double scores = t.head_dim;
  const double values = tiles(t.tile, t.rows) * t.rows * tiles(t.head_dim, t.rows) * group;
  once += {t.heads > together ? scores : scores * t.head_dim * t.heads / t.tile, kBubble * scores};
  once += softmax(t);
  once += {values * filled(t.head_dim, t.rows), kBubble * values};
  once += {0, t.tile * group * whole(t.head_dim, t.rows) * kBubble};
  once += scaling(t);
  return times(once, t.batch * tiles(t.heads, together) * squares);
}

Utilisation attention_of_token(const Terms& t, bool partitioned) {
  const double columns = tiles(t.tokens, t.tile);
  Utilisation once;
  if (!partitioned) {
    const double scores = tiles(t.head_dim, t.tile) * tiles(t.tile, t.rows) * t.rows;
    const double values = whole(t.head_dim, t.rows) * t.rows;
    once += {scores / t.rows * t.head_dim / t.tile, kBubble * scores};
    once += softmax(t);
    once += {values / t.rows, kBubble * values};
    once += scaling(t);
    return times(once, t.batch * t.heads * columns);
  }
  const double group = t.heads / t.kv_heads;
  const double together = whole(t.tile, t.head_dim);
  const double scores = tiles(group, t.rows) * t.head_dim * tiles(t.tile, t.rows);
  const double values = tiles(group, t.rows) * tiles(t.head_dim, t.rows) * group;
  once += {scores * filled(group, t.rows) * filled(t.kv_heads, together), kBubble * scores};
  once += softmax(t);
  once += {values * filled(group, t.rows), kBubble * values};
  once += scaling(t);
  return times(once, t.batch * tiles(t.kv_heads, tiles(t.tile, t.head_dim)) * columns);
}

struct Matrix {
  double out;
  double in;
};

std::array<Matrix, 3> feed_forward_matrices(const Terms& t) {
  return {Matrix{t.intermediate, t.hidden}, Matrix{t.intermediate, t.hidden},
          Matrix{t.hidden, t.intermediate}};
}

Utilisation feed_forward_of_prompt(const Terms& t) {
  Utilisation sum{0, whole(t.intermediate, t.vector) * 5};
  for (const Matrix& matrix : feed_forward_matrices(t)) {
    const double ops = whole(matrix.out, t.rows) * whole(matrix.in, t.tile) * whole(t.tokens, t.rows);
    sum += {ops, kBubble * ops};
  }
  return sum;
}

Utilisation feed_forward_of_token(const Terms& t) {
  Utilisation sum{0, whole(t.intermediate, t.vector) * 5};
  for (const Matrix& matrix : feed_forward_matrices(t)) {
    const double written = whole(matrix.out, t.rows) * t.rows * tiles(t.batch, t.rows);
    const double ops = written * whole(matrix.in, t.tile);
    sum += {ops * std::min(t.batch, t.rows) / t.rows, ops + written};
  }
  return sum;
}

}  // namespace

Utilisation ReferenceUtilisation::overall() const {
  Utilisation sum = prefill_attention;
  sum += prefill_feed_forward;
  sum += decode_attention;
  sum += decode_feed_forward;
  return sum;
}

base::Result<ReferenceUtilisation> reference_utilisation(const boards::TextModel& model,
                                                         const boards::SettingsTree& tree,
                                                         const UtilisationWorkload& workload) {
  ACCELSCOPE_CHECK(
      check_needed({{"a batch", workload.batch}, {"tokens in the prompt", workload.input_tokens}}));
  ACCELSCOPE_TRY(const ReferenceMachine machine, reference_machine(tree));
  ACCELSCOPE_TRY(const ReferenceShape shape, reference_shape(model));
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  const Terms terms{
      .rows = number(machine.blen),
      .tile = number(machine.mlen),
      .vector = number(machine.vlen),
      .batch = number(workload.batch),
      .tokens = number(workload.input_tokens),
      .hidden = number(shape.hidden),
      .intermediate = number(shape.intermediate > 0 ? shape.intermediate : shape.expert_intermediate),
      .heads = number(shape.heads),
      .kv_heads = number(shape.kv_heads),
      .head_dim = number(shape.head_dim)};
  ReferenceUtilisation result{.prefill_attention = projection_of_prompt(terms),
                              .prefill_feed_forward = feed_forward_of_prompt(terms),
                              .decode_attention = projection_of_token(terms),
                              .decode_feed_forward = feed_forward_of_token(terms)};
  result.prefill_attention += attention_of_prompt(terms, workload.partitioned);
  result.decode_attention += attention_of_token(terms, workload.partitioned);
  return result;
}

}  // namespace accelscope::fit
