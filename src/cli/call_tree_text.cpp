#include "cli/call_tree_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/human.h"
#include "trace/call_tree.h"

namespace accelscope::cli {
namespace {

using trace::CallTree;
using trace::CallTreeNode;
using trace::Ticks;
using trace::Trace;

std::string time_text(Ticks time, const base::Frequency& frequency) {
  if (frequency.known()) return base::format_duration(frequency.to_nanoseconds(time));
  return fmt::format("{} ticks", time.value);
}

class TreePrinter {
 public:
  TreePrinter(const Trace& trace, const CallTree& tree, base::Frequency frequency)
      : trace_(trace), tree_(tree), frequency_(frequency) {}

  std::string print() {
    for (const std::uint32_t root : tree_.roots) print_node(root, 0, tree_.nodes[root].total);
    return std::move(text_);
  }

 private:
  // No person reads deeper; a damaged file may nest a million deep.
  static constexpr std::size_t kMaxDepth = 64;

  void print_node(std::uint32_t id, std::size_t depth, Ticks root_total) {
    const CallTreeNode& node = tree_.nodes[id];
    const Ticks self = std::max(node.self, Ticks{0});
    const double share = root_total.value > 0
                             ? 100.0 * static_cast<double>(self.value) / static_cast<double>(root_total.value)
                             : 0.0;
    const std::string_view name = trace_.text(node.name);
    text_ += fmt::format("{:>11} {:>11} {:>6.1f} {:>7}  {}{}\n", time_text(node.total, frequency_),
                         time_text(self, frequency_), share, node.count, std::string(depth * 2, ' '),
                         name.empty() ? "(unnamed)" : name);
    if (node.children.empty()) return;
    if (depth + 1 == kMaxDepth) {
      text_ += fmt::format("{:>40}{}(deeper levels are not shown)\n", "", std::string(depth * 2 + 2, ' '));
      return;
    }
    for (const std::uint32_t child : node.children) print_node(child, depth + 1, root_total);
  }

  const Trace& trace_;
  const CallTree& tree_;
  base::Frequency frequency_;
  std::string text_;
};

}  // namespace

std::string call_tree_text(const Trace& trace, const report::Style& style) {
  std::string text;
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const trace::TrackId track{id};
    if (trace.slices_of(track).empty()) continue;
    const CallTree tree = call_tree(trace, track);
    text += fmt::format("{}{}{}\n{}{:>11} {:>11} {:>6} {:>7}  name{}\n", style.bold,
                        trace.text(trace.track(track).name), style.plain, style.dim, "total", "self",
                        "self %", "count", style.plain);
    text += TreePrinter(trace, tree, trace.clock_of(track).frequency).print();
  }
  return text;
}

}  // namespace accelscope::cli
