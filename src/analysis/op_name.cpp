// Names of ATen and related libraries, in all the ways that programs, records and backends spell them.
#include <algorithm>

#include "analysis/aten_ops.h"
#include "analysis/name_grammar.h"

namespace accelscope::analysis {
namespace {

struct Namespace {
  std::string_view name;
  std::string_view library;
};
// Sorted by name.
constexpr Namespace kNamespaces[] = {{"aten", "ATen"},
                                     {"cadence", "Cadence"},
                                     {"cortex_m", "Cortex-M"},
                                     {"dim_order_ops", "dim_order_ops"},
                                     {"et_copy", "et_copy"},
                                     {"et_vk", "Vulkan"},
                                     {"executorch_prim", "executorch_prim"},
                                     {"llama", "llama"},
                                     {"prim", "ATen"},
                                     {"prims", "ATen"},
                                     {"qnnpack", "QNNPACK"},
                                     {"quantized", "quantized"},
                                     {"quantized_decomposed", "quantized_decomposed"},
                                     {"torchao", "torchao"},
                                     {"xnnpack", "XNNPACK"}};
static_assert(is_sorted_table(kNamespaces));

constexpr std::string_view kOverloads[] = {"_default",     "_tensor_scalar", "_tensor_tensor", "_tensor_mode",
                                           "_scalar_mode", "_dim_intlist",   "_tensor",        "_scalar",
                                           "_intlist",     "_correction",    "_dims",          "_self",
                                           "_dim",         "_int",           "_vec",           "_out"};

void drop_prefix(std::string_view& text, std::string_view prefix) {
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
}

// What only tells variants apart goes, one piece at a time, until the table knows the rest.
const NameRow* find_variant(std::string_view op) {
  while (!op.empty()) {
    if (const NameRow* row = find_aten_op(op)) return row;
    if (op.front() == '_')
      op.remove_prefix(1);
    else if (op.starts_with("native_"))
      op.remove_prefix(7);
    else if (op.ends_with("_copy"))
      op.remove_suffix(5);
    else if (op.back() == '_')
      op.remove_suffix(1);
    else
      return nullptr;
  }
  return nullptr;
}

// "aten_add_tensor_3": a node's name, with the overload and a number behind underscores.
const NameRow* find_node(std::string_view op) {
  const std::size_t last = op.find_last_not_of("0123456789");
  if (last != std::string_view::npos && last + 1 < op.size() && op[last] == '_') op = op.substr(0, last);
  for (const std::string_view overload : kOverloads)
    if (op.ends_with(overload))
      if (const NameRow* row = find_variant(op.substr(0, op.size() - overload.size()))) return row;
  return find_variant(op);
}

}  // namespace

OpName find_op(std::string_view name) {
  const std::string lower = lower_case(name);
  std::string_view rest = lower;
  OpName found;
  const auto take_namespace = [&](std::string_view space) {
    if (const Namespace* known = find_name(kNamespaces, space)) found.library = known->library;
  };
  const std::size_t opening = rest.find("native_call_") == 0 ? 12 : 0;
  rest.remove_prefix(opening);
  drop_prefix(rest, "torch.ops.");
  drop_prefix(rest, "edge.");
  bool is_node = false;
  if (const std::size_t colons = rest.rfind("::"); colons != std::string_view::npos) {
    take_namespace(rest.substr(0, colons));
    rest.remove_prefix(colons + 2);
  } else if (const std::size_t dot = rest.find('.');
             dot != std::string_view::npos && find_name(kNamespaces, rest.substr(0, dot)) != nullptr) {
    take_namespace(rest.substr(0, dot));
    rest.remove_prefix(dot + 1);
  } else if (rest.starts_with("aten_") && opening == 0) {
    found.library = "ATen";
    rest.remove_prefix(5);
    is_node = true;
  }
  rest = rest.substr(0, rest.find('.'));
  found.op = name.substr(static_cast<std::size_t>(rest.data() - lower.data()), rest.size());
  found.row = is_node ? find_node(rest) : find_variant(rest);
  return found;
}

}  // namespace accelscope::analysis
