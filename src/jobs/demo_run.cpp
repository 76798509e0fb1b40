#include "jobs/demo_run.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

#include "base/output_file.h"
#include "formats/etdump/sample_dumps.h"

namespace accelscope::jobs {
namespace {

using base::Result;
using base::Status;
using formats::etdump::ToySpeed;

// Enough for a tight interval, few enough to be looked at.
constexpr std::uint32_t kRuns = 30;

struct DemoExperiment {
  std::string_view name;
  ToySpeed speed;
  std::uint32_t seed;  // of the noise: two recordings are never slow in the same places
};
constexpr DemoExperiment kOff{"sme2_off", ToySpeed::kSlow, 1};
constexpr DemoExperiment kOn{"sme2_on", ToySpeed::kFast, 2};

struct Kernel {
  std::string_view family;
  std::string_view symbol;
  std::string_view init_function;
  bool needs_sme2 = false;
};
constexpr std::array kKernels{
    Kernel{"transposec", "xnn_x16_transposec_ukernel__8x8_reuse_multi_zip_neon", "init_transpose_config"},
    Kernel{"unary", "xnn_f32_f16_vcvt_ukernel__neonfp16_u16", "init_f32_to_f16_cvt_config"},
    Kernel{"gemm", "xnn_f16_gemm_minmax_ukernel_6x16__asm_aarch64_neonfp16arith_ld64",
           "init_f16_gemm_config"},
    Kernel{"igemm", "xnn_f16_igemm_minmax_ukernel_6x16__asm_aarch64_neonfp16arith_ld64",
           "init_f16_gemm_config"},
    Kernel{"gemm", "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2", "init_pf16_gemm_config", true},
    Kernel{"igemm", "xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2", "init_pf16_gemm_config",
           true},
    Kernel{"reduce", "xnn_f16_f32acc_rsum_ukernel__neonfp16arith_u32_acc4", "init_f16_f32acc_rsum_config"}};

// What XNNPACK would print to the runner's standard error at its debug level.
std::string kernel_log(ToySpeed speed) {
  const bool sme2 = speed == ToySpeed::kFast;
  std::string log;
  for (const Kernel& kernel : kKernels)
    if (sme2 || !kernel.needs_sme2)
      log += fmt::format("Note (XNNPACK): Using {} microkernel '{}'. ({}, configs.c:1)\n", kernel.family,
                         kernel.symbol, kernel.init_function);
  const std::string convolution = fmt::format("Convolution (NHWC, {}) IGEMM", sme2 ? "PF16" : "F16");
  std::size_t index = 0;
  for (const std::string_view name :
       {std::string_view("Convert (NC, F32, F16) Default"), std::string_view("Transpose (ND, X16) Transpose"),
        std::string_view(convolution), std::string_view(convolution), std::string_view(convolution),
        std::string_view("Mean (ND) Default"), std::string_view("Copy (ND, X16) Default")})
    log += fmt::format("Debug (XNNPACK): running operator {}:0 ({})\n", index++, name);
  return log;
}

// Returns the path of the ETDump.
Result<std::string> write_experiment(const std::string& folder, const DemoExperiment& experiment) {
  const std::string own = fmt::format("{}/{}", folder, experiment.name);
  ACCELSCOPE_CHECK(base::make_folder(own));
  const std::string prefix = fmt::format("{}/toy_{}_t1", own, experiment.name);
  const formats::etdump::Dump dump = toy_dump(experiment.speed, {.count = kRuns, .seed = experiment.seed});
  ACCELSCOPE_CHECK(
      base::write_file(prefix + ".etdump", [&](base::Output& output) { output.append(write_etdump(dump)); }));
  ACCELSCOPE_CHECK(base::write_file(
      prefix + "_xnntrace.log", [&](base::Output& output) { output.append(kernel_log(experiment.speed)); }));
  return prefix + ".etdump";
}

}  // namespace

Result<DemoRun> write_demo_run(const std::string& folder) {
  DemoRun run{.folder = folder};
  ACCELSCOPE_TRY(run.baseline, write_experiment(folder, kOff));
  ACCELSCOPE_TRY(run.candidate, write_experiment(folder, kOn));
  return run;
}

}  // namespace accelscope::jobs
