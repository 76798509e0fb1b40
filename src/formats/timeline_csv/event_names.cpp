#include "formats/timeline_csv/event_names.h"

namespace accelscope::formats::timeline_csv {

trace::EventRole role_of_row(std::string_view name, bool delegated) {
  using trace::EventRole;
  const EventRole role = trace::role_of_name(name);
  if (role != EventRole::kOther && role != EventRole::kOperator) return role;
  const std::string_view prefix = backend_of_prefix(name);
  if (delegated || prefix == "xnnpack" || prefix == "qnnpack") return EventRole::kDelegateOperator;
  return EventRole::kOperator;
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
