// The data type tags of XNNPACK's names: what they say about packing, quantisation and the kernels behind
// them.
//
// In "Fully Connected (NC, QD8, F32, QC8W)" QD8 is the input, F32 the output and QC8W the weights. A tag with
// a P (PF16, PF32, PQS8, QP8) says that the input is packed before the multiplication. XNNPACK has kernels
// for PF16, PF32 and PQS8 only where the processor has SME or SME2; those for QP8 may also use i8mm or dot
// products.
//
// Pure functions over views of the name; safe from any thread. The views point into the text that was given.
//
//   unpacked("PF16") == "F16";   sme_evidence_of("PF16") == SmeEvidence::kImplied
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace accelscope::analysis {

// What a name alone says about SME (or SME2: it cannot tell which).
enum class SmeEvidence : std::uint8_t {
  kNone,
  kPossible,  // SME-class kernels are among those that bear this name
  kImplied,   // only SME-class kernels bear this name
};

struct DataTypes {
  std::string_view input;    // empty: not told
  std::string_view weights;  // empty: not told, or the operator has none
  std::string_view output;
};

bool is_data_type(std::string_view tag);
// QC8W, QB4W, ...: quantised weights, per channel or per block.
bool is_weights_type(std::string_view tag);
bool is_packed(std::string_view tag);
// The type of the numbers before they are packed: F16 of PF16, QS8 of PQS8, QD8 of QP8.
std::string_view unpacked(std::string_view tag);
SmeEvidence sme_evidence_of(std::string_view tag);

// Which tag is which. `converts`: the operator's second type is what it makes; `has_weights`: it has weights,
// of the input's type where nothing else is said.
DataTypes data_types_of(std::span<const std::string_view> tags, bool converts, bool has_weights);

}  // namespace accelscope::analysis
