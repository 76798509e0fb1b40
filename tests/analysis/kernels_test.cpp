#include "analysis/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis {
namespace {

using trace::Trace;

constexpr const char* kNeonGemm = "xnn_f16_gemm_minmax_ukernel_6x16__neonfp16arith";
constexpr const char* kNeonIgemm = "xnn_f16_igemm_minmax_ukernel_6x16__neonfp16arith";
constexpr const char* kNeonDwconv = "xnn_f16_dwconv_minmax_ukernel_3p16c__neonfp16arith";
constexpr const char* kSme2Gemm = "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2";
constexpr const char* kSme2Igemm = "xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2";
constexpr const char* kSmeIgemm = "xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme";

Trace log_of(std::initializer_list<const char*> kernels, std::initializer_list<const char*> operators = {}) {
  trace::TraceBuilder builder;
  const trace::TrackId track = builder.add_track({.clock = builder.add_clock({builder.intern("lines")})});
  std::int64_t line = 0;
  for (const char* kernel : kernels)
    builder.add_instant({.track = track,
                         .time = trace::Ticks{++line},
                         .name = builder.intern(kernel),
                         .category = builder.category(trace::category::kKernelRegistered)});
  for (const char* name : operators)
    builder.add_instant({.track = track,
                         .time = trace::Ticks{++line},
                         .name = builder.intern(name),
                         .category = builder.category(trace::category::kOperatorInvoked)});
  auto trace = std::move(builder).finish();
  EXPECT_TRUE(trace);
  return std::move(*trace);
}

OperatorVerdict verdict_of(std::string_view name, const Trace* log,
                           std::string_view other = "Copy (NC, X8) #1") {
  std::vector<KernelLog> logs;
  if (log != nullptr) logs.push_back({log, "on", Role::kCandidate});
  const MeasuredOperator operators[] = {{name, 2.0, true}, {other, 1.0, false}};
  const KernelEvidence evidence = gather_kernel_evidence(logs, operators);
  EXPECT_EQ(evidence.operators.size(), 1U);
  return evidence.operators.at(0);
}

bool has(const OperatorVerdict& verdict, VerdictReason reason) {
  return std::find(verdict.reasons.begin(), verdict.reasons.end(), reason) != verdict.reasons.end();
}

TEST(Kernels, TableIsTheUnionOfAllLogs) {
  const Trace off = log_of({kNeonGemm, kNeonIgemm}, {"Convolution (NHWC, F16) IGEMM"});
  const Trace on = log_of({kNeonGemm, kSme2Igemm, kSme2Igemm},
                          {"Convolution (NHWC, PF16) IGEMM", "Convolution (NHWC, PF16) IGEMM"});
  const KernelLog logs[] = {{&off, "off", Role::kBaseline}, {&on, "on", Role::kCandidate}};
  const MeasuredOperator operators[] = {{"Convolution (NHWC, PF16) IGEMM #1", 3.0, true},
                                        {"Convolution (NHWC, PF16) IGEMM #2", 4.0, true},
                                        {"Pack LH (X16) #1", 0.5, false}};
  const KernelEvidence evidence = gather_kernel_evidence(logs, operators);
  ASSERT_EQ(evidence.kernels.size(), 3U);
  EXPECT_EQ(evidence.kernels[0].symbol, kNeonGemm);
  EXPECT_EQ(evidence.kernels[0].registered[Role::kBaseline], 1U);
  EXPECT_EQ(evidence.kernels[0].registered[Role::kCandidate], 1U);
  EXPECT_EQ(evidence.kernels[0].family_measured, 0U);
  EXPECT_EQ(evidence.kernels[1].symbol, kNeonIgemm);
  EXPECT_EQ(evidence.kernels[1].family_invoked[Role::kBaseline], 1U);
  EXPECT_EQ(evidence.kernels[1].family_invoked[Role::kCandidate], 0U);
  const KernelRow& sme2 = evidence.kernels[2];
  EXPECT_EQ(sme2.symbol, kSme2Igemm);
  EXPECT_EQ(sme2.registered[Role::kCandidate], 2U);
  EXPECT_EQ(sme2.family_invoked[Role::kCandidate], 2U);
  EXPECT_EQ(sme2.family_measured, 2U);
  EXPECT_DOUBLE_EQ(sme2.family_time, 7.0);
  const KernelSummary& summary = evidence.summary;
  EXPECT_EQ(summary.kernels, 3U);
  EXPECT_EQ(summary.kernels_in[Role::kBaseline], 2U);
  EXPECT_EQ(summary.sme2_kernels_in[Role::kBaseline], 0U);
  EXPECT_EQ(summary.sme2_kernels_in[Role::kCandidate], 1U);
  EXPECT_EQ(summary.invocations[Role::kCandidate], 2U);
  EXPECT_EQ(summary.count_of(Sme2Verdict::kConfirmed), 2U);
  EXPECT_DOUBLE_EQ(summary.time_of(Sme2Verdict::kConfirmed), 7.0);
  EXPECT_DOUBLE_EQ(summary.packing_time, 0.5);
}

TEST(Kernels, APackedTypeConfirms) {
  const Trace log = log_of({kNeonIgemm, kSme2Igemm}, {"Convolution (NHWC, PF16) IGEMM"});
  const OperatorVerdict verdict = verdict_of("Convolution (NHWC, PF16) IGEMM #1", &log);
  EXPECT_EQ(verdict.verdict, Sme2Verdict::kConfirmed);
  EXPECT_TRUE(verdict.levels.registered && verdict.levels.implied && verdict.levels.invoked &&
              verdict.levels.measured);
  const OperatorVerdict alone = verdict_of("Convolution (NHWC, PF16) IGEMM #1", nullptr);
  EXPECT_EQ(alone.verdict, Sme2Verdict::kConfirmed);
  EXPECT_FALSE(alone.levels.registered);
  EXPECT_TRUE(has(alone, VerdictReason::kSmeOrSme2));
}

TEST(Kernels, SmeIsNotSme2) {
  const Trace log = log_of({kSmeIgemm});
  const OperatorVerdict verdict = verdict_of("Convolution (NHWC, PF16) IGEMM #1", &log);
  EXPECT_EQ(verdict.verdict, Sme2Verdict::kContradicted);
  EXPECT_TRUE(has(verdict, VerdictReason::kOnlySmeRegistered));
}

TEST(Kernels, ALogThatDoesNotFitIsNamed) {
  const Trace log = log_of({kNeonGemm});
  const OperatorVerdict verdict = verdict_of("Convolution (NHWC, PF16) IGEMM #1", &log);
  EXPECT_EQ(verdict.verdict, Sme2Verdict::kConfirmed);
  EXPECT_TRUE(has(verdict, VerdictReason::kLogDisagrees));
}

TEST(Kernels, DynamicallyQuantisedOperatorsNeedTheLog) {
  constexpr std::string_view kName = "Fully Connected (NC, QP8, F32, QC4W) GEMM #1";
  constexpr const char* kSme2 = "xnn_qp8_f32_qc4w_gemm_minmax_ukernel_16x64c4__neonsme2";
  constexpr const char* kI8mm = "xnn_qp8_f32_qc4w_gemm_minmax_ukernel_8x4c16s2__aarch64_neoni8mm";
  EXPECT_EQ(verdict_of(kName, nullptr).verdict, Sme2Verdict::kUnknown);
  const Trace invoked = log_of({kSme2}, {"Fully Connected (NC, QP8, F32, QC4W) GEMM"});
  EXPECT_EQ(verdict_of(kName, &invoked).verdict, Sme2Verdict::kConfirmed);
  const Trace registered = log_of({kSme2});
  EXPECT_TRUE(has(verdict_of(kName, &registered), VerdictReason::kNotInvoked));
  const Trace both = log_of({kSme2, kI8mm}, {"Fully Connected (NC, QP8, F32, QC4W) GEMM"});
  EXPECT_EQ(verdict_of(kName, &both).verdict, Sme2Verdict::kUnknown);
  EXPECT_TRUE(has(verdict_of(kName, &both), VerdictReason::kSeveralCandidates));
  const Trace other = log_of({kI8mm});
  EXPECT_EQ(verdict_of(kName, &other).verdict, Sme2Verdict::kContradicted);
}

TEST(Kernels, APlainTypeContradictsWherePackedOnesAreMarked) {
  const Trace log = log_of({kNeonIgemm, kSme2Igemm});
  const OperatorVerdict marked =
      verdict_of("Convolution (NHWC, F16) IGEMM #1", &log, "Convolution (NHWC, PF16) IGEMM #1");
  EXPECT_EQ(marked.verdict, Sme2Verdict::kContradicted);
  EXPECT_TRUE(has(marked, VerdictReason::kNoPackedPath));
  EXPECT_TRUE(has(marked, VerdictReason::kPerhapsGroups));
  const OperatorVerdict unmarked = verdict_of("Convolution (NHWC, F16) IGEMM #1", &log);
  EXPECT_EQ(unmarked.verdict, Sme2Verdict::kUnknown);
  EXPECT_TRUE(has(unmarked, VerdictReason::kUnmarkedRelease));
  // Older releases: no plain kernel is a candidate, and the operator ran.
  const Trace only = log_of({kSme2Igemm}, {"Convolution (NHWC, F16) IGEMM"});
  EXPECT_EQ(verdict_of("Convolution (NHWC, F16) IGEMM #1", &only).verdict, Sme2Verdict::kConfirmed);
}

TEST(Kernels, SaysWhatKeepsAnOperatorFromSme2) {
  const Trace log = log_of({kNeonIgemm, kNeonDwconv, kSme2Igemm, kSme2Gemm});
  struct Case {
    const char* name;
    VerdictReason reason;
  };
  for (const Case& expected :
       {Case{"Convolution (NHWC, F16) DWConv #1", VerdictReason::kGroups},
        Case{"Convolution (NHWC, QU8) IGEMM #1", VerdictReason::kDataType},
        Case{"Fully Connected (NC, BF16, F32) GEMM #1", VerdictReason::kDataType},
        Case{"Fully Connected (NC, F32, QC4W) GEMM #1", VerdictReason::kQuantScheme},
        Case{"Fully Connected (NC, QS8) GEMM #1", VerdictReason::kQuantScheme},
        Case{"Convolution (NHWC, QD8, F32, QC8W) IGEMM #1", VerdictReason::kQuantScheme},
        Case{"Fully Connected (NC, QD8, F32, QB4W) GEMM #1", VerdictReason::kQuantScheme},
        Case{"Convolution (NCHW, F32) SPMM #1", VerdictReason::kKernelKind}}) {
    const OperatorVerdict verdict = verdict_of(expected.name, &log);
    EXPECT_EQ(verdict.verdict, Sme2Verdict::kContradicted) << expected.name;
    EXPECT_TRUE(has(verdict, expected.reason)) << expected.name;
  }
}

TEST(Kernels, NothingRegisteredContradicts) {
  const Trace log = log_of({kNeonGemm, kNeonIgemm});
  const OperatorVerdict verdict = verdict_of("Convolution (NHWC, F16) IGEMM #1", &log);
  EXPECT_EQ(verdict.verdict, Sme2Verdict::kContradicted);
  EXPECT_TRUE(has(verdict, VerdictReason::kNoSme2Registered));
}

TEST(Kernels, WithoutEvidenceNothingIsGuessed) {
  EXPECT_EQ(verdict_of("Convolution (NHWC, F16) IGEMM #1", nullptr).verdict, Sme2Verdict::kUnknown);
  const OperatorVerdict outside = verdict_of("native_call_mm.out", nullptr);
  EXPECT_EQ(outside.verdict, Sme2Verdict::kUnknown);
  EXPECT_TRUE(has(outside, VerdictReason::kNotXnnpack));
  // The baseline's log says nothing about the candidate.
  const Trace off = log_of({kNeonIgemm});
  const KernelLog logs[] = {{&off, "off", Role::kBaseline}};
  const MeasuredOperator operators[] = {{"Convolution (NHWC, F16) IGEMM #1", 1.0, true}};
  const KernelEvidence evidence = gather_kernel_evidence(logs, operators);
  EXPECT_EQ(evidence.operators.at(0).verdict, Sme2Verdict::kUnknown);
  EXPECT_TRUE(has(evidence.operators.at(0), VerdictReason::kNoLog));
  EXPECT_TRUE(gather_kernel_evidence({}, {}).kernels.empty());
}

TEST(Kernels, EveryReasonHasASentence) {
  for (int reason = 0; reason <= static_cast<int>(VerdictReason::kLogDisagrees); ++reason) {
    const std::string_view sentence = sentence_of(static_cast<VerdictReason>(reason));
    EXPECT_TRUE(sentence.ends_with('.') || sentence.ends_with('?')) << reason;
  }
  EXPECT_EQ(name_of(Sme2Verdict::kContradicted), "contradicted");
}

}  // namespace
}  // namespace accelscope::analysis
