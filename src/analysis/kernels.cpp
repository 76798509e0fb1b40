#include "analysis/kernels.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "analysis/kernel_match.h"
#include "analysis/sme2_verdict.h"
#include "trace/executorch_names.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis {
namespace {

using trace::Trace;

// Operators that ask the same of a kernel, counted together: their names may be many, their demands are few.
struct DemandRow {
  KernelDemand demand;
  ByRole<std::uint64_t> invoked = {};
  std::uint64_t measured = 0;
  double time = 0;
};

// "Convolution (NHWC, F32) IGEMM" of "Convolution (NHWC, F32) IGEMM #3", and of the log's "... Default" the
// same without it, as timing runs have it.
std::string_view without_number(std::string_view name) {
  constexpr std::string_view kDefault = " Default";
  if (trace::is_numbered_name(name)) name = name.substr(0, name.rfind(" #"));
  if (name.ends_with(kDefault)) name.remove_suffix(kDefault.size());
  return name;
}

std::string_view text_arg(const Trace& trace, trace::ArgId first, std::string_view name) {
  const trace::Value value = trace.find_arg(first, name);
  return value.type == trace::ValueType::kString ? trace.text(value.as_text()) : std::string_view{};
}

class Gatherer {
 public:
  void add_log(const KernelLog& log) {
    const Trace& trace = *log.trace;
    const trace::CategoryId registered = trace.find_category(trace::category::kKernelRegistered);
    const trace::CategoryId invoked = trace.find_category(trace::category::kOperatorInvoked);
    ++summary_.logs[log.role];
    std::vector<std::uint64_t> invocations(trace.strings().size());
    for (std::uint32_t i = 0; i < trace.instants().size(); ++i) {
      const trace::CategoryId category = trace.instants().category[i];
      if (category == trace::CategoryId::kNone) continue;
      if (category == registered) add_registration(trace, i, log.role);
      if (category == invoked) ++invocations[index(trace.instants().name[i])];
    }
    for (std::uint32_t name = 0; name < invocations.size(); ++name)
      if (invocations[name] > 0) add_invoked(trace.text(trace::StringId{name}), invocations[name], log.role);
  }

  void add_operator(const MeasuredOperator& measured) {
    const OperatorName parsed = parse_operator_name(measured.name);
    DemandRow& row = demand(parsed);
    ++row.measured;
    row.time += measured.time;
    if (parsed.sme_evidence == SmeEvidence::kImplied) marks_packing_ = true;
    if (parsed.family == "pack_lh") {
      marks_packing_ = true;
      summary_.packing_time += measured.time;
    }
    if (!measured.is_compute) return;
    OperatorVerdict verdict;
    verdict.name = measured.name;
    verdict.time = measured.time;
    verdict.parsed = parsed;
    verdicts_.push_back(std::move(verdict));
  }

  KernelEvidence finish() && {
    KernelEvidence evidence;
    for (auto& [symbol, row] : kernels_) evidence.kernels.push_back(std::move(row));
    for (KernelRow& row : evidence.kernels) finish_kernel(row);
    for (OperatorVerdict& verdict : verdicts_) {
      const auto invoked = invoked_names_.find(without_number(verdict.name));
      judge(verdict, {.kernels = evidence.kernels,
                      .invoked = invoked == invoked_names_.end() ? 0 : invoked->second,
                      .has_log = summary_.kernels_in[Role::kCandidate] > 0,
                      .marks_packing = marks_packing_});
      const auto which = static_cast<std::size_t>(verdict.verdict);
      ++summary_.operators[which];
      summary_.time[which] += verdict.time;
    }
    summary_.kernels = evidence.kernels.size();
    evidence.operators = std::move(verdicts_);
    evidence.summary = summary_;
    return evidence;
  }

 private:
  void add_registration(const Trace& trace, std::uint32_t instant, Role role) {
    const std::string_view symbol = trace.text(trace.instants().name[instant]);
    const trace::ArgId args = trace.instants().first_arg[instant];
    const trace::Value count = trace.find_arg(args, trace::arg::kCount);
    KernelRow& row = kernels_[symbol];
    if (row.symbol.empty()) {
      row.symbol = symbol;
      row.parsed = parse_kernel_symbol(symbol);
    }
    if (row.family.empty()) row.family = text_arg(trace, args, trace::arg::kKernelFamily);
    if (row.init_function.empty()) row.init_function = text_arg(trace, args, trace::arg::kInitFunction);
    const bool counted = count.type == trace::ValueType::kInt && count.as_int() > 0;
    row.registered[role] += counted ? static_cast<std::uint64_t>(count.as_int()) : 1;
  }

  void add_invoked(std::string_view name, std::uint64_t times, Role role) {
    const std::string_view plain = without_number(name);
    const OperatorName parsed = parse_operator_name(plain);
    demand(parsed).invoked[role] += times;
    summary_.invocations[role] += times;
    if (role != Role::kCandidate) return;
    invoked_names_[plain] += times;
    if (parsed.sme_evidence == SmeEvidence::kImplied || parsed.family == "pack_lh") marks_packing_ = true;
  }

  DemandRow& demand(const OperatorName& op) {
    KernelDemand wanted = demand_of(op);
    const auto found = std::find_if(demands_.begin(), demands_.end(),
                                    [&](const DemandRow& row) { return row.demand == wanted; });
    if (found != demands_.end()) return *found;
    demands_.push_back({.demand = std::move(wanted)});
    return demands_.back();
  }

  void finish_kernel(KernelRow& kernel) {
    for (const DemandRow& row : demands_) {
      if (!serves(kernel.parsed, row.demand)) continue;
      kernel.family_invoked[Role::kBaseline] += row.invoked[Role::kBaseline];
      kernel.family_invoked[Role::kCandidate] += row.invoked[Role::kCandidate];
      kernel.family_measured += row.measured;
      kernel.family_time += row.time;
    }
    for (const Role role : {Role::kBaseline, Role::kCandidate}) {
      if (kernel.registered[role] == 0) continue;
      ++summary_.kernels_in[role];
      if (kernel.parsed.has_sme2) ++summary_.sme2_kernels_in[role];
    }
  }

  std::map<std::string_view, KernelRow> kernels_;
  std::vector<DemandRow> demands_;
  std::unordered_map<std::string_view, std::uint64_t> invoked_names_;  // of the candidate
  std::vector<OperatorVerdict> verdicts_;
  KernelSummary summary_;
  bool marks_packing_ = false;
};

}  // namespace

KernelEvidence gather_kernel_evidence(std::span<const KernelLog> logs,
                                      std::span<const MeasuredOperator> operators) {
  Gatherer gatherer;
  for (const KernelLog& log : logs) gatherer.add_log(log);
  for (const MeasuredOperator& measured : operators) gatherer.add_operator(measured);
  return std::move(gatherer).finish();
}

std::string_view name_of(Sme2Verdict verdict) {
  constexpr std::string_view kNames[kVerdictCount] = {"confirmed", "contradicted", "unknown"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view sentence_of(VerdictReason reason) {
  switch (reason) {
    case VerdictReason::kPackedType:
      return "Its data type in the timing run exists only for SME-class kernels.";
    case VerdictReason::kSmeOrSme2:
      return "No kernel log of the candidate tells whether they are SME or SME2.";
    case VerdictReason::kOnlyCandidateInvoked:
      return "The log says that it ran, and only SME2 kernels were registered for it.";
    case VerdictReason::kOnlySmeRegistered:
      return "The kernels registered for it use SME, not SME2.";
    case VerdictReason::kOtherKernelRegistered:
      return "The kernels registered for it use other instructions than SME2.";
    case VerdictReason::kNoSme2Registered:
      return "The candidate registered no SME2 kernel at all: check the device, the build and its flags.";
    case VerdictReason::kNoPackedPath:
      return "It ran on the plain path although SME2 kernels for its data types were registered.";
    case VerdictReason::kDataType:
      return "No SME2 kernel exists for its data type: F16, F32 and signed 8-bit types have them.";
    case VerdictReason::kQuantScheme:
      return "No SME2 kernel exists for its quantisation: weights per channel of 8 bits, or of 4 bits behind "
             "dynamically quantised inputs, have them.";
    case VerdictReason::kGroups:
      return "Depthwise and per-channel work has no SME2 kernel.";
    case VerdictReason::kKernelKind:
      return "SME2 kernels exist for GEMM and IGEMM only, and it took another kind.";
    case VerdictReason::kPerhapsGroups:
      return "Groups may keep it from SME2; its name does not tell them.";
    case VerdictReason::kPerhapsDynamicShape:
      return "A dynamic shape, or weights that are no constants, may keep it from SME2; its name does not "
             "tell.";
    case VerdictReason::kNoLog:
      return "There is no kernel log of the candidate.";
    case VerdictReason::kNotInvoked:
      return "SME2 kernels were registered for it, but no line of the log says that it ran.";
    case VerdictReason::kSeveralCandidates:
      return "SME2 and other kernels were registered for it, and nothing says which ran.";
    case VerdictReason::kUnmarkedRelease:
      return "SME2 kernels were registered for its types, but nothing in this release's names marks packed "
             "operators.";
    case VerdictReason::kNotXnnpack:
      return "It did not run in the XNNPACK delegate, where the SME2 kernels are.";
    case VerdictReason::kLogDisagrees:
      return "The candidate's log has no kernel for it: it may be of another build or model.";
  }
  return {};
}

}  // namespace accelscope::analysis
