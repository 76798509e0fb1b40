#include "formats/etrecord/record_json.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace accelscope::formats::etrecord {
namespace {

namespace dom = simdjson::dom;

base::Result<dom::element> parse(dom::parser& parser, const std::string& json) {
  dom::element document;
  // Copies the text only when the string has no room for the bytes the parser reads past the end.
  const simdjson::error_code error = parser.parse(json).get(document);
  if (error == simdjson::SUCCESS) return document;
  return base::fail(base::ErrorCode::kMalformed, "not valid JSON: {}", simdjson::error_message(error));
}

std::optional<std::int64_t> integer_in(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Instruction> instruction_in(std::string_view text) {
  const std::optional<std::int64_t> value = integer_in(text);
  if (!value || *value < 0 || *value > std::numeric_limits<Instruction>::max()) return std::nullopt;
  return static_cast<Instruction>(*value);
}

// Every integer in a text: "7", "[7, 8]", "(7,)".
void add_integers(std::string_view text, std::vector<DebugHandle>& handles) {
  constexpr std::string_view kDigits = "0123456789";
  for (std::size_t from = text.find_first_of(kDigits); from != std::string_view::npos;) {
    const std::size_t to = std::min(text.find_first_not_of(kDigits, from), text.size());
    if (const auto value = integer_in(text.substr(from, to - from))) handles.push_back(*value);
    from = text.find_first_of(kDigits, to);
  }
}

// A handle, a list of them, or a text of either.
std::vector<DebugHandle> handles_in(dom::element value) {
  std::vector<DebugHandle> handles;
  const auto add = [&](dom::element one) {
    std::int64_t number = 0;
    std::string_view text;
    if (one.get(number) == simdjson::SUCCESS)
      handles.push_back(number);
    else if (one.get(text) == simdjson::SUCCESS)
      add_integers(text, handles);
  };
  dom::array list;
  if (value.get(list) != simdjson::SUCCESS) {
    add(value);
    return handles;
  }
  for (const dom::element one : list) add(one);
  return handles;
}

Delegate delegate_in(dom::object value) {
  Delegate delegate;
  std::string_view name;
  if (value["name"].get(name) == simdjson::SUCCESS) delegate.backend = name;
  dom::object events;
  if (value["delegate_map"].get(events) != simdjson::SUCCESS) return delegate;
  for (const dom::key_value_pair event : events)
    delegate.events[std::string(event.key)] = {handles_in(event.value), delegate.events.size()};
  return delegate;
}

// Calls add(method, instruction, value) for a map with or without a level of methods above the instructions.
// `is_value` tells what belongs to an instruction from another level of the map.
template <class IsValue, class Add>
base::Status walk_map(const std::string& json, std::string_view only_method, EtRecord& record,
                      IsValue&& is_value, Add&& add) {
  dom::parser parser;
  ACCELSCOPE_TRY(const dom::element document, parse(parser, json));
  if (document.is_null()) return {};
  dom::object map;
  if (document.get(map) != simdjson::SUCCESS)
    return base::fail(base::ErrorCode::kMalformed, "expected a JSON object of methods or instructions");
  for (const dom::key_value_pair outer : map) {
    const std::optional<Instruction> instruction = instruction_in(outer.key);
    if (instruction && is_value(outer.value)) {
      add(record.method(only_method), *instruction, outer.value);
      continue;
    }
    dom::object instructions;
    if (outer.value.get(instructions) != simdjson::SUCCESS) continue;
    const bool is_new = std::none_of(record.methods.begin(), record.methods.end(),
                                     [&](const Method& known) { return known.name == outer.key; });
    if (is_new && record.methods.size() >= EtRecord::kMaxMethods)
      return base::fail(base::ErrorCode::kTooLarge, "more than {} methods", EtRecord::kMaxMethods);
    Method& method = record.method(outer.key);
    for (const dom::key_value_pair inner : instructions)
      if (const std::optional<Instruction> number = instruction_in(inner.key))
        add(method, *number, inner.value);
  }
  return {};
}

bool is_no_object(dom::element value) {
  return !value.is_object();
}

bool is_delegate(dom::element value) {
  dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return false;
  return object["name"].error() == simdjson::SUCCESS || object["delegate_map"].error() == simdjson::SUCCESS;
}

std::string text_at(dom::object object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::string first_output_name(dom::object node) {
  dom::array outputs;
  if (node["outputs"].get(outputs) != simdjson::SUCCESS) return {};
  for (const dom::element output : outputs) {
    std::string_view name;
    if (output["as_tensor"]["name"].get(name) == simdjson::SUCCESS) return std::string(name);
    if (output["as_tensors"].at(0)["name"].get(name) == simdjson::SUCCESS) return std::string(name);
  }
  return {};
}

// A node is kept once for each of its handles. The budget, in bytes, keeps a node with a long stack trace and
// thousands of handles from filling the memory; false when it is spent.
bool add_node(dom::object node, Method& method, std::uint64_t& budget) {
  dom::object metadata;
  if (node["metadata"].get(metadata) != simdjson::SUCCESS) return true;
  dom::element handle_element;
  if (metadata["debug_handle"].get(handle_element) != simdjson::SUCCESS) return true;
  const std::vector<DebugHandle> handles = handles_in(handle_element);
  if (handles.empty()) return true;
  std::string_view target;
  if (node["target"].get(target) != simdjson::SUCCESS) target = {};
  // Picks one output of a node that has the same handle: no operation of its own.
  if (target.ends_with("getitem")) return true;
  const GraphNode made{first_output_name(node), op_of_target(target), text_at(metadata, "stack_trace"),
                       text_at(metadata, "nn_module_stack")};
  const std::uint64_t bytes = sizeof(GraphNode) + made.name.size() + made.op.size() +
                              made.stack_trace.size() + made.module_stack.size();
  if (bytes > budget / handles.size()) return false;
  budget -= bytes * handles.size();
  for (const DebugHandle handle : handles) method.nodes[handle].push_back(made);
  return true;
}

// Branches and loop bodies are graphs that a node takes as arguments.
void find_inner_graphs(dom::object node, std::vector<dom::object>& graphs) {
  dom::array inputs;
  if (node["inputs"].get(inputs) != simdjson::SUCCESS) return;
  for (const dom::element input : inputs) {
    dom::object graph;
    if (input["arg"]["as_graph"]["graph"].get(graph) == simdjson::SUCCESS) graphs.push_back(graph);
  }
}

}  // namespace

std::string op_of_target(std::string_view target) {
  for (const std::string_view prefix :
       {"executorch.exir.dialects.edge.ops.", "executorch.exir.dialects.edge._ops.",
        "torch.ops.higher_order.", "torch.ops.", "torch._higher_order_ops."})
    if (target.starts_with(prefix)) return std::string(target.substr(prefix.size()));
  return std::string(target);
}

base::Status add_debug_handle_map(const std::string& json, std::string_view only_method, EtRecord& record) {
  return walk_map(json, only_method, record, is_no_object,
                  [](Method& method, Instruction instruction, dom::element value) {
                    method.handles[instruction] = handles_in(value);
                  });
}

base::Status add_delegate_map(const std::string& json, std::string_view only_method, EtRecord& record) {
  return walk_map(json, only_method, record, is_delegate,
                  [](Method& method, Instruction instruction, dom::element value) {
                    dom::object delegate;
                    if (value.get(delegate) == simdjson::SUCCESS)
                      method.delegates[instruction] = delegate_in(delegate);
                  });
}

base::Status add_output_counts(const std::string& json, std::string_view only_method, EtRecord& record) {
  return walk_map(json, only_method, record, is_no_object,
                  [](Method& method, Instruction instruction, dom::element value) {
                    std::int64_t count = 0;
                    if (value.get(count) == simdjson::SUCCESS && count >= 0 && count <= 1'000'000)
                      method.output_counts[instruction] = static_cast<std::int32_t>(count);
                  });
}

base::Status add_graph(const std::string& json, Method& method) {
  dom::parser parser;
  ACCELSCOPE_TRY(const dom::element document, parse(parser, json));
  dom::object outermost;
  if (document["graph_module"]["graph"].get(outermost) != simdjson::SUCCESS &&
      document["graph"].get(outermost) != simdjson::SUCCESS)
    return base::fail(base::ErrorCode::kMalformed,
                      "no graph_module.graph: not an exported program as expected");
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;
  std::uint64_t budget = std::uint64_t{json.size()} * 8 + kSmall;
  std::vector<dom::object> graphs = {outermost};
  while (!graphs.empty()) {
    const dom::object graph = graphs.back();
    graphs.pop_back();
    dom::array nodes;
    if (graph["nodes"].get(nodes) != simdjson::SUCCESS) continue;
    for (const dom::element element : nodes) {
      dom::object node;
      if (element.get(node) != simdjson::SUCCESS) continue;
      if (!add_node(node, method, budget)) {
        method.nodes.clear();
        return base::fail(base::ErrorCode::kTooLarge, "its nodes have more debug handles than any program's");
      }
      find_inner_graphs(node, graphs);
    }
  }
  return {};
}

}  // namespace accelscope::formats::etrecord
