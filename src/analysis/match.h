// Which operator of one profile is which operator of another.
//
// The same model built with and without an accelerator feature runs kernels of other names (F16 becomes PF16)
// and has operators more (packing of inputs), so names do not match; the structure does. Calls are paired by
// their instruction, operators inside a call by their family in program order; where the sequences differ, by
// their longest common subsequence. Packing operators are not matched: they are the cost of the compute
// operator they pack for. Pure function, safe from any thread; positions are those of the methods' entries.
//
//   const MethodMatch match = match_entries(off, on);
//   for (const EntryPair& pair : match.pairs) if (pair.matched()) compare(off.entries[*pair.baseline], ...);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/profile.h"

namespace accelscope::analysis {

struct EntryPair {
  std::optional<std::uint32_t> baseline = std::nullopt;
  std::optional<std::uint32_t> candidate = std::nullopt;
  std::vector<std::uint32_t> baseline_packing = {};  // packing operators that prepare this one's input
  std::vector<std::uint32_t> candidate_packing = {};

  bool matched() const { return baseline && candidate; }
};

struct MethodMatch {
  // Every entry of both methods is in exactly one pair. In the candidate's program order; what only the
  // baseline has comes last.
  std::vector<EntryPair> pairs = {};
  std::size_t baseline_only = 0;
  std::size_t candidate_only = 0;
  bool same_calls = true;  // false: the programs have other calls, and their whole sequences were aligned
};

MethodMatch match_entries(const MethodProfile& baseline, const MethodProfile& candidate);

}  // namespace accelscope::analysis
