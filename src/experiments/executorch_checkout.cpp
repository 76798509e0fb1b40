#include "experiments/executorch_checkout.h"

#include <filesystem>

#include "experiments/process.h"
#include "experiments/text_lines.h"

namespace accelscope::experiments {

ExecutorchCheckout find_executorch_checkout(const std::string& directory) {
  namespace fs = std::filesystem;
  ExecutorchCheckout checkout;
  const std::string folder = (fs::path(directory) / "executorch").string();
  std::error_code ignored;
  checkout.present = fs::is_directory(folder, ignored);
  // A checkout of its own, or git would answer for a repository around it. In a worktree .git is a file.
  if (!checkout.present || !fs::exists(folder + "/.git", ignored)) return checkout;
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder});
    return run_process({.argv = words, .timeout = std::chrono::seconds(30)});
  };
  const auto head = git({"rev-parse", "HEAD"});
  if (!head || !head->succeeded()) return checkout;
  checkout.sha = trimmed(head->output);
  const auto changes = git({"diff", "--quiet", "HEAD"});
  checkout.dirty = changes && changes->end == ProcessEnd::kExited && changes->exit_status == 1;
  return checkout;
}

}  // namespace accelscope::experiments
