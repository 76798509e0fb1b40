#include "analysis/xnnpack_support.h"

#include "analysis/name_table.h"

namespace accelscope::analysis {
namespace {

// What several rows say.
constexpr std::string_view kFloatTensors =
    "The partitioner takes it for float tensors: check its data types, and that the model was lowered with "
    "the XNNPACK partitioner.";
constexpr std::string_view kFloatOrQuantised =
    "The partitioner takes it for float tensors and in statically quantised patterns: check its data types "
    "and the quantisation around it.";
constexpr std::string_view kAlphaOne =
    "It is delegated when alpha is 1 and both inputs are tensors of one type.";
constexpr std::string_view kConstantWeights =
    "It is delegated when its weights are constants of the model, in float or with quantised weights that "
    "the partitioner knows.";
constexpr std::string_view kNoSymbols =
    "It is delegated when no dimension is symbolic and at most one is inferred (-1).";
constexpr std::string_view kAroundQuantised =
    "It vanishes into the delegate when it stands directly around an operator that is delegated as "
    "quantised; alone it costs time.";
constexpr std::string_view kReluInstead = "The partitioner leaves it out at present: use leaky_relu or relu.";
constexpr std::string_view kExpAndLog = "Write it with exp, log and add, or use relu.";
constexpr std::string_view kSliceSigmoid = "Write it as slice, sigmoid and multiply.";
constexpr std::string_view kBatchNormInstead =
    "Use batch_norm, which is folded into the convolution before it.";
constexpr std::string_view kNoNormalisation =
    "No XNNPACK operator takes it: link the optimised kernel library, or fuse it in a custom operator.";
constexpr std::string_view kBilinearInstead =
    "Use bilinear upsampling with a static size, or a transposed convolution.";
constexpr std::string_view kSampling =
    "No delegate operator samples at computed places: write a custom operator.";
constexpr std::string_view kAfterTheModel = "Do it after the model, on its output, or on the host.";
constexpr std::string_view kSliceInstead =
    "Take the parts with slice (step 1, static shapes), which is delegated.";
constexpr std::string_view kBroadcast =
    "Leave it out where the next operator broadcasts, which the delegated binary operators do.";
constexpr std::string_view kViewInstead = "Use view with the wanted shape.";
constexpr std::string_view kViewPermuteView = "Write it as view, permute and view.";
constexpr std::string_view kConstantPadding =
    "Use constant padding, or the padding of the convolution behind it.";
constexpr std::string_view kFloorOfDivision =
    "Write it as floor of a division, or with multiply and subtract.";
constexpr std::string_view kMatrixAndAdd =
    "Write it as a batch matrix multiply (or a linear layer) and an addition.";
constexpr std::string_view kMaskArithmetic =
    "Use arithmetic on a mask of zeros and ones (or of large negative numbers) instead of a choice.";
constexpr std::string_view kRemove = "It does nothing at inference: remove it before export.";
constexpr std::string_view kEmbedding =
    "No delegate operator looks up rows: keep it on the CPU, and quantise the table (embedding_4bit) to read "
    "less memory.";
constexpr std::string_view kAddressing =
    "No delegate operator addresses memory by tensors: reshape the model to slices and concatenation, or "
    "write a custom operator.";
constexpr std::string_view kAttention =
    "Use the custom operators of the llama library (custom_sdpa), or let it decompose into batch matrix "
    "multiply and softmax.";
constexpr std::string_view kMeantToBeOutside =
    "It is a custom operator that is meant to run outside the delegate.";
constexpr std::string_view kUnroll =
    "Unroll it into linear layers, sigmoid and tanh, or use a convolutional or attention block.";
constexpr std::string_view kNotListed =
    "The partitioner does not list it: write a custom operator or choose another backend.";
constexpr std::string_view kQuantiseLayer =
    "Quantise the layer it belongs to with a scheme that the partitioner knows, so that it becomes one "
    "delegated operator.";
constexpr std::string_view kShapes =
    "It computes shapes for the program and costs little; delegates do not take it.";

// Sorted by family.
constexpr XnnpackSupport kRows[] = {
    {"abs", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"acos", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"acosh", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"add", SupportLevel::kWithConditions, Advice::kMeet, kAlphaOne},
    {"addbmm", SupportLevel::kNo, Advice::kReplace, kMatrixAndAdd},
    {"addmm", SupportLevel::kWithConditions, Advice::kMeet, kConstantWeights},
    {"addmv", SupportLevel::kNo, Advice::kReplace, kMatrixAndAdd},
    {"affine_grid_generator", SupportLevel::kNo, Advice::kCustomKernel, kSampling},
    {"alias", SupportLevel::kNo, Advice::kFuse, kRemove},
    {"all", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"any", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"argmax", SupportLevel::kNo, Advice::kFuse, kAfterTheModel},
    {"argmin", SupportLevel::kNo, Advice::kFuse, kAfterTheModel},
    {"as_strided", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"asin", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"asinh", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"atan", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"atan2", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"atanh", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"attention", SupportLevel::kNo, Advice::kCustomKernel, kAttention},
    {"average_pooling", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated without ceil_mode, without a divisor_override, and with padding only where "
     "count_include_pad is off."},
    {"baddbmm", SupportLevel::kNo, Advice::kReplace, kMatrixAndAdd},
    {"batch_matmul", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"batch_norm", SupportLevel::kWithConditions, Advice::kFuse,
     "It is delegated when it can be folded into the convolution or linear layer before it, or be "
     "decomposed: put it directly behind one."},
    {"bilinear", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"bitwise_and", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"bitwise_not", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"bitwise_or", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"bitwise_xor", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"ceiling", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"celu", SupportLevel::kNo, Advice::kReplace, kReluInstead},
    {"channel_shuffle", SupportLevel::kNo, Advice::kReplace, kViewPermuteView},
    {"choose_qparams", SupportLevel::kWithConditions, Advice::kFuse,
     "It is delegated only as part of a dynamically quantised linear layer or convolution."},
    {"circular_pad", SupportLevel::kNo, Advice::kReplace, kConstantPadding},
    {"clamp", SupportLevel::kYes, Advice::kLower, kFloatOrQuantised},
    {"clone", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated when it keeps the order of dimensions; a clone that changes the memory format stays "
     "outside."},
    {"compare", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"concatenate", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated for two tensors or more of one type."},
    {"constant_pad", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated when no padding is negative."},
    {"contiguous", SupportLevel::kNo, Advice::kFuse, kRemove},
    {"convert", SupportLevel::kNo, Advice::kFuse, kQuantiseLayer},
    {"convolution", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated as 1-D or 2-D convolution with constant weights; dynamically quantised only as 2-D and "
     "not depthwise."},
    {"copy", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"cosh", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"cosine", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"cumprod", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"cumsum", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"custom_quantized_sdpa", SupportLevel::kNo, Advice::kNone, kMeantToBeOutside},
    {"custom_sdpa", SupportLevel::kNo, Advice::kNone, kMeantToBeOutside},
    {"deconvolution", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated as 1-D or 2-D with constant weights; per-channel quantised weights need one group and "
     "the output channel as axis."},
    {"dequantize", SupportLevel::kWithConditions, Advice::kFuse, kAroundQuantised},
    {"detach", SupportLevel::kNo, Advice::kFuse, kRemove},
    {"diagonal", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"distance", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"divide", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"dropout", SupportLevel::kNo, Advice::kFuse, kRemove},
    {"einsum", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"elu", SupportLevel::kNo, Advice::kReplace, kReluInstead},
    {"embedding", SupportLevel::kNo, Advice::kCustomKernel, kEmbedding},
    {"embedding_bag", SupportLevel::kNo, Advice::kCustomKernel, kEmbedding},
    {"erf", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"erfc", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"et_view", SupportLevel::kNo, Advice::kNone, kShapes},
    {"exp", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"exp2", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"expand", SupportLevel::kNo, Advice::kReplace, kBroadcast},
    {"expm1", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"fake_quantize", SupportLevel::kNo, Advice::kFuse, kQuantiseLayer},
    {"fft", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"fill", SupportLevel::kNo, Advice::kFuse,
     "Its value is known at export: make it a constant of the model."},
    {"flash_attention", SupportLevel::kNo, Advice::kCustomKernel, kAttention},
    {"flatten", SupportLevel::kNo, Advice::kReplace, kViewInstead},
    {"flip", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"floor", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"floor_divide", SupportLevel::kNo, Advice::kReplace, kFloorOfDivision},
    {"fmod", SupportLevel::kNo, Advice::kReplace, kFloorOfDivision},
    {"fold", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"gather", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"gelu", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated for F32, not for F16: keep it in F32 or use hardswish or relu."},
    {"glu", SupportLevel::kNo, Advice::kReplace, kSliceSigmoid},
    {"grid_sample", SupportLevel::kNo, Advice::kCustomKernel, kSampling},
    {"group_norm", SupportLevel::kNo, Advice::kReplace, kBatchNormInstead},
    {"gru", SupportLevel::kNo, Advice::kReplace, kUnroll},
    {"gru_cell", SupportLevel::kNo, Advice::kReplace, kUnroll},
    {"hadamard_transform", SupportLevel::kNo, Advice::kNone, kMeantToBeOutside},
    {"hard_sigmoid", SupportLevel::kNo, Advice::kReplace,
     "Write it as clamp(x + 3, 0, 6) / 6, which is delegated."},
    {"hard_swish", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"hardtanh", SupportLevel::kYes, Advice::kLower, kFloatOrQuantised},
    {"index", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"index_add", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"index_copy", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"index_put", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"index_select", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"instance_norm", SupportLevel::kNo, Advice::kReplace, kBatchNormInstead},
    {"isinf", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"isnan", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"item", SupportLevel::kNo, Advice::kNone, kShapes},
    {"layer_norm", SupportLevel::kNo, Advice::kCustomKernel, kNoNormalisation},
    {"leaky_relu", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"lift_fresh", SupportLevel::kNo, Advice::kFuse, kRemove},
    {"lift_fresh_copy", SupportLevel::kNo, Advice::kFuse, kRemove},
    {"linear", SupportLevel::kWithConditions, Advice::kMeet, kConstantWeights},
    {"linear_algebra", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"local_response_norm", SupportLevel::kNo, Advice::kReplace, kBatchNormInstead},
    {"log", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"log10", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"log1p", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"log2", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"log_sigmoid", SupportLevel::kNo, Advice::kReplace, kExpAndLog},
    {"log_softmax", SupportLevel::kNo, Advice::kReplace,
     "Take log after softmax over the last dimension, or take it out of the model: arg max does not need "
     "it."},
    {"logical_and", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"logical_not", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"logical_or", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"logical_xor", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"logit", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"logsumexp", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"lstm", SupportLevel::kNo, Advice::kReplace, kUnroll},
    {"lstm_cell", SupportLevel::kNo, Advice::kReplace, kUnroll},
    {"masked_fill", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
    {"masked_scatter", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"masked_select", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"matmul", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated as batch matrix multiply: give both inputs three dimensions, or constant weights as a "
     "linear layer."},
    {"max_pooling", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated when the stride is not larger than the kernel, ceil_mode has static shapes, and the "
     "indices are not used."},
    {"maximum", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"mean", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated only over the last two dimensions of a 4-D tensor with keepdim=True and no dtype."},
    {"median", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"minimum", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"mish", SupportLevel::kNo, Advice::kReplace, kExpAndLog},
    {"mixed_linear", SupportLevel::kNo, Advice::kFuse, kQuantiseLayer},
    {"mixed_mm", SupportLevel::kNo, Advice::kFuse, kQuantiseLayer},
    {"mm", SupportLevel::kWithConditions, Advice::kMeet, kConstantWeights},
    {"moe_ffn", SupportLevel::kNo, Advice::kNone, kMeantToBeOutside},
    {"multi_head_attention", SupportLevel::kNo, Advice::kCustomKernel, kAttention},
    {"multiply", SupportLevel::kYes, Advice::kLower, kFloatOrQuantised},
    {"mv", SupportLevel::kNo, Advice::kReplace, kMatrixAndAdd},
    {"narrow", SupportLevel::kNo, Advice::kReplace, kSliceInstead},
    {"negate", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"nms", SupportLevel::kNo, Advice::kFuse, kAfterTheModel},
    {"nonzero", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"normalize", SupportLevel::kNo, Advice::kCustomKernel, kNoNormalisation},
    {"one_hot", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"pixel_shuffle", SupportLevel::kNo, Advice::kReplace, kViewPermuteView},
    {"pixel_unshuffle", SupportLevel::kNo, Advice::kReplace, kViewPermuteView},
    {"power", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated only with the integer exponent 2: write other powers as multiplications."},
    {"prelu", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated when the weight is a parameter of the model."},
    {"prod", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"quantize", SupportLevel::kWithConditions, Advice::kFuse, kAroundQuantised},
    {"random", SupportLevel::kNo, Advice::kFuse, "Draw the numbers outside and pass them in as an input."},
    {"reciprocal", SupportLevel::kNo, Advice::kReplace, "Divide 1 by it."},
    {"reciprocal_square_root", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"reduce_max", SupportLevel::kWithConditions, Advice::kMeet,
     "max over one dimension is delegated for 4-D tensors when its indices are not used; amax and max over "
     "all are not."},
    {"reduce_min", SupportLevel::kNo, Advice::kReplace,
     "Use max of the negated values over one dimension of a 4-D tensor."},
    {"reflection_pad", SupportLevel::kNo, Advice::kReplace, kConstantPadding},
    {"relu", SupportLevel::kYes, Advice::kLower, kFloatOrQuantised},
    {"remainder", SupportLevel::kNo, Advice::kReplace, kFloorOfDivision},
    {"repeat", SupportLevel::kNo, Advice::kReplace, kBroadcast},
    {"repeat_interleave", SupportLevel::kNo, Advice::kReplace, kBroadcast},
    {"replication_pad", SupportLevel::kNo, Advice::kReplace, kConstantPadding},
    {"requantize", SupportLevel::kNo, Advice::kFuse, kQuantiseLayer},
    {"reshape", SupportLevel::kWithConditions, Advice::kMeet, kNoSymbols},
    {"resize", SupportLevel::kNo, Advice::kReplace, kBilinearInstead},
    {"resize_bicubic", SupportLevel::kNo, Advice::kReplace, kBilinearInstead},
    {"resize_bilinear", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated when the output size is static."},
    {"resize_linear", SupportLevel::kNo, Advice::kReplace, kBilinearInstead},
    {"resize_nearest", SupportLevel::kNo, Advice::kReplace, kBilinearInstead},
    {"resize_trilinear", SupportLevel::kNo, Advice::kReplace, kBilinearInstead},
    {"rms_norm", SupportLevel::kNo, Advice::kCustomKernel, kNoNormalisation},
    {"rnn", SupportLevel::kNo, Advice::kReplace, kUnroll},
    {"rnn_relu", SupportLevel::kNo, Advice::kReplace, kUnroll},
    {"rnn_tanh", SupportLevel::kNo, Advice::kReplace, kUnroll},
    {"roi_align", SupportLevel::kNo, Advice::kCustomKernel, kSampling},
    {"roll", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"rope", SupportLevel::kNo, Advice::kNone, kMeantToBeOutside},
    {"round", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"scaled_dot_product_attention", SupportLevel::kNo, Advice::kCustomKernel, kAttention},
    {"scatter", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"scatter_add", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"sdpa_with_kv_cache", SupportLevel::kNo, Advice::kNone, kMeantToBeOutside},
    {"searchsorted", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"select", SupportLevel::kNo, Advice::kReplace, kSliceInstead},
    {"select_scatter", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"selu", SupportLevel::kNo, Advice::kReplace, kReluInstead},
    {"shift_left", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"shift_right", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"sigmoid", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"sign", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"silu", SupportLevel::kNo, Advice::kReplace,
     "Let it be decomposed into sigmoid and multiply, which are delegated."},
    {"sine", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"sinh", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"slice", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated with step 1 and static, non-empty shapes."},
    {"slice_scatter", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"softmax", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated only over the last dimension."},
    {"softplus", SupportLevel::kNo, Advice::kReplace, kExpAndLog},
    {"softsign", SupportLevel::kNo, Advice::kReplace, kExpAndLog},
    {"sort", SupportLevel::kNo, Advice::kFuse, kAfterTheModel},
    {"split", SupportLevel::kNo, Advice::kReplace, kSliceInstead},
    {"square", SupportLevel::kWithConditions, Advice::kMeet, "It is delegated as pow(x, 2): export it so."},
    {"square_root", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"squeeze", SupportLevel::kNo, Advice::kReplace, kViewInstead},
    {"stack", SupportLevel::kNo, Advice::kReplace, "Use unsqueeze of the last dimension and cat."},
    {"subtract", SupportLevel::kWithConditions, Advice::kMeet, kAlphaOne},
    {"sum", SupportLevel::kNo, Advice::kReplace,
     "Use mean over the last two dimensions times their size, which is delegated."},
    {"swiglu", SupportLevel::kNo, Advice::kReplace, kSliceSigmoid},
    {"sym_numel", SupportLevel::kNo, Advice::kNone, kShapes},
    {"sym_size", SupportLevel::kNo, Advice::kNone, kShapes},
    {"take", SupportLevel::kNo, Advice::kCustomKernel, kAddressing},
    {"tan", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"tanh", SupportLevel::kYes, Advice::kLower, kFloatTensors},
    {"tensordot", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"to_copy", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated when it only changes the order of dimensions, not when it converts the data type: keep "
     "one type through the model."},
    {"topk", SupportLevel::kNo, Advice::kFuse, kAfterTheModel},
    {"transpose", SupportLevel::kWithConditions, Advice::kMeet,
     "The delegate takes permute; write transpose and t as permute. A permute that stayed outside stands "
     "between operators "
     "that are not delegated, or at the border of the model: give the input in the layout that is used."},
    {"tril", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"triu", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"trunc", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"unbind", SupportLevel::kNo, Advice::kReplace, kSliceInstead},
    {"unflatten", SupportLevel::kNo, Advice::kReplace, kViewInstead},
    {"unfold", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"unsqueeze", SupportLevel::kWithConditions, Advice::kMeet,
     "It is delegated only for a new last dimension: use view for others."},
    {"update_cache", SupportLevel::kNo, Advice::kNone, kMeantToBeOutside},
    {"variance", SupportLevel::kNo, Advice::kReplace,
     "Write it with mean and multiply over the last two dimensions of a 4-D tensor."},
    {"vector_norm", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"view", SupportLevel::kWithConditions, Advice::kMeet, kNoSymbols},
    {"view_as_real", SupportLevel::kNo, Advice::kCustomKernel, kNotListed},
    {"weight_norm", SupportLevel::kNo, Advice::kCustomKernel, kNoNormalisation},
    {"where", SupportLevel::kNo, Advice::kReplace, kMaskArithmetic},
};
static_assert(is_sorted_table(kRows));

constexpr XnnpackSupport kNotListedRow = {
    "", SupportLevel::kNotInTable, Advice::kNone,
    "It is not in the table: whether the XNNPACK delegate could take it is not known here."};

}  // namespace

const XnnpackSupport& xnnpack_support_of(std::string_view family) {
  const XnnpackSupport* row = find_name(kRows, family);
  return row != nullptr ? *row : kNotListedRow;
}

std::string_view name_of(SupportLevel level) {
  constexpr std::string_view kNames[] = {"not in the table", "yes", "with conditions", "no"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string_view name_of(Advice advice) {
  constexpr std::string_view kNames[] = {"none",    "lower it",   "meet the conditions",
                                         "fuse it", "replace it", "custom kernel or backend"};
  return kNames[static_cast<std::size_t>(advice)];
}

}  // namespace accelscope::analysis
