#include "analysis/operator_name.h"

#include <algorithm>

#include "analysis/backend_phases.h"
#include "analysis/name_grammar.h"
#include "analysis/xnnpack_types.h"

namespace accelscope::analysis {
namespace {

constexpr std::string_view kUnits[] = {" (us)", " (cycles)", " (bytes)", " (count)"};

void take_row(OperatorName& op, const NameRow& row, NameMatch match) {
  op.family = row.family;
  op.category = row.category;
  op.match = match;
  if (op.library.empty()) op.library = row.library;
}

void take_types(OperatorName& op, const XnnpackName& parts) {
  const bool has_weights = op.category == Category::kConvolution || op.category == Category::kGemm;
  op.types = data_types_of(parts.tags, op.category == Category::kConvertQuantise, has_weights);
  op.sme_evidence = std::max(sme_evidence_of(op.types.input), sme_evidence_of(op.types.output));
  op.packed = is_packed(op.types.input) || is_packed(op.types.output);
  // Only SME-class configurations of today's XNNPACK use this operator, but no tag of it says so.
  if (op.family == "pack_lh") {
    op.packed = true;
    op.sme_evidence = SmeEvidence::kPossible;
  }
}

// A name in XNNPACK's form. Its type may be newer than the table: then its words decide.
bool parse_xnnpack(std::string_view name, OperatorName& op) {
  const XnnpackName parts = split_xnnpack_name(name);
  const NameRow* row = find_xnnpack_type(lower_case(parts.type));
  const bool has_form = parts.has_parenthesis || parts.number != 0;
  const bool is_graph_node = row != nullptr && parts.type.find(' ') != std::string_view::npos;
  if (!has_form && !is_graph_node) return false;
  // Without a layout in front of it "(...)" may be anybody's; then only a type of the table will do.
  if (row == nullptr && (parts.number == 0 || !parts.has_parenthesis)) return false;
  op.type = parts.type;
  op.layout = parts.layout;
  op.ukernel = parts.ukernel;
  op.number = parts.number;
  op.library = "XNNPACK";
  if (row != nullptr) {
    take_row(op, *row, NameMatch::kExact);
  } else {
    op.family = parts.type;
    row = find_by_words(parts.type);
    if (row == nullptr) row = find_by_words(parts.ukernel);
    if (row != nullptr) take_row(op, *row, NameMatch::kWords);
  }
  take_types(op, parts);
  return true;
}

bool has_word(std::string_view lower, std::string_view word) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  for (std::size_t at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(lower[at - 1])) && (end == lower.size() || !is_letter(lower[end])))
      return true;
  }
  return false;
}

// A phase of a known backend that is in no table: what it is called after the backend's prefix.
void parse_new_phase(std::string_view name, OperatorName& op) {
  const std::string lower = lower_case(name);
  constexpr NameRow kPhases[] = {{"init", "load", Category::kFramework},
                                 {"outputs", "copy_out", Category::kDataMovement},
                                 {"output", "copy_out", Category::kDataMovement},
                                 {"copy", "copy_in", Category::kDataMovement},
                                 {"memcpy", "copy_in", Category::kDataMovement},
                                 {"inputs", "copy_in", Category::kDataMovement},
                                 {"dispatch", "backend_dispatch", Category::kOther},
                                 {"submit", "backend_dispatch", Category::kOther},
                                 {"execute", "backend_execute", Category::kDelegateOverhead}};
  for (const NameRow& phase : kPhases)
    if (has_word(lower, phase.name)) return take_row(op, phase, NameMatch::kWords);
}

// Vulkan's shaders: {conv2d_dw_3x3, "dispatch_id": 4}
std::string_view shader_of(std::string_view name) {
  if (!name.starts_with('{') || name.find("\"dispatch_id\"") == std::string_view::npos) return {};
  return trimmed(name.substr(1, name.find(',') - 1));
}

std::string_view without_unit(std::string_view name) {
  for (const std::string_view unit : kUnits)
    if (name.ends_with(unit)) return name.substr(0, name.size() - unit.size());
  return name;
}

void parse_op(std::string_view name, OperatorName& op) {
  const OpName found = find_op(name);
  if (found.row != nullptr) {
    op.type = found.op;
    // A bare word is anybody's; one with a namespace or the runtime's prefix is not.
    const bool native = name.starts_with("native_call_");
    if (op.library.empty()) op.library = found.library;
    take_row(op, *found.row, NameMatch::kExact);
    if (op.library.empty() && native) op.library = "ATen";
    return;
  }
  if (op.library.empty()) op.library = found.library;
  if (name.starts_with("native_call_")) op.type = found.op;
  if (const NameRow* row = find_by_words(op.type)) take_row(op, *row, NameMatch::kWords);
}

}  // namespace

OperatorName parse_operator_name(std::string_view name) {
  OperatorName op;
  op.type = name;
  op.family = name;
  const std::string_view measured = without_unit(name);
  if (const NameRow* phase = find_backend_phase(measured)) {
    take_row(op, *phase, NameMatch::kExact);
    return op;
  }
  op.library = library_of_prefix(name);
  if (!op.library.empty()) {
    parse_new_phase(name, op);
    return op;
  }
  if (parse_xnnpack(name, op)) return op;
  if (const std::string_view shader = shader_of(name); !shader.empty()) {
    op.library = "Vulkan";
    op.type = shader;
    op.family = shader;
    if (const NameRow* row = find_by_words(shader)) take_row(op, *row, NameMatch::kWords);
    return op;
  }
  if (measured.size() != name.size()) op.library = "QNN";
  const std::size_t id = measured.find(":OpId_");
  if (id != std::string_view::npos || op.library == "QNN") op.type = measured.substr(0, id);
  op.family = op.type;
  parse_op(op.type, op);
  return op;
}

OperatorName classify(std::string_view name, std::string_view op_types) {
  OperatorName op = parse_operator_name(name);
  if (op.known()) return op;
  constexpr std::string_view kSeparators = "[](){},;'\" \t\r\n";
  for (std::size_t at = op_types.find_first_not_of(kSeparators); at != std::string_view::npos;) {
    const std::size_t end = op_types.find_first_of(kSeparators, at);
    const OperatorName part = parse_operator_name(op_types.substr(at, end - at));
    if (part.known() && (!op.known() || rank_of(part.category) < rank_of(op.category))) {
      op.family = part.family;
      op.category = part.category;
      op.match = NameMatch::kOpTypes;
      if (op.library.empty()) op.library = part.library;
    }
    if (end == std::string_view::npos) break;
    at = op_types.find_first_not_of(kSeparators, end);
  }
  return op;
}

}  // namespace accelscope::analysis
