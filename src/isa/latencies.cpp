#include "isa/latencies.h"

#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

// The emulator carries these out as nothing when they write f0.
bool skips_zero(Latency latency) {
  switch (latency) {
    case Latency::kVectorSum:
    case Latency::kVectorMaximum:
    case Latency::kFloatBasic:
    case Latency::kFloatExponential:
    case Latency::kFloatReciprocal:
    case Latency::kFloatSquareRoot:
      return true;
    default:
      return false;
  }
}

// What both models agree on.
std::uint64_t common_cycles(Latency latency, const Latencies& l) {
  switch (latency) {
    case Latency::kMatrixMatrix:
      return l.systolic_overhead + l.mlen;
    case Latency::kVectorAdd:
      return l.vector_add;
    case Latency::kVectorMultiply:
      return l.vector_multiply;
    case Latency::kVectorExponential:
      return l.vector_exponential;
    case Latency::kVectorReciprocal:
      return l.vector_reciprocal;
    case Latency::kVectorSum:
      return l.vector_sum;
    case Latency::kVectorMaximum:
      return l.vector_maximum;
    case Latency::kFloatBasic:
      return l.float_basic;
    case Latency::kFloatExponential:
      return l.float_exponential;
    case Latency::kFloatReciprocal:
      return l.float_reciprocal;
    case Latency::kFloatSquareRoot:
      return l.float_square_root;
    case Latency::kIntegerBasic:
      return l.integer_basic;
    case Latency::kPrefetchMatrix:
      return l.prefetch_matrix;
    case Latency::kPrefetchVector:
      return l.prefetch_vector;
    case Latency::kStoreVector:
      return l.store_vector;
    default:
      return 1;
  }
}

std::uint64_t reference_cycles(Latency latency, const Latencies& l) {
  switch (latency) {
    case Latency::kMatrixVector:
    case Latency::kBroadcastVector:
      return l.systolic_overhead + l.mlen;
    case Latency::kMapVector:
      return l.vlen;
    default:
      return common_cycles(latency, l);
  }
}

std::uint64_t emulator_cycles(Latency latency, CostVariant variant, const Latencies& l) {
  constexpr std::uint64_t kFewExperts = 32;
  constexpr std::uint64_t kManyExperts = 128;
  switch (latency) {
    case Latency::kMatrixVector:
      return l.mlen;
    case Latency::kBroadcastVector:
      return l.systolic_overhead + 1;
    case Latency::kMapVector:
      return 2 * l.vlen;
    case Latency::kVectorClamp:
      return l.vector_maximum;
    case Latency::kRouting:
      return l.vector_maximum * (variant == CostVariant::kManyExperts ? kManyExperts : kFewExperts);
    default:
      return variant == CostVariant::kIntoZero ? 0 : common_cycles(latency, l);
  }
}

}  // namespace

CostVariant cost_variant_of(std::uint32_t word) {
  const Instruction* const instruction = instruction_of_word(word);
  if (instruction == nullptr) return CostVariant::kPlain;
  if (instruction->latency == Latency::kRouting)
    return bits_of(Field::kRs3).of(word) == 0 ? CostVariant::kPlain : CostVariant::kManyExperts;
  const bool into_zero = skips_zero(instruction->latency) && bits_of(Field::kRd).of(word) == 0;
  return into_zero ? CostVariant::kIntoZero : CostVariant::kPlain;
}

std::uint64_t cycles_of(std::uint32_t opcode, CostVariant variant, const Latencies& latencies,
                        CycleModel model) {
  const Instruction* const instruction = find_instruction(opcode);
  if (instruction == nullptr) return 0;
  return model == CycleModel::kReference ? reference_cycles(instruction->latency, latencies)
                                         : emulator_cycles(instruction->latency, variant, latencies);
}

}  // namespace accelscope::isa
