// The answers of gates as JUnit XML, which CI servers show as tests.
//
// One suite of cases; a case failed, was skipped, or passed. Characters that XML cannot hold are left out,
// the others escaped. Same cases, same bytes. Pure function; one thread per Output.
//
//   write_junit("accelscope compare", {{.name = "latency.median", .passed = false, .message = "+4.1 %"}},
//   out);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"

namespace accelscope::report {

struct GateCase {
  std::string name = {};
  bool passed = true;
  bool skipped = false;      // could not be decided; then `passed` means nothing
  std::string message = {};  // why it failed or was skipped; for one that passed, what was found
  std::optional<double> seconds = std::nullopt;
};

void write_junit(std::string_view suite, const std::vector<GateCase>& cases, base::Output& output);

}  // namespace accelscope::report
