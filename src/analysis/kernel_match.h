// Which kernels can run which operators: an operator's name tells its kind of work and its data types, a
// kernel's symbol the same in other words.
//
// Pure functions over constant tables; safe from any thread, nothing is owned.
//
//   const OperatorName op = parse_operator_name("Convolution (NHWC, PF16) IGEMM #1");
//   serves(parse_kernel_symbol("xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2"), demand_of(op)) ==
//   true
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/kernel_symbol.h"
#include "analysis/operator_name.h"

namespace accelscope::analysis {

// What an operator asks of a kernel.
struct KernelDemand {
  std::span<const std::string_view>
      operations;     // one of these; empty: it is not known which kernels serve it
  std::string input;  // data types as symbols write them; empty: any
  std::string weights;
  std::string output;

  bool operator==(const KernelDemand& other) const {
    return operations.data() == other.operations.data() && input == other.input && weights == other.weights &&
           output == other.output;
  }
};

KernelDemand demand_of(const OperatorName& op);
bool serves(const KernelSymbol& kernel, const KernelDemand& demand);

// The same, but a packed kernel also serves an operator of the plain type, as it does in releases that do not
// mark packed operators.
bool serves_packed_or_plain(const KernelSymbol& kernel, const KernelDemand& demand);

}  // namespace accelscope::analysis
