#include "formats/etrecord/trace_events.h"

#include <limits>

#include "trace/vocabulary.h"

namespace accelscope::formats::etrecord {

using trace::ArgId;
using trace::CategoryId;
using trace::EventRole;
using trace::StringId;
using trace::Value;

namespace {
// A search for parts of names reads all of them; maps larger than this are only looked up by the whole name.
constexpr std::size_t kMaxSearchedEvents = 4096;
}  // namespace

EventReader::EventReader(const trace::Trace& trace)
    : trace_(trace),
      instruction_(trace.strings().find(trace::arg::kInstruction)),
      chain_(trace.strings().find(trace::arg::kChain)),
      delegate_id_(trace.strings().find(trace::arg::kDelegateId)),
      backend_(trace.strings().find(trace::arg::kBackend)),
      method_(trace.find_category(trace::category::kMethod)),
      load_(trace.find_category(trace::category::kLoad)),
      operator_call_(trace.find_category(trace::category::kOperatorCall)),
      operator_(trace.find_category(trace::category::kOperator)),
      delegate_call_(trace.find_category(trace::category::kDelegateCall)),
      delegate_operator_(trace.find_category(trace::category::kDelegateOperator)) {}

EventRole EventReader::role_of(CategoryId category) const {
  if (category == CategoryId::kNone) return EventRole::kOther;
  if (category == operator_call_) return EventRole::kOperatorCall;
  if (category == operator_) return EventRole::kOperator;
  if (category == delegate_call_) return EventRole::kDelegateCall;
  if (category == delegate_operator_) return EventRole::kDelegateOperator;
  return EventRole::kOther;
}

std::optional<TraceEvent> EventReader::at(std::uint32_t slice) const {
  const CategoryId category = trace_.slices().category[slice];
  const bool method_level = category != CategoryId::kNone && (category == method_ || category == load_);
  if (method_level || instruction_ == StringId::kEmpty) return std::nullopt;
  TraceEvent event;
  event.role = role_of(category);
  event.name = trace_.text(trace_.slices().name[slice]);
  bool has_instruction = false;
  const trace::ArgTable& args = trace_.args();
  for (ArgId arg = trace_.slices().first_arg[slice]; arg != ArgId::kNone; arg = args.next[index(arg)]) {
    const StringId name = args.name[index(arg)];
    const Value value = args.value(arg);
    const bool integer = value.type == trace::ValueType::kInt || value.type == trace::ValueType::kUint;
    if (name == instruction_ && integer && value.as_int() >= 0 &&
        value.as_int() <= std::numeric_limits<Instruction>::max()) {
      event.instruction = static_cast<Instruction>(value.as_int());
      has_instruction = true;
    } else if (chain_ != StringId::kEmpty && name == chain_ && integer && value.as_int() < 0) {
      return std::nullopt;  // outside of any instruction
    } else if (delegate_id_ != StringId::kEmpty && name == delegate_id_ && integer) {
      event.delegate_number = value.as_int();
    } else if (backend_ != StringId::kEmpty && name == backend_ && value.holds_text()) {
      event.known_backend = trace_.text(value.as_text());
    }
  }
  if (!has_instruction) return std::nullopt;
  return event;
}

const std::vector<DebugHandle>* find_handles(const Delegate& delegate, std::string_view id) {
  const auto exact = delegate.events.find(id);
  if (exact != delegate.events.end()) return &exact->second.handles;
  if (delegate.events.size() > kMaxSearchedEvents) return nullptr;
  const DelegateEvent* last = nullptr;
  for (const DelegateEvents::value_type& event : delegate.events) {
    if (event.first.empty() || id.find(event.first) == std::string_view::npos) continue;
    if (last == nullptr || last->position < event.second.position) last = &event.second;
  }
  return last == nullptr ? nullptr : &last->handles;
}

}  // namespace accelscope::formats::etrecord
