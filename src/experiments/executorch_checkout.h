// Which ExecuTorch the runners were built from, as far as a checkout beside them tells.
//
// Asks git, and keeps nothing.
//
//   const ExecutorchCheckout checkout = find_executorch_checkout("/kit");
#pragma once

#include <string>

namespace accelscope::experiments {

struct ExecutorchCheckout {
  bool present = false;  // there is a folder `executorch`
  std::string sha = {};  // "" when git cannot tell
  bool dirty = false;    // tracked files were changed
};

// Looks at <directory>/executorch.
ExecutorchCheckout find_executorch_checkout(const std::string& directory);

}  // namespace accelscope::experiments
