// What an operator's name says: what kind of work it is, on which data, in whose library.
//
// A name is looked up in exact tables first: the phases of the runtime and of backends, XNNPACK's
// "<type> (<layout>, <data types>) <microkernel> #<n>", then the operators of ATen and ExecuTorch's libraries
// ("native_call_add.out", "aten.add.Tensor", "aten::add"). Only what is in no table is judged by its words,
// whole words and never parts of them. What no word matches stays unknown, and is to be shown as it is.
//
// Pure functions; safe from any thread. Views of the result point into the name or into constant tables, so
// the name must outlive it. Parse each distinct name once: it takes about a microsecond.
//
//   const OperatorName op = parse_operator_name("Convolution (NHWC, PF16) IGEMM #2");
//   op.category == Category::kConvolution;   op.family == "convolution";   op.types.input == "PF16";
//   op.sme_evidence == SmeEvidence::kImplied;   op.number == 2
#pragma once

#include <cstdint>
#include <string_view>

#include "analysis/category.h"
#include "analysis/data_types.h"

namespace accelscope::analysis {

// How a name was recognised.
enum class NameMatch : std::uint8_t {
  kNone,     // not at all
  kExact,    // in a table
  kWords,    // by words in it: likely, not certain
  kOpTypes,  // not from the name, but from the operators it was made of
};

struct OperatorName {
  std::string_view type;  // "Fully Connected", "native_layer_norm"; the whole name when it is unknown
  std::string_view layout;
  DataTypes types;
  std::string_view ukernel;  // XNNPACK's word for the kind of microkernel: "IGEMM"
  std::uint32_t number = 0;  // n of "#n"; 0: none
  // The same for all data types, layouts and spellings of an operator; what runs are compared by.
  std::string_view family;
  Category category = Category::kOther;
  bool packed = false;  // its input is packed, or it packs
  SmeEvidence sme_evidence = SmeEvidence::kNone;
  std::string_view library;  // "XNNPACK", "ATen", "Vulkan", ...; empty: not told
  NameMatch match = NameMatch::kNone;
  bool known() const { return match != NameMatch::kNone; }
};

OperatorName parse_operator_name(std::string_view name);

// The same, and where the name says nothing, what the exporter says it was made of: one operator or a list,
// "aten.convolution.default" or "['aten.convolution.default', 'aten.relu.default']". Of several the one that
// computes most decides.
OperatorName classify(std::string_view name, std::string_view op_types);

}  // namespace accelscope::analysis
