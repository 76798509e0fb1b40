// V_TOPK: the best experts for a token, and their weights.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "emulator/core.h"
#include "emulator/core_faults.h"
#include "emulator/core_scalar.h"

namespace accelscope::emulator {
namespace {

constexpr std::size_t kMostExperts = 128;
constexpr std::size_t kMostChosen = 8;

struct Routing {
  std::size_t experts = 0;
  std::size_t chosen = 0;
};

using Indices = std::array<std::uint32_t, kMostExperts>;
using Weights = std::array<float, kMostChosen>;

// By value downwards, of equals the first; what is no number comes last.
Indices ranked(const float* logits, const Routing& routing) {
  const auto value = [&](std::uint32_t expert) {
    return std::isnan(logits[expert]) ? -std::numeric_limits<float>::infinity() : logits[expert];
  };
  Indices made{};
  auto* const end = made.begin() + routing.experts;
  std::iota(made.begin(), end, 0U);
  std::stable_sort(made.begin(), end, [&](std::uint32_t a, std::uint32_t b) { return value(a) > value(b); });
  return made;
}

// Softmax of the chosen ones alone.
Weights weights_of(const float* logits, const Indices& best, std::size_t chosen) {
  Weights made{};
  float sum = 0;
  for (std::size_t i = 0; i < chosen; ++i) {
    const float logit =
        std::isnan(logits[best[i]]) ? -std::numeric_limits<float>::infinity() : logits[best[i]];
    made[i] = static_cast<float>(std::exp(static_cast<double>(logit - logits[best[0]])));
    sum += made[i];
  }
  const bool usable = std::isfinite(sum) && sum > 0;
  for (float& weight : made) weight = usable ? rounded_to_bf16(weight / sum) : 0;
  return made;
}

}  // namespace

Fault Core::route(const Operation& operation) {
  if (operation.rs3 > 1)
    return fault("V_TOPK chooses 4 of 32 (0) or 8 of 128 (1); there is no choice {}", operation.rs3);
  const Routing routing = operation.rs3 == 0 ? Routing{32, 4} : Routing{kMostExperts, kMostChosen};
  const Address from = address_in(operation.rs1);
  const std::uint64_t vlen = machine_->vlen;
  const std::uint64_t rows = (routing.experts + vlen - 1) / vlen;
  std::uint64_t row = 0;
  ACCELSCOPE_STOP_AT(find_rows(from, rows, row));
  for (const std::uint8_t to : {operation.rd, operation.rs2})
    if (gp(to) + std::uint64_t{routing.chosen} > kScalarWords)
      return fault("{} words from {} address {} on reach behind the end of the memory of {}", routing.chosen,
                   to == operation.rd ? "float" : "integer", address_in(to).text(), kScalarWords);
  const WrittenRows& written = state_.vectors.written;
  for (std::uint64_t i = 0; strict() && i < rows; ++i)
    ACCELSCOPE_STOP_AT(check_written(
        from, row + i, written.bits(0, std::min<std::uint64_t>(vlen, routing.experts - i * vlen))));

  const float* logits = state_.vectors.row(row);
  const Indices best = ranked(logits, routing);
  const Weights weights = weights_of(logits, best, routing.chosen);
  ScalarMemories& scalars = state_.scalars;
  for (std::size_t i = 0; i < routing.chosen; ++i) {
    scalars.integers[gp(operation.rs2) + i] = best[i];
    scalars.integer_written[gp(operation.rs2) + i] = true;
    scalars.floats[gp(operation.rd) + i] = weights[i];
    scalars.float_written[gp(operation.rd) + i] = true;
  }
  return {};
}

}  // namespace accelscope::emulator
