// What is known about the kernels behind a model's operators, and whether SME2 did the work.
//
// Four levels of evidence, each worth more than the one before:
//   A registered   the log says that the kernel is a candidate ("Using ... microkernel")
//   B implied      the operator's name in the timing run has a data type that only certain kernels have
//   C invoked      the log says that an operator of this kind ran ("running operator ...")
//   D measured     the timing run has the time of an operator of this kind
// An operator's use of SME2 is confirmed by B, or by A and C where no other kernel was a candidate. It is
// contradicted where SME2 kernels were to be had (or none was registered at all) and its name shows another
// path; the reasons tell what may have kept it from them. Everything else stays unknown: no verdict is
// guessed.
//
// Which log is the baseline's and which the candidate's is said by the caller, never taken from names. The
// operators are those of the candidate's timing run; times are in any one unit.
//
// Pure functions; safe from any thread. The result points into the traces and the operators' names, which
// must outlive it.
//
//   const KernelLog logs[] = {{&off, "off.log", Role::kBaseline}, {&on, "on.log", Role::kCandidate}};
//   const KernelEvidence evidence = gather_kernel_evidence(logs, operators);
//   evidence.summary.time_of(Sme2Verdict::kConfirmed)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/kernel_symbol.h"
#include "analysis/operator_name.h"
#include "trace/trace.h"

namespace accelscope::analysis {

enum class Role : std::uint8_t { kBaseline, kCandidate };
inline constexpr std::size_t kRoleCount = 2;

// A trace with instants of the categories "kernel registered" and "operator invoked".
struct KernelLog {
  const trace::Trace* trace = nullptr;
  std::string name;  // as shown
  Role role = Role::kCandidate;
};

struct MeasuredOperator {
  std::string_view name;
  double time = 0;
  bool is_compute = false;  // only these get a verdict
};

template <class T>
struct ByRole {
  std::array<T, kRoleCount> values{};
  T& operator[](Role role) { return values[static_cast<std::size_t>(role)]; }
  const T& operator[](Role role) const { return values[static_cast<std::size_t>(role)]; }
};

// A kernel of any log. Whether this very kernel ran is not known, only whether operators that it serves did.
struct KernelRow {
  std::string_view symbol;
  std::string_view family;         // the log's word
  std::string_view init_function;  // empty: not told
  KernelSymbol parsed;
  ByRole<std::uint64_t> registered;      // A: how often
  ByRole<std::uint64_t> family_invoked;  // C: operators that it serves
  std::uint64_t family_measured = 0;     // D: likewise, of the timing run
  double family_time = 0;
};

enum class Sme2Verdict : std::uint8_t { kConfirmed, kContradicted, kUnknown };
inline constexpr std::size_t kVerdictCount = 3;

enum class VerdictReason : std::uint8_t {
  // For.
  kPackedType,            // B
  kSmeOrSme2,             // B does not tell SME from SME2, and no log does
  kOnlyCandidateInvoked,  // A and C
  // Against.
  kOnlySmeRegistered,
  kOtherKernelRegistered,
  kNoSme2Registered,
  kNoPackedPath,  // it ran on the plain path although SME2 kernels for its types were registered
  // What keeps an operator from SME2: certain from its name.
  kDataType,
  kQuantScheme,
  kGroups,
  kKernelKind,
  // What may have: the name does not tell.
  kPerhapsGroups,
  kPerhapsDynamicShape,
  // What is missing.
  kNoLog,
  kNotInvoked,
  kSeveralCandidates,
  kUnmarkedRelease,
  kNotXnnpack,
  kLogDisagrees,  // B says SME, and the log has no such kernel: is it of another build?
};

struct EvidenceLevels {
  bool registered = false;
  bool implied = false;
  bool invoked = false;
  bool measured = false;
};

struct OperatorVerdict {
  std::string_view name;
  double time = 0;
  OperatorName parsed;
  Sme2Verdict verdict = Sme2Verdict::kUnknown;
  EvidenceLevels levels;  // of SME2
  std::vector<VerdictReason> reasons;
};

struct KernelSummary {
  std::array<std::uint64_t, kVerdictCount> operators{};
  std::array<double, kVerdictCount> time{};
  std::uint64_t kernels = 0;
  ByRole<std::uint64_t> logs;
  ByRole<std::uint64_t> kernels_in;       // registered there
  ByRole<std::uint64_t> sme2_kernels_in;  // more than none in a baseline: it is not one without SME2
  ByRole<std::uint64_t> invocations;
  double packing_time = 0;  // what the measured operators spend on packing inputs for SME-class kernels

  std::uint64_t count_of(Sme2Verdict verdict) const { return operators[static_cast<std::size_t>(verdict)]; }
  double time_of(Sme2Verdict verdict) const { return time[static_cast<std::size_t>(verdict)]; }
};

struct KernelEvidence {
  std::vector<KernelRow> kernels;          // by symbol
  std::vector<OperatorVerdict> operators;  // those that compute, as given
  KernelSummary summary;
};

KernelEvidence gather_kernel_evidence(std::span<const KernelLog> logs,
                                      std::span<const MeasuredOperator> operators);

std::string_view name_of(Sme2Verdict verdict);
// A sentence.
std::string_view sentence_of(VerdictReason reason);

}  // namespace accelscope::analysis
