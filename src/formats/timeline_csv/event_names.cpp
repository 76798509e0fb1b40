#include "formats/timeline_csv/event_names.h"

#include "trace/vocabulary.h"

namespace accelscope::formats::timeline_csv {

EventKind event_kind(std::string_view name, bool delegated) {
  if (name == "Method::execute") return EventKind::kExecute;
  if (name == "Method::step") return EventKind::kStep;
  if (name == "Program::load_method" || name == "Method::init") return EventKind::kLoad;
  if (name == "OPERATOR_CALL") return EventKind::kOperatorCall;
  if (name == "DELEGATE_CALL") return EventKind::kDelegateCall;
  if (name == "JF_CALL" || name == "MOVE_CALL" || name == "FREE_CALL") return EventKind::kControl;
  const std::string_view prefix = backend_of_prefix(name);
  if (delegated || prefix == "xnnpack" || prefix == "qnnpack") return EventKind::kDelegateOperator;
  return EventKind::kOperator;
}

std::string_view category_of(EventKind kind) {
  namespace category = trace::category;
  switch (kind) {
    case EventKind::kExecute:
    case EventKind::kStep:
      return category::kMethod;
    case EventKind::kLoad:
      return category::kLoad;
    case EventKind::kOperatorCall:
      return category::kOperatorCall;
    case EventKind::kOperator:
      return category::kOperator;
    case EventKind::kDelegateCall:
      return category::kDelegateCall;
    case EventKind::kDelegateOperator:
      return category::kDelegateOperator;
    case EventKind::kControl:
      return category::kControl;
  }
  return {};
}

bool names_a_backend(std::string_view backend) {
  return !backend.empty() && backend != "portable" && backend != "nan" && backend != "None";
}

std::string_view backend_of_prefix(std::string_view name) {
  for (const std::string_view prefix : {"aten::", "xnnpack::", "qnnpack::"})
    if (name.starts_with(prefix)) return prefix.substr(0, prefix.size() - 2);
  return {};
}

}  // namespace accelscope::formats::timeline_csv
