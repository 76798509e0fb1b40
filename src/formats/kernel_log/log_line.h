// One line of a log, if it is one of XNNPACK's about its kernels:
//
//   Note (XNNPACK): Using gemm microkernel 'xnn_f32_gemm_...'. (init_f32_gemm_config, src/gemm-config.c:12)
//   Debug (XNNPACK): running operator 2:0 (Convolution (NHWC, F32) IGEMM) (xnn_run_operator, src/run.c:3)
//   Debug (XNNPACK): skip running operator 3:0 (Copy (NC, X32) Default)
//
// What stands before (a prefix of stdio, the columns of logcat, a runner's own text) does not matter.
//
// Pure functions; safe from any thread. Views point into the line.
//
//   const LogLine line = parse_log_line(text);
//   if (line.kind == LineKind::kRegistered) use(line.symbol, line.family);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accelscope::formats::kernel_log {

enum class LineKind : std::uint8_t {
  kNone,        // nothing of ours
  kRegistered,  // a kernel became a candidate
  kInvoked,     // an operator is about to run
  kSkipped,     // an operator was left out
  kDamaged,     // it begins like one of ours and does not end so
};

struct LogLine {
  LineKind kind = LineKind::kNone;
  // Of a registration.
  std::string_view family;
  std::string_view symbol;
  std::string_view function;  // that registered it; empty: not told
  std::string_view place;     // "src/gemm-config.c:12"; empty: not told
  // Of an operator.
  std::uint64_t index = 0;
  std::uint64_t sub_index = 0;
  std::string_view text;     // "Convolution (NHWC, F32) IGEMM"
  std::string_view name;     // "Convolution (NHWC, F32)"
  std::string_view ukernel;  // "IGEMM"
};

// Longer names than this are damage.
inline constexpr std::size_t kMaxNameBytes = 4096;

LogLine parse_log_line(std::string_view line);

}  // namespace accelscope::formats::kernel_log
