#include "analysis/data_types.h"

#include <algorithm>

namespace accelscope::analysis {
namespace {

constexpr std::string_view kTypes[] = {
    "BF16", "BOOL", "F16", "F32",  "F64", "FP16", "FP32",  "INT32", "PF16", "PF32", "PQS8", "QB4W",
    "QC2W", "QC4W", "QC8", "QC8W", "QD8", "QDU8", "QINT8", "QP8",   "QS16", "QS8",  "QU8",  "S16",
    "S32",  "S8",   "U16", "U32",  "U8",  "X16",  "X24",   "X32",   "X64",  "X8",   "XX"};

template <std::size_t kSize>
bool contains(const std::string_view (&list)[kSize], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

}  // namespace

bool is_data_type(std::string_view tag) {
  return contains(kTypes, tag);
}

bool is_weights_type(std::string_view tag) {
  return tag.size() == 4 && tag.ends_with('W') && (tag.starts_with("QC") || tag.starts_with("QB"));
}

bool is_packed(std::string_view tag) {
  return tag == "PF16" || tag == "PF32" || tag == "PQS8" || tag == "QP8";
}

std::string_view unpacked(std::string_view tag) {
  if (tag == "QP8") return "QD8";
  return is_packed(tag) ? tag.substr(1) : tag;
}

SmeEvidence sme_evidence_of(std::string_view tag) {
  if (!is_packed(tag)) return SmeEvidence::kNone;
  return tag == "QP8" ? SmeEvidence::kPossible : SmeEvidence::kImplied;
}

DataTypes data_types_of(std::span<const std::string_view> tags, bool converts, bool has_weights) {
  DataTypes types;
  for (const std::string_view tag : tags) {
    if (is_weights_type(tag) && !converts)
      types.weights = tag;
    else if (types.input.empty())
      types.input = tag;
    else
      types.output = tag;
  }
  // "Convolution (NHWC, QC8)" is how older releases say: QS8 with weights quantised per channel.
  if (has_weights && types.input == "QC8") {
    types.weights = types.input;
    types.input = "QS8";
  }
  if (types.output.empty()) types.output = unpacked(types.input);
  if (has_weights && types.weights.empty()) types.weights = unpacked(types.input);
  return types;
}

}  // namespace accelscope::analysis
