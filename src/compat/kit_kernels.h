// The profiling kit's table of kernels (`*_kernels.csv`) and its kernel view in Markdown, byte for byte, from
// traces of kernel logs.
//
// The kit takes a kernel for used when it was registered, and reads its name by position: for packed and
// quantised kernels dtype, xnn_op and variant are wrong. analysis/kernels.h and analysis/kernel_symbol.h are
// not.
//
// Pure but for the Output; safe from any thread. Rows point into the trace, which must outlive them.
//
//   const std::vector<KitKernel> on = kit_kernels(trace);
//   write_kit_kernels_csv(out, on, "toy");
//   write_kit_kernel_view(out, on, off, {.title = "GEMM kernels:", .filter = "gemm"});
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "trace/trace.h"

namespace accelscope::compat {

struct KitKernel {
  std::string_view name;
  std::string category;  // of the last registration
  std::uint64_t count = 0;
};

// By count, the largest first; equal ones as they first appeared.
std::vector<KitKernel> kit_kernels(const trace::Trace& log);

void write_kit_kernels_csv(base::Output& out, std::span<const KitKernel> kernels, std::string_view model_id);

struct KitKernelView {
  std::string title = "Kernel view (XNNPACK Delegated):";
  std::string filter = {};  // only names that contain it, in any case
};
// What the kit's pipeline writes for a model.
KitKernelView kit_pipeline_view(std::string_view stem);

void write_kit_kernel_view(base::Output& out, std::span<const KitKernel> on, std::span<const KitKernel> off,
                           const KitKernelView& view);

}  // namespace accelscope::compat
