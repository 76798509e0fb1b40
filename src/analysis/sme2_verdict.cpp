#include "analysis/sme2_verdict.h"

#include <algorithm>

#include "analysis/kernel_match.h"

namespace accelscope::analysis {
namespace {

using Reason = VerdictReason;

// The kernels that the candidate registered and that serve an operator.
struct Candidates {
  std::size_t all = 0;
  std::size_t sme2 = 0;
  std::size_t sme_only = 0;  // SME, but not SME2

  bool only_sme2() const { return all > 0 && sme2 == all; }
};

template <class Serves>
Candidates candidates_of(std::span<const KernelRow> kernels, const KernelDemand& demand, Serves&& serves_it) {
  Candidates found;
  for (const KernelRow& kernel : kernels) {
    if (kernel.registered[Role::kCandidate] == 0 || !serves_it(kernel.parsed, demand)) continue;
    ++found.all;
    if (kernel.parsed.has_sme2)
      ++found.sme2;
    else if (kernel.parsed.has_sme)
      ++found.sme_only;
  }
  return found;
}

bool any_sme2(std::span<const KernelRow> kernels) {
  return std::any_of(kernels.begin(), kernels.end(), [](const KernelRow& kernel) {
    return kernel.parsed.has_sme2 && kernel.registered[Role::kCandidate] > 0;
  });
}

// SME2 kernels exist for gemm and igemm of F16 and F32, of QS8 with weights per channel, and for gemm of QD8
// inputs with weights per channel of 4 or 8 bits.
std::vector<Reason> obstacles(const OperatorName& op) {
  if (op.ukernel == "DWConv" || op.ukernel == "VMulCAddC") return {Reason::kGroups};
  if (!op.ukernel.empty() && op.ukernel != "GEMM" && op.ukernel != "IGEMM") return {Reason::kKernelKind};
  const std::string_view input = op.types.input;
  const std::string_view weights = op.types.weights;
  if (input.empty()) return {};
  if (input == "F16" || input == "F32") {
    if (weights != input) return {Reason::kQuantScheme};
    return {};
  }
  if (input == "QS8") {
    if (weights != "QC8W" && weights != "QC8") return {Reason::kQuantScheme};
    return {};
  }
  if (input == "QD8") {
    const bool convolves = op.category == Category::kConvolution;
    if (convolves || (weights != "QC4W" && weights != "QC8W")) return {Reason::kQuantScheme};
    return {};
  }
  if (input == "QDU8") return {Reason::kQuantScheme};
  return {Reason::kDataType};
}

void conclude(OperatorVerdict& row, Sme2Verdict verdict, std::initializer_list<Reason> reasons) {
  row.verdict = verdict;
  row.reasons.insert(row.reasons.end(), reasons.begin(), reasons.end());
}

void judge_implied(OperatorVerdict& row, const VerdictContext& context, const Candidates& candidates) {
  row.reasons.push_back(Reason::kPackedType);
  if (!context.has_log) return conclude(row, Sme2Verdict::kConfirmed, {Reason::kSmeOrSme2});
  if (candidates.sme2 > 0) return conclude(row, Sme2Verdict::kConfirmed, {});
  if (candidates.sme_only > 0) return conclude(row, Sme2Verdict::kContradicted, {Reason::kOnlySmeRegistered});
  conclude(row, Sme2Verdict::kConfirmed, {Reason::kLogDisagrees});
}

void judge_possible(OperatorVerdict& row, const VerdictContext& context, const Candidates& candidates) {
  if (!context.has_log) return conclude(row, Sme2Verdict::kUnknown, {Reason::kNoLog});
  if (candidates.all == 0) return conclude(row, Sme2Verdict::kUnknown, {Reason::kLogDisagrees});
  if (candidates.sme2 == 0) {
    const bool is_sme = candidates.sme_only == candidates.all;
    return conclude(row, Sme2Verdict::kContradicted,
                    {is_sme ? Reason::kOnlySmeRegistered : Reason::kOtherKernelRegistered});
  }
  if (!candidates.only_sme2()) return conclude(row, Sme2Verdict::kUnknown, {Reason::kSeveralCandidates});
  if (context.invoked == 0) return conclude(row, Sme2Verdict::kUnknown, {Reason::kNotInvoked});
  conclude(row, Sme2Verdict::kConfirmed, {Reason::kOnlyCandidateInvoked});
}

void judge_plain(OperatorVerdict& row, const VerdictContext& context, const KernelDemand& demand) {
  const std::vector<Reason> certain = obstacles(row.parsed);
  row.reasons = certain;
  if (!context.has_log) return conclude(row, Sme2Verdict::kUnknown, {Reason::kNoLog});
  if (!any_sme2(context.kernels))
    return conclude(row, Sme2Verdict::kContradicted, {Reason::kNoSme2Registered});
  if (!certain.empty()) return conclude(row, Sme2Verdict::kContradicted, {});
  const Candidates packed_or_plain = candidates_of(context.kernels, demand, serves_packed_or_plain);
  if (packed_or_plain.all == 0) return conclude(row, Sme2Verdict::kUnknown, {Reason::kLogDisagrees});
  if (packed_or_plain.sme2 == 0)
    return conclude(row, Sme2Verdict::kContradicted, {Reason::kOtherKernelRegistered});
  if (!context.marks_packing) {
    if (packed_or_plain.only_sme2() && context.invoked > 0) {
      row.levels.registered = true;
      return conclude(row, Sme2Verdict::kConfirmed, {Reason::kOnlyCandidateInvoked});
    }
    return conclude(row, Sme2Verdict::kUnknown, {Reason::kUnmarkedRelease});
  }
  conclude(row, Sme2Verdict::kContradicted,
           {Reason::kNoPackedPath, Reason::kPerhapsGroups, Reason::kPerhapsDynamicShape});
}

}  // namespace

void judge(OperatorVerdict& row, const VerdictContext& context) {
  if (row.parsed.library != "XNNPACK") return conclude(row, Sme2Verdict::kUnknown, {Reason::kNotXnnpack});
  const KernelDemand demand = demand_of(row.parsed);
  const Candidates candidates = candidates_of(context.kernels, demand, serves);
  row.levels.registered = candidates.sme2 > 0;
  row.levels.implied = row.parsed.sme_evidence == SmeEvidence::kImplied;
  row.levels.invoked = context.invoked > 0;
  row.levels.measured = row.time > 0;
  switch (row.parsed.sme_evidence) {
    case SmeEvidence::kImplied:
      return judge_implied(row, context, candidates);
    case SmeEvidence::kPossible:
      return judge_possible(row, context, candidates);
    case SmeEvidence::kNone:
      return judge_plain(row, context, demand);
  }
}

}  // namespace accelscope::analysis
