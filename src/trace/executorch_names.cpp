#include "trace/executorch_names.h"

#include "trace/vocabulary.h"

namespace accelscope::trace {

EventRole role_of_name(std::string_view name) {
  if (name == "Method::execute") return EventRole::kMethodExecute;
  if (name == "Method::step") return EventRole::kMethodStep;
  if (name == "Program::load_method" || name == "Method::init") return EventRole::kLoad;
  if (name == "OPERATOR_CALL") return EventRole::kOperatorCall;
  if (name == "DELEGATE_CALL") return EventRole::kDelegateCall;
  if (name == "JF_CALL" || name == "MOVE_CALL" || name == "FREE_CALL") return EventRole::kControl;
  if (name.starts_with(kNativeCallPrefix)) return EventRole::kOperator;
  return EventRole::kOther;
}

std::string_view category_of(EventRole role) {
  switch (role) {
    case EventRole::kOther:
      return {};
    case EventRole::kMethodExecute:
    case EventRole::kMethodStep:
      return category::kMethod;
    case EventRole::kLoad:
      return category::kLoad;
    case EventRole::kOperatorCall:
      return category::kOperatorCall;
    case EventRole::kOperator:
      return category::kOperator;
    case EventRole::kDelegateCall:
      return category::kDelegateCall;
    case EventRole::kControl:
      return category::kControl;
    case EventRole::kDelegateOperator:
      return category::kDelegateOperator;
  }
  return {};
}

bool is_numbered_name(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last == 0 || last + 1 == name.size()) return false;
  return name[last] == '#' && name[last - 1] == ' ';
}

}  // namespace accelscope::trace
