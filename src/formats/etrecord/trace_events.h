// The events of a Trace as an ETRecord knows them: instruction, identifier, part in the run.
//
// Internal to this folder. Texts are views into the Trace. Pure; safe from any thread.
//
//   EventReader events(trace);
//   if (const std::optional<TraceEvent> event = events.at(slice)) use(event->instruction);
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/etrecord/etrecord.h"
#include "trace/executorch_names.h"
#include "trace/trace.h"

namespace accelscope::formats::etrecord {

struct TraceEvent {
  Instruction instruction = 0;
  trace::EventRole role = trace::EventRole::kOther;
  std::string_view name;
  std::optional<std::int64_t> delegate_number;
  std::string_view known_backend;  // as the trace has it so far

  // How the delegate map spells it.
  std::string delegate_id() const {
    return delegate_number ? std::to_string(*delegate_number) : std::string(name);
  }
};

class EventReader {
 public:
  explicit EventReader(const trace::Trace& trace);

  // Nothing for events without an instruction: methods, loading.
  std::optional<TraceEvent> at(std::uint32_t slice) const;

 private:
  trace::EventRole role_of(trace::CategoryId category) const;

  const trace::Trace& trace_;
  trace::StringId instruction_, chain_, delegate_id_, backend_;
  trace::CategoryId method_, load_, operator_call_, operator_, delegate_call_, delegate_operator_;
};

// The handles that a delegate's map has for an event: those of its identifier, else those of the last key
// that is part of the identifier. Null when there are none.
const std::vector<DebugHandle>* find_handles(const Delegate& delegate, std::string_view id);

// Calls use(node) for the graph nodes of these handles, in their order. Ends early after more handles and
// nodes than any operator is fused of, so that lists that multiply each other do not take forever.
template <class Use>
void for_each_node(const Method& method, const std::vector<DebugHandle>& handles, Use&& use) {
  std::size_t visits_left = 10'000;
  for (const DebugHandle handle : handles) {
    if (visits_left-- == 0) return;
    const auto nodes = method.nodes.find(handle);
    if (nodes == method.nodes.end()) continue;
    for (const GraphNode& node : nodes->second) {
      if (visits_left-- == 0) return;
      use(node);
    }
  }
}

}  // namespace accelscope::formats::etrecord
