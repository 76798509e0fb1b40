#include <algorithm>
#include <tuple>
#include <vector>

#include "formats/tensor_dump/manifest.h"

namespace accelscope::formats::tensor_dump {

using recorder::TensorRole;
using recorder::TensorStage;

Counts counts_of(const std::vector<Argument>& arguments) {
  Counts counts;
  counts.total = arguments.size();
  for (const Argument& argument : arguments) {
    ++(argument.stage == TensorStage::kBefore ? counts.before : counts.after);
    ++(argument.role == TensorRole::kIn    ? counts.input
       : argument.role == TensorRole::kOut ? counts.output
                                           : counts.inout);
    counts.truncated += argument.truncated ? 1U : 0U;
  }
  return counts;
}

Contents contents_of(const std::vector<Argument>& arguments) {
  Contents contents{.counts = counts_of(arguments)};
  std::vector<std::uint64_t> tasks;
  tasks.reserve(arguments.size());
  for (const Argument& argument : arguments) {
    tasks.push_back(argument.task);
    contents.scalars += argument.is_scalar ? 1U : 0U;
    contents.bytes += argument.bin_size;
  }
  std::sort(tasks.begin(), tasks.end());
  contents.tasks = static_cast<std::uint64_t>(std::unique(tasks.begin(), tasks.end()) - tasks.begin());
  return contents;
}

bool comes_before(const Argument& a, const Argument& b) {
  return std::tie(a.task, a.stage, a.index) < std::tie(b.task, b.stage, b.index);
}

}  // namespace accelscope::formats::tensor_dump
