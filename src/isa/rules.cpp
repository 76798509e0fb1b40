#include "isa/rules.h"

namespace accelscope::isa {
namespace {

using enum Rule;
constexpr Severity kE = Severity::kError;
constexpr Severity kW = Severity::kWarning;
constexpr Severity kN = Severity::kNote;

// clang-format off
constexpr auto kRules = std::to_array<RuleFacts>({
    {kSyntax, "syntax", kE, "a line that is no instruction, no word and no comment"},
    {kOperand, "operand", kE, "an operand that the instruction cannot take: missing, of the wrong kind, too large"},
    {kIgnoredOperand, "ignored-operand", kW, "an operand that is ignored"},
    {kRegisterKind, "register-kind", kW, "reference dialect: an operand of another kind, encoded by its number, or one that stops the hardware"},
    {kMisplacedOperand, "misplaced-operand", kW, "a mask or offset that the reference assembler puts where the hardware does not look"},
    {kAnnotation, "annotation", kW, "a `;@` annotation that is not known"},
    {kUnbalancedLoop, "unbalanced-loop", kE, "a loop that is not closed, closed twice, or closed while another is open"},
    {kLoopCount, "loop-count", kE, "a loop count of 0"},
    {kLoopRegisterReused, "loop-register-reused", kW, "a loop inside another one with the same register"},
    {kLoopRegisterWritten, "loop-register-written", kE, "a loop's body writes the register that counts it"},
    {kLoopGuard, "loop-guard", kW, "one round of a loop carries out more instructions than MAX_LOOP_INSTRUCTIONS allows"},
    {kBreak, "break", kE, "C_BREAK: the end of the loop that it leaves stops the hardware"},
    {kUnknownWord, "unknown-word", kE, "a word of no instruction"},
    {kUnusable, "unusable", kE, "M_BMV, which the emulator cannot carry out"},
    {kRouting, "routing", kE, "V_TOPK with a choice of experts other than 0 and 1"},
    {kZeroWritten, "gp0-written", kW, "gp0 is written, which programs take for 0"},
    {kFloatZeroWritten, "f0-written", kW, "a result into f0, which is dropped, or a load into it"},
    {kRegisterUnset, "register-unset", kW, "a register is read that nothing wrote"},
    {kMaskUnset, "mask-unset", kW, "a masked instruction while the mask register is 0"},
    {kMaskedReduction, "masked-reduction", kW, "a masked reduction, whose result is not that of the chosen slices"},
    {kScaleUnset, "scale-unset", kW, "a transfer in a format with scales before the scale register is set"},
    {kStrideUnset, "stride-unset", kW, "a transfer by the stride register before that is set"},
    {kStrideSwitch, "stride-switch", kW, "a stride switch other than 0 and 1, which means 0"},
    {kMatrixAlignment, "matrix-alignment", kE, "an address in the matrix memory that its instruction cannot take"},
    {kMatrixRange, "matrix-range", kE, "an address behind the end of the matrix memory"},
    {kVectorAlignment, "vector-alignment", kE, "an address in the vector memory that its instruction cannot take"},
    {kVectorRange, "vector-range", kE, "an address behind the end of the vector memory"},
    {kScalarRange, "scalar-range", kE, "an address behind the end of a scalar memory"},
    {kExternalAlignment, "external-alignment", kN, "rows of a transfer that touch one block of 64 bytes more than they need to"},
    {kExternalRange, "external-range", kW, "a transfer behind the end of external memory"},
    {kScaleTruncated, "scale-truncated", kW, "the scales of a row cross a block of 64 bytes; those behind it are read as 0"},
    {kAccumulatorEmpty, "accumulator-empty", kW, "a write-out of an accumulator that holds nothing"},
    {kAccumulatorLeft, "accumulator-left", kW, "products that are never written out"},
    {kAccumulatorMixed, "accumulator-mixed", kW, "a product into one accumulator while another one waits to be written out"},
    {kUnwrittenMatrix, "unwritten-matrix", kW, "a tile is used that nothing wrote"},
    {kUnwrittenVector, "unwritten-vector", kN, "a row is used that nothing wrote; right only where an image of the vector memory is loaded"},
    {kDeadPrefetch, "dead-prefetch", kW, "a prefetch whose data nothing reads before it is overwritten or the program ends"},
    {kPrefetchDistance, "prefetch-distance", kN, "data is used sooner after its prefetch than the transfer takes on the board, so that even hardware that overlaps would wait"},
});
// clang-format on

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i)
    if (static_cast<std::size_t>(kRules[i].rule) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, kSeverities> kNames{"error", "warning", "note"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::span<const RuleFacts> rules() {
  return kRules;
}

const RuleFacts& facts_of(Rule rule) {
  return kRules[static_cast<std::size_t>(rule)];
}

}  // namespace accelscope::isa
