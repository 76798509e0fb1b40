#include "formats/etrecord/method_match.h"

#include <algorithm>
#include <set>

namespace accelscope::formats::etrecord {
namespace {

using trace::EventRole;

struct Score {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;

  void count(bool hit) { ++(hit ? hits : misses); }
  std::int64_t value() const { return static_cast<std::int64_t>(hits) - static_cast<std::int64_t>(misses); }
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

// "native_call_add.out" and "aten.add.Tensor" are the same operator: "add".
bool same_operator(std::string_view event, std::string_view op) {
  if (!event.starts_with(trace::kNativeCallPrefix)) return false;
  event.remove_prefix(trace::kNativeCallPrefix.size());
  event = event.substr(0, event.find('.'));
  const std::size_t name_space = op.find('.');
  if (name_space == std::string_view::npos) return false;
  op.remove_prefix(name_space + 1);
  return event == op.substr(0, op.find('.'));
}

bool node_agrees(const Method& method, const TraceEvent& event) {
  const auto handles = method.handles.find(event.instruction);
  if (handles == method.handles.end()) return false;
  bool agrees = false;
  for_each_node(method, handles->second,
                [&](const GraphNode& node) { agrees = agrees || same_operator(event.name, node.op); });
  return agrees;
}

Score score_of(const Method& method, std::span<const TraceEvent> events) {
  Score score;
  std::set<Instruction> seen;
  for (const TraceEvent& event : events) {
    seen.insert(event.instruction);
    const auto delegate = method.delegates.find(event.instruction);
    const bool is_delegate = delegate != method.delegates.end();
    switch (event.role) {
      case EventRole::kDelegateCall:
        score.count(is_delegate);
        if (is_delegate && !event.known_backend.empty())
          score.count(lower(delegate->second.backend).find(lower(event.known_backend)) != std::string::npos);
        break;
      case EventRole::kDelegateOperator:
        if (is_delegate && delegate->second.events.count(event.delegate_id()) > 0) score.count(true);
        break;
      case EventRole::kOperatorCall:
        score.count(!is_delegate && method.handles.count(event.instruction) > 0);
        break;
      case EventRole::kOperator:
        // Names change on the way to the runtime, so that only agreement says something.
        if (node_agrees(method, event)) score.count(true);
        break;
      default:
        break;
    }
  }
  // A run that skips much of a method is more likely one of another method.
  for (const auto& entry : method.handles)
    if (seen.count(entry.first) == 0) score.count(false);
  return score;
}

}  // namespace

MethodMatch best_method(const EtRecord& record, std::span<const TraceEvent> events) {
  MethodMatch match;
  if (record.methods.size() == 1) {
    match.hits = score_of(record.methods[0], events).hits;
    if (match.hits > 0) match.method = &record.methods[0];
    return match;
  }
  std::int64_t best = 0;
  for (const Method& method : record.methods) {
    const Score score = score_of(method, events);
    if (score.hits == 0 || (match.hits > 0 && score.value() < best)) continue;
    match.ambiguous = match.hits > 0 && score.value() == best;
    match.method = &method;
    match.hits = score.hits;
    best = score.value();
  }
  if (match.ambiguous) match.method = nullptr;
  return match;
}

}  // namespace accelscope::formats::etrecord
