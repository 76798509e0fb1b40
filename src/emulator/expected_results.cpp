#include "emulator/expected_results.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "emulator/expected_arithmetic.h"
#include "emulator/program_inputs.h"

namespace accelscope::emulator {
namespace {

using base::Result;
using isa::GeneratedProgram;
using isa::ScalarMeaning;

// A program with its inputs by name.
struct Question {
  const GeneratedProgram& program;
  const Matrices& inputs;

  const Matrix& operator[](std::string_view name) const { return inputs.find(name)->second; }
  std::uint32_t parameter(std::string_view name) const { return program.parameters.small(name); }
  std::uint32_t mlen() const { return program.mlen; }
  float scalar(ScalarMeaning meaning) const {
    const auto found = std::ranges::find(program.scalars, meaning, &isa::ProgramScalar::meaning);
    return scalar_constant(found->value);
  }
  NormConstants norm_constants() const {
    return {.per_column = scalar(ScalarMeaning::kPerColumn), .epsilon = scalar(ScalarMeaning::kEpsilon)};
  }
};

Result<Matrices> add_results(const Question& q) {
  return Matrices{{"Z", sum(q["X"], q["Y"])}};
}

Result<Matrices> linear_results(const Question& q) {
  return Matrices{{"Y", product(q["X"], q["W"])}};
}

Result<Matrices> rms_norm_results(const Question& q) {
  return Matrices{{"Y", root_mean_square_norm(q["X"], q.mlen(), q.norm_constants())}};
}

Result<Matrices> layer_norm_results(const Question& q) {
  const Matrix x = centred(q["X"], q.mlen(), q.norm_constants());
  return Matrices{{"Y", root_mean_square_norm(x, q.mlen(), q.norm_constants())}};
}

Result<Matrices> softmax_results(const Question& q) {
  return Matrices{{"Y", softmax(q["X"], q.mlen(), q.scalar(ScalarMeaning::kLowest))}};
}

Result<Matrices> rope_results(const Question& q) {
  return Matrices{{"Y", sum(times(q["X"], q["cos"]), times(q["X turned"], q["sin"]))}};
}

// What feed-forward networks leave behind, by the names of the tensors; the last is what it answers.
void feed_forward(const Question& q, const Matrix& x, std::string_view output, Matrices& results) {
  const Matrix up = product(x, q["W up"]);
  const Matrix gate = gated(product(x, q["W gate"]), up);
  results.insert_or_assign(std::string(output), product(gate, q["W down"]));
  results.insert_or_assign("gate", gate);
  results.insert_or_assign("up", up);
}

Result<Matrices> ffn_results(const Question& q) {
  Matrices results;
  feed_forward(q, q["X"], "Y", results);
  return results;
}

// Of queries that are scaled; keys and values as external memory holds them.
Matrix attention(const Question& q, const Matrix& queries, const Matrix& keys, const Matrix& values) {
  const std::uint32_t dim = q.parameter("dim");
  const std::uint32_t heads = q.parameter("heads");
  const std::uint32_t group = heads / q.parameter("kv_heads");
  Matrix result(queries.rows, queries.columns);
  for (std::uint32_t head = 0; head < heads; ++head) {
    const std::uint32_t kv_column = head / group * dim;
    Matrix scores =
        product(columns_of(queries, head * dim, dim), transposed(columns_of(keys, kv_column, dim)));
    if (q.parameter("causal") != 0) scores = sum(scores, q["mask"]);
    const Matrix weights = softmax(scores, q.mlen(), q.scalar(ScalarMeaning::kLowest));
    put_columns(result, head * dim, product(weights, columns_of(values, kv_column, dim)));
  }
  return result;
}

Result<Matrices> attention_results(const Question& q) {
  return Matrices{{"O", attention(q, scaled(q["Q"], q.scalar(ScalarMeaning::kScoreScale)), q["K"], q["V"])}};
}

// Head by head.
Matrix rotated(const Question& q, const Matrix& x) {
  const std::uint32_t dim = q.parameter("dim");
  Matrix result(x.rows, x.columns);
  for (std::uint32_t first = 0; first < x.columns; first += dim) {
    const Matrix head = columns_of(x, first, dim);
    put_columns(result, first, sum(times(head, q["cos"]), times(product(head, q["R"]), q["sin"])));
  }
  return result;
}

Result<Matrices> decoder_layer_results(const Question& q) {
  Matrices results;
  const auto norm = [&](const Matrix& x, std::string_view weights) {
    return root_mean_square_norm(x, q.mlen(), q.norm_constants(), &q[weights]);
  };
  const Matrix normed = norm(q["X"], "W norm 1");
  const Matrix queries = scaled(rotated(q, product(normed, q["W q"])), q.scalar(ScalarMeaning::kScoreScale));
  const Matrix keys = rotated(q, product(normed, q["W k"]));
  const Matrix values = product(normed, q["W v"]);
  ACCELSCOPE_TRY(const Matrix stored_keys, as_stored(keys));
  ACCELSCOPE_TRY(const Matrix stored_values, as_stored(values));
  const Matrix attended = attention(q, queries, stored_keys, stored_values);
  const Matrix between = sum(q["X"], product(attended, q["W o"]));
  feed_forward(q, norm(between, "W norm 2"), "down", results);
  results.insert_or_assign("Y", sum(between, results.find("down")->second));
  results.insert_or_assign("Q", queries);
  results.insert_or_assign("K", keys);
  results.insert_or_assign("V", values);
  results.insert_or_assign("O", attended);
  return results;
}

using Answer = Result<Matrices> (*)(const Question& question);
constexpr std::array<std::pair<std::string_view, Answer>, 9> kAnswers{
    {{"add", add_results},
     {"attention", attention_results},
     {"decoder-layer", decoder_layer_results},
     {"ffn", ffn_results},
     {"layer_norm", layer_norm_results},
     {"linear", linear_results},
     {"rms_norm", rms_norm_results},
     {"rope", rope_results},
     {"softmax", softmax_results}}};

}  // namespace

Result<Matrices> expected_results(const GeneratedProgram& program, const Matrices& inputs) {
  for (const isa::ProgramTensor& tensor : program.tensors)
    if (tensor.place == isa::TensorPlace::kExternal && tensor.role == isa::TensorRole::kInput &&
        !inputs.contains(tensor.name))
      return base::fail(base::ErrorCode::kUsage, "the input {} of the program {} is missing", tensor.name,
                        program.name);
  const auto found = std::ranges::find(kAnswers, std::string_view(program.name),
                                       &std::pair<std::string_view, Answer>::first);
  if (found == kAnswers.end())
    return base::fail(base::ErrorCode::kUsage, "nobody knows what the program `{}` computes", program.name);
  return found->second({program, inputs});
}

}  // namespace accelscope::emulator
