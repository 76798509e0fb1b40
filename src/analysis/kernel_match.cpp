#include "analysis/kernel_match.h"

#include <algorithm>
#include <array>

#include "analysis/name_grammar.h"
#include "analysis/name_table.h"

namespace accelscope::analysis {
namespace {

struct OperationsRow {
  std::string_view name;
  std::array<std::string_view, 5> operations;
};

// By the kind of microkernel that XNNPACK's name ends in. Sorted.
constexpr OperationsRow kByUkernel[] = {
    {"Average Pooling", {"avgpool", "pavgpool"}},
    {"Conv2D HWC2CHW", {"conv"}},
    {"DWConv", {"dwconv", "dwconv2d"}},
    {"GEMM", {"gemm"}},
    {"IGEMM", {"igemm"}},
    {"Pixelwise Average Pooling", {"pavgpool", "avgpool"}},
    {"SPMM", {"spmm"}},
    {"Subconv2D", {"igemm"}},
    {"Transpose", {"transposec", "transposev"}},
    {"VMulCAddC", {"vmulcaddc"}},
};
static_assert(is_sorted_table(kByUkernel));

// By family, where the name does not end so. Sorted.
constexpr OperationsRow kByFamily[] = {
    {"abs", {"vabs"}},
    {"add", {"vadd", "vaddc"}},
    {"approx_gelu", {"vapproxgelu"}},
    {"argmax_pooling", {"argmaxpool"}},
    {"average_pooling", {"avgpool", "pavgpool", "gavgpool"}},
    {"bankers_rounding", {"vrndne"}},
    {"batch_matmul", {"gemm"}},
    {"ceiling", {"vrndu"}},
    {"clamp", {"vclamp"}},
    {"constant_pad", {"pad", "fill"}},
    {"convert", {"vcvt"}},
    {"convolution", {"igemm", "gemm", "dwconv", "dwconv2d", "conv"}},
    {"copy", {"copy"}},
    {"copy_sign", {"vcopysign", "vcopysignc", "vrcopysignc"}},
    {"cosine", {"vcos"}},
    {"deconvolution", {"igemm"}},
    {"depth_to_space", {"transposec", "transposev"}},
    {"divide", {"vdiv", "vdivc", "vrdivc"}},
    {"dynamic_fully_connected", {"gemm"}},
    {"elu", {"velu"}},
    {"exp", {"vexp"}},
    {"floor", {"vrndd"}},
    {"fully_connected", {"gemm"}},
    {"fuse_dims", {"copy"}},
    {"gelu", {"vgelu"}},
    {"hard_swish", {"vhswish"}},
    {"leaky_relu", {"vlrelu"}},
    {"log", {"vlog"}},
    {"max_pooling", {"maxpool"}},
    {"maximum", {"vmax", "vmaxc"}},
    {"mean", {"rsum", "rdsum"}},
    {"mean_squared", {"rsum2", "rdsum2"}},
    {"minimum", {"vmin", "vminc"}},
    {"multiply", {"vmul", "vmulc"}},
    {"negate", {"vneg"}},
    {"pack_lh", {"pack_lh"}},
    {"prelu", {"vprelu", "vpreluc", "vrpreluc", "prelu"}},
    {"reciprocal_square_root", {"vrsqrt"}},
    {"reduce_max", {"rmax", "rdmax"}},
    {"reduce_min", {"rmin", "rdmin"}},
    {"resize_bilinear", {"ibilinear"}},
    {"rope", {"vcmul", "cmul"}},
    {"sigmoid", {"vsigmoid"}},
    {"sine", {"vsin"}},
    {"slice", {"copy"}},
    {"softmax", {"raddstoreexpminusmax"}},
    {"space_to_depth", {"transposec", "transposev"}},
    {"split_dims", {"copy"}},
    {"square", {"vsqr"}},
    {"square_root", {"vsqrt"}},
    {"squared_difference", {"vsqrdiff", "vsqrdiffc"}},
    {"static_expand_dims", {"copy"}},
    {"static_reshape", {"copy"}},
    {"subtract", {"vsub", "vsubc", "vrsubc"}},
    {"sum", {"rsum", "rdsum"}},
    {"tanh", {"vtanh"}},
    {"transpose", {"transposec", "transposev"}},
    {"unpooling", {"unpool"}},
};
static_assert(is_sorted_table(kByFamily));

std::span<const std::string_view> operations_of(const OperatorName& op) {
  const OperationsRow* row = find_name(kByUkernel, op.ukernel);
  if (row == nullptr) row = find_name(kByFamily, op.family);
  if (row == nullptr) return {};
  const auto end = std::find(row->operations.begin(), row->operations.end(), std::string_view());
  return {row->operations.begin(), end};
}

bool is_weights(std::string_view type) {
  return type.size() == 4 && type[0] == 'q' && type[3] == 'w';
}

bool is_accumulator(std::string_view type) {
  return type.ends_with("acc");
}

bool types_fit(const KernelSymbol& kernel, const KernelDemand& demand, bool across_packing) {
  std::string_view weights;
  std::string_view output;
  for (std::size_t i = 1; i < kernel.types.size(); ++i) {
    if (is_weights(kernel.types[i]))
      weights = kernel.types[i];
    else if (!is_accumulator(kernel.types[i]))
      output = kernel.types[i];
  }
  if (!demand.input.empty()) {
    if (kernel.types.empty()) return false;
    std::string input(kernel.types[0]);
    if (across_packing && (input == "pf16" || input == "pf32" || input == "pqs8")) input.erase(0, 1);
    if (across_packing && input == "qp8") input = "qd8";
    if (input != demand.input && input != "xx") return false;
  }
  if (is_weights(demand.weights) && !weights.empty() && weights != demand.weights) return false;
  return demand.output.empty() || output.empty() || output == demand.output;
}

bool serves_operation(const KernelSymbol& kernel, const KernelDemand& demand) {
  return kernel.recognised && std::find(demand.operations.begin(), demand.operations.end(),
                                        kernel.operation) != demand.operations.end();
}

}  // namespace

KernelDemand demand_of(const OperatorName& op) {
  KernelDemand demand;
  if (op.library != "XNNPACK") return demand;
  demand.operations = operations_of(op);
  demand.input = lower_case(op.types.input == "QDU8" ? "QD8" : op.types.input);
  demand.weights = lower_case(op.types.weights == "QC8" ? "QC8W" : op.types.weights);
  demand.output = lower_case(op.types.output);
  return demand;
}

bool serves(const KernelSymbol& kernel, const KernelDemand& demand) {
  return serves_operation(kernel, demand) && types_fit(kernel, demand, false);
}

bool serves_packed_or_plain(const KernelSymbol& kernel, const KernelDemand& demand) {
  return serves_operation(kernel, demand) &&
         (types_fit(kernel, demand, false) || types_fit(kernel, demand, true));
}

}  // namespace accelscope::analysis
