// The rules that a program is held to: what a listing must be to be read, and what a linter looks for. One
// table, from which messages, documents and tests are driven (docs/isa.md has a row for each).
//
// Constant data and pure functions, safe from any thread.
//
//   facts_of(Rule::kDeadPrefetch).id   // "dead-prefetch"
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace accelscope::isa {

enum class Severity : std::uint8_t { kError, kWarning, kNote };
inline constexpr std::size_t kSeverities = 3;
// "error", "warning", "note".
std::string_view name_of(Severity severity);

enum class Rule : std::uint8_t {
  // While a listing is read.
  kSyntax,
  kOperand,
  kIgnoredOperand,
  kRegisterKind,
  kMisplacedOperand,
  kAnnotation,
  kUnbalancedLoop,
  kLoopCount,
  kLoopRegisterReused,
  // Of instructions and registers.
  kLoopRegisterWritten,
  kLoopGuard,
  kBreak,
  kUnknownWord,
  kUnusable,
  kRouting,
  kZeroWritten,
  kFloatZeroWritten,
  kRegisterUnset,
  kMaskUnset,
  kMaskedReduction,
  kScaleUnset,
  kStrideUnset,
  kStrideSwitch,
  // Of addresses.
  kMatrixAlignment,
  kMatrixRange,
  kVectorAlignment,
  kVectorRange,
  kScalarRange,
  kExternalAlignment,
  kExternalRange,
  kScaleTruncated,
  // Of what is in the memories.
  kAccumulatorEmpty,
  kAccumulatorLeft,
  kAccumulatorMixed,
  kUnwrittenMatrix,
  kUnwrittenVector,
  kDeadPrefetch,
  kPrefetchDistance
};

struct RuleFacts {
  Rule rule = Rule::kSyntax;
  std::string_view id;
  Severity severity = Severity::kError;
  std::string_view summary;
};

// In the order of the enumeration.
std::span<const RuleFacts> rules();
const RuleFacts& facts_of(Rule rule);

}  // namespace accelscope::isa
