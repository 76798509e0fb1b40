// What to call the kinds and fates of runs in files and on screens.
//
// Pure functions; what they return is constant.
//
//   json.member("status", name_of(RunStatus::kAborted));   // "aborted"
#pragma once

#include <string_view>

#include "trace/entities.h"

namespace accelscope::trace {

constexpr std::string_view name_of(RunKind kind) {
  switch (kind) {
    case RunKind::kExecution:
      return "execution";
    case RunKind::kLoad:
      return "load";
    case RunKind::kOther:
      return "other";
  }
  return "unknown";
}

constexpr std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::kComplete:
      return "complete";
    case RunStatus::kAborted:
      return "aborted";
    case RunStatus::kEmpty:
      return "empty";
  }
  return "unknown";
}

}  // namespace accelscope::trace
